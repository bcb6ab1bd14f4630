#!/usr/bin/env python3
"""Times k-means by Kin, FAISS, scikit-learn, scikit-learn-intelex and superkmeans on the same points, in one run.

All except superkmeans, which draws its own, have the same start. Writes a Markdown file with seconds per iteration,
final inertias and ratios. Needs the Python package kin; a peer that is not installed is skipped. Exits with 1 if Kin's
inertia after the same number of iterations from the same start is more than 1 % above a peer's.

With --blobs, or --rows with vectors of yours, it compares the libraries' own starts instead: inertias of complete fits,
relative to the lowest inertia found by any library, and processor seconds per fit. It exits with 1 if Kin's mean is above
1.005.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import machine
import pool
import report
import sets
from installed import versions
from worker import Worker


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000, help="points of 16 dimensions (default %(default)s)")
    parser.add_argument("--kinds", nargs="+", choices=sets.GENERATED, default=["clustered"])
    parser.add_argument("--k", type=int, nargs="+", default=[256, 1024, 4096])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--iterations", type=int, default=10, help="iterations to time, from the first k points (default %(default)s)")
    parser.add_argument("--slow", type=int, default=3, help="iterations to time if one takes more than 2 s (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=2, help="rounds, with all libraries alternating; the best one counts (default %(default)s)")
    parser.add_argument("--libraries", nargs="*", choices=list(MAKERS), default=list(MAKERS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blobs", action="store_true", help="compare complete fits of normal clouds")
    parser.add_argument("--rows", nargs=2, action="append", default=[], metavar=("NPY", "K"), help="compare complete fits of a file's rows")
    parser.add_argument("--seeds", type=int, default=20, help="complete fits of each library (default %(default)s)")
    parser.add_argument("--reference", type=int, default=100, help="restarts of scikit-learn (default %(default)s)")
    parser.add_argument("--output", type=Path, default=report.page("cluster"))
    return parser.parse_args()


class Timed:
    """A library called from Python: `fit` returns the centroids after the given number of iterations."""

    def __init__(self, path, k, threads):
        self.points, self.k, self.threads = np.load(path), k, threads
        self.fit(1)  # loads the library and starts its threads before the clock

    def iterations(self, count):
        seconds = []
        for wanted in (1, 1 + count):
            begin = time.perf_counter()
            centroids = self.fit(wanted)
            seconds.append(time.perf_counter() - begin)
        return *seconds, inertia(self.points, centroids)


class Kin(Timed):
    def fit(self, count):
        import kin

        means = kin.KMeans(self.k, init=self.points[:self.k], max_iterations=count, tolerance=0, threads=self.threads)
        return means.fit(self.points).cluster_centers_


class Faiss(Timed):
    """All points at once, with given seeds: faiss.Kmeans then runs Lloyd's iteration."""

    def fit(self, count):
        import faiss

        faiss.omp_set_num_threads(self.threads)
        means = faiss.Kmeans(self.points.shape[1], self.k, niter=count, max_points_per_centroid=10**9)
        means.train(self.points, init_centroids=self.points[:self.k].copy())
        return means.centroids


class ScikitLearn(Timed):
    def fit(self, count):
        from sklearn.cluster import KMeans

        pool.limit(self.threads)
        return self._fit(KMeans, count)

    def _fit(self, kind, count, **others):
        means = kind(self.k, init=self.points[:self.k], n_init=1, max_iter=count, tol=0, algorithm="lloyd", **others)
        return means.fit(self.points).cluster_centers_


class ScikitLearnIntelex(ScikitLearn):
    def fit(self, count):
        from sklearnex.cluster import KMeans

        return self._fit(KMeans, count, n_jobs=self.threads)


class SuperKMeans(Timed):
    """All points and floats, no early end: Lloyd's iteration, from points that superkmeans draws itself."""

    def fit(self, count):
        import superkmeans

        pool.limit(self.threads)
        means = superkmeans.SuperKMeans(
            self.k, self.points.shape[1], hierarchical=False, iters=count, sampling_fraction=1.0,
            max_points_per_cluster=10**9, n_threads=self.threads, early_termination=False, tol=0)
        return means.train(self.points)


