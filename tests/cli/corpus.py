"""Traces with the waits that must come out of them. Run: corpus.py PROGRAM; from the project's root.

Walks testdata/real (small traces of real runs, one folder a scenario: expected.csv with
file,rank,step,wait_ms,step_ms,fetches,state), and the same kinds of folder below ../shared/corpus
where that is present, with its per-trace CSVs (NAME.csv: input_wait_us; NAME.rules.csv:
clip_gpu_idle_us, the exposed wait)."""
import csv, glob, os, subprocess, sys
from decimal import Decimal

program = os.path.abspath(sys.argv[1])
right, wrong = 0, []


def rows(path, *options):
    p = subprocess.run([program, 'series', *options, path], capture_output=True, text=True, errors='replace', timeout=300)
    return p, list(csv.DictReader(l for l in p.stdout.splitlines() if not l.startswith('#')))


def table(path):
    with open(path) as f:
        return list(csv.DictReader(f))


def verdict(what, fault):
    global right
    if fault:
        wrong.append('%s: %s' % (what, fault))
    else:
        right += 1


def scenario(path, want):
    p, got = rows(path)
    state = want[0]['state']
    if state in ('not measured', 'unreadable'):
        return None if p.returncode == 2 and p.stderr.count('\n') == 1 else 'want status 2 and one line, got %d %r' % (p.returncode, p.stderr)
    key = ('rank', 'step', 'wait_ms', 'step_ms', 'fetches')
    a, b = [tuple(r[k] for k in key) for r in want], [tuple(r[k] for k in key) for r in got]
    near = len(a) == len(b) and all(x[0] in ('', y[0]) and x[1] == y[1] and x[4] == y[4] and
                                    all(u == v or (u and v and abs(Decimal(u) - Decimal(v)) <= Decimal('0.000001')) for u, v in zip(x[2:4], y[2:4]))
                                    for x, y in zip(a, b))
    if p.returncode or not near:
        return 'status %d, want %s got %s' % (p.returncode, a[:3], b[:3])
    if (state == 'partial') != ('PARTIAL' in p.stderr):
        return 'state %s, stderr %r' % (state, p.stderr)
    if state == 'noted' and not p.stderr:
        return 'nothing said'
    return None


for top in ('testdata/real', '../shared/corpus/torch213', '../shared/corpus/rules'):
    for expected in sorted(glob.glob(os.path.join(top, '*', 'expected.csv'))):
        by_file = {}
        for r in table(expected):
            by_file.setdefault(r['file'], []).append(r)
        for name, want in by_file.items():
            path = os.path.join(os.path.dirname(expected), name)
            verdict(path, scenario(path, want))

for path in sorted(glob.glob('../shared/corpus/chrome/*.json') + glob.glob('../shared/corpus/chrome/*.json.gz')):
    base = path[:-8] if path.endswith('.gz') else path[:-5]
    p, got = rows(path)
    if not os.path.exists(base + '.rules.csv'):
        verdict(path, None if p.returncode == 2 else 'holds no waits, yet status %d' % p.returncode)
        continue
    want, rules = table(base + '.csv'), table(base + '.rules.csv')
    fault = None if p.returncode == 0 and len(got) == len(want) else 'status %d, %d rows, want %d' % (p.returncode, len(got), len(want))
    for w, x, g in zip(want, rules, got):
        if Decimal(g['wait_ms']) * 1000 != Decimal(w['input_wait_us']):
            fault = fault or 'step %s: wait %s' % (w['step'], g['wait_ms'])
        if g['exposed_ms'] and Decimal(g['exposed_ms']) * 1000 != Decimal(x['clip_gpu_idle_us']):
            fault = fault or 'step %s: exposed %s want %s us' % (w['step'], g['exposed_ms'], x['clip_gpu_idle_us'])
    verdict(path, fault)

print('\n'.join(wrong[:20]))
print('%d traces right, %d wrong%s' % (right, len(wrong), '' if os.path.isdir('../shared/corpus') else ' (shared corpora not present)'))
sys.exit(1 if wrong or not right else 0)
