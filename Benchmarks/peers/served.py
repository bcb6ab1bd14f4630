"""A peer's approximate index in a separate process, with its build stored on disk between runs."""

import json
import shutil
import sys
import time

import numpy as np

import indexes
import installed
from ways import Way, clocked
from worker import Worker, resident_bytes


RECORD = "build.json"


class _Server:
    """The object in the process."""

    def __init__(self, key):
        self.index = indexes.ALL[key]()

    def build(self, path, folder, threads):
        vectors = np.load(path)
        begin = time.perf_counter()
        self.index.build(vectors, threads)
        seconds = time.perf_counter() - begin
        self.index.save(folder)
        return seconds

    def load(self, folder, dimension):
        before = resident_bytes()
        self.index.load(folder, dimension)
        return None if before is None else resident_bytes() - before

    def allow(self, path):
        self.index.allow(np.load(path) if path else None)

    def search(self, queries, k, threads, each, value):
        self.index.turn(value, threads)
        ids, seconds = clocked(lambda some: self.index.search(some, k), each)(queries)
        return ids.astype(np.int64), seconds


def build(key, data, threads, again):
    """The folder of a set for the index of one version of a library: built if it is missing, or if `again` is set."""
    folder = data.folder / f"{key}-{installed.versions()[indexes.ALL[key].library]}"
    if again or not (folder / RECORD).exists():
        print(f"  {key} ...", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        builder = Worker(_Server, key)
        seconds = builder.call("build", str(data.vectors_path), folder, threads)
        builder.close()
        (folder / RECORD).write_text(json.dumps({"seconds": seconds, "threads": threads}), encoding="utf-8")
    return folder


class Served:
    """One index over one data set, ready to search."""

    def __init__(self, key, data, threads, again):
        kind = indexes.ALL[key]
        self.kind, self.can_filter = kind, hasattr(kind, "allow")
        folder = build(key, data, threads, again)
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        # With a different number of threads the build time would differ.
        self.build_seconds = record["seconds"] if record["threads"] == threads else None
        # Measured on a loaded index, so that memory left over from the build does not count.
        self.worker = Worker(_Server, key)
        self.bytes = self.worker.call("load", folder, data.vectors.shape[1])

    @property
    def name(self):
        return f"{self.kind.library} {self.kind.setting}"

    def ways(self, k, modes):
        """Over the values of its dial. `modes` are pairs: whether it is a batch, and the number of threads."""
        return self._ways(k, modes, self.kind.values)

    def filtered_ways(self, k, modes):
        """The same for searches with a filter."""
        chosen = [(batch, threads) for batch, threads in modes if self.kind.filters_batches or not batch]
        return self._ways(k, chosen, self.kind.filter_values)

    def _ways(self, k, modes, values):
        def search(batch, threads, value):
            return lambda queries: self.worker.call("search", queries, k, threads, not batch, value)

        kind = self.kind
        return [Way(kind.library, kind.setting, threads, batch, search(batch, threads, value), f"{kind.dial} {value}")
                for value in values for batch, threads in modes]

    def close(self):
        self.worker.close()
