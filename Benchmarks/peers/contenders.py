"""The other libraries' exact search, each at the best settings found for 16 dimensions.

A library that is not installed, or that does not know a metric, gives no ways; the report says which are there.
"""

import numpy as np

from installed import versions
from ways import Way


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
    """Brute force over floats. The parallel call brings its own pool, as large as the machine has cores."""
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
    import threadpoolctl
    from sklearn.neighbors import NearestNeighbors

    if metric == "ip":
        return
    index = NearestNeighbors(n_neighbors=k, algorithm="brute", metric="sqeuclidean" if metric == "l2" else "cosine")
    index.fit(vectors)

    def search(count):
        def run(queries):
            with threadpoolctl.threadpool_limits(count):
                return index.kneighbors(queries, return_distance=False)
        return run

    for count in threads:
        yield Way.clocked("scikit-learn", "brute", count, True, search(count))
        yield Way.clocked("scikit-learn", "brute", count, False, search(count))


def hnswlib(vectors, metric, k, threads):
    """Its brute-force index: single distances, no tiling."""
    import hnswlib as library

    index = library.BFIndex(space=metric, dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors))
    index.add_items(vectors)
    for count in threads:
        def search(queries, count=count):
            index.set_num_threads(count)
            return index.knn_query(queries, k)[0].astype(np.int64)
        yield Way.clocked("hnswlib", "BFIndex", count, True, search)
        if count == 1:
            yield Way.clocked("hnswlib", "BFIndex", count, False, search)


def scipy(vectors, metric, k, threads):
    """Its k-d tree, the classical way to prune, which many dimensions defeat."""
    from scipy.spatial import KDTree

    if metric != "l2" or vectors.shape[1] > 20:
        return
    tree = KDTree(vectors, balanced_tree=False, compact_nodes=True)
    for count in threads:
        def search(queries, count=count):
            return tree.query(queries, k, workers=count)[1]
        yield Way.clocked("scipy", "KDTree", count, True, search)
        if count == 1:
            yield Way.clocked("scipy", "KDTree", count, False, search)


MAKERS = {"FAISS": faiss, "ScaNN": scann, "scikit-learn": scikit_learn, "hnswlib": hnswlib, "scipy": scipy}


def ways(names, vectors, metric, k, threads):
    """The ways of the libraries named, those installed among them."""
    there = versions()
    return [way for name in names if name in there for way in MAKERS[name](vectors, metric, k, threads)]
