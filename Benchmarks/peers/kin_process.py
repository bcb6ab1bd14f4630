"""Kin, in a separate process for every index and instruction set level.

The library selects its kernels once, from KIN_SIMD, so each level needs its own process. The vectors come as .npy files
in shared memory pages. The search is timed in that process, around the call only, as for the other libraries.
"""

import ctypes
import json
import sys
import time

import numpy as np

from product import PACKAGE, build
from ways import Way
from worker import Worker, resident_bytes

LIBRARY = "libKinPeer.dylib" if sys.platform == "darwin" else "libKinPeer.so"
METRICS = ("l2", "ip", "cosine")


def library():
    """The path of KinPeer, after a build."""
    return build(PACKAGE, "KinPeer") / LIBRARY


class Options(ctypes.Structure):
    """The kin_search_options of kin.h."""

    _fields_ = [("size", ctypes.c_size_t), ("filter", ctypes.c_void_p), ("threads", ctypes.c_size_t), ("recall", ctypes.c_double),
                ("probes", ctypes.c_size_t), ("radii", ctypes.c_void_p)]


class Library:
    """The measured functions of kin.h, and the index and filter that they use."""

    def __init__(self, path):
        address, size, code, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_char_p
        self.calls = ctypes.CDLL(str(path))
        for name, result, *arguments in (
            ("index_create_flat", code, size, code, address),
            ("index_create_ivf", code, size, code, size, address),
            ("index_append", code, address, address, size, size, size, address),
            ("index_search", code, address, address, size, size, size, address, address, address, address),
            ("index_free", None, address),
            ("filter_create_bitmap", code, address, size, address),
            ("filter_free", None, address),
            ("last_error", text),
            ("build_info", text),
        ):
            call = getattr(self.calls, f"kin_{name}")
            call.restype = result
            call.argtypes = arguments
        self.index, self.filter = address(), address()
        self.dimension = 0

    def check(self, status):
        if status:
            raise RuntimeError(f"Kin: {self.calls.kin_last_error().decode()}")

    def build(self, path, metric, kind, threads):
        """Loads a .npy file into a flat or ivf index; returns the level in use, seconds, and bytes of memory."""
        vectors = np.load(path, mmap_mode="r")
        rows, self.dimension = vectors.shape
        self.calls.kin_index_free(self.index)
        lists = (0,) if kind == "ivf" else ()
        create = getattr(self.calls, f"kin_index_create_{kind}")
        self.check(create(self.dimension, METRICS.index(metric), *lists, ctypes.byref(self.index)))
        vectors.sum()  # the file's pages are in memory before the clock runs
        before = resident_bytes()
        begin = time.perf_counter()
        status = self.calls.kin_index_append(self.index, vectors.ctypes.data, rows, 0, threads, None)
        seconds = time.perf_counter() - begin
        self.check(status)
        level = json.loads(self.calls.kin_build_info())["simd"]
        return level, seconds, None if before is None else resident_bytes() - before

    def allow(self, path):
        """Restricts later searches to the rows of a .npy file of booleans; None removes the restriction."""
        self.calls.kin_filter_free(self.filter)
        self.filter.value = None
        if path is not None:
            mask = np.load(path)
            words = np.packbits(np.pad(mask, (0, -len(mask) % 64)), bitorder="little").view("<u8")
            self.check(self.calls.kin_filter_create_bitmap(words.ctypes.data, len(words), ctypes.byref(self.filter)))

    def search(self, queries, k, threads, each, value="exact"):
        """Ids and seconds; `value` is exact, recall R or probes P. With `each` the library receives one query at a
        time."""
        if queries.shape[1] != self.dimension or queries.dtype != np.float32:
            raise ValueError(f"queries must be float32 of {self.dimension} dimensions")
        name, _, number = value.partition(" ")
        recall, probes = (float(number) if name == mode else 0 for mode in ("recall", "probes"))
        options = Options(ctypes.sizeof(Options), self.filter, threads, recall, int(probes), None)
        queries = np.ascontiguousarray(queries)
        ids = np.empty((len(queries), k), dtype=np.uint64)
        distances = np.empty((len(queries), k), dtype=np.float64)
        count = 1 if each else len(queries)
        places = [(queries.ctypes.data + queries.strides[0] * row, ids.ctypes.data + ids.strides[0] * row,
                   distances.ctypes.data + distances.strides[0] * row) for row in range(0, len(queries), count)]
        call, index, parameters = self.calls.kin_index_search, self.index, ctypes.byref(options)
        failed = 0
        begin = time.perf_counter()
        for query, found, measured in places:
            failed |= call(index, query, count, 0, k, parameters, found, measured, None)
        seconds = time.perf_counter() - begin
        self.check(failed)
        return ids.astype(np.int64), seconds


def process(path, level=None):
    """A process that answers the methods of Library."""
    return Worker(Library, path, environment={"KIN_SIMD": level} if level else None)


def ways(worker, setting, k, modes, values=("exact",)):
    """The ways of a process with a built index. `modes` are pairs: whether it is a batch, and the number of threads."""
    def search(batch, threads, value):
        return lambda queries: worker.call("search", queries, k, threads, not batch, value)

    return [Way("Kin", setting, threads, batch, search(batch, threads, value), value)
            for value in values for batch, threads in modes]
