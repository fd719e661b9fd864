"""Golden command-line cases. Run: golden.py PROGRAM [--update]; from the project's root.

tests/golden/NAME/cmd holds arguments, one line, as a shell would split them; `stdout`, `stderr`,
`exit` (default 0) and `files/` hold what must come out, byte for byte. Each case runs in an empty
folder with testdata linked into it. --update rewrites what is expected."""
import os, shlex, shutil, subprocess, sys, tempfile

program, update = os.path.abspath(sys.argv[1]), '--update' in sys.argv
root = os.getcwd()
cases = os.path.join(root, 'tests', 'golden')
failed = []


def read(path):
    try:
        with open(path, 'rb') as f:
            return f.read()
    except FileNotFoundError:
        return b''


def put(path, data):
    if data:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(data)
    elif os.path.exists(path):
        os.unlink(path)


def tree(top):
    out = {}
    for d, dirs, files in os.walk(top):
        dirs[:] = [x for x in dirs if not os.path.islink(os.path.join(d, x))]
        for f in files:
            p = os.path.join(d, f)
            if not f.endswith(('.svg', '.png', '.pdf')):
                out[os.path.relpath(p, top)] = read(p)
    return out


for name in sorted(os.listdir(cases)):
    case = os.path.join(cases, name)
    words = shlex.split(read(os.path.join(case, 'cmd')).decode())
    with tempfile.TemporaryDirectory() as work:
        os.symlink(os.path.join(root, 'testdata'), os.path.join(work, 'testdata'))
        env = dict(PATH=os.environ['PATH'], LC_ALL='C.UTF-8')
        p = subprocess.run([program, *words], cwd=work, env=env, capture_output=True,
                           stdin=subprocess.DEVNULL, timeout=120)
        files = tree(work)
    got = {'stdout': p.stdout, 'stderr': p.stderr, 'exit': b'' if p.returncode == 0 else b'%d\n' % p.returncode}
    got.update(('files/' + k, v) for k, v in files.items())
    want = {k: read(os.path.join(case, k)) for k in ('stdout', 'stderr', 'exit')}
    if os.path.isdir(os.path.join(case, 'files')):
        want.update(('files/' + k, v) for k, v in tree(os.path.join(case, 'files')).items())
    if update:
        shutil.rmtree(os.path.join(case, 'files'), ignore_errors=True)
        for k, v in got.items():
            put(os.path.join(case, k), v)
        continue
    for k in sorted(set(got) | set(want)):
        if got.get(k) != want.get(k):
            failed.append(name)
            print('%s: %s differs' % (name, k))
            print('  want: %r\n  got:  %r' % ((want.get(k) or b'')[:600], (got.get(k) or b'')[:600]))
print('%d cases, %d differ' % (len(os.listdir(cases)), len(set(failed))))
sys.exit(1 if failed else 0)
