"""The overhead of the Python package, compared with the same calls of libkin's C functions through ctypes alone.

    pip install ./Sources/Interfaces/python && python Benchmarks/interfaces/python.py

Together with `interface-bench`, which compares C with Swift, this shows the difference between a search in Python and
one in Swift. Rounds alternate, and the best one counts.
"""

import argparse
import time

import kin
import numpy as np
from kin._library import library

K = 10


def seconds(call, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - begin) / calls


def compare(ways, limit):
    """The best time of each variant."""
    once = max(seconds(call, 1) for call in ways)
    calls = max(1, int(1e-3 / once))
    best = [float("inf")] * len(ways)
    end = time.perf_counter() + limit
    while time.perf_counter() < end:
        best = [min(b, seconds(call, calls)) for b, call in zip(best, ways)]
    return best


def ways(index, q):
    count = 1 if q.ndim == 1 else len(q)
    ids, distances = np.empty((count, K), dtype=np.int64), np.empty((count, K))
    addresses = q.ctypes.data, ids.ctypes.data, distances.ctypes.data

    # The arrays are default arguments, so that they live as long as the function.
    def by_ctypes(arrays=(q, ids, distances)):
        library.kin_index_search(index._handle, addresses[0], count, 0, K, None, addresses[1], addresses[2], None)

    def by_package():
        return index.search(q, K)

    by_ctypes()
    assert (by_package()[1].ravel() == ids.ravel()).all()
    return by_package, by_ctypes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=int, nargs="+", default=[10, 10_000, 1_000_000])
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    print("| vectors | queries | µs from Python | µs by ctypes alone | Python − ctypes, µs | Python ∕ ctypes |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for vectors in options.vectors:
        index = kin.FlatIndex(16)
        index.add(random.random((vectors, 16), dtype=np.float32))
        batch = random.random((options.batch, 16), dtype=np.float32)
        for q in (batch[0], batch):
            python, plain = compare(ways(index, q), options.seconds)
            count = 1 if q.ndim == 1 else len(q)
            print(
                f"| {vectors} | {count} | {1e6 * python:.2f} | {1e6 * plain:.2f} | {1e6 * (python - plain):.2f} "
                f"| {python / plain:.3f} |"
            )


main()
