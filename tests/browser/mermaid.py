"""The Mermaid chart of report.md, drawn by the real library in a real browser; and report.html.

Run: mermaid.py PROGRAM [OUT]; from the project's root. Skipped (status 77) unless chromium is
installed and MERMAID_JS names a mermaid.min.js (or node_modules/mermaid is here or above):
    apt-get install chromium; npm install mermaid
Each chart must be drawn without an error, with a line a run; pictures are left in OUT."""
import os, re, shutil, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1])
out = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
browser = next((b for b in map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome')) if b), None)
library, here = os.environ.get('MERMAID_JS', ''), os.getcwd()
while not library and here != '/':
    path = os.path.join(here, 'node_modules/mermaid/dist/mermaid.min.js')
    library, here = path if os.path.exists(path) else '', os.path.dirname(here)
if not browser or not os.path.exists(library):
    print('skipped: no %s' % ('mermaid.min.js (MERMAID_JS)' if browser else 'chromium'))
    sys.exit(77)
bad = []
PAGE = '''<!DOCTYPE html><meta charset="utf-8"><script src="file://%s"></script>
<body style="margin:0;background:#fff"><pre class="mermaid">%s</pre><div id="end">waiting</div>
<script>mermaid.initialize({startOnLoad: false});
mermaid.run().then(() => { document.getElementById('end').textContent = 'drawn'; },
                   e => { document.getElementById('end').textContent = 'failed: ' + e.message; });
</script>'''


def chromium(work, url, *options):
    return subprocess.run([browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                           '--user-data-dir=' + work + '/profile', '--allow-file-access-from-files',
                           '--virtual-time-budget=20000', '--window-size=900,600', *options, 'file://' + url],
                          capture_output=True, text=True, timeout=120).stdout


def check(name, lines, *args):
    with tempfile.TemporaryDirectory() as work:
        p = subprocess.run([program, *args, '--md'], capture_output=True, text=True, timeout=120)
        chart = re.search(r'^```mermaid\n(.*?)^```$', p.stdout, re.S | re.M)
        if not chart:
            bad.append('%s: no chart' % name)
            return
        source = chart.group(1).replace('&', '&amp;').replace('<', '&lt;')
        with open(work + '/chart.html', 'w') as f:
            f.write(PAGE % (library, source))
        dom = chromium(work, work + '/chart.html', '--dump-dom')
        end = re.search(r'id="end">([^<]*)', dom)
        if not end or end.group(1) != 'drawn':
            bad.append('%s: %s' % (name, end.group(1) if end else dom[:200]))
        drawn = len(re.findall(r'class="line-plot-\d+"', dom))
        if drawn != lines:
            bad.append('%s: %d lines drawn, %d wanted' % (name, drawn, lines))
        if out:
            os.makedirs(out, exist_ok=True)
            chromium(work, work + '/chart.html', '--screenshot=%s/%s.png' % (out, name))


with tempfile.TemporaryDirectory() as work:
    check('samples', 2, 'testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz')
    check('show', 1, 'show', 'testdata/chrome/broken_w4.json')
    names = [work + '/' + n for n in ('"]; click x %% {{a}} `#quot;.csv', '<b>&amp; $$x$$ é end.csv')]
    for name in names:
        with open(name, 'w') as f:
            f.write('step,wait_ms\n')
            f.writelines('%d,%d.5\n' % (i, 900 if i % 40 == 0 else 1) for i in range(100000))
    check('hostile', 2, *names)
print('\n'.join(bad) or 'charts are drawn')
sys.exit(1 if bad else 0)
