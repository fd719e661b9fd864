# stalldiff: distribution of the waits. Draws ecdf.svg in the current folder: gnuplot ecdf.gp
reset
set encoding utf8
set terminal svg dynamic size 900,444 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'ecdf.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Share of the steps that wait at most this long' font ',15'

$run1 << EOD
0.1812438888888889 0
0.326239 0.03125
0.50621 0.0625
0.969832 0.09375
1.182924 0.125
1.344104 0.15625
2.306636 0.1875
2.463402 0.21875
2.727617 0.25
2.747181 0.28125
3.175691 0.3125
3.299484 0.34375
3.38974 0.375
3.404495 0.40625
3.410523 0.4375
3.501256 0.46875
3.513932 0.5
3.537669 0.53125
4.026356 0.5625
4.419481 0.59375
4.80038 0.625
5.629154 0.65625
5.657624 0.6875
5.732659 0.71875
5.988864 0.75
18551.031385 0.78125
18802.682765 0.8125
18855.944689 0.84375
18860.940634 0.875
18972.782857 0.90625
19020.56288 0.9375
19037.242067 0.96875
19215.630584 1
34588.1350512 1
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
set tmargin at screen 0.89640
set bmargin at screen 0.22072
set xlabel 'input wait' offset 0,0.5
set ylabel 'share of the steps' offset 0.8,0
set logscale x
set xrange [0.1812438888888889:34588.1350512]
set xtics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set yrange [0:1.02]
set ytics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '90 %%' 0.9, '100 %%' 1)
set arrow from first 3184.281219052276, graph 0 to first 3184.281219052276, graph 1 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run1 using 1:2 with steps lw 2 dt 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.09910
set bmargin at screen 0.01802
set key inside center center vertical maxrows 1 Left reverse samplen 2.5
plot keyentry with lines lw 2 dt 1 lc rgb '#D55E00' title 'broken_w4', \
     keyentry with lines dt 2 lw 1.5 lc rgb 'black' title 'stall threshold 3.18 s', \
     NaN notitle

unset multiplot
set output
