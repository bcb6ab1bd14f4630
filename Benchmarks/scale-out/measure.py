"""Measures kin.ray on this machine, and compares its results with those of one index bit by bit, at a million vectors.

    pip install './Sources/Interfaces/python[ray]' && python Benchmarks/scale-out/measure.py --output measured.json

Parts can be selected by name; their measurements are added to the file.
"""

import argparse
import json
import logging
import random as chance
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


def points(name, n, seed=1):
    """Vectors and queries from one distribution: uniform, or in 2,000 clusters."""
    random = np.random.default_rng(seed)
    m = n + 10_000
    if name == "uniform":
        x = random.random((m, DIMENSION), dtype=np.float32)
    else:
        centers = random.random((2000, DIMENSION), dtype=np.float32)
        x = centers[random.integers(0, 2000, m)] + random.normal(0, 0.03, (m, DIMENSION)).astype(np.float32)
    return np.ascontiguousarray(x[:n]), np.ascontiguousarray(x[n:])


def one(x):
    """All vectors in one index."""
    index = kin.IVFIndex(DIMENSION)
    index.add(x, threads=2)
    return index


def seconds(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def is_same(found, expected):
    return all(a.tobytes() == b.tobytes() for a, b in zip(found, expected))


def batches(folder, n):
    """A batch of 10,000 and single queries: one process with two threads, and shards with one thread each."""
    ray.init("local", num_cpus=2, object_store_memory=STORE, include_dashboard=False, logging_level="error", log_to_driver=False)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    rows = []
    for name in ("uniform", "clustered"):
        x, q = points(name, n)
        index = one(x)
        for shards, partition in ((2, "range"), (2, "hash"), (1, "range"), (3, "hash"), (4, "hash"), (4, "range")):
            where = folder / f"{name}-{shards}-{partition}"
            kin.ray.build(x, where, shards=shards, partition=partition)
            with kin.ray.open(where) as session:
                same = is_same(session.search(q, K), index.search(q, K, threads=2))
                # Alternately, so that both run under the same conditions.
                both = [(seconds(lambda: index.search(q, K, threads=2)), seconds(lambda: session.search(q, K))) for _ in range(5)]
                alone, together = (min(times) for times in zip(*both))
                singles = np.array([seconds(lambda row=row: session.search(row, K)) for row in q[:500]])
                own = np.array([seconds(lambda row=row: index.search(row, K)) for row in q[:500]])
                asked = float(session.shards_asked(q, K).mean())
            row = {"data": name, "shards": shards, "partition": partition, "same": same, "asked": asked, "alone": alone, "together": together}
            row |= {f"single_p{p}": float(np.percentile(singles, p)) for p in (50, 99)} | {"own_p50": float(np.median(own))}
            rows.append(row)
            print(row, flush=True)
    return rows


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


PARTS = {"batches": batches, "kills": kills}


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
