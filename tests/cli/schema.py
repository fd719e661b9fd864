"""report.json keeps to share/report.schema.json. Run: schema.py PROGRAM; from the project's root.

Every golden case and every sample is validated by the small validator below, and by python3-jsonschema
too where it is installed. Beyond the schema, a member that it does not name is a failure here: what
is printed is documented. The codes of the schema are those of `stalldiff help`."""
import glob, json, os, re, subprocess, sys

program = os.path.abspath(sys.argv[1])
schema = json.load(open('share/report.schema.json'))
bad, checked = [], 0
KNOWN = {'$schema', '$id', '$defs', '$ref', 'title', 'description', 'type', 'required', 'properties', 'items',
         'additionalProperties', 'enum', 'const', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern'}
TYPES = {'object': lambda v: isinstance(v, dict), 'array': lambda v: isinstance(v, list),
         'string': lambda v: isinstance(v, str), 'boolean': lambda v: isinstance(v, bool),
         'null': lambda v: v is None, 'number': lambda v: type(v) in (int, float),
         'integer': lambda v: type(v) is int or type(v) is float and v == int(v)}


def validate(v, s, at, out):
    if set(s) - KNOWN:
        out.append('%s: the schema uses %s' % (at, set(s) - KNOWN))
    if '$ref' in s:
        return validate(v, schema['$defs'][s['$ref'].split('/')[-1]], at, out)
    types = s.get('type', [])
    types = types if isinstance(types, list) else [types]
    if types and not any(TYPES[t](v) for t in types):
        out.append('%s: %.60r is no %s' % (at, v, ' or '.join(types)))
        return
    if 'enum' in s and v not in s['enum'] or 'const' in s and v != s['const']:
        out.append('%s: %r is not one of %s' % (at, v, s.get('enum', s.get('const'))))
    if TYPES['number'](v) and not s.get('minimum', v) <= v <= s.get('maximum', v):
        out.append('%s: %r is out of range' % (at, v))
    if isinstance(v, str) and 'pattern' in s and not re.search(s['pattern'], v):
        out.append('%s: %r' % (at, v))
    if isinstance(v, list):
        if not s.get('minItems', 0) <= len(v) <= s.get('maxItems', len(v)):
            out.append('%s: %d items' % (at, len(v)))
        for i, item in enumerate(v):
            validate(item, s.get('items', {}), '%s[%d]' % (at, i), out)
    if isinstance(v, dict):
        out.extend('%s: %s is missing' % (at, k) for k in s.get('required', []) if k not in v)
        for k, item in v.items():
            more = s.get('additionalProperties')
            if k in s.get('properties', {}):
                validate(item, s['properties'][k], at + '.' + k, out)
            elif isinstance(more, dict):
                validate(item, more, at + '.' + k, out)
            elif more is not True:
                out.append('%s: %s is not in the schema' % (at, k))


try:
    import jsonschema
    official = jsonschema.validators.validator_for(schema)(schema)
    official.check_schema(schema)
except (ImportError, AttributeError):
    official = None


def check(name, text):
    global checked
    checked += 1
    out, value = [], json.loads(text)
    validate(value, schema, name, out)
    if official:
        out.extend('%s: jsonschema: %s' % (name, e.message[:200]) for e in official.iter_errors(value))
    bad.extend(out[:5])


def run(*args):
    p = subprocess.run([program, *args, '--json'], capture_output=True, text=True, timeout=120)
    if p.stdout:
        check(' '.join(os.path.basename(a) for a in args), p.stdout)
    else:
        bad.append('%s: exit %d: %s' % (args, p.returncode, p.stderr[:200]))


for f in sorted(glob.glob('tests/golden/*/files/*/report.json')):
    check(f, open(f).read())
for f in sorted(glob.glob('testdata/vectors/*.csv')):
    if not os.path.basename(f).startswith(('cmp_', 'random_', 'pass')):
        run('show', f)
for f in sorted(glob.glob('testdata/vectors/cmp_*_broken1.csv')):
    run('--gate', 'improved', f, f.replace('_broken1', '_fixed1'))
run('--num-workers', '4', '--cpus', '2', 'testdata/chrome/broken_w4.json', 'testdata/chrome/fixed_w4.json.gz')
for f in sorted(glob.glob('testdata/real/*/*.json*')):
    if not f.endswith('.meta.json') and subprocess.run([program, 'show', '--csv', f], capture_output=True).returncode == 0:
        run('show', f)
# The validator itself refuses what is wrong.
for wrong in ({}, [], {'stalldiff': {'version': '0', 'schema': 2}}):
    out = []
    validate(wrong, schema, 'wrong', out)
    if not out:
        bad.append('the validator lets %r pass' % wrong)
# The codes.
topics = subprocess.run([program, 'help'], capture_output=True, text=True).stdout
codes = {part.split('\n')[0]: re.findall(r'^  (\w+) ', part, re.M) for part in topics.split('\n\n')[1:]}
defs, props = schema['$defs'], schema['properties']
for title, enum in (('shapes of the waiting', defs['shape']),
                    ('verdicts of a comparison', defs['compare']['properties']['verdict']),
                    ('reasons of a verdict', defs['compare']['properties']['why']['items']),
                    ('notes of an analysis', defs['analysis']['properties']['notes']['items']),
                    ('warnings about the input', defs['run']['properties']['warnings']['items']['properties']['code']),
                    ('next experiments', props['advice']['items']['properties']['code']),
                    ('caveats', props['caveats']['items']['properties']['code'])):
    if codes.get(title) != enum['enum']:
        bad.append('%s: the schema has other codes than stalldiff help: %s' % (
            title, sorted(set(codes.get(title, [])) ^ set(enum['enum']))))
print('\n'.join(bad) or '%d reports keep to the schema%s' % (checked, ', by jsonschema too' if official else ''))
sys.exit(1 if bad else 0)
