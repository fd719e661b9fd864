# stalldiff: gaps between stalls. Draws gaps.svg in the current folder: gnuplot gaps.gp
reset
set encoding utf8
set terminal svg dynamic size 900,988 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'gaps.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Gaps between stalls (8 of 9 runs; all are in the tables)' font ',15'

$run1 << EOD
1 31
EOD

$run2 << EOD
1 27
2 2
EOD

$run3 << EOD
2 14
EOD

$run4 << EOD
4 7
EOD

$run5 << EOD
4 7
EOD

$run6 << EOD
2 15
EOD

$run7 << EOD
1 31
EOD

$run8 << EOD
1 31
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
set tmargin at screen 0.91700
set bmargin at screen 0.76518
set xlabel '' offset 0,0.5
set ylabel 'how often' offset 0.8,0
set title 'sweep_w0_p1' offset 0,-0.3
set yrange [0:34.720000000000006]
set ytics 10
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
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
set tmargin at screen 0.91700
set bmargin at screen 0.76518
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w1_p1, num_workers 1' offset 0,-0.3
set yrange [0:30.240000000000002]
set ytics 10
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 1, graph 0 to first 1, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
plot $run2 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
     NaN notitle

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.11111
set rmargin at screen 0.51222
set tmargin at screen 0.69838
set bmargin at screen 0.54656
set xlabel '' offset 0,0.5
set ylabel 'how often' offset 0.8,0
set title 'sweep_w2_p1, period 2 steps, num_workers 2' offset 0,-0.3
set yrange [0:15.680000000000001]
set ytics 5
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 2, graph 0 to first 2, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
set label '' at first 2, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
plot $run3 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
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
set tmargin at screen 0.69838
set bmargin at screen 0.54656
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w4_p1, period 4 steps, num_workers 4' offset 0,-0.3
set yrange [0:7.840000000000001]
set ytics 2
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 4, graph 0 to first 4, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
set label '' at first 4, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
plot $run4 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
     NaN notitle

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.11111
set rmargin at screen 0.51222
set tmargin at screen 0.47976
set bmargin at screen 0.32794
set xlabel '' offset 0,0.5
set ylabel 'how often' offset 0.8,0
set title 'sweep_w4_p2, period 4 steps, num_workers 4' offset 0,-0.3
set yrange [0:7.840000000000001]
set ytics 2
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 4, graph 0 to first 4, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
set label '' at first 4, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
plot $run5 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
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
set tmargin at screen 0.47976
set bmargin at screen 0.32794
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w2_p2, period 2 steps, num_workers 2' offset 0,-0.3
set yrange [0:16.8]
set ytics 5
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 2, graph 0 to first 2, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
set label '' at first 2, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
plot $run6 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
     NaN notitle

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.11111
set rmargin at screen 0.51222
set tmargin at screen 0.26113
set bmargin at screen 0.10931
set xlabel 'gap between stalls (steps)' offset 0,0.5
set ylabel 'how often' offset 0.8,0
set title 'sweep_w1_p2, num_workers 1' offset 0,-0.3
set yrange [0:34.720000000000006]
set ytics 10
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
set arrow from first 1, graph 0 to first 1, graph 1 nohead front dt 2 lw 2 lc rgb '#009E73'
plot $run7 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
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
set tmargin at screen 0.26113
set bmargin at screen 0.10931
set xlabel 'gap between stalls (steps)' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w0_p2' offset 0,-0.3
set yrange [0:34.720000000000006]
set ytics 10
set format y '%.0f'
set xrange [0:8]
set xtics 2
set format x '%.0f'
plot $run8 using 1:2:(0.7) with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' notitle, \
     NaN notitle

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
set tmargin at screen 0.05466
set bmargin at screen 0.00810
set key inside center center horizontal Left reverse samplen 2.5
plot keyentry with boxes fc rgb '#9CC7E2' fs solid 1.0 border lc rgb '#0072B2' title 'gaps', \
     keyentry with lines dt 2 lw 2 lc rgb '#009E73' title 'num_workers', \
     keyentry with points pt 11 ps 1.3 lc rgb '#D55E00' title 'period found', \
     NaN notitle

unset multiplot
set output
