"""Runs random queries about many people on a store whose derived data have a small memory budget.

    pip install ./Sources/Interfaces/python
    swift run -c release kin generate people --count 10000 --sessions 20 --items 20000 -o people.jsonl
    swift run -c release kin generate souls --count 10000 -o souls.jsonl
    swift run -c release kin generate babies --count 1 --days 60 -o babies
    python Benchmarks/interfaces/budget.py people.jsonl souls.jsonl datasets/challenges.jsonl --baby babies/baby-1.csv --mib 64

Prints the largest reported size of derived data, the memory of the process, the values evicted to stay within the
budget, and the times of the answers. Some answers are compared with an engine without a cache. Then prints, for each
kind of value, its reported bytes and the growth of the process.
"""

import argparse
import ctypes
import os
import random
import subprocess
import sys
import tempfile
import time

import kin
from answers import HERE, NOW, arguments, fill, questions

LIBC = ctypes.CDLL(None)


def resident():
    """The resident memory of the process without file-backed pages and without memory that the allocator caches, in
    MiB."""
    LIBC.malloc_trim(0)
    with open("/proc/self/smaps_rollup", encoding="ascii") as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) / 1024


def asks(people, sessions):
    """A function of an engine and a generator for each query."""
    asked = questions(lambda draw, further=0: people[draw.randrange(len(people))], lambda draw: sessions[draw.randrange(len(sessions))])
    del asked["near, one state"], asked["predictions"]
    asked["rotation"] = ("rotation", lambda draw: {"user": people[draw.randrange(len(people))], "at": NOW}, "preferences")
    asked["forecast"] = ("forecast", lambda draw: {"user": f"u{draw.randrange(100)}", "baby": "b", "now": NOW}, "event")
    return {name: lambda engine, draw, method=method, parameters=parameters: engine.call(method, **parameters(draw))
            for name, (method, parameters, _) in asked.items()}


def load(path, given):
    """Runs the random load and prints its results."""
    engine, plain = kin.Engine(path, memory_budget=given.mib << 20), kin.Engine(path, read_only=True, memory_budget=1)
    people = [f"u{number}" for number in range(given.people)]
    sessions = [line["session"]["id"] for user in people[:2000] for line in engine.call("sessions", user=user, count=3)]
    asked = asks(people, sessions)
    # Saved values come back from their files after an eviction.
    for name in ("near", "inventory", "similar_souls"):
        asked[name](engine, random.Random(0))
    engine.call("save_indexes")
    draw = random.Random(given.seed)
    names = [name for name in asked if name != "forecast" or given.baby]
    times, most, compared, before = {name: [] for name in names}, 0, 0, resident()
    largest = before
    for number in range(given.questions):
        name = draw.choice(names)
        state = draw.getstate()
        begin = time.perf_counter()
        answer = asked[name](engine, draw)
        times[name].append(1e3 * (time.perf_counter() - begin))
        if number % 10 == 0:
            most = max(most, engine.call("memory")["bytes"])
        if number % 100 == 0:
            largest = max(largest, resident())
        if number % given.compare == 0:
            draw.setstate(state)
            assert asked[name](plain, draw) == answer, (name, number)
            compared += 1
    memory = engine.call("memory")
    print(f"{given.questions} queries about {given.people} people, budget {given.mib} MiB, seed {given.seed}")
    print(f"largest reported size {most / 2**20:.1f} MiB; process {before:.0f} MiB before, at most {largest:.0f} MiB "
          f"(including the engine for comparison); {memory['evictions']} evictions, {memory['values']} values at the end")
    print(f"{compared} answers compared with an engine without cached values: all equal")
    print(f"\n{'query':<16}{'number':>8}{'median':>10}{'p99':>10}{'most':>10}   milliseconds")
    for name in names:
        sample = sorted(times[name])
        print(f"{name:<16}{len(sample):>8}{sample[len(sample) // 2]:>10.3f}{sample[int(0.99 * len(sample))]:>10.2f}"
              f"{sample[-1]:>10.1f}")
    engine.close()
    plain.close()


def grow(path, given):
    """Compares the reported size of one kind of value with the growth of a separate process."""
    engine = kin.Engine(path, read_only=True, memory_budget=1 << 40)
    people = [f"u{number}" for number in range(given.people)]
    sessions = [line["session"]["id"] for line in engine.call("sessions", user="u0", count=1)]
    derive = {
        "session index": lambda: engine.call("near", session=sessions[0], k=3),
        "inventory index": lambda: engine.call("inventory", near=HERE, k=3),
        "matcher": lambda: engine.call("similar_souls", user="u0", k=3),
        "histories": lambda: [engine.call("profile", user=user, at=NOW) for user in people],
        "histories, types": lambda: [engine.call("map", user=user) for user in people[:3000]],
        "challenges": lambda: [engine.call("suggest", user=user, at=NOW) for user in people],
        "forecasters": lambda: [engine.call("forecast", user=f"u{number}", baby="b", now=NOW) for number in range(100)],
    }
    engine.call("info")
    before, said = resident(), engine.call("memory")["bytes"]
    derive[given.grow]()
    memory = engine.call("memory")
    said, grown = (memory["bytes"] - said) / 2**20, resident() - before
    print(f"{given.grow:<18}{memory['values']:>8}{said:>10.1f}{grown:>10.1f}{said / max(grown, 1e-9):>8.2f}", flush=True)


def main():
    options = arguments(__doc__)
    options.add_argument("--people", type=int, default=10_000)
    options.add_argument("--questions", type=int, default=50_000)
    options.add_argument("--compare", type=int, default=500, help="compare one answer in this number of queries")
    options.add_argument("--mib", type=int, default=64)
    options.add_argument("--grow", help=argparse.SUPPRESS)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or os.path.join(folder, "people.db")
        if given.grow:
            return grow(path, given)
        if not os.path.exists(path):
            with kin.Engine(path) as engine:
                fill(engine, given, babies=100)
        kinds = ["session index", "inventory index", "matcher", "histories", "histories, types", "challenges"]
        print(f"{'derived again':<18}{'values':>8}{'reported':>10}{'grown':>10}{'ratio':>8}   MiB", flush=True)
        for kind in kinds + (["forecasters"] if given.baby else []):
            subprocess.run([sys.executable, *sys.argv, "--store", path, "--grow", kind], check=True)
        print(flush=True)
        load(path, given)


if __name__ == "__main__":
    main()
