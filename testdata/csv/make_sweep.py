"""Writes the sweep_*.csv beside itself: runs shaped like the tables that one bug report posted.

The posted figures (median, p95, stalls over 5 s, gap, overtaking deliveries, and in the order
control the mean) come out to the digits in which they were posted. The waits behind them were not
posted: they are made up here, as are step times, worker ids and counters."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = 0.12  # s of work a step


def spread(low, high, n):
    """n values from low to high, both included, in an order that looks like none."""
    v = [low + (high - low) * i / (n - 1) for i in range(n)] if n > 1 else [low] * n
    return [v[(7 * i + 3) % n] for i in range(n)] if n % 7 else v


def with_top(n, low, p95, rank, top):
    """Values whose type-7 p95 among n is exact: x[k] + f (x[k+1] - x[k]), k = floor(0.95 (n-1))."""
    h = 0.95 * (n - 1)
    k, f = int(h), h - int(h)
    below = (p95 - f * top) / (1 - f)
    rest = rank - (n - k)  # so many slow ones stand below x[k]
    return spread(low, below * 0.985, rest) + [below, top] if n - k == 2 else \
        spread(low, below * 0.985, rest) + [below, top] + [top * 1.02] * (n - k - 2)


def put(name, facts, waits, order=None):
    with open(os.path.join(HERE, name), 'w') as f:
        f.write('# stalldiff-series: 1\n')
        for k, v in facts.items():
            f.write('# %s: %s\n' % (k, v))
        w = facts['num_workers']
        f.write('step,wait_ms,step_ms,worker_id,worker_pids,batch_rank,worker_cpu_ms,read_bytes,majflt\n')
        for i, ms in enumerate(waits):
            rank = order[i] if order else i
            pids = ';'.join(str(4100 + k) for k in range(w)) or '4000'
            cpu = round(0.93 * ms * max(1, min(w, 2)), 1)
            f.write('%d,%.3f,%.3f,%s,%s,%d,%s,0,0\n' % (
                i, ms, ms + 1000 * WORK + (i * 37 % 11), rank % w if w else '', pids, rank, cpu))


def facts(revision, number, workers, in_order='true'):
    f = {'revision': revision, 'pass': number, 'num_workers': workers, 'logical_cpus': 2, 'batch_size': 8, 'horizon': 100}
    return {**f, 'prefetch_factor': 2, 'in_order': in_order} if workers else f


def deal(slow, fast, at, n):
    """The slow ones at their steps, the fast ones between."""
    slow, fast = list(slow), list(fast)
    return [slow.pop(0) if i in at else fast.pop(0) for i in range(n)]


def middle(values, median):
    """Shifts the two values in the middle so that their mean is the median."""
    v = sorted(values)
    a, b = v[len(v) // 2 - 1], v[len(v) // 2]
    for x in (a, b):
        values[values.index(x)] = x + median - (a + b) / 2
    return values


def every(median, p95, low, under):
    """32 waits of a loop in which every batch is slow; `under` of them below 5 s."""
    v = with_top(32, 5450, p95, 32 - under, p95 * 1.012) + spread(low, 4900, under)
    v = sorted(v)
    # the lower half between low and the median, the upper half between the median and p95
    half = [x for x in v if x > 5000][:16 - under]
    for k, x in enumerate(half):
        v[v.index(x)] = 5450 + (median - 40 - 5450) * k / (len(half) - 1)
    v.sort()
    for k in range(16, 29):
        v[k] = median + 40 + (v[29] * 0.995 - median - 40) * (k - 16) / 12
    v = middle(sorted(v), median)
    v = sorted(v)
    return [v[(11 * i + 5) % 32] for i in range(32)]


def pairs(median, p95, slow_least, fast_most):
    """2 workers: every second step is slow. The median is the mean of the smallest slow wait and the
    largest fast one, so no wait need be near it."""
    slow = [slow_least] + with_top(32, max(slow_least * 1.01, 6900), p95, 15, p95 * 1.03)
    fast = [fast_most] + spread(180, 560, 15)
    middle(slow + fast, median)
    return deal(slow, fast, range(0, 32, 2), 32)


def rounds(median, p95, n, mean=None, fast_top=30.0):
    """4 workers: every fourth step waits for the whole round."""
    m = n // 4
    slow = with_top(n, p95 * (0.86 if m > 4 else 0.8), p95, m, p95 * 1.04)
    fast = spread(median * 0.3, median * 0.9, n // 2 - 1) + [median, median] + spread(median * 1.2, fast_top, n - m - n // 2 - 1)
    if mean is not None:  # the smallest slow ones take what is left to the mean
        low = sorted(slow)[:m - 2]
        left = mean * n - sum(fast) - sum(sorted(slow)[m - 2:])
        slow = [left / (m - 2) * (1 + 0.04 * (k - 0.5)) for k in range(m - 2)] + sorted(slow)[m - 2:]
    return deal(slow, fast, range(0, n, 4), n)


ORDERS = {  # four rounds of four ranks; how many deliveries overtake one that arrives later
    9: [1, 2, 3, 0, 5, 6, 7, 4, 8, 10, 11, 9, 12, 14, 13, 15],
    5: [0, 2, 1, 3, 5, 6, 4, 7, 8, 9, 11, 10, 13, 12, 14, 15],
}

put('sweep_w0_p1.csv', facts('broken', 1, 0), every(6248, 6845, 0, 0))
put('sweep_w1_p1.csv', facts('broken', 1, 1), every(6027, 6923, 4700, 2))
put('sweep_w2_p1.csv', facts('broken', 1, 2), pairs(4416, 8292, 4900, 3932))
put('sweep_w4_p1.csv', facts('broken', 1, 4), rounds(1.8, 19581, 32))
put('sweep_w0_p2.csv', facts('broken', 2, 0), every(6219, 6722, 0, 0))
put('sweep_w1_p2.csv', facts('broken', 2, 1), every(5884, 6418, 0, 0))
put('sweep_w2_p2.csv', facts('broken', 2, 2), pairs(3785, 8924, 6900, 670))
put('sweep_w4_p2.csv', facts('broken', 2, 4), rounds(4.0, 17228, 32))
put('sweep_fixed_w4.csv', facts('fixed', 1, 4), deal(
    [1.31], sorted(spread(0.21, 0.36, 15) + [0.39, 0.39] + spread(0.42, 1.1, 11)) + [1.55, 1.55, 1.62], [0], 32))
put('sweep_ordered_p1.csv', facts('broken', 1, 4), rounds(0.37, 19282, 16, 4708))
put('sweep_unordered_p1.csv', facts('broken', 1, 4, 'false'), rounds(423, 16667, 16, 4312, 900.0), ORDERS[9])
put('sweep_unordered_p2.csv', facts('broken', 2, 4, 'false'), rounds(656, 16432, 16, 4377, 1300.0), ORDERS[5])
put('sweep_ordered_p2.csv', facts('broken', 2, 4), rounds(1.56, 17750, 16, 4616, 2400.0))
put('sweep_ordered_fixed.csv', facts('fixed', 1, 4), deal(
    [841.9], spread(0.2, 0.33, 7) + [0.37, 0.37] + spread(0.41, 0.9, 6), [0], 16))
