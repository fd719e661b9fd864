# stalldiff: recurrence of stalls. Draws recurrence.svg in the current folder: gnuplot recurrence.gp
reset
set encoding utf8
set terminal svg dynamic size 900,988 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'recurrence.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Share of stalls that recur after a lag (8 of 9 runs; all are in the tables)' font ',15'

$run1 << EOD
1 1 31
2 1 30
3 1 29
4 1 28
5 1 27
6 1 26
7 1 25
8 1 24
9 1 23
10 1 22
11 1 21
12 1 20
13 1 19
14 1 18
15 1 17
16 1 16
17 1 15
18 1 14
19 1 13
20 1 12
21 1 11
22 1 10
23 1 9
24 1 8
25 1 7
26 1 6
27 1 5
28 1 4
29 1 3
30 1 2
31 1 1
EOD

$run2 << EOD
1 0.9310344827586207 29
2 0.9285714285714286 28
3 0.9629629629629629 27
4 0.9230769230769231 26
5 0.92 25
6 0.9166666666666666 24
7 0.9130434782608695 23
8 0.9090909090909091 22
9 0.9047619047619048 21
10 0.9 20
11 0.8947368421052632 19
12 0.8947368421052632 19
13 0.8888888888888888 18
14 0.8823529411764706 17
15 0.8823529411764706 17
16 0.875 16
17 0.8666666666666667 15
18 0.9285714285714286 14
19 0.9230769230769231 13
20 0.9166666666666666 12
21 1 11
22 1 10
23 1 9
24 1 8
25 1 7
26 1 6
27 1 5
28 1 4
29 1 3
30 1 2
31 1 1
EOD

$run3 << EOD
1 0 15
2 1 14
3 0 14
4 1 13
5 0 13
6 1 12
7 0 12
8 1 11
9 0 11
10 1 10
11 0 10
12 1 9
13 0 9
14 1 8
15 0 8
16 1 7
17 0 7
18 1 6
19 0 6
20 1 5
21 0 5
22 1 4
23 0 4
24 1 3
25 0 3
26 1 2
27 0 2
28 1 1
29 0 1
EOD

$run4 << EOD
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

$run5 << EOD
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

$run6 << EOD
1 0 16
2 1 15
3 0 15
4 1 14
5 0 14
6 1 13
7 0 13
8 1 12
9 0 12
10 1 11
11 0 11
12 1 10
13 0 10
14 1 9
15 0 9
16 1 8
17 0 8
18 1 7
19 0 7
20 1 6
21 0 6
22 1 5
23 0 5
24 1 4
25 0 4
26 1 3
27 0 3
28 1 2
29 0 2
30 1 1
31 0 1
EOD

$run7 << EOD
1 1 31
2 1 30
3 1 29
4 1 28
5 1 27
6 1 26
7 1 25
8 1 24
9 1 23
10 1 22
11 1 21
12 1 20
13 1 19
14 1 18
15 1 17
16 1 16
17 1 15
18 1 14
19 1 13
20 1 12
21 1 11
22 1 10
23 1 9
24 1 8
25 1 7
26 1 6
27 1 5
28 1 4
29 1 3
30 1 2
31 1 1
EOD

