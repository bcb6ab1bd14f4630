"""Scalable Vector Search: the Vamana graph (Subramanya et al. 2019) of degree 32 over floats."""


class SvsVamana:
    key = "svs"
    library = "SVS"
    setting = "Vamana R32"
    dial = "window"
    values = (10, 12, 16, 22, 30, 42, 60, 90, 130, 200, 320)
    sizes = range(1, 2_000_000)

    def __init__(self):
        import svs
        self.module = svs

    def build(self, vectors, threads):
        svs = self.module
        parameters = svs.VamanaBuildParameters(graph_max_degree=32, window_size=128, alpha=1.2)
        self.index = svs.Vamana.build(parameters, vectors, svs.DistanceType.L2, num_threads=threads)

    def save(self, folder):
        self.index.save(*(str(folder / part) for part in ("config", "graph", "data")))

    def load(self, folder, dimension):
        svs = self.module
        self.index = svs.Vamana(
            str(folder / "config"), svs.GraphLoader(str(folder / "graph")),
            svs.VectorDataLoader(str(folder / "data"), svs.DataType.float32), svs.DistanceType.L2)

    def turn(self, value, threads):
        self.index.search_window_size = value
        if self.index.num_threads != threads:
            self.index.num_threads = threads

    def search(self, queries, k):
        return self.index.search(queries, k)[0]
