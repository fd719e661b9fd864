"""README, man page and --help agree with the program. Run: docs.py PROGRAM [--update]; from the root.

--update writes the texts of `stalldiff help` into the man page."""
import os, re, shutil, subprocess, sys, tempfile, textwrap

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
if not open('debian/changelog').read().startswith('stalldiff (%s) ' % version):
    bad.append('debian/changelog is not at %s' % version)
topics = re.findall(r'^  (\w+) +\S', run('help').stdout, re.M)
if len(topics) < 80:
    bad.append('only %d help topics' % len(topics))
for t in topics:
    p = run('help', t)
    if p.returncode or len(p.stdout) < 60:
        bad.append('help %s says too little' % t)
    if t not in man:
        bad.append('%s is not in the man page' % t)
# The man page holds the texts of help, one sentence a line or more.
def mdoc(text):
    lines = []
    for sentence in re.split(r'(?<=[.?!])(?<!e\.g\.)(?<!i\.e\.) +(?=[A-Z(`])', text):
        lines += textwrap.wrap(sentence.replace('\\', '\\e'), 78, break_on_hyphens=False, break_long_words=False)
    return '\n'.join(re.sub(r"^([.'])", r'\\&\1', l) for l in lines)


vocabulary, seen = '', set()
for part in run('help').stdout.split('\n\n')[1:]:
    title, *rows = part.strip('\n').split('\n')
    vocabulary += '.Ss %s\n.Bl -tag -width Ds\n' % (title[0].upper() + title[1:])
    for row in rows:
        code, words = row.split(None, 1)
        entry = re.search(r'^%s: [^\n]*\(%s\)\n((?:  .*\n)+)' % (code, re.escape(title)), run('help', code).stdout, re.M)
        help_text = ' '.join(entry.group(1).split()) if entry else ''
        if not help_text:
            bad.append('help %s (%s) has no text' % (code, title))
        vocabulary += '.It Cm %s Pq %s\n%s\n' % (code, words, mdoc(help_text))
    vocabulary += '.El\n'
begin, end = '.\\" vocabulary begins: written by tests/cli/docs.py\n', '.\\" vocabulary ends\n'
before, rest = man.split(begin)
inside, after = rest.split(end)
if '--update' in sys.argv:
    open('man/stalldiff.1', 'w').write(before + begin + vocabulary + end + after)
    sys.exit(0)
elif inside != vocabulary:
    bad.append('the words in the man page are not those of stalldiff help: run docs.py PROGRAM --update')

# The job of the README does what it says, with the samples as traces.
job = re.search(r'<!-- ci-job -->\n```yaml\n.*?run: \|\n(.*?)\n      - ', readme, re.S)
script = textwrap.dedent(job.group(1)) if job else 'exit 9'
for swap, status in ((False, 0), (True, 1)):
    with tempfile.TemporaryDirectory() as work:
        sides = ['testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz']
        for side, source in zip(('main', 'pr'), reversed(sides) if swap else sides):
            os.makedirs('%s/traces/trace-%s' % (work, side))
            for i in (1, 2):
                shutil.copy(source, '%s/traces/trace-%s/pass%d.json.gz' % (work, side, i))
        env = dict(os.environ, PATH=os.path.dirname(program) + ':' + os.environ['PATH'], GITHUB_STEP_SUMMARY=work + '/summary')
        p = subprocess.run(['bash', '-e', '-c', script], cwd=work, env=env, capture_output=True, text=True)
        if p.returncode != status or not os.path.exists(work + '/report/report.html') or \
                '## stalldiff: ' not in open(work + '/summary').read():
            bad.append('the CI job of the README: exit %d, not %d: %s' % (p.returncode, status, p.stderr[:300]))
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
