"""The report on a terminal. Run: terminal.py PROGRAM; from the project's root.

On pseudo-terminals of 80 and 200 columns, in UTF-8 and ASCII locales, with and without colour: no
line is wider than the terminal, a cadence stands as straight columns, escapes are only colours; the
progress bar is on standard error and leaves nothing behind."""
import fcntl, os, pty, re, struct, subprocess, sys, tempfile, termios, threading, time

program = os.path.abspath(sys.argv[1])
bad, done = [], 0
ESCAPE = re.compile(r'\x1b\[[0-9;]*m')


def reader(fd, out):
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            return
        if not data:
            return
        out.append(data)


def run(args, columns, env, both=True, feed=None):
    """(bytes on the terminal, bytes on stdout when that is a pipe)"""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    mode = termios.tcgetattr(side)
    mode[1] &= ~termios.OPOST
    termios.tcsetattr(side, termios.TCSANOW, mode)
    seen = []
    thread = threading.Thread(target=reader, args=(main, seen))
    p = subprocess.Popen([program, *args], stdin=subprocess.PIPE, stderr=side,
                         stdout=side if both else subprocess.PIPE,
                         env=dict({'PATH': '/usr/bin:/bin', 'TERM': 'xterm'}, **env))
    os.close(side)
    thread.start()
    if feed:
        for part in feed:
            p.stdin.write(part)
            p.stdin.flush()
            time.sleep(0.25)
    p.stdin.close()
    out = b'' if both else p.stdout.read()
    if p.wait() not in (0, 1, 3):
        bad.append('%s: exit %d' % (args, p.returncode))
    thread.join(10)
    os.close(main)
    return b''.join(seen), out


def check(name, text, columns, env, period, color):
    global done
    done += 1
    plain = ESCAPE.sub('', text)
    if '\x1b' in plain or '\r' in plain:
        bad.append('%s: an escape that is no colour' % name)
    if ('\x1b' in text) != color:
        bad.append('%s: colour %s' % (name, 'missing' if color else 'not wanted'))
    if color and len(re.findall(r'\x1b\[0m', text)) * 2 != len(ESCAPE.findall(text)):
        bad.append('%s: a colour that does not end' % name)
    if env['LC_ALL'] == 'C' and any(ord(c) > 126 for c in text):
        bad.append('%s: beyond ASCII' % name)
    lines = plain.split('\n')
    for line in lines:
        if len(line) > columns:
            bad.append('%s: %d columns: %r' % (name, len(line), line))
    if len(lines) > (50 if columns >= 80 else 60):
        bad.append('%s: %d lines' % (name, len(lines)))
    strips = [s for s in lines if re.fullmatch(r'  [S.?|]{8,}', s)]
    stalls = [s for s in strips if 'S' in s]
    if not stalls:
        bad.append('%s: no strip' % name)
    for s in stalls:
        if {i % period for i, c in enumerate(s[2:]) if c == 'S'} != {0}:
            bad.append('%s: a cadence that is no column: %r' % (name, s))
    if len(stalls) > 1 and (len(stalls[0]) - 2) % period:
        bad.append('%s: folded at %d, period %d' % (name, len(stalls[0]) - 2, period))
    if len(stalls) > 1 and columns >= 100 and len(stalls[0]) + period <= min(columns, 200):
        bad.append('%s: a strip of %d columns of %d' % (name, len(stalls[0]), columns))


with tempfile.TemporaryDirectory() as work:
    logs = {}
    for period in (3, 4, 7):
        logs[period] = '%s/période%d.csv' % (work, period)
        with open(logs[period], 'w') as f:
            f.write('step,wait_ms,step_ms\n')
            f.writelines('%d,%d.5,1000\n' % (i, 700 if i % period == 0 else 1) for i in range(500))
    quiet = work + '/quiet.csv'
    with open(quiet, 'w') as f:
        f.write('step,wait_ms,step_ms\n')
        f.writelines('%d,1.%d,100\n' % (i, i % 7) for i in range(500))
    n = 0
    for columns in (80, 200, 50):
        for locale in ('C.UTF-8', 'C'):
            for how, env, options in (('colour', {}, []), ('NO_COLOR', {'NO_COLOR': '1'}, []),
                                      ('never', {}, ['--color', 'never'])):
                for period, log in logs.items():
                    n += 1
                    env = dict(env, LC_ALL=locale)
                    args = ['--plot', 'none', '-o', '%s/r%d' % (work, n), *options, log]
                    args = ['show', *args] if n % 2 else args + [quiet]
                    text = run(args, columns, env)[0].decode()
                    check('%d columns, %s, %s, period %d' % (columns, locale, how, period), text,
                          columns, env, period, how == 'colour')

    # A slow pipe: the bar is on standard error only, and is taken away before anything else.
    data = open(logs[4], 'rb').read()
    size = len(data) // 8 + 1
    feed = [data[i:i + size] for i in range(0, len(data), size)]
    env = {'LC_ALL': 'C.UTF-8'}
    fast = run(['show', '--md', '-'], 80, env, both=False, feed=[data])
    slow = run(['show', '--md', '-'], 80, env, both=False, feed=feed)
    if slow[1] != fast[1]:
        bad.append('the progress bar changes standard output')
    if b'MB/s' not in slow[0]:
        bad.append('no progress on a slow pipe')
    if slow[0].split(b'\r')[-1] != b'\x1b[K':
        bad.append('the progress bar is left behind: %r' % slow[0][-60:])
    if fast[0] != b'':
        bad.append('a fast run says %r' % fast[0])
    text = run(['show', '-q', '--md', '-'], 80, env, both=False, feed=feed)[0]
    if text != b'':
        bad.append('--quiet says %r' % text)
    done += 4
print('\n'.join(bad) or '%d terminals show what they should' % done)
sys.exit(1 if bad else 0)
