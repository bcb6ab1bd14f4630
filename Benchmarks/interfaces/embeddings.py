"""Times the search of sessions by an embedding of their words and their point, through the Python package, compared
with NumPy.

    pip install ./Sources/Interfaces/python
    python Benchmarks/interfaces/embeddings.py
    python Benchmarks/interfaces/embeddings.py --sessions 20000 --dimension 768

Sessions are generated from the seed: points that name five dimensions, embeddings around 200 centres. Each weight is
compared with a NumPy scan of the same vectors in the same run (32-bit floats, one matrix product, the k nearest by
`argpartition`). Answers are compared with a scan in double precision. Prints a Markdown table of milliseconds, and the
size of an embedding as JSON.
"""

import argparse
import json
import os
import statistics
import tempfile
import time

import numpy as np

import kin

NAMES = (
    "order enclosure path horizon anxiety ignorance repetition post food mobility erotic_uncertainty material_play power "
    "nature_mirror serendipity_following anchor_expansion"
).split()
STATES = ["idle", "drift", "mastery"]


def made_up(sessions, dimension, random):
    """Records of sessions, their points, and embeddings."""
    points = np.zeros((sessions, 16), np.float32)
    for row in points:
        row[random.choice(16, 5, replace=False)] = random.random(5)
    centres = random.normal(size=(200, dimension))
    vectors = centres[random.integers(0, 200, sessions)] + 0.6 * random.normal(size=(sessions, dimension))
    records = [
        {
            "id": f"s{number}", "user_id": f"u{number % 1000}", "state": STATES[number % 3],
            "state_history": STATES[: 1 + number % 3],
            "timestamp_start": f"2026-{1 + number % 12:02}-{1 + number % 28:02}T06:30:00Z",
            "pleasure_vector": {"intensities": {NAMES[j]: float(row[j]) for j in np.flatnonzero(row)}},
        }
        for number, row in enumerate(points)
    ]
    return records, points, vectors.astype(np.float32)


def times(call, rounds):
    """The median and the 99th percentile in milliseconds, without the first calls."""
    for number in range(3):
        call(number)
    found = []
    for number in range(rounds):
        begin = time.perf_counter()
        call(number)
        found.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(found), sorted(found)[int(0.99 * rounds)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sessions", type=int, default=100_000)
    options.add_argument("--dimension", type=int, default=384)
    options.add_argument("--rounds", type=int, default=100)
    options.add_argument("--k", type=int, default=10)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    random = np.random.default_rng(given.seed)
    records, points, vectors = made_up(given.sessions, given.dimension, random)
    queries = [
        (dict(zip(NAMES, random.random(16).round(4).tolist())), vectors[i] + 0.3 * random.normal(size=given.dimension).astype(np.float32))
        for i in random.integers(0, given.sessions, given.rounds)
    ]
    print(f"{given.sessions:,} sessions, {given.dimension} dimensions, k = {given.k}, seed {given.seed}\n")
    text = len(json.dumps([float(str(number)) for number in vectors[0]], separators=(",", ":")))
    print(f"an embedding: {4 * given.dimension:,} bytes, {(4 * given.dimension + 2) // 3 * 4:,} as Base64, {text:,} as shortest decimals")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "people.db")
        with kin.Engine(path) as engine:
            for start in range(0, given.sessions, 10_000):
                engine.put([{"session": record} for record in records[start : start + 10_000]])
            begin = time.perf_counter()
            for start in range(0, given.sessions, 10_000):
                some = records[start : start + 10_000]
                engine.put_embeddings(
                    [r["user_id"] for r in some], [r["id"] for r in some], vectors[start : start + 10_000], model="note")
            print(f"inserted: {time.perf_counter() - begin:.1f} s")
            begin = time.perf_counter()
            engine.near(embedding=vectors[0], k=1)
            print(f"derived again by the first query: {time.perf_counter() - begin:.2f} s")
            print(f"derived data: {engine.memory()['bytes'] / 2**20:.0f} MiB, including {vectors.nbytes / 2**20:.0f} MiB of vectors\n")
            measure(engine, points, vectors, queries, given)
            begin = time.perf_counter()
        print(f"\nclosed and saved: {time.perf_counter() - begin:.2f} s")
        with kin.Engine(path) as engine:
            begin = time.perf_counter()
            engine.near(embedding=vectors[0], k=1)
            print(f"first query after opening, from the file: {time.perf_counter() - begin:.2f} s")


def measure(engine, points, vectors, queries, given):
    unit = (vectors / np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)).astype(np.float32)
    square = (points**2).sum(axis=1)
    print("| weight | filter | kin, median ms | p99 | NumPy, median ms | p99 |\n| --- | --- | --- | --- | --- | --- |")
    for weight in (1, 0.5, 0.1):
        for condition in (None, "state = mastery", "user = u7"):

            def kin_near(number):
                point, embedding = queries[number % len(queries)]
                return engine.near(point=point, embedding=embedding, weight=weight, k=given.k, where=condition)

            def scan(number):
                point, embedding = queries[number % len(queries)]
                p = np.array([point[name] for name in NAMES], np.float32)
                e = embedding / np.linalg.norm(embedding)
                distances = weight * (2 - 2 * (unit @ e))
                if weight < 1:
                    distances += (1 - weight) * (square - 2 * (points @ p) + p @ p)
                best = np.argpartition(distances, given.k)[: given.k]
                return best[np.argsort(distances[best])]

            for number in range(5 if condition is None else 0):
                check(kin_near(number), queries[number], weight, points, unit)
            ours = times(kin_near, given.rounds)
            theirs = times(scan, given.rounds) if condition is None else None
            cells = [f"{cell:.2f}" for cell in ours] + [f"{cell:.2f}" for cell in theirs or ()] + [""] * (0 if theirs else 2)
            print(f"| {weight} | {condition or 'none'} | {' | '.join(cells)} |", flush=True)


def check(found, query, weight, points, unit):
    """Compares with all sessions in double precision."""
    p = np.array([query[0][name] for name in NAMES], np.float32).astype(float)
    e = query[1].astype(float)
    e = (e / np.linalg.norm(e)).astype(np.float32).astype(float)
    distances = (1 - weight) * ((points.astype(float) - p) ** 2).sum(axis=1) + weight * ((unit.astype(float) - e) ** 2).sum(axis=1)
    expected = np.sort(distances)[: len(found)]
    assert np.allclose([match["distance"] for match in found], expected, rtol=0, atol=1e-6), "not the nearest"


if __name__ == "__main__":
    main()
