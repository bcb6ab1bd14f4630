#!/usr/bin/env python3
"""Times exact search with Kin and its peers (FAISS, ScaNN, trees and more) on the same arrays, in one run.

Writes a Markdown file with every figure, the ratios and the machine's ceilings. README.md explains how to install the
libraries. Exits with 1 if one of Kin's ids differs from a scan in double precision.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

import contenders
import kin_process
import machine
import report
import sets
import truth
import ways as timing

METRICS = ("l2", "ip", "cosine")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, default=1_000_000, help="vectors of 16 dimensions (default %(default)s)")
    parser.add_argument("--queries", type=int, default=10_000, help="queries in a batch (default %(default)s)")
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--data", nargs="+", choices=sets.KINDS, default=["uniform", "clustered"])
    parser.add_argument("--metrics", nargs="*", choices=METRICS, default=list(METRICS),
                        help="metrics for 16 dimensions; without a value, 16 dimensions are skipped")
    parser.add_argument("--dimensions", type=int, nargs="*", default=[48, 128, 512],
                        help="further dimensions, squared L2 (default 48 128 512)")
    parser.add_argument("--peers", nargs="*", choices=list(contenders.MAKERS), default=list(contenders.MAKERS))
    parser.add_argument("--levels", nargs="*", default=[], help="further values of KIN_SIMD, such as avx2")
    parser.add_argument("--seconds", type=float, default=10, help="longest time of a round, for each figure (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--checked", type=int, default=100, help="queries whose ids are compared with the truth")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=report.page("flat"))
    return parser.parse_args()


class Run:
    """One run: Kin's processes and the lines written so far."""

    def __init__(self, options, folder):
        self.options = options
        self.generator = sets.Generator(folder)
        library = kin_process.library()
        self.processes = [kin_process.process(library, level) for level in (None, *options.levels)]
        self.wrong = []
        self.lines = ["# Exact flat search, Kin and its peers", "", *machine.description(), *self.setting()]

    def setting(self):
        o = self.options
        return [
            f"- k = {o.k}, seed {o.seed}; best of {o.rounds} rounds, all methods alternate; a batch is cut to the "
            f"number of queries that fits into {o.seconds:g} s",
            f"- ids: the share of the first {o.checked} queries' positions with the id of a scan in double precision",
            "- Faster: a row's time divided by Kin's time at the named level, with the same number of threads",
            "",
        ]

    def compare(self, title, distribution, rows, dimension, metric):
        o = self.options
        print(f"{title} ...", file=sys.stderr)
        made = self.generator.make(distribution, rows, o.queries, dimension, o.seed)
        x, q = np.asarray(made.vectors), made.queries
        judge = truth.equal(truth.nearest(x, q[:o.checked], metric, o.k))
        chosen = []
        modes = [(batch, threads) for threads in o.threads for batch in (True, False)]
        for process in self.processes:
            level, _, _ = process.call("build", str(made.vectors_path), metric, "flat", max(o.threads))
            chosen += kin_process.ways(process, level, o.k, modes)
        peers = contenders.Contenders(o.peers, made.vectors_path, metric, o.k, o.threads)
        chosen += peers.ways
        code_bytes = rows * (-(-dimension // 4) * 4)
        before = machine.ceilings(o.threads, code_bytes, o.seconds)
        timing.measure(chosen, q, judge, o.checked, o.seconds, o.rounds)
        peers.close()
        ceilings = machine.best(before, machine.ceilings(o.threads, code_bytes, o.seconds))
        self.wrong += [f"{title}: {way.setting}, {way.threads} threads" for way in chosen
                       if way.library == "Kin" and way.score < 1]
        self.lines += report.comparison(title, chosen, rows)
        self.lines += report.fractions(chosen, code_bytes, ceilings)

    def all(self):
        o = self.options
        for distribution in o.data:
            for metric in o.metrics:
                self.compare(f"{distribution.capitalize()}, {o.vectors:,} × 16, {metric}", distribution, o.vectors, 16,
                             metric)
        for dimension in o.dimensions:
            rows = max(o.k, o.vectors * 16 // dimension)
            self.compare(f"{o.data[0].capitalize()}, {rows:,} × {dimension}, l2", o.data[0], rows, dimension, "l2")

    def close(self):
        for process in self.processes:
            process.close()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, Path(folder))
        run.all()
        run.close()
    return report.write(options.output, run.lines, [f"WRONG IDS: {line}" for line in run.wrong])


if __name__ == "__main__":
    sys.exit(main())
