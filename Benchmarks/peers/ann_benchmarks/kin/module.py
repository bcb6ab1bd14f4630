"""Kin in ann-benchmarks."""

import os

import kin
import numpy as np

from ..base.module import BaseANN

METRICS = {"euclidean": "l2", "angular": "cosine"}


class Kin(BaseANN):
    """An index in one of Kin's two layouts. Its dial is the recall that a search has to reach on average; 1 is exact."""

    def __init__(self, metric, layout):
        self.metric, self.layout, self.options = METRICS[metric], layout, {}
        self.name = f"kin-{layout}"

    def fit(self, X):
        X = np.asarray(X, np.float32)
        self.index = (kin.IVFIndex if self.layout == "lists" else kin.FlatIndex)(X.shape[1], self.metric)
        # A vector of zeros has no direction, and is no neighbour of any.
        rows = np.flatnonzero(X.any(axis=1)) if self.metric == "cosine" else np.arange(len(X))
        self.index.add(X[rows], rows)

    def set_query_arguments(self, recall):
        self.options = {} if recall == 1 else {"recall": recall}
        self.name = f"kin-{self.layout} (recall {recall})"

    def query(self, q, n):
        return self.index.search(q, n, **self.options)[1]

    def batch_query(self, X, n):
        self.res = self.index.search(X, n, threads=os.cpu_count(), **self.options)[1]
