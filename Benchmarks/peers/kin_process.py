"""Kin, in a process of its own for every index and instruction set level.

The library picks its kernels once, from KIN_SIMD, so another level needs another process. The vectors come as .npy files
in shared memory pages, and the search is timed in that process, around the call and nothing else, as the other libraries
are in theirs.
"""

import ctypes
import sys
import time

import numpy as np

from product import PACKAGE, build
from ways import Way
from worker import Worker, resident_bytes

LIBRARY = "libKinPeer.dylib" if sys.platform == "darwin" else "libKinPeer.so"
MODES = ("exact", "recall", "probes")


def library():
    """The path of KinPeer, built."""
    return build(PACKAGE, "KinPeer") / LIBRARY


class Library:
    """The functions of KinPeer.swift, and the index they work on."""

    def __init__(self, path):
        address, size, code = ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int32
        self.calls = ctypes.CDLL(str(path))
        for name, result, *arguments in (
            ("build", address, address, size, size, ctypes.c_char_p, ctypes.c_char_p, code),
            ("allow", None, address, address, size),
            ("search", code, address, address, size, size, code, code, ctypes.c_double, address, address),
            ("level", code, ctypes.c_char_p, size),
            ("free", None, address),
        ):
            call = getattr(self.calls, f"kin_peer_{name}")
            call.restype = result
            call.argtypes = arguments
        self.index = None
        self.dimension = 0

    def build(self, path, metric, kind, threads):
        """Takes in a .npy file: the level in use, the seconds and the bytes it took."""
        vectors = np.load(path, mmap_mode="r")
        self.dimension = vectors.shape[1]
        if self.index:
            self.calls.kin_peer_free(self.index)
            self.index = None
        vectors.sum()  # the file's pages are in memory before the clock runs
        before = resident_bytes()
        begin = time.perf_counter()
        index = self.calls.kin_peer_build(vectors.ctypes.data, *vectors.shape, metric.encode(), kind.encode(), threads)
        seconds = time.perf_counter() - begin
        if not index:
            raise RuntimeError("Kin refused the vectors; its message is above")
        self.index = index
        return self.level(), seconds, None if before is None else resident_bytes() - before

    def level(self):
        name = ctypes.create_string_buffer(64)
        self.calls.kin_peer_level(name, len(name))
        return name.value.decode()

    def allow(self, path):
        """Restricts the searches that follow to the rows of a .npy file of booleans; None lifts that."""
        if path is None:
            self.calls.kin_peer_allow(self.index, None, 0)
            return
        mask = np.load(path)
        words = np.packbits(np.pad(mask, (0, -len(mask) % 64)), bitorder="little").view("<u8")
        self.calls.kin_peer_allow(self.index, words.ctypes.data, len(words))

    def search(self, queries, k, threads, each, value="exact"):
        """Ids and seconds; `value` is exact, recall R or probes P. With `each` the library sees one query at a time."""
        if queries.shape[1] != self.dimension or queries.dtype != np.float32:
            raise ValueError(f"queries must be float32 of {self.dimension} dimensions")
        name, _, number = value.partition(" ")
        mode, amount = MODES.index(name), float(number or 0)
        queries = np.ascontiguousarray(queries)
        ids = np.empty((len(queries), k), dtype=np.uint64)
        distances = np.empty((len(queries), k), dtype=np.float64)
        count = 1 if each else len(queries)
        places = [(queries.ctypes.data + queries.strides[0] * row, ids.ctypes.data + ids.strides[0] * row,
                   distances.ctypes.data + distances.strides[0] * row) for row in range(0, len(queries), count)]
        call, index = self.calls.kin_peer_search, self.index
        failed = 0
        begin = time.perf_counter()
        for query, found, measured in places:
            failed |= call(index, query, count, k, threads, mode, amount, found, measured)
        seconds = time.perf_counter() - begin
        if failed:
            raise RuntimeError("Kin's search failed; its message is above")
        return ids.astype(np.int64), seconds


def process(path, level=None):
    """A process that answers the methods of Library."""
    return Worker(Library, path, environment={"KIN_SIMD": level} if level else None)


def ways(worker, setting, k, modes, values=("exact",)):
    """The ways of a process whose index is built. `modes` are pairs: is it a batch, and the number of threads."""
    def search(batch, threads, value):
        return lambda queries: worker.call("search", queries, k, threads, not batch, value)

    return [Way("Kin", setting, threads, batch, search(batch, threads, value), value)
            for value in values for batch, threads in modes]