$run8 << EOD
1 1 31
2 1 30
3 1 29
4 1 28
5 1 27
6 1 26
7 1 25
8 1 24
9 1 23
10 1 22
11 1 21
12 1 20
13 1 19
14 1 18
15 1 17
16 1 16
17 1 15
18 1 14
19 1 13
20 1 12
21 1 11
22 1 10
23 1 9
24 1 8
25 1 7
26 1 6
27 1 5
28 1 4
29 1 3
30 1 2
31 1 1
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
set ylabel 'stalls that recur' offset 0.8,0
set title 'sweep_w0_p1' offset 0,-0.3
set yrange [0:1.1]
set ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 1 to graph 1, first 1 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run1 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run1 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run1 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set yrange [0:1.1]
set ytics ('' 0, '' 0.25, '' 0.5, '' 0.75, '' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from first 1, graph 0 to first 1, graph 1 nohead back dt 2 lw 2 lc rgb '#009E73'
set arrow from graph 0, first 0.9354838709677419 to graph 1, first 0.9354838709677419 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run2 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run2 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run2 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set ylabel 'stalls that recur' offset 0.8,0
set title 'sweep_w2_p1, period 2 steps, num_workers 2' offset 0,-0.3
set yrange [0:1.1]
set ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from first 2, graph 0 to first 2, graph 1 nohead back dt 2 lw 2 lc rgb '#009E73'
set arrow from first 4, graph 0 to first 4, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 6, graph 0 to first 6, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 8, graph 0 to first 8, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 10, graph 0 to first 10, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 12, graph 0 to first 12, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 14, graph 0 to first 14, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 16, graph 0 to first 16, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 18, graph 0 to first 18, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 20, graph 0 to first 20, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 22, graph 0 to first 22, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 24, graph 0 to first 24, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 26, graph 0 to first 26, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 28, graph 0 to first 28, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 30, graph 0 to first 30, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set label '' at first 2, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
set arrow from graph 0, first 0.45161290322580644 to graph 1, first 0.45161290322580644 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run3 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run3 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run3 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set yrange [0:1.1]
set ytics ('' 0, '' 0.25, '' 0.5, '' 0.75, '' 1)
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
plot $run4 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run4 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run4 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set ylabel 'stalls that recur' offset 0.8,0
set title 'sweep_w4_p2, period 4 steps, num_workers 4' offset 0,-0.3
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
plot $run5 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run5 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run5 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set yrange [0:1.1]
set ytics ('' 0, '' 0.25, '' 0.5, '' 0.75, '' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from first 2, graph 0 to first 2, graph 1 nohead back dt 2 lw 2 lc rgb '#009E73'
set arrow from first 4, graph 0 to first 4, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 6, graph 0 to first 6, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 8, graph 0 to first 8, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 10, graph 0 to first 10, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 12, graph 0 to first 12, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 14, graph 0 to first 14, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 16, graph 0 to first 16, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 18, graph 0 to first 18, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 20, graph 0 to first 20, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 22, graph 0 to first 22, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 24, graph 0 to first 24, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 26, graph 0 to first 26, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 28, graph 0 to first 28, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set arrow from first 30, graph 0 to first 30, graph 1 nohead back dt 2 lw 1 lc rgb '#009E73'
set label '' at first 2, graph 1.0 point pt 11 ps 1.3 lc rgb '#D55E00'
set arrow from graph 0, first 0.4838709677419355 to graph 1, first 0.4838709677419355 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run6 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run6 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run6 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set xlabel 'lag (steps)' offset 0,0.5
set ylabel 'stalls that recur' offset 0.8,0
set title 'sweep_w1_p2, num_workers 1' offset 0,-0.3
set yrange [0:1.1]
set ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from first 1, graph 0 to first 1, graph 1 nohead back dt 2 lw 2 lc rgb '#009E73'
set arrow from graph 0, first 1 to graph 1, first 1 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run7 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run7 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run7 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
set xlabel 'lag (steps)' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w0_p2' offset 0,-0.3
set yrange [0:1.1]
set ytics ('' 0, '' 0.25, '' 0.5, '' 0.75, '' 1)
set xrange [0:32]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 1 to graph 1, first 1 nohead front dt 3 lw 1.5 lc rgb 'black'
plot $run8 using 1:2 with impulses lw 2 lc rgb '#9CC7E2' notitle, \
     $run8 using 1:($3<6?$2:NaN) with points pt 6 ps 0.6 lc rgb '#7F7F7F' notitle, \
     $run8 using 1:($3<6?NaN:$2) with points pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
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
plot keyentry with points pt 7 ps 0.6 lc rgb '#0072B2' title 'recurrence', \
     keyentry with points pt 6 ps 0.6 lc rgb '#7F7F7F' title 'fewer than 6 pairs', \
     keyentry with lines dt 3 lw 1.5 lc rgb 'black' title 'random places', \
     keyentry with lines dt 2 lw 2 lc rgb '#009E73' title 'num_workers, multiples', \
     keyentry with points pt 11 ps 1.3 lc rgb '#D55E00' title 'period found', \
     NaN notitle

unset multiplot
set output
