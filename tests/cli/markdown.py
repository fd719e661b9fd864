"""report.md of real runs. Run: markdown.py PROGRAM; from the project's root.

Under 60,000 characters whatever the input; the first ten lines tell verdict, amount, certainty and
next step; with cmark-gfm, where installed: tables and folded parts render, and nothing else does."""
import os, re, shutil, subprocess, sys, tempfile

program, cmark = os.path.abspath(sys.argv[1]), shutil.which('cmark-gfm')
bad, pages = [], 0


def check(name, *args):
    global pages
    pages += 1
    p = subprocess.run([program, *args, '--md'], capture_output=True, text=True, timeout=120)
    text = p.stdout
    if p.returncode or len(text.encode()) >= 60000 or len(text) < 1000:
        bad.append('%s: exit %d, %d characters %s' % (name, p.returncode, len(text), p.stderr[:200]))
        return
    head = '\n'.join(text.splitlines()[:10])
    for words in ('## stalldiff: ', '**By how much:**', '**How sure:**', '**Do next:**'):
        if words not in head:
            bad.append('%s: the first ten lines lack %s' % (name, words))
    if text.count('```mermaid') > 1:
        bad.append('%s: %d charts' % (name, text.count('```mermaid')))
    if not cmark:
        return
    html = subprocess.run([cmark, '--unsafe', '-e', 'table', '-e', 'autolink', '-e', 'strikethrough'],
                          input=text, capture_output=True, text=True).stdout
    tags = set(re.findall(r'<(\w+)', html))
    odd = tags - set('h2 h3 p ul li strong table thead tbody tr th td pre code details summary '
                     'blockquote'.split())
    if odd:
        bad.append('%s: renders %s' % (name, ' '.join(sorted(odd))))
    if html.count('<details>') != html.count('</details>') or html.count('<details>') < 4:
        bad.append('%s: %d folded parts' % (name, html.count('<details>')))
    for part in re.findall(r'<details>(.*?)</details>', html, re.S):
        if not re.search(r'<(p|table|ul|pre)', part):
            bad.append('%s: a folded part is not rendered' % name)
    for cell in re.findall(r'<t[dh][^>]*>(.*?)</t[dh]>', html, re.S):
        if '|' in cell and '<code>' not in cell and 'x|' not in cell:
            bad.append('%s: a table is broken at %s' % (name, cell))


check('samples', 'testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz')
check('show', 'show', 'testdata/chrome/broken_w4.json')
check('healthy', 'testdata/vectors/cmp_both_healthy_broken1.csv', 'testdata/vectors/cmp_both_healthy_fixed1.csv')
with tempfile.TemporaryDirectory() as work:
    def log(name, steps, wait, head='step,wait_ms,step_ms', more=''):
        path = os.path.join(work, name)
        with open(path, 'w') as f:
            f.write(head + '\n')
            f.writelines('%d,%g,1000%s\n' % (i, wait(i), more) for i in range(steps))
        return path

    slow = log('long_broken.csv', 1000000, lambda i: 900 + i % 97 if i % 4 == 0 else 1 + i % 7 / 8)
    fast = log('long_fixed.csv', 1000000, lambda i: 1 + i % 7 / 8)
    check('a million steps', slow, fast)
    hostile = '<b>x|`@me #1 ](http:x)&amp;' + 'y' * 120
    many = [log('%s%d.csv' % (hostile, i), 64, lambda k: 900 + i if k % 4 == 0 else 1,
                'step,wait_ms,step_ms,' + ','.join('%s%d' % (hostile, c) for c in range(40)),
                ',1' * 40) for i in range(200)]
    check('200 runs', 'show', *many)
    check('100 passes a side', *[x for i, f in enumerate(many) for x in (('--broken', '--fixed')[i % 2], f)])
print('\n'.join(bad) or '%d pages can be pasted%s' % (pages, '' if cmark else '; not rendered: no cmark-gfm'))
sys.exit(1 if bad else 0)
