# stalldiff: gap and mean wait against num_workers. Draws sweep.svg in the current folder: gnuplot sweep.gp
reset
set encoding utf8
set terminal svg dynamic size 900,452 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'sweep.svg'
set datafile missing '?'
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6
set style fill solid 1.0 noborder
set samples 2
set multiplot title 'Gap and mean wait against num_workers' font ',15'

$set1 << EOD
-0.055 1 ? 6.21047440625 1
0.945 1 ? 6.0761469375 1
1.945 2 ? 4.02892675 1
3.89 4 ? 4.6546126249999995 1
EOD

$set2 << EOD
4 4 ? 4.09682146875 1
2.055 2 ? 4.1766413125 1
1.055 1 ? 5.91980615625 1
0.055 1 ? 6.1597584375 1
EOD

$set3 << EOD
4.11 ? ? 0.00060765625 0
EOD

$proportion << EOD
1.0000 5.997976546874999
1.0750 5.579513066860464
1.1500 5.215631779891304
1.2250 4.89630738520408
1.3000 4.613828112980769
1.3750 4.362164761363636
1.4500 4.136535549568965
1.5250 3.9330993749999994
1.6000 3.7487353417968743
1.6750 3.580881520522387
1.7500 3.4274151696428565
1.8250 3.2865624914383558
1.9000 3.1568297615131575
1.9750 3.036950150316455
2.0500 2.9258422179878045
2.1250 2.8225771985294115
2.2000 2.726352975852272
2.2750 2.6364732074175823
2.3500 2.552330445478723
2.4250 2.4733923904639172
2.5000 2.3991906187499996
2.5750 2.3293112803398053
2.6500 2.263387376179245
2.7250 2.201092310779816
2.8000 2.1421344810267855
2.8750 2.0862527119565213
2.9500 2.033212388771186
3.0250 1.9828021642561982
3.1000 1.9348311441532255
3.1750 1.8891264714566927
3.2500 1.8455312451923074
3.3250 1.8039027208646612
3.4000 1.764110749080882
3.4750 1.7260364163669062
3.5500 1.6895708582746476
3.6250 1.654614219827586
3.7000 1.6210747423986482
3.7750 1.5888679594370858
3.8500 1.5579159862012983
3.9250 1.5281468909235667
4.0000 1.4994941367187498
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
set tmargin at screen 0.81858
set bmargin at screen 0.22124
set xlabel 'num_workers' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'median gap between stalls (steps)' offset 0,-0.3
set xrange [-0.42000000000000004:4.42]
set xtics 1
set format x '%.0f'
set yrange [0:4.48]
set ytics 1
set format y '%.0f'
set arrow from 0,0 to 4,4 nohead back dt 2 lw 1.5 lc rgb '#7F7F7F'
plot $set1 using 1:($5==1?$2:NaN) with points pt 7 ps 1 lc rgb '#D55E00' notitle, \
     $set1 using 1:($5==0?$2:NaN) with points pt 6 ps 1 lw 1.5 lc rgb '#D55E00' notitle, \
     $set1 using 1:3 with points pt 8 ps 1.1 lw 1.5 lc rgb '#D55E00' notitle, \
     $set2 using 1:($5==1?$2:NaN) with points pt 7 ps 1 lc rgb '#0072B2' notitle, \
     $set2 using 1:($5==0?$2:NaN) with points pt 6 ps 1 lw 1.5 lc rgb '#0072B2' notitle, \
     $set2 using 1:3 with points pt 8 ps 1.1 lw 1.5 lc rgb '#0072B2' notitle, \
     $set3 using 1:($5==1?$2:NaN) with points pt 7 ps 1 lc rgb '#009E73' notitle, \
     $set3 using 1:($5==0?$2:NaN) with points pt 6 ps 1 lw 1.5 lc rgb '#009E73' notitle, \
     $set3 using 1:3 with points pt 8 ps 1.1 lw 1.5 lc rgb '#009E73' notitle, \
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
set tmargin at screen 0.81858
set bmargin at screen 0.22124
set xlabel 'num_workers' offset 0,0.5
set ylabel '' offset 0.8,0
set title 'mean wait (s)' offset 0,-0.3
set xrange [-0.42000000000000004:4.42]
set xtics 1
set format x '%.0f'
set yrange [0:6.955731335000001]
set ytics autofreq
set format y '%g'
set arrow from 2, graph 0 to 2, graph 1 nohead back dt 4 lw 1.5 lc rgb 'black'
plot $proportion using 1:2 with lines dt 3 lw 1.5 lc rgb '#7F7F7F' notitle, \
     $set1 using 1:4 with points pt 7 ps 1 lc rgb '#D55E00' notitle, \
     $set2 using 1:4 with points pt 7 ps 1 lc rgb '#0072B2' notitle, \
     $set3 using 1:4 with points pt 7 ps 1 lc rgb '#009E73' notitle, \
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
set tmargin at screen 0.10177
set bmargin at screen 0.01770
set key inside center center horizontal maxcols 4 Left reverse samplen 2.5
plot keyentry with points pt 7 ps 1 lc rgb '#D55E00' title 'broken, pass 1', \
     keyentry with points pt 7 ps 1 lc rgb '#0072B2' title 'broken, pass 2', \
     keyentry with points pt 7 ps 1 lc rgb '#009E73' title 'fixed, pass 1', \
     keyentry with lines dt 2 lw 1.5 lc rgb '#7F7F7F' title 'gap = num_workers', \
     keyentry with lines dt 3 lw 1.5 lc rgb '#7F7F7F' title 'if workers added up', \
     keyentry with lines dt 4 lw 1.5 lc rgb 'black' title 'logical CPUs', \
     NaN notitle

unset multiplot
set output
