"""The other libraries' trees: exact search with pruning, which fails in many dimensions.

Each is tried within its recommended range: k-d trees to 20 dimensions, vantage-point trees to 256.
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
    yield from Way.on_threads("scipy", "KDTree", threads, lambda queries, count: tree.query(queries, k, workers=count)[1])


def pykdtree(vectors, metric, k, threads):
    """A k-d tree over floats with leaves of 24 vectors, the best of 8 to 64; its threads share the queries of a call.
    """
    from pykdtree.kdtree import KDTree

    if metric != "l2" or vectors.shape[1] > KD_DIMENSIONS:
        return
    tree = KDTree(vectors, leafsize=24)
    search = pool.limited(lambda queries: tree.query(queries, k, sqr_dists=True)[1])
    yield from Way.on_threads("pykdtree", "KDTree", threads, search)


def pynear(vectors, metric, k, threads):
    """Vantage-point trees, whose threads also share the queries of a call."""
    import pynear as library

    if metric == "ip" or vectors.shape[1] > VP_DIMENSIONS:
        return
    tree = library.VPTreeL2Index() if metric == "l2" else library.VPTreeCosineIndex()
    tree.set(vectors)
    search = pool.limited(lambda queries: tree.searchKNN_arrays(queries, k)[0])
    yield from Way.on_threads("pynear", "VPTree", threads, search)


def sklearnex(vectors, metric, k, threads):
    """The k-d tree of oneDAL, behind scikit-learn's interface."""
    from sklearnex.neighbors import NearestNeighbors

    if metric != "l2" or vectors.shape[1] > KD_DIMENSIONS:
        return
    trees = {count: NearestNeighbors(n_neighbors=k, algorithm="kd_tree", metric="euclidean", n_jobs=count).fit(vectors) for count in threads}
    yield from Way.on_threads("scikit-learn-intelex", "kd_tree", threads,
                              lambda queries, count: trees[count].kneighbors(queries, return_distance=False))
