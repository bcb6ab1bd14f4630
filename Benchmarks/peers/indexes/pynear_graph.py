"""pynear's graph, with the connectivity and the build effort of hnswlib's, over floats and over bytes."""

import pickle

import pool


class PynearGraph:
    key = "pynear"
    library = "pynear"
    setting = "HNSW M16, efC200"
    dial = "ef"
    values = (10, 14, 20, 28, 40, 60, 90, 140, 220, 350, 600)
    sizes = range(1, 2_000_000)

    def __init__(self):
        import pynear
        self.make = pynear.HNSWL2Index

    def build(self, vectors, threads):
        self.index = self.make(M=16, ef_construction=200, n_threads=threads)
        self.index.set(vectors)

    def save(self, folder):
        with open(folder / "index.pickle", "wb") as file:
            pickle.dump(self.index, file)

    def load(self, folder, dimension):
        with open(folder / "index.pickle", "rb") as file:
            self.index = pickle.load(file)

    def turn(self, value, threads):
        self.index.set_ef(value)
        pool.limit(threads)

    def search(self, queries, k):
        return self.index.searchKNN_arrays(queries, k)[0]


class PynearGraphSQ8(PynearGraph):
    """Its distances are over bytes: there is no final ranking by floats, so recall has a ceiling."""

    key = "pynear-sq8"
    setting = "HNSW SQ8 M16, efC200"

    def __init__(self):
        import pynear
        self.make = pynear.HNSWL2IndexSQ8
