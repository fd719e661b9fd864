# stalldiff: waits per step. Draws wait.svg in the current folder: gnuplot wait.gp
reset
set encoding utf8
set terminal svg dynamic size 900,1068 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'wait.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Input wait per step (8 of 9 runs; all are in the tables)' font ',15'

$run1 << EOD
0 5702.667 1
1 6313.267 1
2 6705.913 1
3 5753.2 1
4 6325.992 1
5 6743.906 1
6 5803.733 1
7 6363.984 1
8 6777.795 1
9 5854.267 1
10 6401.976 1
11 6927.14 1
12 5904.8 1
13 6439.969 1
14 7065.683 1
15 5955.333 1
16 6477.961 1
17 5450 1
18 6005.867 1
19 6515.953 1
20 5500.533 1
21 6056.4 1
22 6553.945 1
23 5551.067 1
24 6106.933 1
25 6591.937 1
26 5601.6 1
27 6150.644 1
28 6629.929 1
29 5652.133 1
30 6182.733 1
31 6667.921 1
EOD

$run2 << EOD
0 5573.923 1
1 6067 1
2 6757.941 1
3 5615.231 1
4 6129.813 1
5 6820.754 1
6 5656.538 1
7 6192.626 1
8 6855.029 1
9 5697.846 1
10 6255.438 1
11 7006.076 1
12 5739.154 1
13 6318.251 1
14 7146.198 1
15 5780.462 1
16 6381.064 1
17 4700 0
18 5821.769 1
19 6443.877 1
20 4900 0
21 5863.077 1
22 6506.69 1
23 5450 1
24 5904.385 1
25 6569.502 1
26 5491.308 1
27 5945.692 1
28 6632.315 1
29 5532.615 1
30 5987 1
31 6695.128 1
EOD

$run3 << EOD
0 4900 0
1 3932 0
2 7191.039 1
3 261.429 0
4 7870.129 1
5 451.429 0
6 7385.065 1
7 234.286 0
8 6900 1
9 424.286 0
10 7579.09 1
11 207.143 0
12 7094.026 1
13 397.143 0
14 7773.116 1
15 180 0
16 7288.052 1
17 370 0
18 7967.142 1
19 560 0
20 7482.077 1
21 342.857 0
22 6997.013 1
23 532.857 0
24 7676.103 1
25 315.714 0
26 8088.469 1
27 505.714 0
28 8540.76 1
29 288.571 0
30 8711.575 1
31 478.571 0
EOD

$run4 << EOD
0 18201.964 1
1 0.771 0
2 1.311 0
3 0.694 0
4 16839.66 1
5 1.234 0
6 0.617 0
7 1.157 0
8 17747.862 1
9 0.54 0
10 1.08 0
11 1.62 0
12 18656.065 1
13 1.003 0
14 1.543 0
15 0.926 0
16 17293.761 1
17 1.466 0
18 0.849 0
19 1.389 0
20 18940.167 1
21 1.8 0
22 1.8 0
23 2.16 0
24 20364.24 1
25 6.8 0
26 11.44 0
27 16.08 0
28 20771.525 1
29 20.72 0
30 25.36 0
31 30 0
EOD

$run5 << EOD
0 16014.679 1
1 1.714 0
2 2.914 0
3 1.543 0
4 14816.08 1
5 2.743 0
6 1.371 0
7 2.571 0
8 15615.146 1
9 1.2 0
10 2.4 0
11 3.6 0
12 16414.212 1
13 2.229 0
14 3.429 0
15 2.057 0
16 15215.613 1
17 3.257 0
18 1.886 0
19 3.086 0
20 16664.175 1
21 4 0
22 4 0
23 4.8 0
24 17917.12 1
25 9 0
26 13.2 0
27 17.4 0
28 18275.462 1
29 21.6 0
30 25.8 0
31 30 0
EOD

$run6 << EOD
0 6900 1
1 670 0
2 7406.831 1
3 261.429 0
4 8428.438 1
5 451.429 0
6 7698.719 1
7 234.286 0
8 6969 1
9 424.286 0
10 7990.607 1
11 207.143 0
12 7260.888 1
13 397.143 0
14 8282.494 1
15 180 0
16 7552.775 1
17 370 0
18 8574.382 1
19 560 0
20 7844.663 1
21 342.857 0
22 7114.944 1
23 532.857 0
24 8136.551 1
25 315.714 0
26 8704.956 1
27 505.714 0
28 9191.72 1
29 288.571 0
30 9375.554 1
31 478.571 0
EOD

