"""The other libraries' trees: exact search that prunes, which many dimensions defeat.

Each is tried where its pages recommend it: k-d trees to 20 dimensions, vantage-point trees to 256.
"""

import pool
from ways import Way

KD_DIMENSIONS = 20
VP_DIMENSIONS = 256


def scipy(vectors, metric, k, threads):
    """A k-d tree split at the middle of the widest side, with tight boxes."""
    from scipy.spatial import KDTree

    if metric != "l2" or vectors.shape[1] > KD_DIMENSIONS:
        return
    tree = KDTree(vectors, balanced_tree=False, compact_nodes=True)
    for count in threads:
        def search(queries, count=count):
            return tree.query(queries, k, workers=count)[1]
        yield Way.clocked("scipy", "KDTree", count, True, search)
        if count == 1:
            yield Way.clocked("scipy", "KDTree", count, False, search)


def pykdtree(vectors, metric, k, threads):
    """A k-d tree over floats in leaves of 24 vectors, the best of 8 to 64; its threads share the queries of a call."""
    from pykdtree.kdtree import KDTree

    if metric != "l2" or vectors.shape[1] > KD_DIMENSIONS:
        return
    tree = KDTree(vectors, leafsize=24)
    yield from _shared("pykdtree", "KDTree", threads, lambda queries: tree.query(queries, k, sqr_dists=True)[1])


def pynear(vectors, metric, k, threads):
    """Vantage-point trees, whose threads share the queries of a call too."""
    import pynear as library

    if metric == "ip" or vectors.shape[1] > VP_DIMENSIONS:
        return
    tree = library.VPTreeL2Index() if metric == "l2" else library.VPTreeCosineIndex()
    tree.set(vectors)
    yield from _shared("pynear", "VPTree", threads, lambda queries: tree.searchKNN_arrays(queries, k)[0])


def sklearnex(vectors, metric, k, threads):
    """The k-d tree of oneDAL, behind scikit-learn's interface."""
    from sklearnex.neighbors import NearestNeighbors

    if metric != "l2" or vectors.shape[1] > KD_DIMENSIONS:
        return
    for count in threads:
        tree = NearestNeighbors(n_neighbors=k, algorithm="kd_tree", metric="euclidean", n_jobs=count).fit(vectors)

        def search(queries, tree=tree):
            return tree.kneighbors(queries, return_distance=False)
        yield Way.clocked("scikit-learn-intelex", "kd_tree", count, True, search)
        if count == 1:
            yield Way.clocked("scikit-learn-intelex", "kd_tree", count, False, search)


def _shared(library, setting, threads, search):
    """The ways of a tree whose OpenMP threads share the queries of a call: a query by itself has one."""
    for count in threads:
        def limited(queries, count=count):
            pool.limit(count)
            return search(queries)
        yield Way.clocked(library, setting, count, True, limited)
        if count == 1:
            yield Way.clocked(library, setting, count, False, limited)
