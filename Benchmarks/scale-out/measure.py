"""Measures kin.ray on this machine, and compares its results with those of one index, at a million vectors.

    pip install './Sources/Interfaces/python[ray]' && python Benchmarks/scale-out/measure.py --output measured.json

Parts can be selected by name; their measurements are added to the file.
"""

import argparse
import json
import logging
import random as chance
import resource
import tempfile
import threading
import time
from pathlib import Path

import kin
import kin.ray
import numpy as np
import ray
from ray.cluster_utils import Cluster

K, DIMENSION = 10, 16
STORE = 600 << 20
HEALTH = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 500,
    "health_check_failure_threshold": 2,
}
PARTS = {}


def part(function):
    """Registers a part under its name."""
    PARTS[function.__name__] = function
    return function


def points(name, n, seed=1):
    """Vectors and queries from one distribution: uniform, in 2,000 clusters, or on a grid with each vector twice."""
    random = np.random.default_rng(seed)
    m = n + 10_000
    if name == "uniform":
        x = random.random((m, DIMENSION), dtype=np.float32)
    elif name == "clustered":
        centers = random.random((2000, DIMENSION), dtype=np.float32)
        x = centers[random.integers(0, 2000, m)] + random.normal(0, 0.03, (m, DIMENSION)).astype(np.float32)
    else:
        x = random.integers(0, 6, (m, DIMENSION)).astype(np.float32)
        x[n // 2 : n] = x[: n - n // 2]
    return np.ascontiguousarray(x[:n]), np.ascontiguousarray(x[n:])


def one(x):
    """All vectors in one index."""
    index = kin.IVFIndex(DIMENSION)
    index.add(x, threads=2)
    return index


def best(call, times=5):
    """The fewest seconds of a call."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        found.append(time.perf_counter() - began)
    return min(found)


def is_same(found, expected):
    return all(a.tobytes() == b.tobytes() for a, b in zip(found, expected))


def start(cpus=2):
    ray.init("local", num_cpus=cpus, object_store_memory=STORE, include_dashboard=False, logging_level="error", log_to_driver=False)
    logging.getLogger("ray.data").setLevel(logging.ERROR)


@part
def identity(folder, n):
    """The same bits as one index, exact and with a filter of a tenth, for 10,000 queries."""
    start()
    rows = []
    for name in ("uniform", "clustered", "ties"):
        x, q = points(name, n)
        index = one(x)
        allowed = np.random.default_rng(2).choice(n, n // 10, replace=False)
        exact, filtered = index.search(q, K, threads=2), index.search(q, K, filter=allowed, threads=2)
        for shards in (1, 2, 3, 4, 7):
            for partition in ("range", "hash") if shards == 3 else ("range",):
                where = folder / f"{name}-{shards}-{partition}"
                began = time.perf_counter()
                kin.ray.build(x, where, shards=shards, partition=partition)
                built = time.perf_counter() - began
                with kin.ray.open(where) as session:
                    same = [is_same(session.search(q, K), exact), is_same(session.search(q, K, filter=allowed), filtered)]
                    asked = session.shards_asked(q, K)
                rows.append([name, shards, partition, len(q), *same, round(float(asked.mean()), 2), round(built, 2)])
                print(*rows[-1], flush=True)
    return rows


@part
def batches(folder, n):
    """A batch of 10,000 and single queries: one process with two threads, and shards with one thread each."""
    start()
    rows = []
    for name in ("uniform", "clustered"):
        x, q = points(name, n)
        index = one(x)
        for shards, partition in ((2, "range"), (2, "hash"), (1, "range"), (3, "hash"), (4, "hash"), (4, "range")):
            where = folder / f"{name}-{shards}-{partition}"
            kin.ray.build(x, where, shards=shards, partition=partition)
            with kin.ray.open(where) as session:
                session.search(q, K)
                # Alternately, so that both run under the same conditions.
                both = [(best(lambda: index.search(q, K, threads=2), 1), best(lambda: session.search(q, K), 1)) for _ in range(5)]
                alone, together = (min(times) for times in zip(*both))
                singles = np.array([best(lambda row=row: session.search(row, K), 1) for row in q[:500]])
                own = np.array([best(lambda row=row: index.search(row, K), 1) for row in q[:500]])
                asked = float(session.shards_asked(q, K).mean())
            row = {"data": name, "shards": shards, "partition": partition, "asked": asked, "alone": alone, "together": together}
            row |= {f"single_p{p}": float(np.percentile(singles, p)) for p in (50, 99)} | {"own_p50": float(np.median(own))}
            rows.append(row)
            print(row, flush=True)
    return rows


@part
def kills(folder, n):
    """200 batches of 1,000 while random nodes are killed and restarted: wrong and lost answers, and the longest delay.
    """
    x, q = points("clustered", n // 10)
    expected = one(x).search(q, K, threads=2)
    rows = []
    for replicas, health in ((1, HEALTH), (2, HEALTH), (2, {})):
        nodes = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "object_store_memory": STORE // 4, "include_dashboard": False, "_system_config": health},
        )
        others = [nodes.add_node(num_cpus=1, object_store_memory=STORE // 4) for _ in range(3)]
        ray.init(address=nodes.address, logging_level="error", log_to_driver=False)
        where = folder / "kills"
        if not where.exists():
            kin.ray.build(x, where, shards=4)
        draw, wrong, delays, killed = chance.Random(5), [], [], 0

        def ask(session):
            random = np.random.default_rng(7)
            for number in range(200):
                some = random.choice(len(q), 1000, replace=False)
                began = time.perf_counter()
                found = session.search(q[some], K)
                delays.append(time.perf_counter() - began)
                if not is_same(found, [part[some] for part in expected]):
                    wrong.append(number)
                time.sleep(0.15)

        with kin.ray.open(where, replicas=replicas) as session:
            asker = threading.Thread(target=ask, args=(session,))
            asker.start()
            # The main thread starts nodes, as Ray requires.
            while asker.is_alive():
                time.sleep(draw.uniform(0.5, 2))
                nodes.remove_node(others.pop(draw.randrange(len(others))), allow_graceful=False)
                killed += 1
                time.sleep(draw.uniform(0, 2))
                others.append(nodes.add_node(num_cpus=1, object_store_memory=STORE // 4))
            asker.join()
        rows.append(
            {
                "replicas": replicas, "noticed": "1 s" if health else "15 s (Ray's default)", "batches": len(delays), "killed": killed,
                "wrong": len(wrong), "median": float(np.median(delays)), "late": int((np.array(delays) > 0.5).sum()), "longest": max(delays),
            }
        )  # fmt: skip
        print(rows[-1], flush=True)
        ray.shutdown()
        nodes.shutdown()
    return rows


@part
def stream(folder, n):
    """A million queries in a stream: the memory of the driver at its peak, after the first tenth and at the end."""
    start()
    x, q = points("clustered", n // 10)
    kin.ray.build(x, folder / "stream", shards=2)
    peaks = []
    with kin.ray.open(folder / "stream") as session:
        began = time.perf_counter()
        for number, _ in enumerate(session.stream((q[:5000] for _ in range(200)), K)):
            if number in (19, 199):
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        seconds = time.perf_counter() - began
    return {"queries": 1_000_000, "seconds": seconds, "peak_mib_after_a_tenth": peaks[0], "peak_mib_at_the_end": peaks[1]}


@part
def clusters(folder, n):
    """k-means of all points in four shards: the same bytes as on one machine."""
    start()
    rows = []
    for name, k in (("clustered", 256), ("uniform", 64)):
        x, _ = points(name, n)
        began = time.perf_counter()
        alone = kin.KMeans(k, seed=7, max_iterations=20, threads=2).fit(x)
        middle = time.perf_counter()
        found = kin.ray.kmeans(x, k, seed=7, max_iterations=20, shards=4)
        seconds = time.perf_counter() - middle
        same = found.cluster_centers_.tobytes() == alone.cluster_centers_.tobytes()
        same_labels = bool((found.labels_ == alone.labels_).all()) and found.inertia_ == alone.inertia_
        rows.append({"data": name, "k": k, "iterations": found.n_iter_, "centroids": same, "labels and inertia": same_labels})
        rows[-1] |= {"one machine": middle - began, "four shards": seconds}
        print(rows[-1], flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--vectors", type=int, default=1_000_000)
    parser.add_argument("--output", type=Path, default=Path("measured.json"))
    given = parser.parse_args()
    measured = json.loads(given.output.read_text()) if given.output.exists() else {}
    for name in given.parts:
        with tempfile.TemporaryDirectory() as folder:
            measured[name] = PARTS[name](Path(folder), given.vectors)
        ray.shutdown()
        given.output.write_text(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
