"""Several inputs at a time, and being stopped. Run: jobs.py PROGRAM; from the project's root.

Same bytes whatever -j; the first fault by place, not by time; one progress bar; nothing unfinished left
behind by a signal; a full disk under gnuplot is not taken for success."""
import glob, gzip, os, pty, shutil, signal, subprocess, sys, tempfile, time

program = os.path.abspath(sys.argv[1])
BROKEN, FIXED = os.path.abspath('testdata/chrome/broken_w4.json'), os.path.abspath('testdata/chrome/fixed_w4.json.gz')
bad, done = [], 0


def run(*a, **k):
    return subprocess.run([program, *a], capture_output=True, timeout=300, **k)


def check(what, ok, detail=''):
    global done
    done += 1
    if not ok:
        bad.append('%s: %s' % (what, detail))


def put(name, data, mode=0o644):
    with open(name, 'wb') as f:
        f.write(data)
    os.chmod(name, mode)
    return name


def samples(tmp):
    """A few runs of every kind, two of them damaged."""
    plain = open(BROKEN, 'rb').read()
    packed = gzip.compress(plain)
    names = [BROKEN, FIXED, put(tmp + '/cut.json.gz', packed[:len(packed) * 9 // 10]),
             put(tmp + '/open.json', plain[:len(plain) * 8 // 10]), put(tmp + '/junk.json.gz', packed + b'junk')]
    if shutil.which('zstd'):
        zst = subprocess.run(['zstd', '-qc', BROKEN], capture_output=True).stdout
        names += [put(tmp + '/x.json.zst', zst), put(tmp + '/cut.json.zst', zst[:-9])]
    return names


def same_bytes(tmp):
    names = samples(tmp)
    for files in (names, names[:2], names[2:3], names[::-1] * 9):
        want = None
        for jobs in ('1', '2', '3', '40'):
            p = run('show', '--json', '-j', jobs, *files)
            got = (p.returncode, p.stdout, p.stderr)
            want = want or got
            check('-j %s with %d runs' % (jobs, len(files)), got == want and p.returncode == 0, p.stderr[:300])
    p, q = (run('series', '-j' + j, '-', stdin=open(names[2], 'rb')) for j in '12')
    check('series from a pipe', p.stdout == q.stdout != b'' and p.stderr == q.stderr, p.stderr)
    for arg in ('0', '257', '-1', 'x', '', '99999999999999999999'):
        p = run('show', '--jobs', arg, BROKEN)
        check('--jobs %r' % arg, p.returncode == 2 and b'--jobs' in p.stderr, p.stderr)


def first_fault(tmp):
    """The fault of the first run, which comes last, is the one that is told."""
    fifo = tmp + '/slow'
    os.mkfifo(fifo)
    junk = put(tmp + '/junk', b'no trace at all\n')
    late = subprocess.Popen(['sh', '-c', 'exec >"$0"; sleep 0.5; echo "no trace either"', fifo])
    p = run('show', '-j3', '--json', BROKEN, fifo, junk, FIXED)
    late.wait()
    check('fault of the first run', p.returncode == 2 and b'slow' in p.stderr and not p.stdout and
          b'/junk' not in p.stderr, p.stderr)
    for jobs in '13':
        p = run('show', '-j', jobs, '--json', *samples(tmp)[2:4], junk, tmp + '/none')
        check('warnings before the fault, -j%s' % jobs, p.returncode == 2 and len(p.stderr.splitlines()) >= 3 and
              b'/junk' in p.stderr.splitlines()[-1] and b'none' not in p.stderr, p.stderr)


def bar(tmp):
    """A slow input among two: one bar that ends where it began."""
    fifo = tmp + '/slow'
    os.mkfifo(fifo)
    ours, theirs = pty.openpty()
    late = subprocess.Popen(['sh', '-c', 'exec >"$0"; head -c 20000 "$1"; sleep 1.4; tail -c +20001 "$1"', fifo, BROKEN])
    p = subprocess.Popen([program, 'show', '--json', '-j2', fifo, BROKEN], stdout=subprocess.DEVNULL, stderr=theirs)
    p.wait(60), late.wait()
    os.close(theirs)
    text = b''
    try:
        while True:
            piece = os.read(ours, 4096)
            if not piece:
                break
            text += piece
    except OSError:
        pass
    check('a bar is shown and taken away', p.returncode == 0 and b'MB/s' in text and text.count(b'\x1b[K') == 1, text[-200:])


def fake_gnuplot(tmp, script):
    os.makedirs(tmp + '/bin', exist_ok=True)
    put(tmp + '/bin/gnuplot', b'#!/bin/sh\n' + script, 0o755)
    return dict(os.environ, PATH=tmp + '/bin:' + os.environ['PATH'])


def wait_for(condition, seconds=30):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.002)
    return condition()


def signals(tmp):
    out = tmp + '/out'
    env = fake_gnuplot(tmp, b'echo >started\nsleep 60\n')
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        p = subprocess.Popen([program, BROKEN, FIXED, '-o', out], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check('a picture is being drawn', wait_for(lambda: glob.glob(out + '/plots/.*/started')))
        p.send_signal(number)
        _, err = p.communicate(timeout=30)
        left = [n for _, folders, files in os.walk(out) for n in folders + files if n.startswith('.')]
        check('signal %d while drawing' % number, p.returncode == -number and not left and not err, (p.returncode, left, err))
    rows = ''.join('%d,%d.%03d,9\n' % (i, i % 5, i % 997) for i in range(400000))
    data = put(tmp + '/long.csv', b'step,wait_ms,dur_ms\n' + rows.encode())
    for number in (signal.SIGINT, signal.SIGTERM):
        target = tmp + '/series.csv.gz'
        p = subprocess.Popen([program, 'series', data, '-o', target], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check('a series is being written', wait_for(lambda: glob.glob(target + '.*') or p.poll() is not None))
        p.send_signal(number)
        _, err = p.communicate(timeout=60)
        check('signal %d while writing' % number, not glob.glob(target + '*') and p.returncode == -number, (p.returncode, err))


def full_disk(tmp):
    for script, what in ((b'printf "<svg>half" >$(basename $2 .gp).svg\n', 'a picture that is cut'),
                         (b': >$(basename $2 .gp).svg\n', 'a picture that is empty')):
        p = run(BROKEN, FIXED, '-o', tmp + '/cut', env=fake_gnuplot(tmp, script))
        check(what, p.returncode == 4 and b'/plots/' in p.stderr and not glob.glob(tmp + '/cut/plots/.*'), p.stderr)
    p = run(BROKEN, FIXED, '-o', tmp + '/none', env=fake_gnuplot(tmp, b'exit 1\n'))
    check('gnuplot that fails', p.returncode == 0 and b'not drawn' in p.stderr, p.stderr)
    disk = tmp + '/disk'
    os.mkdir(disk)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'none', disk], capture_output=True).returncode:
        print('no rights to mount: full disk not tried')
        return
    try:
        for script in (b'head -c 9000000 /dev/zero >x; exit 1\n', b'head -c 9000000 /dev/zero >x; exit 0\n',
                       b'head -c 9000000 /dev/zero >x\n exec ' + (shutil.which('gnuplot') or 'false').encode() + b' "$@"\n'):
            p = run(BROKEN, FIXED, '-o', disk + '/out', env=fake_gnuplot(tmp, script))
            check('full disk', p.returncode == 4 and b'No space left' in p.stderr and
                  not glob.glob(disk + '/out/plots/.*'), (p.returncode, p.stderr))
    finally:
        subprocess.run(['umount', disk])


with tempfile.TemporaryDirectory() as top:
    for f in (same_bytes, first_fault, bar, signals, full_disk):
        d = os.path.join(top, f.__name__)
        os.makedirs(d)
        f(d)
print('\n'.join(bad[:40]) or '%d checks' % done)
print('%d of %d hold' % (done - len(bad), done))
sys.exit(1 if bad else 0)
