"""Exact search with the other libraries, each with its best settings for 16 dimensions and in a separate process.

A library that is not installed, or that lacks the metric, gives no ways; the report lists the installed ones. Two
OpenMP runtimes in one process can slow each other many times over, so every library has its own process.
"""

import numpy as np

import pool
import trees
from installed import versions
from ways import Way
from worker import Worker


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def faiss(vectors, metric, k, threads):
    """IndexFlat as shipped (its own kernels for small batches) and with BLAS forced."""
    import faiss as library

    if metric == "cosine":
        vectors = unit(vectors)
    index = (library.IndexFlatL2 if metric == "l2" else library.IndexFlatIP)(vectors.shape[1])
    index.add(vectors)
    shipped = library.cvar.distance_compute_blas_threshold

    def search(count, threshold):
        def run(queries):
            library.omp_set_num_threads(count)
            library.cvar.distance_compute_blas_threshold = threshold
            return index.search(unit(queries) if metric == "cosine" else queries, k)[1]
        return run

    for count in threads:
        yield Way.clocked("FAISS", f"IndexFlat, default (BLAS from {shipped} queries)", count, True,
                          search(count, shipped))
        yield Way.clocked("FAISS", "IndexFlat, BLAS forced", count, True, search(count, 1))
        yield Way.clocked("FAISS", "IndexFlat", count, False, search(count, shipped))


def scann(vectors, metric, k, threads):
    """Brute force over floats. The parallel call uses ScaNN's own pool, with one thread per core."""
    import scann as library

    measure = "squared_l2" if metric == "l2" else "dot_product"
    rows = unit(vectors) if metric == "cosine" else vectors
    index = library.scann_ops_pybind.builder(rows, k, measure).score_brute_force().build()
    asked = unit if metric == "cosine" else lambda queries: queries
    if 1 in threads:
        yield Way.clocked("ScaNN", "brute force, batched", 1, True, lambda q: index.search_batched(asked(q))[0])
        yield Way.clocked("ScaNN", "brute force", 1, False, lambda q: index.search(asked(q)[0])[0][None])
    if max(threads) > 1:
        index.set_num_threads(max(threads))
        yield Way.clocked("ScaNN", "brute force, batched parallel", max(threads), True,
                          lambda q: index.search_batched_parallel(asked(q))[0])


def scikit_learn(vectors, metric, k, threads):
    """NearestNeighbors by brute force: a chunked matrix product with a heap."""
    from sklearn.neighbors import NearestNeighbors

    if metric == "ip":
        return
    index = NearestNeighbors(n_neighbors=k, algorithm="brute", metric="sqeuclidean" if metric == "l2" else "cosine")
    index.fit(vectors)
    search = pool.limited(lambda queries: index.kneighbors(queries, return_distance=False))
    yield from Way.on_threads("scikit-learn", "brute", threads, search, singles=threads)


def sklearnex(vectors, metric, k, threads):
    """oneDAL behind scikit-learn's interface; for squared distances it would delegate to scikit-learn."""
    from sklearnex.neighbors import NearestNeighbors

    if metric == "ip":
        return
    indexes = {count: NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=count,
                                       metric="euclidean" if metric == "l2" else "cosine").fit(vectors) for count in threads}
    yield from Way.on_threads("scikit-learn-intelex", "brute", threads, singles=threads,
                              search=lambda queries, count: indexes[count].kneighbors(queries, return_distance=False))
    yield from trees.sklearnex(vectors, metric, k, threads)


def hnswlib(vectors, metric, k, threads):
    """The brute-force index: single distances, no tiling."""
    import hnswlib as library

    index = library.BFIndex(space=metric, dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors))
    index.add_items(vectors)

    def search(queries, count):
        index.set_num_threads(count)
        return index.knn_query(queries, k)[0].astype(np.int64)

    yield from Way.on_threads("hnswlib", "BFIndex", threads, search)


MAKERS = {"FAISS": faiss, "ScaNN": scann, "scikit-learn": scikit_learn, "scikit-learn-intelex": sklearnex,
          "hnswlib": hnswlib, "scipy": trees.scipy, "pykdtree": trees.pykdtree, "pynear": trees.pynear}


class _Served:
    """The ways of one library, in its process."""

    def __init__(self, name, path, metric, k, threads):
        self.ways = list(MAKERS[name](np.load(path), metric, k, threads))

    def described(self):
        return [(way.library, way.setting, way.threads, way.batch) for way in self.ways]

    def search(self, place, queries):
        return self.ways[place].search(queries)


class Contenders:
    """The named libraries that are installed; `ways` runs them on the vectors of a file."""

    def __init__(self, names, path, metric, k, threads):
        there = versions()
        self.workers = [Worker(_Served, name, path, metric, k, threads) for name in names if name in there]
        self.ways = [way for worker in self.workers for way in self._ways(worker)]

    @staticmethod
    def _ways(worker):
        def search(place):
            return lambda queries: worker.call("search", place, queries)

        return [Way(*said, search(place)) for place, said in enumerate(worker.call("described"))]

    def close(self):
        for worker in self.workers:
            worker.close()