PEERS = {"FAISS": Faiss, "scikit-learn": ScikitLearn, "scikit-learn-intelex": ScikitLearnIntelex, "superkmeans": SuperKMeans}
MAKERS = {"Kin": Kin} | {name: PEERS[name] for name in PEERS if name in versions()}
OWN_START = ("superkmeans",)


def inertia(points, centroids):
    """The inertia in double precision; the nearest centroids come from a product in single precision."""
    centroids = np.asarray(centroids, dtype=np.float32)
    squares = (centroids.astype(np.float64) ** 2).sum(axis=1)
    total = 0.0
    for begin in range(0, len(points), 1 << 14):
        part = points[begin:begin + (1 << 14)]
        nearest = (squares - 2 * (part @ centroids.T)).argmin(axis=1)
        total += ((part.astype(np.float64) - centroids[nearest]) ** 2).sum()
    return total


@dataclass
class Row:
    """One library with one k and one number of threads."""

    library: str
    k: int
    threads: int
    run: object
    count: int
    one: list = field(default_factory=list)
    many: list = field(default_factory=list)
    inertia: float = 0.0

    def iterations(self, count):
        return self.run.call("iterations", count)

    @property
    def seconds(self):
        return (min(self.many) - min(self.one)) / self.count

    def measure(self, slow):
        one, many, self.inertia = self.iterations(self.count)
        if (many - one) / self.count > 2 and self.count > slow:
            self.count = slow
            one, many, self.inertia = self.iterations(slow)
            self.one, self.many = [], []
        self.one.append(one)
        self.many.append(many)


def measured(options, path):
    rows = []
    for k in options.k:
        for threads in options.threads:
            chosen = [Row(name, k, threads, Worker(MAKERS[name], path, k, threads), options.iterations)
                      for name in options.libraries]
            for _ in range(options.rounds):
                for row in chosen:
                    print(f"k = {k}, {threads} threads, {row.library} ...", file=sys.stderr)
                    row.measure(options.slow)
            # Inertias are compared after the same number of iterations.
            fewest = min(row.count for row in chosen)
            for row in chosen:
                if row.count != fewest:
                    row.inertia = row.iterations(fewest)[2]
                row.run.close()
            rows += chosen
    return rows


def of_kin(row, rows):
    """Kin's row with the same k and number of threads; None if it did not run."""
    return next((other for other in rows if (other.library, other.k, other.threads) == ("Kin", row.k, row.threads)), None)


def cells(row, kin, count):
    ratio = f"{row.seconds / kin.seconds:.2f} ×" if kin and kin is not row else ""
    return [row.k, row.threads, row.library, f"{row.seconds:.4f}", f"{count * row.k / row.seconds / 1e9:.2f}", f"{row.inertia:,.1f}", ratio]


def fit_kin(points, k, seed, threads):
    import kin

    return kin.KMeans(k, seed=seed, threads=threads).fit(points).cluster_centers_


def fit_scikit_learn(points, k, seed, threads, restarts=1):
    from sklearn.cluster import KMeans

    pool.limit(threads)
    return KMeans(k, n_init=restarts, random_state=seed).fit(points).cluster_centers_


def fit_intelex(points, k, seed, threads):
    from sklearnex.cluster import KMeans

    return KMeans(k, n_init=1, random_state=seed, n_jobs=threads).fit(points).cluster_centers_


def fit_faiss(points, k, seed, threads):
    import faiss

    faiss.omp_set_num_threads(threads)
    means = faiss.Kmeans(points.shape[1], k, niter=100, seed=seed, max_points_per_centroid=10**9)
    means.train(points)
    return means.centroids


FITS = {"scikit-learn": fit_scikit_learn, "scikit-learn-intelex": fit_intelex, "FAISS": fit_faiss}
FITS = {"Kin": fit_kin} | {name: fit for name, fit in FITS.items() if name in versions()}


def blobs(n, k, dimension, spread, seed):
    """Normal clouds around uniform centres."""
    random = np.random.default_rng(seed)
    centres = random.uniform(-10, 10, (k, dimension))
    return (centres[random.integers(k, size=n)] + spread * random.standard_normal((n, dimension))).astype(np.float32)


