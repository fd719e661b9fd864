# stalldiff: recurrence of stalls. Draws recurrence.svg in the current folder: gnuplot recurrence.gp
reset
set encoding utf8
set terminal svg dynamic size 900,430 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'recurrence.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Share of stalls that recur after a lag' font ',15'

$run1 << EOD
1 0 8
2 0 8
3 0 8
4 1 7
5 0 7
6 0 7
7 0 7
8 1 6
9 0 6
10 0 6
11 0 6
12 1 5
13 0 5
14 0 5
15 0 5
16 1 4
17 0 4
18 0 4
19 0 4
20 1 3
21 0 3
22 0 3
23 0 3
24 1 2
25 0 2
26 0 2
27 0 2
28 1 1
29 0 1
30 0 1
31 0 1
EOD

unset key
unset arrow
unset label
unset logscale
unset title
set format '%g'
set xtics offset 0,0.4
set lmargin at screen 0.11111
set rmargin at screen 0.96222
set tmargin at screen 0.80930
set bmargin at screen 0.25116
set xlabel 'lag (steps)' offset 0,0.5
set ylabel 'stalls that recur' offset 0.8,0
set title 'broken_w4, period 4 steps' offset 0,-0.3
set yrange [0:1.1]
set ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from first 4, graph 0 to first 4, graph 1 nohead back dt 2 lw 2 lc rgb '#009E73'
set arrow from first 8, graph 0 to first 8, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 12, graph 0 to first 12, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 16, graph 0 to first 16, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 20, graph 0 to first 20, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 24, graph 0 to first 24, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 28, graph 0 to first 28, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set label '' at first 4, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
set arrow from graph 0, first 0.22580645161290322 to graph 1, first 0.22580645161290322 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run1 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run1 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run1 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set tmargin at screen 0.12558
set bmargin at screen 0.01860
set key inside center center horizontal Left reverse samplen 2.5
plot keyentry with points pt 7 ps 0.6 lc rgb '#0072B2' title 'recurrence', \
     keyentry with points pt 6 ps 0.6 lc rgb '#7F7F7F' title 'fewer than 6 pairs', \
     keyentry with lines dt 3 lw 1.5 lc rgb 'black' title 'random places', \
     keyentry with lines dt 2 lw 2 lc rgb '#009E73' title 'num_workers = 4, multiples', \
     keyentry with points pt 11 ps 1.3 lc rgb '#D55E00' title 'period found', \
     NaN notitle

unset multiplot
set output
