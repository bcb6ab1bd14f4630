"""One way to search: a library, with its settings, on arrays it has taken in."""

import time
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

PROBE_QUERIES = 100


@dataclass
class Way:
    """`search(queries)` gives ids (queries × k) and, by its own clock, the seconds it took."""

    library: str
    setting: str
    threads: int
    batch: bool
    search: Callable
    queries: int = 0
    rounds: list = field(default_factory=list)
    equal: float = 0.0

    @property
    def seconds(self):
        """Of one query; the best round, since other programs can only make a round slower."""
        return min(self.rounds)

    @property
    def median(self):
        return sorted(self.rounds)[len(self.rounds) // 2]

    def prepare(self, queries, truth, seconds):
        """Warms up, compares the ids of the first queries, and decides how many queries fit into `seconds`."""
        ids = self.answers(queries[:len(truth)])
        self.equal = float((ids == truth).mean())
        probe = queries[:PROBE_QUERIES if self.batch else 3]
        self.answers(probe)
        per_query = self.time(probe)
        self.queries = int(min(len(queries), max(len(probe), seconds / per_query)))

    def answers(self, queries):
        if self.batch:
            return np.asarray(self.search(queries)[0])
        return np.concatenate([np.asarray(self.search(queries[i:i + 1])[0]) for i in range(len(queries))])

    def time(self, queries):
        """Seconds of one query."""
        if self.batch:
            return self.search(queries)[1] / len(queries)
        return sum(self.search(queries[i:i + 1])[1] for i in range(len(queries))) / len(queries)

    def measure(self, queries):
        self.rounds.append(self.time(queries[:self.queries]))


def timed(search):
    """Adds a clock to a function that returns ids."""

    def run(queries):
        begin = time.perf_counter()
        ids = search(queries)
        return ids, time.perf_counter() - begin

    return run


def measure(ways, queries, truth, seconds, rounds):
    """Times all ways in turns, so that whatever else the machine does meets them alike."""
    for way in ways:
        way.prepare(queries, truth, seconds)
    for _ in range(rounds):
        for way in ways:
            way.measure(queries)
