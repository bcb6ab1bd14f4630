"""hnswlib's graph (Malkov and Yashunin 2018), M = 16, efConstruction = 200."""


class HnswlibGraph:
    key = "hnswlib"
    library = "hnswlib"
    setting = "M16, efC200"
    dial = "ef"
    values = (10, 14, 20, 28, 40, 60, 90, 140, 220, 350, 600)
    filter_values = (20, 60, 220)
    filters_batches = False
    sizes = range(1, 2_000_000)

    def __init__(self):
        import hnswlib
        self.module = hnswlib

    def _empty(self, dimension):
        return self.module.Index(space="l2", dim=dimension)

    def build(self, vectors, threads):
        self.index = self._empty(vectors.shape[1])
        self.index.init_index(max_elements=len(vectors), M=16, ef_construction=200, random_seed=100)
        self.index.set_num_threads(threads)
        self.index.add_items(vectors)

    def save(self, folder):
        self.index.save_index(str(folder / "index.bin"))

    def load(self, folder, dimension):
        self.index = self._empty(dimension)
        self.index.load_index(str(folder / "index.bin"))
        self.allowed = None

    def turn(self, value, threads):
        self.index.set_ef(value)
        self.index.set_num_threads(threads)

    def allow(self, mask):
        """Its filter is a Python function, called for every visited vector: more threads would only wait for each
        other."""
        self.allowed = None if mask is None else mask.tolist().__getitem__

    def search(self, queries, k):
        return self.index.knn_query(queries, k, filter=self.allowed)[0]
