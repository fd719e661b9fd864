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
# The report shown in the README is what the program prints.
block = re.search(r'<!-- report -->\n```text\n(.*?)```', readme, re.S)
p = run('--plot', 'none', '-o', os.path.join(os.environ.get('TMPDIR', '/tmp'), 'stalldiff-docs-%d' % os.getpid()),
        'testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz')
subprocess.run(['rm', '-rf', '/tmp/stalldiff-docs-%d' % os.getpid()])
want = block.group(1).strip().splitlines() if block else ['(no report block)']
got = [l for l in p.stdout.strip().splitlines()]
for l in want:
    if l.strip() and l not in got and 'stalldiff-report' not in l:
        bad.append('README report line is not printed: %r' % l)
print('\n'.join(bad) or 'documents agree with the program: %d options, %d topics' % (len(options), len(topics)))
sys.exit(1 if bad else 0)
