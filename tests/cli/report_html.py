"""report.html of real runs. Run: report_html.py PROGRAM; from the project's root.

Well-formed for an XML parser and for a browser's rules, loads nothing, runs nothing; every figure
has words for those who do not see it, every table has heads, every text of an input is text."""
import glob, os, subprocess, sys, tempfile
import html.parser
import xml.etree.ElementTree as tree

program = os.path.abspath(sys.argv[1])
bad, pages = [], 0
VOID = {'meta', 'br', 'hr', 'img', 'link', 'input'}
LOADS = {'src', 'href', 'data', 'action', 'srcset', 'poster', 'xlink:href', 'background'}
HOSTILE = '<script>alert(1)</script>&"\'`|](x'


class Page(html.parser.HTMLParser):
    """Elements close in the order in which they opened; no element or attribute loads anything."""
    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag in ('script', 'link', 'img', 'iframe', 'object', 'embed', 'use', 'image'):
            self.wrong.append('<%s>' % tag)
        for name, value in attrs:
            if name in LOADS or name.startswith('on') or 'url(' in (value or ''):
                self.wrong.append('%s="%s"' % (name, value))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append('</%s> closes another element' % tag)

    def handle_data(self, data):
        self.text.append(data)


def check(name, *args, stdin=None):
    global pages
    with tempfile.TemporaryDirectory() as work:
        p = subprocess.run([program, *args, '--html', '--plot', 'none', '-q', '-o', work + '/r'],
                           capture_output=True, timeout=120)
        path = work + '/r/report.html'
        if p.returncode or not os.path.exists(path):
            bad.append('%s: no report.html: %s' % (name, p.stderr.decode()[:200]))
            return ''
        text = open(path, encoding='utf-8').read()
    pages += 1
    try:
        root = tree.fromstring(text)
    except tree.ParseError as e:
        bad.append('%s: not well-formed: %s' % (name, e))
        return text
    page = Page()
    page.feed(text)
    page.close()
    bad.extend('%s: %s' % (name, w) for w in page.wrong + ['<%s> stays open' % t for t in page.open])
    for scheme in ('http://', 'https://', '@import', 'url('):
        if scheme in text:
            bad.append('%s: holds %s' % (name, scheme))
    for t in root.iter('table'):
        if not all(c.get('scope') == 'col' for c in t.findall('thead/tr/th')) or \
                not all(r.find('th') is not None for r in t.findall('tbody/tr')):
            bad.append('%s: a table without heads' % name)
    for s in root.iter('svg'):
        if s.get('aria-hidden') != 'true' and not (s.get('role') == 'img' and s.findtext('title')):
            bad.append('%s: a figure without words' % name)
    if len(root.findall('.//figure')) < 4:
        bad.append('%s: fewer than 4 figures' % name)
    for e in root.iter('path'):
        if any(w in e.get('d') for w in ('nan', 'inf')):
            bad.append('%s: a figure with no number in it' % name)
    if len(text) > 400000:
        bad.append('%s: %d characters' % (name, len(text)))
    return text


check('samples', 'testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz')
for f in sorted(glob.glob('testdata/vectors/*.csv')):
    if not os.path.basename(f).startswith(('cmp_', 'random_', 'pass')):
        check(os.path.basename(f), 'show', f)
for f in sorted(glob.glob('testdata/vectors/cmp_*_broken1.csv')):
    sides = [glob.glob(f.replace('broken1', s + '[0-9]')) for s in ('broken', 'fixed')]
    check(os.path.basename(f), *[x for s, files in zip(('--broken', '--fixed'), sides)
                                 for g in sorted(files) for x in (s, g)])
with tempfile.TemporaryDirectory() as work:
    with open('testdata/chrome/broken_w4.json', 'rb') as f, open(work + '/cut.json', 'wb') as cut:
        whole = f.read()
        cut.write(whole[:len(whole) * 3 // 4])
    if 'class="partial"' not in check('partial', 'show', work + '/cut.json'):
        bad.append('partial: not said')
    name = os.path.join(work, HOSTILE.replace('/', '') + '.csv')
    with open(name, 'w') as f:
        f.write('step,wait_ms,"%s"\n' % HOSTILE.replace('"', '""'))
        f.writelines('%d,%d,%d\n' % (i, 900 if i % 4 == 0 else 1, i) for i in range(64))
    text = check('hostile', 'show', name)
    if '<script' in text or 'alert(1)' not in text:
        bad.append('hostile: a name is not shown as text')
    long = os.path.join(work, 'long.csv')
    with open(long, 'w') as f:
        f.write('step,wait_ms\n')
        f.writelines('%d,%d.%d\n' % (i, 900 if i % 4 == 0 else 1, i % 7) for i in range(1000000))
    check('a million steps', 'show', long)
    many = []
    for i in range(200):
        many.append(os.path.join(work, 'run%d.csv' % i))
        with open(many[-1], 'w') as f:
            f.write('step,wait_ms\n')
            f.writelines('%d,%d\n' % (k, 900 if k % 4 == 0 else 1) for k in range(64))
    check('200 runs', 'show', *many)
p = subprocess.run([program, 'show', '--html', '--md', 'testdata/chrome/broken_w4.json'],
                   capture_output=True, text=True)
if p.returncode != 2 or '--html' not in p.stderr:
    bad.append('--html --md: %d %s' % (p.returncode, p.stderr))
print('\n'.join(bad) or '%d pages are well-formed and load nothing' % pages)
sys.exit(1 if bad else 0)
