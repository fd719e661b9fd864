"""Who may include whom, sizes of files and functions of the tree. Run: layers.py ROOT"""
import os, re, sys

MAY = {  # folder: (project folders it may include besides itself, third-party headers)
    'base': ((), ()),
    'input': (('base',), ('zlib.h', 'zstd.h', 'isa-l.h', 'pthread.h')),
    'json': (('base',), ()),
    'series': (('base',), ()),
    'read': (('base', 'json', 'series'), ('cjson/cJSON.h', 'csv.h', 'sqlite3.h', 'msgpack.h', 'regex.h')),
    'analyze': (('base', 'series'), ()),
    'compare': (('base', 'series', 'analyze'), ()),
    'write': (('base', 'series', 'analyze', 'compare'), ('cjson/cJSON.h',)),
    'batch': (('base', 'input', 'json', 'series', 'read', 'analyze', 'compare', 'write'), ('pthread.h', 'xxhash.h')),
    'cli': (('base', 'input', 'json', 'series', 'read', 'analyze', 'compare', 'write', 'batch'), ('getopt.h', 'pthread.h')),
}
PUBLIC = {'base': ('error', 'series'), 'input': ('error', 'series', 'read', 'input'), 'json': ('error',),
          'series': ('error', 'series'), 'read': ('error', 'series', 'read'),
          'analyze': ('error', 'series', 'analyze'), 'compare': ('error', 'series', 'analyze', 'compare'),
          'write': ('error', 'series', 'analyze', 'compare', 'write', 'version'), 'batch': None, 'cli': None}
THIRD = {h for _, t in MAY.values() for h in t}
LIBC_BAD = {'read': ('pthread.h',), 'json': ('stdio.h',)}
LINES_MAX = 700
root = sys.argv[1]
bad, names = [], {}
for folder in sorted(os.listdir(os.path.join(root, 'src'))):
    path = os.path.join(root, 'src', folder)
    if not os.path.isdir(path):
        continue
    for name in sorted(os.listdir(path)):
        if not name.endswith(('.c', '.h')):
            continue
        text = open(os.path.join(path, name)).read()
        at = 'src/%s/%s' % (folder, name)
        if name.endswith('.c') and names.setdefault(name, at) != at:
            bad.append('%s: a file of this name is also %s' % (at, names[name]))
        if text.count('\n') > LINES_MAX:
            bad.append('%s: %d lines, more than %d' % (at, text.count('\n'), LINES_MAX))
        if not text.startswith('/*'):
            bad.append('%s: does not begin with a comment that says what it is' % at)
        for line, inc in ((text[:m.start()].count('\n') + 1, m.group(1))
                          for m in re.finditer(r'^#include [<"]([^>"]+)[>"]', text, re.M)):
            top = inc.split('/')[0]
            if top == 'stalldiff':
                if PUBLIC[folder] is not None and inc[10:-2] not in PUBLIC[folder]:
                    bad.append('%s:%d: %s may not include %s' % (at, line, folder, inc))
            elif top in MAY and '/' in inc:
                if top != folder and top not in MAY[folder][0]:
                    bad.append('%s:%d: %s may not include %s' % (at, line, folder, inc))
            elif inc in THIRD and inc not in MAY[folder][1]:
                bad.append('%s:%d: %s may not use %s' % (at, line, folder, inc))
print('\n'.join(bad) or '%d source files keep to the layers' % len(names))
sys.exit(1 if bad else 0)
