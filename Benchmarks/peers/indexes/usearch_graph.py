"""usearch's graph, with the connectivity and the build effort of hnswlib's."""

import numpy as np


class UsearchGraph:
    key = "usearch"
    library = "usearch"
    setting = "M16, efC200"
    dial = "ef"
    values = (10, 14, 20, 28, 40, 60, 90, 140, 220, 350, 600)
    sizes = range(1, 2_000_000)

    def __init__(self):
        import usearch.index
        self.module = usearch.index

    def _empty(self, dimension):
        return self.module.Index(ndim=dimension, metric="l2sq", dtype="f32", connectivity=16, expansion_add=200)

    def build(self, vectors, threads):
        self.index = self._empty(vectors.shape[1])
        self.index.add(np.arange(len(vectors), dtype=np.uint64), vectors, threads=threads)

    def save(self, folder):
        self.index.save(str(folder / "index.usearch"))

    def load(self, folder, dimension):
        self.index = self._empty(dimension)
        self.index.load(str(folder / "index.usearch"))

    def turn(self, value, threads):
        self.index.expansion_search = value
        self.threads = threads

    def search(self, queries, k):
        return self.index.search(queries, k, threads=self.threads).keys.reshape(len(queries), -1)
