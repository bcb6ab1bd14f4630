#!/usr/bin/env python3
"""Runs Kin's classes for ann-benchmarks and big-ann-benchmarks on generated vectors, as those projects call them.

Each id of an exact search is compared with NumPy's scan in double precision, also under filters and after insertions, replacements and
deletions. Writes the recall and the rate of each setting of Kin, and of hnswlib and FAISS if they are installed. Exits with 1 if an id of an
exact search is wrong. Uses the base classes of the projects if their checkouts are on PYTHONPATH, and small substitutes otherwise.
"""

import argparse
import importlib
import importlib.util
import os
import sys
import tempfile
import time
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import numpy as np  # noqa: E402

import indexes  # noqa: E402
import installed  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
import sets  # noqa: E402
import truth  # noqa: E402

K = 10
TAGS = 40
# The base classes of both projects, by module.
BASES = {
    "ann_benchmarks.algorithms.base.module": "BaseANN",
    "neurips23.filter.base": "BaseFilterANN",
    "neurips23.streaming.base": "BaseStreamingANN",
}


class Substitute:
    """The methods that the base classes have: the results of a batch, and a name."""

    def get_results(self):
        return self.res

    get_batch_results = get_results

    def __str__(self):
        return self.name


def module(name, **contents):
    """A module, and its packages, in the place of those that are not installed."""
    parent, _, last = name.rpartition(".")
    if parent and parent not in sys.modules:
        module(parent, __path__=[])
    made = sys.modules[name] = types.ModuleType(name)
    vars(made).update(contents)
    if parent:
        setattr(sys.modules[parent], last, made)
    return made


def loaded(name, path):
    """The class Kin of a file, under the name that the file has in the project."""
    for base, kind in BASES.items():
        try:
            importlib.import_module(base)
        except ImportError:
            module(base, **{kind: type(kind, (Substitute,), {})})
    spec = importlib.util.spec_from_file_location(name, path)
    made = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.Kin


class Generated:
    """A data set as big-ann-benchmarks has them: vectors with tags, and queries with tags, as sparse matrices."""

    def __init__(self, x, q, seed):
        from scipy import sparse

        random = np.random.default_rng(seed)
        # Tags of very different frequencies. A query has one or two tags of a random vector, so that it has an answer.
        shares = np.geomspace(0.5, 20 / len(x), TAGS)
        self.x, self.q, self.nb, self.d = x, q, len(x), x.shape[1]
        self.tags = sparse.csr_matrix(random.random((len(x), TAGS)) < shares)
        rows = random.choice(np.flatnonzero(np.diff(self.tags.indptr) > 1), len(q))
        wanted = np.zeros((len(q), TAGS), bool)
        for row, vector in enumerate(rows):
            own = self.tags.indices[self.tags.indptr[vector] : self.tags.indptr[vector + 1]]
            wanted[row, random.choice(own, random.integers(1, 3), replace=False)] = True
        self.wanted = sparse.csr_matrix(wanted)

    def search_type(self):
        return "knn_filtered"

    def get_dataset(self):
        return self.x

    def get_dataset_metadata(self):
        return self.tags


class Peer:
    """An index of ../indexes as ann-benchmarks calls one."""

    def __init__(self, kind):
        self.peer = kind()

    def fit(self, X):
        with tempfile.TemporaryDirectory() as folder:
            self.peer.build(X, 1)
            self.peer.save(Path(folder))
            self.peer.load(Path(folder), X.shape[1])

    def set_query_arguments(self, value):
        self.value = value
        self.name = f"{self.peer.library} {self.peer.setting} ({self.peer.dial} {value})"

    def query(self, q, n):
        self.peer.turn(self.value, 1)
        return self.peer.search(q[np.newaxis], n)[0]

    def batch_query(self, X, n):
        self.peer.turn(self.value, os.cpu_count())
        self.res = self.peer.search(X, n)

    def get_batch_results(self):
        return self.res

    def __str__(self):
        return self.name


def timed(call, *arguments):
    start = time.perf_counter()
    answer = call(*arguments)
    return answer, time.perf_counter() - start


def single(kind, dimension, options, failures):
    """ann-benchmarks: one query at a time, then a batch, for each setting of each algorithm."""
    everything = sets.embeddings(options.vectors + options.queries, dimension, options.seed)
    x, q = everything[: options.vectors], everything[options.vectors :]
    nearest = truth.nearest(x, q, "l2", K)
    judge, rows = truth.Recall(x, q, nearest), []
    algorithms = [(kind("euclidean", "lists"), options.recalls), (kind("euclidean", "flat"), [1])]
    for key in ("hnswlib", "faiss-ivf1024"):
        if indexes.ALL[key].library in installed.versions():
            algorithms.append((Peer(indexes.ALL[key]), indexes.ALL[key].values[::2]))
    for algorithm, values in algorithms:
        _, building = timed(algorithm.fit, x)
        for value in values:
            algorithm.set_query_arguments(value)
            algorithm.query(q[0], K)
            found, seconds = timed(lambda: np.array([algorithm.query(query, K) for query in q]))
            _, batch = timed(algorithm.batch_query, q, K)
            score = judge(found)
            if value == 1 and isinstance(algorithm, kind):
                for what, ids in (("one at a time", found), ("batch", np.asarray(algorithm.get_batch_results()))):
                    if truth.equal(nearest)(ids) < 1:
                        failures.append(f"{dimension} dimensions, {algorithm}, {what}")
            rows.append([str(algorithm), f"{score:.4f}", f"{len(q) / seconds:,.0f}", f"{len(q) / batch:,.0f}", f"{building:.1f}"])
    title = f"## One query at a time, {options.vectors:,} × {dimension}"
    names = ["algorithm", "recall", "queries a second", f"in a batch, {os.cpu_count()} threads", "seconds to build"]
    return [title, "", *report.table(names, rows)]


