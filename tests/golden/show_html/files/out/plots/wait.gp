# stalldiff: waits per step. Draws wait.svg in the current folder: gnuplot wait.gp
reset
set encoding utf8
set terminal svg dynamic size 900,440 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'wait.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Input wait per step' font ',15'

$run1 << EOD
0 18855.944689 1
1 5.629154 0
2 5.732659 0
3 3.537669 0
4 18802.682765 1
5 3.501256 0
6 2.463402 0
7 0.50621 0
8 18972.782857 1
9 4.026356 0
10 2.747181 0
11 3.410523 0
12 18860.940634 1
13 4.419481 0
14 2.727617 0
15 0.326239 0
16 19215.630584 1
17 2.306636 0
18 3.299484 0
19 3.513932 0
20 18551.031385 1
21 0.969832 0
22 5.657624 0
23 4.80038 0
24 19020.56288 1
25 1.182924 0
26 1.344104 0
27 5.988864 0
28 19037.242067 1
29 3.404495 0
30 3.38974 0
31 3.175691 0
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
set tmargin at screen 0.81364
set bmargin at screen 0.24545
set xlabel 'step' offset 0,0.5
set ylabel 'input wait' offset 0.8,0
set title 'broken_w4' offset 0,-0.3
set logscale y
set yrange [0.1812438888888889:34588.1350512]
set ytics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 3184.281219052276 to graph 1, first 3184.281219052276 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run1 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run1 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run1 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.12273
set bmargin at screen 0.01818
set key inside center center horizontal Left reverse samplen 2.5
plot keyentry with points pt 6 ps 0.7 lc rgb '#0072B2' title 'wait', \
     keyentry with points pt 9 ps 1 lc rgb '#D55E00' title 'stall', \
     keyentry with lines dt 2 lw 1.5 lc rgb 'black' title 'stall threshold 3.18 s', \
     NaN notitle

unset multiplot
set output
