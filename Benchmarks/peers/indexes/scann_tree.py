"""ScaNN's tree of leaves (Guo et al. 2020) with exact scoring in each: 4,000 leaves, or one per 50
vectors if that is fewer."""

import numpy as np


class ScannTree:
    key = "scann"
    library = "ScaNN"
    setting = "tree, exact scoring"
    dial = "leaves"
    values = (2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 140, 220, 350)
    sizes = range(10_000, 2_000_000)

    def __init__(self):
        import scann
        self.module = scann

    def build(self, vectors, threads):
        leaves = min(4_000, len(vectors) // 50)
        self.index = (self.module.scann_ops_pybind.builder(vectors, 10, "squared_l2")
                      .set_n_training_threads(threads)
                      .tree(leaves, num_leaves_to_search=10, training_sample_size=min(len(vectors), 250_000))
                      .score_brute_force().build())

    def save(self, folder):
        self.index.serialize(str(folder))

    def load(self, folder, dimension):
        self.index = self.module.scann_ops_pybind.load_searcher(str(folder))

    def turn(self, value, threads):
        self.leaves = value
        self.parallel = threads > 1
        self.index.set_num_threads(threads)

    def search(self, queries, k):
        if len(queries) == 1:
            found = self.index.search(queries[0], k, leaves_to_search=self.leaves)[0][None]
            # A few leaves may hold fewer than k vectors.
            return found if found.shape[1] == k else np.pad(
                found.astype(np.int64), ((0, 0), (0, k - found.shape[1])), constant_values=-1)
        search = self.index.search_batched_parallel if self.parallel else self.index.search_batched
        return search(queries, k, leaves_to_search=self.leaves)[0]