def filtered(kind, dimension, options, failures):
    """The filter track: the nearest of the vectors that have all tags of the query."""
    everything = sets.embeddings(options.vectors + options.queries, dimension, options.seed)
    data = Generated(everything[: options.vectors], everything[options.vectors :], options.seed)
    importlib.import_module("benchmark.datasets").DATASETS["generated"] = lambda: data
    tags, wanted, rows = data.tags.toarray(), data.wanted.toarray(), []
    nearest = np.full((len(data.q), K), -1)
    for row, query in enumerate(data.q):
        allowed = np.flatnonzero(tags[:, wanted[row]].all(axis=1))
        count = min(K, len(allowed))
        nearest[row, :count] = allowed[truth.nearest(data.x[allowed], query[np.newaxis], "l2", count)[0]]
    algorithm = kind("euclidean", {"threads": os.cpu_count()})
    algorithm.fit("generated")
    for recall in options.recalls:
        algorithm.set_query_arguments({"recall": recall})
        _, seconds = timed(algorithm.filtered_query, data.q, data.wanted, K)
        found = algorithm.get_results()
        there = nearest >= 0
        score = np.mean([len(np.intersect1d(a[b], c)) / b.sum() for a, b, c in zip(nearest, there, found)])
        if recall == 1 and not np.array_equal(found, nearest):
            failures.append(f"filter track, {dimension} dimensions")
        rows.append([str(algorithm), f"{score:.4f}", f"{len(data.q) / seconds:,.0f}"])
    return [f"## Filter track, {options.vectors:,} × {dimension}, {TAGS} tags", "", *report.table(["algorithm", "recall", "queries a second"], rows)]


def streamed(kind, dimension, options, failures):
    """The streaming track: a runbook of insertions, deletions, replacements and searches."""
    n = options.vectors
    everything = sets.embeddings(n + options.queries, dimension, options.seed)
    x, q, rows = everything[:n], everything[n:], []
    part = n // 4
    for recall in options.recalls:
        held, scores, seconds = {}, [], {"insert": 0.0, "delete": 0.0, "replace": 0.0, "search": 0.0}
        algorithm = kind("euclidean", {"threads": os.cpu_count()})
        algorithm.setup("float32", n, dimension)
        algorithm.set_query_arguments({"recall": recall})
        runbook = [("insert", 0, 2 * part), ("search",), ("delete", 0, part), ("search",), ("insert", 2 * part, 4 * part), ("search",),
                   ("replace", part, part + part // 2), ("search",), ("delete", 2 * part, 3 * part), ("insert", 0, part), ("search",)]
        for operation, *limits in runbook:
            ids = np.arange(*limits, dtype=np.uint32) if limits else None
            # A replaced vector gets the place of one from the other end.
            source = ids if operation != "replace" else n - 1 - ids
            if operation == "search":
                _, spent = timed(algorithm.query, q, K)
                known = np.array(sorted(held))
                now = x[[held[id] for id in known]]
                nearest = truth.nearest(now, q, "l2", K)
                places = np.searchsorted(known, algorithm.get_results())
                scores.append(truth.Recall(now, q, nearest)(places))
                if recall == 1 and not np.array_equal(algorithm.get_results(), known[nearest]):
                    failures.append(f"streaming track, {dimension} dimensions, {operation} {len(scores)}")
            elif operation == "delete":
                _, spent = timed(algorithm.delete, ids)
                for id in ids.tolist():
                    del held[id]
            else:
                _, spent = timed(getattr(algorithm, operation), x[source], ids)
                held |= dict(zip(ids.tolist(), source.tolist()))
            seconds[operation] += spent
        rates = [part * 5 / seconds["insert"], part * 2 / seconds["delete"], part // 2 / seconds["replace"], len(q) * 5 / seconds["search"]]
        rows.append([str(algorithm), f"{min(scores):.4f}", f"{np.mean(scores):.4f}", *(f"{rate:,.0f}" for rate in rates)])
    names = ["algorithm", "least recall", "mean recall", "inserted a second", "deleted", "replaced", "queries a second"]
    return [f"## Streaming track, up to {n:,} × {dimension}", "", *report.table(names, rows)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[16, 100])
    parser.add_argument("--recalls", type=float, nargs="+", default=[0.9, 0.99, 1])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=report.page("ann-benchmarks"))
    return parser.parse_args()


def main():
    options = arguments()
    try:
        importlib.import_module("benchmark.datasets")
    except ImportError:
        module("benchmark.datasets", DATASETS={})
    plain = loaded("ann_benchmarks.algorithms.kin.module", HERE / "kin/module.py")
    with_filter = loaded("neurips23.filter.kin.filtered", HERE / "filter/filtered.py")
    stream = loaded("neurips23.streaming.kin.streamed", HERE / "streaming/streamed.py")
    lines = ["# Kin as ann-benchmarks and big-ann-benchmarks call it", "", *machine.description(),
             f"- Unit vectors of √n topics (`sets.embeddings`), {options.queries:,} queries that are in no index, k = {K}, seed {options.seed}; one run, "
             "with other programs on the machine; the exact ids are NumPy's in double precision", ""]
    failures = []
    for part, kind in ((single, plain), (filtered, with_filter), (streamed, stream)):
        for dimension in options.dimensions:
            print(f"{part.__name__}, {dimension} dimensions ...", file=sys.stderr)
            lines += part(kind, dimension, options, failures)
    return report.write(options.output, lines, [f"WRONG IDS: {line}" for line in failures])


if __name__ == "__main__":
    sys.exit(main())
