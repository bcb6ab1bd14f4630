"""Kin, in a process of its own for every instruction set level.

The library picks its kernels once, from KIN_SIMD, so another level needs another process. The vectors come as .npy files
in shared memory pages, and the search is timed in that process, around the call and nothing else, as the other libraries
are in theirs.
"""

import ctypes
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from ways import Way

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARY = "libKinPeer.dylib" if sys.platform == "darwin" else "libKinPeer.so"


def build():
    """Builds the library in release configuration and returns its path."""
    command = ["swift", "build", "-c", "release", "--package-path", str(PACKAGE), "--product", "KinPeer"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip()) / LIBRARY


class Library:
    """The five functions of KinPeer.swift."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(str(path))
        self.calls.kin_peer_build.restype = ctypes.c_void_p
        self.calls.kin_peer_build.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_char_p]
        self.calls.kin_peer_search.restype = ctypes.c_int32
        self.calls.kin_peer_search.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_int32, ctypes.c_void_p,
            ctypes.c_void_p]
        self.calls.kin_peer_level.restype = ctypes.c_int32
        self.calls.kin_peer_level.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ssize_t]
        self.calls.kin_peer_free.restype = None
        self.calls.kin_peer_free.argtypes = [ctypes.c_void_p]
        self.index = None

    def build(self, path, metric):
        vectors = np.load(path, mmap_mode="r")
        if self.index:
            self.calls.kin_peer_free(self.index)
        self.index = self.calls.kin_peer_build(vectors.ctypes.data, *vectors.shape, metric.encode())
        if not self.index:
            raise RuntimeError("Kin refused the vectors; its message is above")
        name = ctypes.create_string_buffer(64)
        self.calls.kin_peer_level(self.index, name, len(name))
        return name.value.decode()

    def search(self, queries, k, threads):
        ids = np.empty((len(queries), k), dtype=np.uint64)
        distances = np.empty((len(queries), k), dtype=np.float64)
        begin = time.perf_counter()
        code = self.calls.kin_peer_search(
            self.index, queries.ctypes.data, len(queries), k, threads, ids.ctypes.data, distances.ctypes.data)
        seconds = time.perf_counter() - begin
        if code:
            raise RuntimeError(f"Kin's search failed with code {code}; its message is above")
        return ids.astype(np.int64), seconds


def _serve(connection, path):
    library = Library(path)
    while (request := connection.recv()) is not None:
        name, *arguments = request
        connection.send(getattr(library, name)(*arguments))


class KinProcess:
    """A process that answers `build` and `search`."""

    def __init__(self, path, level=None):
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        before = os.environ.get("KIN_SIMD")
        if level:
            os.environ["KIN_SIMD"] = level
        self.process = context.Process(target=_serve, args=(other, path), daemon=True)
        self.process.start()
        other.close()
        if level:
            os.environ.pop("KIN_SIMD")
            if before is not None:
                os.environ["KIN_SIMD"] = before

    def call(self, *request):
        self.connection.send(request)
        try:
            return self.connection.recv()
        except EOFError:
            raise RuntimeError("Kin's process ended; its message is above") from None

    def close(self):
        self.connection.send(None)
        self.process.join()


def ways(process, path, metric, k, threads):
    """The ways of one process on the vectors in a .npy file."""
    level = process.call("build", str(path), metric)
    for count in threads:
        for batch in (True, False):
            def search(queries, count=count):
                return process.call("search", np.ascontiguousarray(queries), k, count)
            yield Way("Kin", level, count, batch, search)
