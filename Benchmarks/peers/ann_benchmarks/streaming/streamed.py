"""Kin in the streaming track of big-ann-benchmarks: vectors are inserted, replaced and deleted between searches."""

import kin
from neurips23.streaming.base import BaseStreamingANN

METRICS = {"euclidean": "l2", "ip": "ip", "angular": "cosine"}


class Kin(BaseStreamingANN):
    """An index in lists. A deleted vector is gone at once, so there is nothing to consolidate."""

    def __init__(self, metric, index_params):
        self.metric, self.threads, self.options = METRICS[metric], index_params.get("threads", 1), {}
        self.name = "kin-streaming"

    def setup(self, dtype, max_pts, ndims):
        self.index = kin.IVFIndex(ndims, self.metric)
        self.index.reserve(max_pts)

    def insert(self, X, ids):
        self.index.add(X, ids, threads=self.threads)

    def delete(self, ids):
        self.index.remove(ids)

    def replace(self, X, ids):
        self.index.add(X, ids, threads=self.threads)

    def set_query_arguments(self, query_args):
        recall = query_args.get("recall", 1)
        self.options = {} if recall == 1 else {"recall": recall}
        self.name = f"kin-streaming (recall {recall})"

    def query(self, X, k):
        self.res = self.index.search(X, k, threads=self.threads, **self.options)[1]
