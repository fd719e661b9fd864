"""Expected analyses, from series to JSON. Run: vectors.py PROGRAM; from the project's root.

Walks testdata/vectors, and ../shared/vectors where that is present. A vector names its input, the
options and every figure that must come out: 1e-9 relative, bootstrap limits and p-values 1e-6."""
import glob, json, math, os, subprocess, sys

program = os.path.abspath(sys.argv[1])
LOOSE = ('diff_ci', 'ratio_ci', 'p', 'p_adj', 'p_w', 'runs_p', 'block_permutation_p')
# Inputs that need a reader or a command that is not there yet are counted as skipped.
ABSENT = ('telemetry',)


def same(want, got, path, loose=False):
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return ['%s: no object' % path]
        return [d for k, v in want.items()
                for d in (same(v, got[k], path + '/' + k, loose or k in LOOSE) if k in got
                          else ['%s/%s: missing' % (path, k)])]
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return ['%s: want %s got %s' % (path, want, got)]
        return [d for i, (a, b) in enumerate(zip(want, got)) for d in same(a, b, '%s[%d]' % (path, i), loose)]
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return [] if want == got else ['%s: want %s got %s' % (path, want, got)]
    ok = isinstance(got, (int, float)) and not isinstance(got, bool)
    # 12 significant digits are printed, so 1e-9 is not at the edge of the text
    return [] if ok and math.isclose(want, got, rel_tol=1e-6 if loose else 1e-9, abs_tol=1e-12) \
        else ['%s: want %r got %r' % (path, want, got)]


def one(path):
    v, d = json.load(open(path)), os.path.dirname(path)
    opts = [x for k, y in v['options'].items() for x in ('--' + k.replace('_', '-'), str(y))]
    listed = lambda x: x if isinstance(x, list) else [x]
    if any(a in v.get('file', '') for a in ABSENT):
        return None
    if 'items' in v:
        args = ['sweep', '--json', *opts, *('%d=%s' % (w, os.path.join(d, f)) for w, f in v['items'])]
        pick = lambda j: j['sweep']
    elif 'file' in v:
        args, pick = ['show', '--json', *opts, os.path.join(d, v['file'])], lambda j: j['runs'][0]['analysis']
    else:
        args, pick = ['--json', *opts], lambda j: j['compare']
        for side in ('broken', 'fixed'):
            for f in listed(v[side]):
                args += ['--' + side, os.path.join(d, f)]
    p = subprocess.run([program, *args], capture_output=True, text=True, timeout=120)
    try:
        return same(v['expected'], pick(json.loads(p.stdout)), '')
    except ValueError:
        return ['exit %d: %s' % (p.returncode, p.stderr.strip()[-200:])]


right = failed = skipped = 0
folders = [f for f in ('testdata/vectors', '../shared/vectors') if os.path.isdir(f)]
for folder in folders:
    for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
        if path.endswith('.meta.json'):
            continue
        diff = one(path)
        if diff is None:
            skipped += 1
        elif diff:
            failed += 1
            print(path, *diff[:4], sep='\n    ')
        else:
            right += 1
print('%s: %d right, %d wrong, %d skipped (reader or command not built)' % (', '.join(folders), right, failed, skipped))
sys.exit(1 if failed or not right else 0)
