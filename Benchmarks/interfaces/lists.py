"""Lists by examples and with diversity beside a plain search of the same index, through Python.

    python lists.py [--vectors 1000000] [--queries 40]

Sixteen dimensions, clustered and uniform, a flat index and an inverted file, ten neighbours, one thread. A list and a plain search take
turns; the lists of the two indexes have to be equal. Needs the Python package kin (or KIN_LIBRARY and PYTHONPATH).
"""

import argparse
import time

import numpy as np

import kin

KINDS = {
    "a positive and a negative example": lambda v: {"positive": [v], "negative": [7]},
    "diversity .1": lambda v: {"positive": [v], "diversity": 0.1},
    "diversity .2": lambda v: {"positive": [v], "diversity": 0.2},
    "diversity .3": lambda v: {"positive": [v], "diversity": 0.3},
    "diversity .4": lambda v: {"positive": [v], "diversity": 0.4},
}


def sets(n, random):
    centres = random.random((1000, 16), dtype=np.float32)
    noise = random.standard_normal((n, 16), dtype=np.float32) * np.float32(0.05)
    yield "clustered", centres[random.integers(0, 1000, n)] + noise
    yield "uniform", random.random((n, 16), dtype=np.float32)


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=40)
    options = parser.parse_args()
    random = np.random.default_rng(3)
    print("| set | list | flat: search, µs | list, µs | ratio | inverted file: search, µs | list, µs | ratio |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, x in sets(options.vectors, random):
        queries = x[random.integers(0, len(x), options.queries)] + np.float32(0.01)
        indexes = [kin.FlatIndex(16), kin.IVFIndex(16)]
        for index in indexes:
            index.add(x)
        for kind, wanted in KINDS.items():
            cells, lists = [], []
            for index in indexes:
                plain = [timed(lambda v=v: index.search(v, 10))[0] for v in queries]
                found = [timed(lambda v=v: index.recommend(k=10, **wanted(v))) for v in queries]
                lists.append([ids.tolist() for _, (_, ids) in found])
                a, b = np.mean(plain), np.mean([seconds for seconds, _ in found])
                cells += [f"{a * 1e6:.0f}", f"{b * 1e6:.0f}", f"{b / a:.2f}"]
            assert lists[0] == lists[1], "the two indexes recommend different vectors"
            print(f"| {name} | {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
