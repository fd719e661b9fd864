"""What users and CI lean on. Run: behaviour.py PROGRAM GEN_TRACE PEAK; from the project's root.

Same bytes from every container of one trace; the right waits of generated traces; exit statuses;
damage named and marked; one clear line for what cannot be read; nothing half-written."""
import csv, glob, gzip, json, os, shutil, subprocess, sys, tempfile

program, gen, peak = (os.path.abspath(a) for a in sys.argv[1:4])
sanitized = b'__asan_init' in open(program, 'rb').read()
BROKEN, FIXED = os.path.abspath('testdata/chrome/broken_w4.json'), os.path.abspath('testdata/chrome/fixed_w4.json.gz')
bad, done = [], 0


def run(*a, cwd=None, stdin=None, **k):
    return subprocess.run([program, *a], capture_output=True, cwd=cwd, input=stdin, timeout=300, **k)


def check(what, ok, detail=''):
    global done
    done += 1
    if not ok:
        bad.append('%s: %s' % (what, detail))


def rows(out):
    return list(csv.DictReader(l for l in out.decode().splitlines() if not l.startswith('#')))


def put(name, data):
    with open(name, 'wb') as f:
        f.write(data)
    return name


def same_bytes(tmp):
    plain = open(BROKEN, 'rb').read()
    zst = subprocess.run(['zstd', '-qc', BROKEN], capture_output=True).stdout if shutil.which('zstd') else None
    half = len(plain) // 2
    forms = {'plain': plain, 'gzip': gzip.compress(plain, 1), 'two members': gzip.compress(plain[:half]) + gzip.compress(plain[half:]),
             'zstd': zst}
    want = None
    for what, data in forms.items():
        if data is None:
            continue
        for suffix in ('.json', '.json.gz', '.zst'):
            d = os.path.join(tmp, 'form')
            os.makedirs(d, exist_ok=True)
            p = run('show', '--json', put(os.path.join(d, 'x' + suffix), data))
            j = json.loads(p.stdout)
            got = (p.returncode, json.dumps(j['runs'][0]['analysis']), j['runs'][0]['warnings'])
            want = want or got
            check('same analysis from %s named %s' % (what, suffix), got == want, got[0])
            os.unlink(os.path.join(d, 'x' + suffix))
        p = run('show', '--json', '-', stdin=data)
        check('same analysis from stdin, ' + what, json.dumps(json.loads(p.stdout)['runs'][0]['analysis']) == want[1])


