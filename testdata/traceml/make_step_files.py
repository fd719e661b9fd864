"""Makes the samples in msgpack/ and legacy/, in the form TraceML writes them. Run: make_step_files.py

Own small packer: no package is needed, and every width of integer can be chosen."""
import json, os, struct

HERE = os.path.dirname(os.path.abspath(__file__))
WAIT, STEP = '_traceml_internal:dataloader_next', '_traceml_internal:step_time'


def pack(v):
    if v is None:
        return b'\xc0'
    if isinstance(v, bool):
        return b'\xc3' if v else b'\xc2'
    if isinstance(v, int):
        return bytes([v]) if 0 <= v < 128 else b'\xcd' + struct.pack('>H', v)
    if isinstance(v, float):
        return b'\xcb' + struct.pack('>d', v)
    if isinstance(v, str):
        b = v.encode()
        return (bytes([0xa0 | len(b)]) if len(b) < 32 else b'\xd9' + bytes([len(b)])) + b
    return bytes([0x80 | len(v)]) + b''.join(pack(k) + pack(x) for k, x in v.items())


def frame(payload):
    return struct.pack('>I', len(payload)) + payload


def put(name, data):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def steps(rank, n=24, workers=4, start=1790000000.0):
    """(step, wait ms, traced ms, end of step in s): every 4th step waits."""
    end = start + rank / 8
    for k in range(1, n + 1):
        wait = (19000.0 + 31.25 * k if (k - 1) % workers == 0 else 1.5 + k / 16) + rank / 4
        end += (wait + 38.5 + 0.25) / 1e3
        yield k, wait, 38.5, end


def event(ms):
    return {'cpu': {'is_gpu': False, 'duration_ms': ms, 'cpu_ms': ms, 'gpu_ms': None, 'n_calls': 1}}


def row(k, wait, traced, end):
    return {'seq': k, 'timestamp': end, 'step': k, 'events': {WAIT: event(wait), STEP: event(traced)}}


# Each process draws a session folder of its own.
for rank, session in ((0, 'session_20260101_120000_0a1b2c'), (1, 'session_20260101_120000_3d4e5f')):
    put('msgpack/%s/rank_%d/data/StepTimeSampler/StepTimeTable.msgpack' % (session, rank),
        b''.join(frame(pack(row(*s))) for s in steps(rank)))
put('msgpack/session_20260101_120000_0a1b2c/rank_0/data/SystemSampler/SystemTable.msgpack',
    b''.join(frame(pack({'seq': k, 'timestamp': 1790000000.0 + 2 * k, 'cpu_percent': 12.5})) for k in range(1, 4)))

# Without msgspec the payload is JSON.
put('msgpack_json/StepTimeTable.rank_0.msgpack', b''.join(frame(json.dumps(row(*s)).encode()) for s in steps(0)))


def legacy(k, ms, end):
    return {'seq': k, 'timestamp': end, 'step': k, 'scope': 'step', 'device': 'cpu', 'is_gpu': False, 'duration_ms': ms}


for name, encode, suffix in (('legacy', lambda r: (json.dumps(r) + '\n').encode(), 'jsonl'),
                             ('legacy_msgpack', lambda r: frame(pack(r)), 'msgpack')):
    for what in (WAIT, STEP):
        put('%s/data/rank_0/TimeSampler/%s.%s' % (name, what, suffix), b''.join(
            encode(legacy(k, wait, end - traced / 1e3) if what == WAIT else legacy(k, traced, end))
            for k, wait, traced, end in steps(0)))
