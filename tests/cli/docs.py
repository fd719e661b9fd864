"""README, man page and --help agree with the program. Run: docs.py PROGRAM; from the root."""
import os, re, subprocess, sys

program = os.path.abspath(sys.argv[1])
bad = []


def run(*a):
    return subprocess.run([program, *a], capture_output=True, text=True, timeout=60)


usage, man, readme = run('--help').stdout, open('man/stalldiff.1').read(), open('README.md').read()
options = set(re.findall(r'--([a-z][a-z-]+)', usage))
in_man = set(re.findall(r'^\.It Fl(?: \w ,)?(?: \w , Fl)? ?-? ?Fl? ?-([a-z][a-z-]+)', man, re.M)) | \
    set(re.findall(r'Fl -([a-z][a-z-]+)', man))
for o in sorted(options - in_man):
    bad.append('--%s is not in the man page' % o)
for o in sorted(in_man - options):
    bad.append('--%s is in the man page, not in --help' % o)
for o in sorted(set(re.findall(r'(?<![\w-])--([a-z][a-z-]+)', readme)) - options):
    if 'stalldiff' in readme and not re.search(r'(meson|apt|git|golden\.py)[^\n]*--%s' % o, readme):
        bad.append('--%s is in README.md, not in --help' % o)
version = re.search(r"version: '([^']+)'", open('meson.build').read()).group(1)
if run('--version').stdout != 'stalldiff %s\n' % version:
    bad.append('--version does not print %s' % version)
topics = re.findall(r'^  (\w+) +\S', run('help').stdout, re.M)
if len(topics) < 80:
    bad.append('only %d help topics' % len(topics))
for t in topics:
    p = run('help', t)
    if p.returncode or len(p.stdout) < 60:
        bad.append('help %s says too little' % t)
    if t not in man:
        bad.append('%s is not in the man page' % t)
# The reports shown in the README are what the program prints.
folder = os.path.join(os.environ.get('TMPDIR', '/tmp'), 'stalldiff-docs-%d' % os.getpid())
sweep = ['testdata/csv/sweep_w%d_p%d.csv' % (w, p) for p in (1, 2) for w in (0, 1, 2, 4)]
for name, args in (('report', ['testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz']),
                   ('sweep', ['sweep', '--stall-ms', '5000', *sweep, 'testdata/csv/sweep_fixed_w4.csv'])):
    block = re.search(r'<!-- %s -->\n```text\n(.*?)```' % name, readme, re.S)
    got = run(*args, '--plot', 'none', '-o', folder).stdout.strip().splitlines()
    subprocess.run(['rm', '-rf', folder])
    for l in block.group(1).strip().splitlines() if block else ['(no block)']:
        if l.strip() and l not in got and 'stalldiff-report' not in l:
            bad.append('README %s line is not printed: %r' % (name, l))
print('\n'.join(bad) or 'documents agree with the program: %d options, %d topics' % (len(options), len(topics)))
sys.exit(1 if bad else 0)