def generated(tmp):
    for i, opts in enumerate((['--pattern', 'broken'], ['--pattern', 'fixed', '--layout', 'perline'],
                              ['--pattern', 'random', '--workers', '0'], ['--pattern', 'broken', '--no-stack', '--decoys', '40'])):
        f, t = os.path.join(tmp, 'g.json'), os.path.join(tmp, 'g.csv')
        subprocess.run([gen, '--size-mb', '5', '--steps', '64', '--seed', str(i + 7), *opts, '--out', f, '--truth', t], check=True)
        p = run('series', f)
        got = [(r['step'], r['wait_ms']) for r in rows(p.stdout)]
        want = []
        for r in csv.DictReader(open(t)):
            us, _, frac = r['input_wait_us'].partition('.')
            ns = int(us) * 1000 + int((frac + '000')[:3])
            want.append((r['step'], '%d.%06d' % (ns // 1000000, ns % 1000000)))
        check('waits of a generated trace ' + ' '.join(opts), got == want, '%d rows, exit %d' % (len(got), p.returncode))


def memory(tmp):
    if sanitized:
        return
    peaks = []
    for mb in (20, 120):
        f = os.path.join(tmp, 'm.json')
        subprocess.run([gen, '--size-mb', str(mb), '--steps', '64', '--out', f, '--truth', '/dev/null'], check=True)
        p = subprocess.run([peak, program, 'series', '-o', '/dev/null', f], capture_output=True)
        check('memory run', p.returncode == 0, p.stderr)
        peaks.append(int(p.stderr.split()[-2]))
        os.unlink(f)
    check('peak memory under 16 MiB and the same for 20 and 120 MB', max(peaks) < 16384 and abs(peaks[0] - peaks[1]) < 1024, peaks)


def round_trip(tmp):
    for f in (BROKEN, FIXED):
        a = run('show', '--json', f)
        for name in ('s.csv', 's.csv.gz', 's.csv.zst'):
            s = os.path.join(tmp, name)
            p = run('series', '-o', s, f)
            b = run('show', '--json', s)
            check('series round trip through ' + name, p.returncode == 0 and b.returncode == 0 and
                  json.loads(a.stdout)['runs'][0]['analysis'] == json.loads(b.stdout)['runs'][0]['analysis'], b.stderr)
            c = run('series', s)
            check('series of a series is the same', c.stdout == run('series', f).stdout)


def statuses(tmp):
    def gate(name, *files):
        return run('--gate', name, '--json', *files).returncode
    check('gate fixed, one pass a side', gate('fixed', BROKEN, FIXED) == 0)
    check('gate improved', gate('improved', BROKEN, FIXED) == 0)
    check('gate no-regression on a regression', gate('no-regression', FIXED, BROKEN) == 1)
    check('gate improved on the same', gate('improved', BROKEN, BROKEN) == 1)
    cut = put(os.path.join(tmp, 'cut.json'), open(BROKEN, 'rb').read()[:620000])
    check('a gate never passes on PARTIAL input', gate('improved', cut, FIXED) == 3)
    check('--allow-partial lifts that', run('--gate', 'improved', '--allow-partial', '--json', cut, FIXED).returncode == 0)
    p = run('show', cut, cwd=tmp)
    check('PARTIAL is said', p.returncode == 0 and b'PARTIAL' in p.stdout and b'PARTIAL' in p.stderr and b'cut.json' in p.stderr, p.stderr)
    check('PARTIAL is in the report', b'PARTIAL' in open(os.path.join(tmp, 'stalldiff-report/report.md'), 'rb').read())
    p = run('show', '--strict', cut, cwd=tmp, )
    check('--strict', p.returncode == 2 and b'offset' in p.stderr)
    for a in (['--nope', BROKEN, FIXED], [BROKEN], [BROKEN, FIXED, BROKEN], ['show'], ['--gate', 'x', BROKEN, FIXED], ['--stall-ms', '-1', BROKEN, FIXED],
              ['--broken', BROKEN], ['show', '-', '-'], ['series', '--gate', 'fixed', BROKEN], ['show', '--rank', '7', BROKEN], ['show', '--format', 'nope', BROKEN],
              ['show', '--wait-name', '(', BROKEN], ['help', 'nothing'], ['--md', '--json', BROKEN, FIXED]):
        p = run(*a, cwd=tmp)
        check('usage error ' + ' '.join(a), p.returncode == 2 and p.stderr.count(b'\n') == 1 and p.stderr.startswith(b'stalldiff: ') and not p.stdout, (p.returncode, p.stderr))


def unreadable(tmp):
    files = {'zero.json': b'', 'hollow.json.gz': gzip.compress(b''), 'junk.json': bytes(range(256)) * 40, 'page.html': b'<!doctype html><html><body>x</body></html>',
             'lfs.json': b'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n', 'empty.json': b'{"traceEvents": []}', 'array.json': b'[]', 'number.json': b'42',
             'bare.json': b'{', 'half.gz': gzip.compress(open(BROKEN, 'rb').read())[:15], 'nowait.csv': b'step,loss\n0,1\n1,2\n'}
    for name, data in files.items():
        p = run('show', put(os.path.join(tmp, name), data), cwd=tmp)
        check('unreadable ' + name, p.returncode == 2 and p.stderr.count(b'\n') == 1 and name.encode() in p.stderr and not p.stdout, (p.returncode, p.stderr, p.stdout[:200]))
    for path in (tmp, os.path.join(tmp, 'absent.json')):
        p = run('show', path, cwd=tmp)
        check('unreadable ' + path, p.returncode == 2 and p.stderr.count(b'\n') == 1, (p.returncode, p.stderr))


def outputs(tmp):
    d = os.path.join(tmp, 'out')
    os.makedirs(d)
    for doc in ('--md', '--json', '--csv'):
        with open('/dev/full', 'w') as full:
            p = subprocess.run([program, doc, BROKEN, FIXED], stdout=full, stderr=subprocess.PIPE, timeout=60)
        check('full disk ' + doc, p.returncode == 4 and p.stderr.count(b'\n') == 1, (p.returncode, p.stderr))
    p = run('series', '-o', '/dev/full', BROKEN)
    check('full disk, series', p.returncode == 4, p.returncode)
    p = run('series', '-o', os.path.join(tmp, 'no/such/x.csv'), BROKEN)
    check('series into no folder', p.returncode == 4, (p.returncode, p.stderr))
    put(os.path.join(d, 'thesis.txt'), b'mine')
    p = run('-o', d, '--plot', 'none', BROKEN, FIXED)
    check('a foreign folder is refused', p.returncode == 2 and os.listdir(d) == ['thesis.txt'], (p.returncode, p.stderr))
    p = run('-o', d, '--plot', 'none', '--force', BROKEN, FIXED)
    check('--force', p.returncode == 0 and 'report.md' in os.listdir(d), p.stderr)
    a, b = os.path.join(tmp, 'a'), os.path.join(tmp, 'b')
    for x in (a, b, b):
        check('report folder', run('-o', x, BROKEN, FIXED).returncode == 0)
    tree = lambda t: {os.path.relpath(p, t): open(p, 'rb').read() for p in glob.glob(t + '/**', recursive=True) if os.path.isfile(p)}
    check('same inputs, same bytes', tree(a) == tree(b), [k for k in tree(a) if tree(a)[k] != tree(b).get(k)])
    want = {'report.md', 'report.json', 'summary.csv', 'series.csv', 'gaps.csv', 'histogram.csv'} | {'plots/%s.gp' % x for x in ('wait', 'ecdf', 'gaps', 'recurrence')}
    check('files of the report', want <= set(tree(a)), sorted(tree(a)))
    check('the folder\'s documents are those of --md and --json', tree(a)['report.md'] == run('--md', BROKEN, FIXED).stdout and tree(a)['report.json'] == run('--json', BROKEN, FIXED).stdout)
    for name in ('summary.csv', 'series.csv', 'gaps.csv', 'histogram.csv'):
        table = list(csv.reader(tree(a)[name].decode().splitlines()))
        check(name + ' is rectangular', len({len(r) for r in table}) == 1 and len(table) > 1, table[:2])
    if shutil.which('gnuplot'):
        check('plots are drawn', {'plots/wait.svg', 'plots/ecdf.svg'} <= set(tree(a)), sorted(tree(a)))


def prefixes(tmp):
    """Every cut of a small trace: an error, or a run marked PARTIAL whose rows are those of the whole."""
    head = b'{"schemaVersion": 1, "traceEvents": [\n'
    ev = b'{"ph": "X", "cat": "%s", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": %d}'
    parts = []
    for i in range(4):
        parts += [ev % (b'user_annotation', b'ProfilerStep#%d' % i, 1000 * i, 900),
                  ev % (b'cpu_op', b'enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 1000 * i + 10, 100 + i), ev % (b'cpu_op', b'aten::mm', 1000 * i + 300, 50)]
    text = head + b',\n'.join(parts) + b'\n], "displayTimeUnit": "ms"}\n'
    path = os.path.join(tmp, 'p.json')
    whole = [(r['step'], r['wait_ms']) for r in rows(run('series', put(path, text)).stdout)]
    check('small trace', whole == [(str(i), '0.10%d000' % i) for i in range(4)], whole)
    for n in range(0, len(text) - 2, 1 if not sanitized else 3):
        p = run('series', put(path, text[:n]))
        got = [(r['step'], r['wait_ms']) for r in rows(p.stdout)]
        fine = p.returncode == 2 and not p.stdout if not got else \
            p.returncode == 0 and b'PARTIAL' in p.stderr and all(g == w or g == (w[0], '') for g, w in zip(got, whole))
        check('cut at byte %d' % n, fine, (p.returncode, p.stderr, got))


def folders(tmp):
    """A run given as a folder: its name, its sidecar, the file at fault."""
    d = os.path.join(tmp, 'run')
    shutil.copytree('testdata/traceml/msgpack', d)
    label = lambda p: [l for l in p.stdout.decode().splitlines() if l.startswith('# label')]
    whole = run('series', d)
    check('folder read', whole.returncode == 0 and len(rows(whole.stdout)) == 48, whole.stderr)
    for how, p in (('with a slash', run('series', d + '/')), ('as .', run('series', '.', cwd=d)), ('as ..', run('series', '..', cwd=os.path.join(d, os.listdir(d)[0])))):
        check('folder ' + how, (label(p), rows(p.stdout)) == (['# label: run'], rows(whole.stdout)), p.stderr)
    put(os.path.join(d, 'run.meta.json'), b'{"num_workers": 4}')
    check('sidecar in the folder', b'# meta.num_workers: 4\n' in run('series', d).stdout)
    put(os.path.join(d, 'run.meta.json'), b'{')
    p = run('series', d)
    check('broken sidecar named', p.returncode == 2 and b'run/run.meta.json: ' in p.stderr, p.stderr)
    os.unlink(os.path.join(d, 'run.meta.json'))
    table = glob.glob(d + '/*/rank_1/data/*/StepTimeTable.msgpack')[0]
    data = open(table, 'rb').read()
    put(table, data[:-3])
    p = run('series', d)
    check('cut file of a folder', p.returncode == 0 and b'PARTIAL: truncated' in p.stderr and b'rank_1/' in p.stderr and len(rows(p.stdout)) == 47, p.stderr)
    p = run('series', '--strict', d)
    check('cut file of a folder, strict', p.returncode == 2 and not p.stdout and b'StepTimeTable.msgpack: ' in p.stderr, p.stderr)
    put(table, b'\xff\xff\xff\xff')
    p = run('series', d)
    check('file of a folder at fault', p.returncode == 2 and not p.stdout and b'/rank_1/data/StepTimeSampler/StepTimeTable.msgpack: ' in p.stderr, p.stderr)
    p = run('series', put(os.path.join(tmp, 'x.msgpack'), gzip.compress(data)))
    check('packed step file', len(rows(p.stdout)) == 24, p.stderr)
    p = run(d, d)
    check('folders compared', p.returncode == 2, p.stderr)


with tempfile.TemporaryDirectory() as top:
    for f in (same_bytes, generated, memory, round_trip, statuses, unreadable, outputs, prefixes, folders):
        d = os.path.join(top, f.__name__)
        os.makedirs(d)
        f(d)
print('\n'.join(bad[:40]) or '%d checks' % done)
print('%d of %d hold' % (done - len(bad), done))
sys.exit(1 if bad else 0)
