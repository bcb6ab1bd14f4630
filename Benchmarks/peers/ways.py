"""One way to search: a library and its settings, on loaded arrays."""

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Callable

import numpy as np

PROBE_QUERIES = 100
LEAST_JUDGED = 20


@dataclass
class Way:
    """`search(queries)` returns ids (queries × k) and, by its own clock, the seconds for all of them."""

    library: str
    setting: str
    threads: int
    batch: bool
    search: Callable
    value: object = None
    queries: int = 0
    rounds: list = field(default_factory=list)
    score: float = 0.0

    @classmethod
    def clocked(cls, library, setting, threads, batch, search):
        """For a function that returns ids only. Unless it is a batch, the function receives one query at a time."""
        return cls(library, setting, threads, batch, clocked(search, each=not batch))

    @classmethod
    def on_threads(cls, library, setting, threads, search, singles=(1,)):
        """Batches with each number of threads, and single queries with the numbers in `singles`; `search` takes queries
        and a number."""
        for count in threads:
            for batch in (True, False) if count in singles else (True,):
                yield cls.clocked(library, setting, count, batch, partial(search, count=count))

    @property
    def seconds(self):
        """The time of one query, from the best round: other programs can only make a round slower."""
        return min(self.rounds)

    @property
    def median(self):
        return sorted(self.rounds)[len(self.rounds) // 2]

    @property
    def rate(self):
        """Queries per second."""
        return 1 / self.seconds

    def prepare(self, queries, judge, checked, seconds):
        """Warms up, judges the ids of the first queries, and decides how many queries fit into `seconds`."""
        probe = queries[:PROBE_QUERIES if self.batch else 3]
        self.search(probe)
        per_query = self.search(probe)[1] / len(probe)
        self.queries = int(min(len(queries), max(len(probe), seconds / per_query)))
        # A way that is far too slow for its round is judged with fewer queries.
        judged = min(checked, max(LEAST_JUDGED, int(20 * seconds / per_query)))
        self.score = judge(np.asarray(self.search(queries[:judged])[0]))

    def measure(self, queries):
        self.rounds.append(self.search(queries[:self.queries])[1] / self.queries)


def clocked(search, each):
    """Adds a clock to a function that returns ids; with `each` it is called with one query at a time."""

    def run(queries):
        parts = [queries[i:i + 1] for i in range(len(queries))] if each else [queries]
        begin = time.perf_counter()
        found = [search(part) for part in parts]
        seconds = time.perf_counter() - begin
        return np.concatenate(found), seconds

    return run


def measure(ways, queries, judge, checked, seconds, rounds):
    """Times all ways alternately, so that other work of the machine affects them equally."""
    for way in ways:
        way.prepare(queries, judge, checked, seconds)
    for _ in range(rounds):
        for way in ways:
            way.measure(queries)
