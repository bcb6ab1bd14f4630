"""Kin in the filter track of big-ann-benchmarks: a query asks for the nearest vectors that have all of its tags."""

from concurrent.futures import ThreadPoolExecutor
from functools import reduce

import kin
import numpy as np
from benchmark.datasets import DATASETS
from neurips23.filter.base import BaseFilterANN

METRICS = {"euclidean": "l2", "ip": "ip", "angular": "cosine"}


def tags_of(matrix, row):
    """The columns of a sparse row that are not zero."""
    return matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]


class Kin(BaseFilterANN):
    """An index in lists, and the ascending ids of the vectors of each tag. Queries with equal tags are one search."""

    def __init__(self, metric, index_params):
        self.metric, self.threads, self.options = METRICS[metric], index_params.get("threads", 1), {}
        self.name = "kin-filter"

    def fit(self, dataset):
        data = DATASETS[dataset]()
        self.index = kin.IVFIndex(data.d, self.metric)
        self.index.add(data.get_dataset(), np.arange(data.nb), threads=self.threads)
        if data.search_type() == "knn_filtered":
            self.having = data.get_dataset_metadata().T.tocsr()
            self.having.sort_indices()

    def load_index(self, dataset):
        return False

    def set_query_arguments(self, query_args):
        recall = query_args.get("recall", 1)
        self.options = {} if recall == 1 else {"recall": recall}
        self.name = f"kin-filter (recall {recall})"

    def query(self, X, k):
        self.res = self.index.search(X, k, threads=self.threads, **self.options)[1]

    def filtered_query(self, X, filter, k):
        groups = {}
        for row in range(len(X)):
            groups.setdefault(tuple(sorted(tags_of(filter, row))), []).append(row)
        self.res = np.full((len(X), k), -1)

        def answer(group):
            tags, rows = group
            lists = sorted((tags_of(self.having, tag) for tag in tags), key=len)
            allowed = reduce(lambda one, other: np.intersect1d(one, other, assume_unique=True), lists)
            self.res[rows] = self.index.search(np.asarray(X[rows]), k, filter=allowed.astype(np.int64), **self.options)[1]

        with ThreadPoolExecutor(self.threads) as pool:
            for _ in pool.map(answer, groups.items()):
                pass
