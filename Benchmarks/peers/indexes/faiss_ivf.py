"""FAISS's inverted lists over floats (Jégou et al. 2011), the coarse step of a batch by BLAS."""

import numpy as np


class FaissIVF:
    library = "FAISS"
    dial = "nprobe"
    values = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
    filter_values = (4, 8, 16, 32, 64, 128, 256, 512)
    filters_batches = True

    def __init__(self):
        import faiss
        self.module = faiss

    def build(self, vectors, threads):
        faiss = self.module
        faiss.omp_set_num_threads(threads)
        faiss.cvar.distance_compute_blas_threshold = 1
        quantizer = faiss.IndexFlatL2(vectors.shape[1])
        self.index = faiss.IndexIVFFlat(quantizer, vectors.shape[1], self.lists)
        self.index.train(vectors)
        self.index.add(vectors)

    def save(self, folder):
        self.module.write_index(self.index, str(folder / "index.faiss"))

    def load(self, folder, dimension):
        self.index = self.module.read_index(str(folder / "index.faiss"))
        self.shipped = self.module.cvar.distance_compute_blas_threshold
        self.allow(None)

    def turn(self, value, threads):
        self.module.omp_set_num_threads(threads)
        self.parameters = self.module.SearchParametersIVF(nprobe=value, sel=self.selector)

    def allow(self, mask):
        """A bitmap of the ids, FAISS's fastest selector."""
        if mask is None:
            self.selector = None
        else:
            self.bits = np.packbits(mask, bitorder="little")
            self.selector = self.module.IDSelectorBitmap(len(mask), self.module.swig_ptr(self.bits))

    def search(self, queries, k):
        # A matrix product pays off from a few queries on; one query at a time is faster with FAISS's own kernels.
        self.module.cvar.distance_compute_blas_threshold = 1 if len(queries) > 1 else self.shipped
        return self.index.search(queries, k, params=self.parameters)[1]


class FaissIVF256(FaissIVF):
    key = "faiss-ivf256"
    setting = "IVF256"
    lists = 256
    sizes = range(10_000, 40_000)


class FaissIVF1024(FaissIVF):
    key = "faiss-ivf1024"
    setting = "IVF1024"
    lists = 1024
    sizes = range(40_000, 2_000_000)


class FaissIVF4096(FaissIVF):
    key = "faiss-ivf4096"
    setting = "IVF4096"
    lists = 4096
    sizes = range(160_000, 2 ** 40)