def points_to_fit(options):
    """Each set of points, with its name and a number of clusters."""
    for file, k in options.rows:
        yield Path(file).stem, np.load(file).astype(np.float32), int(k)
    for n, k in ((2_000, 8), (5_000, 20), (20_000, 50), (50_000, 100)) if options.blobs else ():
        for dimension, spread in ((2, 1), (2, 3), (8, 1), (8, 2), (8, 3)):
            yield f"clouds of spread {spread}", blobs(n, k, dimension, spread, options.seed), k


def compare_fits(options):
    """Complete fits of each library from its own starts. Returns a table, and a list of results worse than the limit.
    """
    rows, worse, threads = [], [], options.threads[-1]
    for title, points, k in points_to_fit(options):
        size = f"{len(points):,} × {points.shape[1]}"
        print(f"{title}, {size}, k = {k} ...", file=sys.stderr)
        reference = float("inf")
        if "scikit-learn" in FITS:
            reference = inertia(points, fit_scikit_learn(points, k, options.seed, threads, options.reference))
        found, seconds = {name: [] for name in FITS}, {name: [] for name in FITS}
        for seed in range(options.seeds):
            for name, fit in FITS.items():
                begin = time.process_time()
                centroids = fit(points, k, seed, threads)
                seconds[name].append(time.process_time() - begin)
                found[name].append(inertia(points, centroids))
        best = min(reference, *(min(inertias) for inertias in found.values()))
        for name in FITS:
            ratios = np.array(found[name]) / best
            rows.append([title, size, k, name, f"{ratios.mean():.4f}", f"{ratios.max():.4f}",
                         f"{(ratios <= 1.0005).mean():.0%}", f"{np.median(seconds[name]):.4f}"])
            if name == "Kin" and ratios.mean() > 1.005:
                worse.append(f"WORSE INERTIA: {title}, {size}, k = {k}: {ratios.mean():.4f}")
    names = ["points", "rows × columns", "k", "library", "mean", "worst", "optimum", "median s"]
    lines = ["# k-means from its own starts", "", *machine.description(),
             f"- {threads} threads, {options.seeds} seeds each, the libraries alternating; processor seconds; inertias divided by the lowest "
             f"found, including {options.reference} restarts of scikit-learn", "- optimum: the share of fits within 0.05 % of the lowest", "",
             *report.table(names, rows, 4)]
    return lines, worse


def main():
    options = arguments()
    if options.blobs or options.rows:
        return report.write(options.output, *compare_fits(options))
    lines = ["# k-means, Kin and its peers", "", *machine.description(),
             f"- {options.points:,} points of 16 dimensions from `kin generate`, seed {options.seed}; the start is the "
             "first k points (superkmeans chooses a different start)",
             f"- s an iteration: the difference between a run of {1 + options.iterations} iterations and one of 1, divided by "
             f"{options.iterations} ({options.slow} if an iteration takes more than 2 s); the best of {options.rounds} rounds, all "
             "libraries alternating",
             "- inertia: in double precision, after the same number of iterations for every library", ""]
    worse = []
    with tempfile.TemporaryDirectory() as folder:
        generator = sets.Generator(Path(folder))
        for kind in options.kinds:
            data = generator.make(kind, options.points, 0, 16, options.seed)
            rows = measured(options, data.vectors_path)
            names = ["k", "threads", "library", "s an iteration", "Gpair/s", "inertia", "Kin is faster"]
            lines += [f"## {data.title}", "",
                      *report.table(names, [cells(row, of_kin(row, rows), options.points) for row in rows], 0)]
            for row in rows:
                kin = of_kin(row, rows)
                if kin and row.library not in OWN_START and kin.inertia > 1.01 * row.inertia:
                    worse.append(f"WORSE INERTIA: {kind}, k = {row.k}: {kin.inertia:,.1f}, but {row.library} {row.inertia:,.1f}")
    return report.write(options.output, lines, worse)


if __name__ == "__main__":
    sys.exit(main())
