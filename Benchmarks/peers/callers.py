#!/usr/bin/env python3
"""Measures threads that search one shared index, one query at a time.

Kin is called through Swift, C and Python, and other libraries through Python.

    callers.py --bench ../.build/release/callers-bench --sets clustered correlated uniform --rows 200000

Every library has a separate process, and the libraries alternate. A round measures each of them briefly at every number
of threads, and a figure is the median of its rounds. Exact searches are compared with FAISS's flat index, which scans.
Searches with a recall of 0.95 are compared with graphs and lists at the lowest setting that reaches the recall on 500
queries. A writer replaces single vectors, if the library allows searches at the same time.
"""

import argparse
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import indexes
import machine
import sets
from worker import Worker

K = 10


class KinPython:
    """Kin's Python package."""

    can_change = True

    def __init__(self, vectors, recall):
        import kin

        self.index = kin.IVFIndex(vectors.shape[1])
        self.index.add(vectors, np.arange(len(vectors)), threads=2)
        self.options = {} if recall == 0 else {"recall": recall}

    def search(self, query):
        return self.index.search(query, K, **self.options)[1]

    def change(self, id, vector):
        self.index.add(vector[np.newaxis], [id])


class FaissFlat:
    """FAISS's scan."""

    can_change = False

    def __init__(self, vectors, recall):
        import faiss

        self.index = faiss.IndexFlatL2(vectors.shape[1])
        self.index.add(vectors)

    def search(self, query):
        return self.index.search(query[np.newaxis], K)[1][0]


class Approximate:
    """An index of `indexes` at the lowest setting that reaches the recall."""

    can_change = False

    def __init__(self, key, vectors, recall):
        self.index = indexes.ALL[key]()
        self.index.build(vectors, 2)
        with tempfile.TemporaryDirectory() as folder:
            self.index.save(Path(folder))
            self.index.load(Path(folder), vectors.shape[1])
        random = np.random.default_rng(5)
        queries = near(vectors, random.integers(0, len(vectors), 500))
        truth = FaissFlat(vectors, 0).index.search(queries, K)[1]
        for self.value in self.index.values:
            self.index.turn(self.value, 1)
            found = self.index.search(queries, K)
            if np.mean([len(set(a) & set(b)) / K for a, b in zip(found, truth)]) >= recall:
                break

    def search(self, query):
        return self.index.search(query[np.newaxis], K)[0]


def near(vectors, rows):
    return vectors[rows] + 1e-3 * np.arange(vectors.shape[1], dtype=np.float32)


class Callers:
    """Threads that share an index, in a library's process."""

    def __init__(self, name, path, recall):
        self.vectors = np.load(path)
        made = {"Kin, Python": KinPython, "FAISS flat": FaissFlat}.get(name)
        self.index = made(self.vectors, recall) if made else Approximate(name, self.vectors, recall)

    def setting(self):
        return getattr(self.index, "value", None)

    def measure(self, callers, writers, seconds):
        """Searches and changes per second; None if the library cannot change during a search."""
        if writers and not self.index.can_change:
            return None
        done = [0] * (callers + writers)
        is_over = threading.Event()

        def run(number):
            random = np.random.default_rng(number)
            rows = random.integers(0, len(self.vectors), 20_000)
            queries = near(self.vectors, rows)
            ready.wait()
            n = 0
            if number < callers:
                while not is_over.is_set():
                    self.index.search(queries[n % len(queries)])
                    n += 1
            else:
                while not is_over.is_set():
                    row = rows[n % len(rows)]
                    self.index.change(row, self.vectors[row] + np.float32(1e-5 * (n % 7)))
                    n += 1
            done[number] = n

        ready = threading.Barrier(callers + writers + 1)
        threads = [threading.Thread(target=run, args=[number]) for number in range(callers + writers)]
        for thread in threads:
            thread.start()
        ready.wait()
        begin = time.perf_counter()
        time.sleep(seconds)
        is_over.set()
        for thread in threads:
            thread.join()
        passed = time.perf_counter() - begin
        return sum(done[:callers]) / passed, sum(done[callers:]) / passed


class Bench:
    """Kin through Swift or C, in a process that both use."""

    def __init__(self, program, path):
        self.process = subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def measure(self, interface, recall, callers, writers, seconds):
        self.process.stdin.write(f"{interface} {callers} {recall} {writers} {seconds}\n")
        self.process.stdin.flush()
        return tuple(float(word) for word in self.process.stdout.readline().split())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", required=True, help="the program callers-bench")
    parser.add_argument("--sets", nargs="+", choices=sets.GENERATED, default=list(sets.GENERATED))
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2, 4, 8, 16, 64])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--peers", nargs="*", default=["faiss-ivf1024", "hnswlib", "usearch"])
    asked = parser.parse_args()
    print(f"{machine.processor()}, k = {K}, medians of {asked.rounds} rounds of {asked.seconds} s.\n")
    for kind in asked.sets:
        with tempfile.TemporaryDirectory() as folder:
            path = str(sets.Generator(Path(folder)).make(kind, asked.rows, 0, 16, 7).vectors_path)
            bench = Bench(asked.bench, path)
            for recall in (0, 0.95):
                compare(kind, path, recall, bench, asked)
            bench.close()


def compare(kind, path, recall, bench, asked):
    peers = ["FAISS flat"] if recall == 0 else asked.peers
    # OpenMP's number of threads holds for the calling thread alone unless the environment sets it.
    alone = {"OMP_NUM_THREADS": "1"}
    workers = {name: Worker(Callers, name, path, recall, environment=alone) for name in ["Kin, Python", *peers]}
    settings = {name: worker.call("setting") for name, worker in workers.items()}
    names = ["Kin, Swift", "Kin, C", *workers]
    found = {}
    for _ in range(asked.rounds):
        for callers in asked.threads:
            for writers in (0, 1):
                for name in names:
                    if name in workers:
                        rates = workers[name].call("measure", callers, writers, asked.seconds)
                    elif writers and name == "Kin, Swift":
                        rates = None
                    else:
                        rates = bench.measure(name[5:].lower(), recall, callers, writers, asked.seconds)
                    if rates is not None:
                        found.setdefault((name, callers, writers), []).append(rates)
    for worker in workers.values():
        worker.close()
    words = "exact" if recall == 0 else f"recall {recall}"
    print(f"## {kind.capitalize()}, {asked.rows:,} × 16, {words}: thousand searches a second\n")
    print("| callers |", " | ".join(f"{name} {settings.get(name) or ''}".strip() for name in names), "|")
    print("| ---: |" + " ---: |" * len(names))
    for writers in (0, 1):
        for callers in asked.threads:
            cells = []
            for name in names:
                rates = found.get((name, callers, writers))
                searches = statistics.median(rate[0] for rate in rates) if rates else None
                changes = statistics.median(rate[1] for rate in rates) if rates and writers else None
                cells.append("–" if searches is None else f"{searches / 1e3:.1f}" + (f" ({changes / 1e3:.1f})" if changes else ""))
            print(f"| {callers}{' + a writer' * writers} |", " | ".join(cells), "|")
    print("\nIn brackets: changes a second, in thousands.\n", flush=True)


if __name__ == "__main__":
    main()
