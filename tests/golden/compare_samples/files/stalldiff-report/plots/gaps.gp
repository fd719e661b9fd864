# stalldiff: gaps between stalls. Draws gaps.svg in the current folder: gnuplot gaps.gp
reset
set encoding utf8
set terminal svg dynamic size 900,430 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'gaps.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Gaps between stalls' font ',15'

$run1 << EOD
4 7
EOD

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.11111
set rmargin at screen 0.51222
set tmargin at screen 0.80930
set bmargin at screen 0.25116
set xlabel 'gap between stalls (steps)' offset 0,0.5
set ylabel 'how often' offset 0.8,0
set title 'broken: broken_w4, period 4 steps' offset 0,-0.3
set yrange [0:7.840000000000001]
set ytics 2
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set label '' at first 4, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
plot $run1 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
     NaN notitle

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.56111
set rmargin at screen 0.96222
set tmargin at screen 0.80930
set bmargin at screen 0.25116
set xlabel 'gap between stalls (steps)' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'fixed: fixed_w4' offset 0,-0.3
set yrange [0:7.840000000000001]
set ytics 2
set format y ''
set xrange [0:8]
set xtics 2
set format x '%.0f'
set label 'no gaps: 0 stalls' at graph 0.5,0.5 center tc rgb '#555555'
plot NaN notitle

unset arrow
unset label
unset logscale
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
set xrange [0:1]
set yrange [0:1]
set lmargin at screen 0.00889
set rmargin at screen 0.99111
set tmargin at screen 0.12558
set bmargin at screen 0.01860
set key inside center center horizontal Left reverse samplen 2.5
plot keyentry with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' title 'gaps', \
     keyentry with points pt 11 ps 1.3 lc rgb '#D55E00' title 'period found', \
     NaN notitle

unset multiplot
set output
