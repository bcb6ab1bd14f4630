"""Times queries about people through the Python package, on a store of realistic size, and right after a change.

    pip install ./Sources/Interfaces/python
    swift run -c release kin generate people --count 1000 --sessions 100 --items 20000 -o people.jsonl
    swift run -c release kin generate souls --count 20000 -o souls.jsonl
    swift run -c release kin generate babies --count 1 --days 365 -o babies
    python Benchmarks/interfaces/answers.py people.jsonl souls.jsonl datasets/challenges.jsonl --baby babies/baby-1.csv

Each query runs twice for each of several people. "New" is the median of the first runs, which have to read the person's
data. "Median" is the median of the second runs, and "p99" their 99th percentile. "After a put" is the first query after
one record is replaced, of the kind that the answer depends on, in milliseconds, without the put.
"""

import argparse
import csv
import json
import os
import random
import statistics
import tempfile
import time

import kin

HERE = {"lat": 40.7, "lng": -73.9}
NOW = "2026-11-22T08:00:00Z"


def milliseconds(call):
    begin = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - begin)


def care_events(path, user, baby):
    for number, row in enumerate(csv.DictReader(open(path, encoding="utf-8"))):
        event = {"id": f"e{number}", "type": row["type"], "start": row["start"]}
        if row["end"]:
            event["end"] = row["end"]
        yield {"care_event": {"user_id": user, "baby": baby, "event": event}}


def questions(people, sessions):
    """Each query's method, the function of a number that gives its parameters, and the kind of record whose replacement affects it."""

    def user(number):
        return people[number % len(people)]

    def session(number):
        return sessions[number % len(sessions)]

    return {
        "near": ("near", lambda n: {"session": session(n), "k": 10}, "session"),
        "near, one state": ("near", lambda n: {"session": session(n), "k": 10, "where": "state = drift"}, "session"),
        "profile": ("profile", lambda n: {"user": user(n), "at": NOW}, "session"),
        "insight": ("insight", lambda n: {"session": session(n)}, "session"),
        "map": ("map", lambda n: {"user": user(n)}, "session"),
        "inventory": ("inventory", lambda n: {"near": HERE, "within_km": 5, "user": user(n), "k": 10}, "item"),
        "missions": ("missions", lambda n: {"user": user(n), "near": HERE, "minutes": 90, "slot": "morning", "k": 5}, "item"),
        "similar_souls": ("similar_souls", lambda n: {"user": user(n), "k": 10}, "soul"),
        "why": ("why", lambda n: {"user": user(n), "other": user(n + 7)}, "soul"),
        "suggest": ("suggest", lambda n: {"user": user(n), "at": NOW}, "preferences"),
        "today": ("today", lambda n: {"user": user(n), "at": NOW}, "preferences"),
        "forecast": ("forecast", lambda n: {"user": "u0", "baby": "b"}, "event"),
        "predictions": ("predictions", lambda n: {"user": "u0", "baby": "b"}, "event"),
    }


def fill(engine, given):
    """Imports the records and the log; returns the counts."""
    counts = {}
    for file in given.records:
        counts |= engine.call("import", path=file)
    if given.baby:
        engine.call("put", records=[{"baby": {"user_id": "u0", "id": "b", "date_of_birth": "2025-12-01"}}])
        counts |= engine.call("put", records=list(care_events(given.baby, "u0", "b")))
    return counts


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("records", nargs="+", help="files of records, as made by kin generate")
    options.add_argument("--baby", help="a log of care events in CSV")
    options.add_argument("--store", help="the database (default: a temporary one)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=300)
    given = options.parse_args()
    random.seed(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or os.path.join(folder, "people.db")
        is_new = not os.path.exists(path)
        engine = kin.Engine(path)
        if is_new:
            begin = time.perf_counter()
            counts = fill(engine, given)
            print(f"imported in {time.perf_counter() - begin:.1f} s: {counts}")
        people = [f"u{number}" for number in range(1000)]
        random.shuffle(people)
        sessions = [line["session"]["id"] for user in people for line in engine.call("sessions", user=user, count=1)]
        samples = {}
        for line in engine.call("export", user="u0"):
            # The last of each kind: for care events, the latest.
            samples[next(iter(line))] = line
        item = engine.call("inventory", near=HERE, k=1)[0]["item"]
        replaced = {
            "session": samples["session"],
            "item": item,
            "soul": samples["soul"],
            "preferences": {"challenge_preferences": {"user_id": "u0"}},
            "event": samples.get("care_event"),
        }
        print(f"{'query':<18}{'first':>10}{'new':>10}{'median':>10}{'p99':>10}{'after a put':>13}   milliseconds")
        for name, (method, parameters, kind) in questions(people, sessions).items():
            if replaced[kind] is None:
                continue

            def ask(number):
                engine.call(method, **parameters(number))

            first = milliseconds(lambda: ask(0))
            new = statistics.median(milliseconds(lambda: ask(number)) for number in range(given.rounds))
            times = sorted(milliseconds(lambda: ask(number)) for number in range(given.rounds))
            after = []
            for number in range(20):
                record = json.loads(json.dumps(replaced[kind]))
                if kind == "session":
                    record["session"]["notes"] = f"note {number}"
                if kind == "event":
                    record["care_event"]["event"]["notes"] = f"note {number}"
                engine.call("put", records=[record])
                after.append(milliseconds(lambda: ask(number)))
            print(
                f"{name:<18}{first:>10.3f}{new:>10.3f}{statistics.median(times):>10.3f}{times[int(0.99 * len(times))]:>10.3f}"
                f"{statistics.median(after):>13.3f}"
            )
        print("memory:", engine.call("memory"))
        engine.close()
        begin = time.perf_counter()
        again = kin.Engine(path)
        opened = time.perf_counter() - begin
        first = milliseconds(lambda: again.call("near", session=sessions[0], k=10))
        print(f"opened in {1e3 * opened:.1f} ms, first answer in {first:.1f} ms")
        again.close()


if __name__ == "__main__":
    main()
