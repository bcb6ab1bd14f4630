"""The nearest vectors in double precision, ties by ascending id: the reference for every library's ids."""

import numpy as np

CHUNK_QUERIES = 32
SPARE = 30


def nearest(vectors, queries, metric, k):
    """Row numbers (queries × k) of the k nearest vectors.

    A matrix product in double precision first selects the few rows whose distance may be among the k smallest. Its
    rounding is far below the slack of 1e-9 relative to the largest term. The distances of these rows are then computed
    by definition and sorted by (distance, id).
    """
    x = vectors.astype(np.float64)
    squares = np.einsum("ij,ij->i", x, x)
    found = np.empty((len(queries), k), dtype=np.int64)
    for begin in range(0, len(queries), CHUNK_QUERIES):
        q = queries[begin:begin + CHUNK_QUERIES].astype(np.float64)
        approximate = _approximate(x, squares, q, metric)
        kth = np.partition(approximate, k - 1, axis=1)[:, k - 1]
        slack = 1e-9 * (1 + squares.max() + (q * q).sum(axis=1).max())
        for row, query in enumerate(q):
            candidates = np.flatnonzero(approximate[row] <= kth[row] + slack)
            found[begin + row] = _sorted(x[candidates], candidates, query, metric)[:k]
    return found


def nearest_l2(vectors, queries, k):
    """The same for squared L2 and many queries: candidates by FAISS, if installed, sorted in double precision.

    FAISS computes ‖x‖² + ‖q‖² − 2⟨x, q⟩ in single precision. The error of each term is less than d + 3 half units in
    the last place of at most (‖x‖ + ‖q‖)². FAISS returns some more neighbours than requested. If the last of them is
    not farther than the true k-th by that error, the query is scanned in double precision.
    """
    try:
        import faiss
    except ImportError:
        return nearest(vectors, queries, "l2", k)
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    faiss.cvar.distance_compute_blas_threshold = 1
    distances, candidates = index.search(queries, min(k + SPARE, len(vectors)))
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors).max()) + np.linalg.norm(queries, axis=1)
    error = 2.0 ** -24 * (vectors.shape[1] + 3) * 4 * lengths.astype(np.float64) ** 2
    found = np.empty((len(queries), k), dtype=np.int64)
    unsure = []
    for row, query in enumerate(queries.astype(np.float64)):
        x = vectors[candidates[row]].astype(np.float64)
        found[row] = _sorted(x, candidates[row], query, "l2")[:k]
        kth = ((vectors[found[row, -1]].astype(np.float64) - query) ** 2).sum()
        if candidates.shape[1] < len(vectors) and distances[row, -1] - error[row] <= kth:
            unsure.append(row)
    if unsure:
        found[unsure] = nearest(vectors, queries[unsure], "l2", k)
    return found


def kept_l2(data, checked, k):
    """`nearest_l2` for the first queries of a set, stored in its folder."""
    path = data.folder / f"truth-{k}-{checked}.npy"
    if not path.exists():
        np.save(path, nearest_l2(np.asarray(data.vectors), data.queries[:checked], k))
    return np.load(path)


def _sorted(x, ids, query, metric):
    return ids[np.lexsort((ids, _exact(x, query, metric)))]


def _approximate(x, squares, q, metric):
    products = q @ x.T
    if metric == "l2":
        return squares - 2 * products
    if metric == "ip":
        return -products
    return -products / np.sqrt(squares) / np.linalg.norm(q, axis=1)[:, None]


def _exact(x, query, metric):
    if metric == "l2":
        return ((x - query) ** 2).sum(axis=1)
    if metric == "ip":
        return -(x * query).sum(axis=1)
    return 1 - (x * query).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (query * query).sum())


def equal(truth):
    """A judge of ids: the share of positions with the true id."""
    return lambda ids: float((ids == truth[:len(ids)]).mean())


class Recall:
    """A judge of ids: the share of the k nearest that was found, squared L2.

    Any vector as near as the true k-th counts, because a library is free to choose among equally near ones. A missing
    place (negative, or past the end) and a repeated id count as not found.
    """

    def __init__(self, vectors, queries, truth):
        self.vectors = vectors
        self.queries = queries[:len(truth)].astype(np.float64)
        self.truth = truth
        self.kth = self._distances(truth).max(axis=1, keepdims=True)

    def __call__(self, ids):
        ids = np.sort(ids, axis=1)
        there = (ids >= 0) & (ids < len(self.vectors))
        there[:, 1:] &= ids[:, 1:] != ids[:, :-1]
        near = self._distances(np.where(there, ids, 0)) <= self.kth[:len(ids)]
        return float((near & there).sum() / self.truth[:len(ids)].size)

    def _distances(self, ids):
        rows = self.vectors[ids.ravel()].astype(np.float64).reshape(*ids.shape, -1)
        return ((rows - self.queries[:len(ids), None]) ** 2).sum(axis=2)