$run7 << EOD
0 5581.333 1
1 5924 1
2 6289.944 1
3 5607.6 1
4 5957.268 1
5 6323.212 1
6 5633.867 1
7 5990.535 1
8 6354.987 1
9 5660.133 1
10 6023.803 1
11 6495.016 1
12 5686.4 1
13 6057.071 1
14 6624.916 1
15 5712.667 1
16 6090.338 1
17 5450 1
18 5738.933 1
19 6123.606 1
20 5476.267 1
21 5765.2 1
22 6156.874 1
23 5502.533 1
24 5791.467 1
25 6190.141 1
26 5528.8 1
27 5817.733 1
28 6223.409 1
29 5555.067 1
30 5844 1
31 6256.677 1
EOD

$run8 << EOD
0 5693 1
1 6287.701 1
2 6592.412 1
3 5741.6 1
4 6289.31 1
5 6622.722 1
6 5790.2 1
7 6319.62 1
8 6656.002 1
9 5838.8 1
10 6349.931 1
11 6802.664 1
12 5887.4 1
13 6380.241 1
14 6938.717 1
15 5936 1
16 6410.551 1
17 5450 1
18 5984.6 1
19 6440.861 1
20 5498.6 1
21 6033.2 1
22 6471.171 1
23 5547.2 1
24 6081.8 1
25 6501.481 1
26 5595.8 1
27 6082.093 1
28 6531.792 1
29 5644.4 1
30 6150.299 1
31 6562.102 1
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
set tmargin at screen 0.92322
set bmargin at screen 0.76404
set xlabel '' offset 0,0.5
set ylabel 'input wait' offset 0.8,0
set title 'sweep_w0_p1' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run1 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run1 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.92322
set bmargin at screen 0.76404
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w1_p1' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('' 1e0, '' 1e1, '' 1e2, '' 1e3, '' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run2 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run2 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run2 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.70225
set bmargin at screen 0.54307
set xlabel '' offset 0,0.5
set ylabel 'input wait' offset 0.8,0
set title 'sweep_w2_p1' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run3 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run3 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run3 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.70225
set bmargin at screen 0.54307
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w4_p1' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('' 1e0, '' 1e1, '' 1e2, '' 1e3, '' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run4 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run4 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run4 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.48127
set bmargin at screen 0.32210
set xlabel '' offset 0,0.5
set ylabel 'input wait' offset 0.8,0
set title 'sweep_w4_p2' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run5 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run5 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run5 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.48127
set bmargin at screen 0.32210
set xlabel '' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w2_p2' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('' 1e0, '' 1e1, '' 1e2, '' 1e3, '' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run6 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run6 using 1:($3==0?$2:NaN) with points pt 6 ps 0.7 lc rgb '#0072B2' notitle, \
     $run6 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.26030
set bmargin at screen 0.10112
set xlabel 'step' offset 0,0.5
set ylabel 'input wait' offset 0.8,0
set title 'sweep_w1_p2' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('1 ms' 1e0, '10 ms' 1e1, '100 ms' 1e2, '1 s' 1e3, '10 s' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run7 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run7 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.26030
set bmargin at screen 0.10112
set xlabel 'step' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'sweep_w0_p2' offset 0,-0.3
set logscale y
set yrange [0.3:37388.745]
set ytics ('' 1e0, '' 1e1, '' 1e2, '' 1e3, '' 1e4)
set xrange [-0.965:31.965]
set xtics 10
set format x '%.0f'
set arrow from graph 0, first 5000 to graph 1, first 5000 nohead back dt 2 lw 1.5 lc rgb 'black'
plot $run8 using 1:($3==1?$2:NaN) with impulses lw 1 lc rgb '#F0B48C' notitle, \
     $run8 using 1:($3==1?$2:NaN) with points pt 9 ps 1 lc rgb '#D55E00' notitle, \
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
set tmargin at screen 0.05056
set bmargin at screen 0.00749
set key inside center center horizontal Left reverse samplen 2.5
plot keyentry with points pt 6 ps 0.7 lc rgb '#0072B2' title 'wait', \
     keyentry with points pt 9 ps 1 lc rgb '#D55E00' title 'stall', \
     keyentry with lines dt 2 lw 1.5 lc rgb 'black' title 'stall threshold 5.00 s', \
     NaN notitle

unset multiplot
set output
