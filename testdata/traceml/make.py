"""Makes the TraceML samples beside it (synthetic; the layout of TraceML 0.2.5 to 0.5.0). Run: make.py"""
import json, os, shutil, sqlite3

here = os.path.dirname(os.path.abspath(__file__))
WAIT, STEP = '_traceml_internal:dataloader_next', '_traceml_internal:step_time'
NEW = '''CREATE TABLE step_time_samples (id INTEGER PRIMARY KEY AUTOINCREMENT, recv_ts_ns INTEGER NOT NULL,
  rank INTEGER, global_rank INTEGER, local_rank INTEGER, world_size INTEGER, hostname TEXT,
  sample_ts_s REAL, seq INTEGER, step INTEGER, events_json TEXT NOT NULL)'''
OLD = '''CREATE TABLE step_time_samples (id INTEGER PRIMARY KEY AUTOINCREMENT, recv_ts_ns INTEGER NOT NULL,
  rank INTEGER, sample_ts_s REAL, seq INTEGER, step INTEGER, events_json TEXT NOT NULL)'''


def events(wait, step, calls=1, new=True, whole=True):
    def stat(ms, calls=1):
        d = {'duration_ms': ms, 'is_gpu': False, 'n_calls': calls}
        return dict(d, cpu_ms=ms, gpu_ms=None) if new else d
    e = {}
    if wait is not None:
        e[WAIT] = {'cpu': stat(wait, calls)}
    e[STEP] = {'cpu': stat(step)}
    if whole:
        e['_traceml_internal:forward_time'] = {'cpu': stat(step / 2)}
        e['eval, "quoted"'] = {'cpu': stat(1.0)}
    return json.dumps(e, sort_keys=True, separators=(',', ':'))


def open_db(name, schema=NEW):
    path = os.path.join(here, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for end in ('', '-wal', '-shm'):
        if os.path.exists(path + end):
            os.unlink(path + end)
    db = sqlite3.connect(path)
    db.execute('PRAGMA page_size=1024')
    db.execute('PRAGMA journal_mode=WAL')
    db.execute(schema)
    return db


def add(db, rank, step, ts, seq, ev, new=True, world=1):
    if new:
        db.execute('INSERT INTO step_time_samples VALUES (NULL,?,?,?,?,?,?,?,?,?,?)',
                   (int(ts * 1e9), rank, rank, rank, world, 'node', ts, seq, step, ev))
    else:
        db.execute('INSERT INTO step_time_samples VALUES (NULL,?,?,?,?,?,?)',
                   (int(ts * 1e9), rank, ts, seq, step, ev))


def run(db, steps, ranks=1, start=1.7e9, first=1, workers=4, slow=400.0, new=True, seq=1):
    at = [start] * ranks
    for k in range(steps):
        for r in range(ranks):
            wait = (slow if k % workers == 0 else 1.5) + 0.25 * r + k / 64
            at[r] += (wait + 6.5) / 1000 + 0.002
            add(db, r, first + k, at[r], seq + k // 8, events(wait, 6.5, 2 if k == 12 else 1, new), new, ranks)
    return max(at)


def close(db):
    db.commit()
    db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()


db = open_db('two_ranks.db'); run(db, 24, 2)
with open(os.path.join(here, 'export.jsonl'), 'w') as f:
    for i, q, s, g, t, e in db.execute('SELECT id,seq,step,global_rank,sample_ts_s,events_json FROM step_time_samples ORDER BY id'):
        f.write('{"id":%d,"seq":%d,"step":%d,"rank":%d,"ts":%r,"events":%s}\n' % (i, q, s, g, t, e))
close(db)
db = open_db('older_aborted.db', OLD); end = run(db, 20, new=False)
add(db, 0, 20, end + 0.004, 3, events(0.75, 1.0, new=False, whole=False), False); close(db)
db = open_db('two_launches.db'); end = run(db, 16, seq=1); run(db, 16, start=end + 60, slow=1.5, seq=1); close(db)

# A run that was killed: everything is in the -wal.
db = open_db('killed.tmp/telemetry'); run(db, 12); db.commit()
os.makedirs(os.path.join(here, 'killed'), exist_ok=True)
for end in ('', '-wal'):
    shutil.copyfile(os.path.join(here, 'killed.tmp/telemetry' + end), os.path.join(here, 'killed/telemetry' + end))
db.close(); shutil.rmtree(os.path.join(here, 'killed.tmp'))

# Databases that are damaged (y_: some rows can be read) or of no use (n_).
db = open_db('bad/n_other.db', 'CREATE TABLE people (name TEXT)'); db.execute('CREATE TABLE pets (name TEXT)'); close(db)
db = open_db('bad/n_view.db', 'CREATE TABLE a (step INTEGER, events_json TEXT)'); db.execute('CREATE VIEW step_time_samples AS SELECT * FROM a'); close(db)
db = open_db('bad/n_no_rows.db'); close(db)
db = open_db('bad/n_no_events.db', 'CREATE TABLE step_time_samples (step INTEGER)'); close(db)
shutil.copyfile(os.path.join(here, 'killed/telemetry'), os.path.join(here, 'bad/n_without_wal.db'))
db = open_db('bad/y_types.db'); run(db, 8)
db.execute("UPDATE step_time_samples SET events_json = CAST(events_json AS BLOB) WHERE step = 2")
db.execute("UPDATE step_time_samples SET events_json = 'no JSON' WHERE step = 3")
db.execute("UPDATE step_time_samples SET step = 9223372036854775807, rank = NULL, global_rank = NULL WHERE step = 8")
db.execute("UPDATE step_time_samples SET global_rank = 9223372036854775807 WHERE step = 7")
db.execute("UPDATE step_time_samples SET step = 'six' WHERE step = 6")
db.execute("UPDATE step_time_samples SET sample_ts_s = -1e308 WHERE step = 5"); close(db)
data = open(os.path.join(here, 'two_ranks.db'), 'rb').read()
half = len(data) // 1024 // 2 * 1024
open(os.path.join(here, 'bad/y_truncated.db'), 'wb').write(data[:half + 100])
open(os.path.join(here, 'bad/y_damaged.db'), 'wb').write(data[:half] + b'\xff' * 1024 + data[half + 1024:])
open(os.path.join(here, 'bad/n_header.db'), 'wb').write(data[:60])
open(os.path.join(here, 'bad/n_garbage.db'), 'wb').write(data[:16] + b'\xa5' * 2000)
