"""The nearest vectors by a scan in double precision, ties by ascending id: what every library's ids are held against."""

import numpy as np

CHUNK_QUERIES = 32


def nearest(vectors, queries, metric, k):
    """Row numbers (queries × k) of the k nearest vectors.

    A matrix product in double precision first leaves the few rows whose distance may be among the k smallest (its
    rounding is far below the slack of 1e-9 relative to the largest term); those are then computed by the definition
    and sorted by (distance, id).
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
            distances = _exact(x[candidates], query, metric)
            found[begin + row] = candidates[np.lexsort((candidates, distances))[:k]]
    return found


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
