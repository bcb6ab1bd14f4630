"""Times questions about people through the Python package, on a store of real size, and right after a change.

    pip install ./Sources/Interfaces/python
    swift run -c release kin generate people --count 1000 --sessions 100 --items 20000 -o people.jsonl
    swift run -c release kin generate souls --count 20000 -o souls.jsonl
    swift run -c release kin generate babies --count 1 --days 365 -o babies
    python Benchmarks/interfaces/answers.py people.jsonl souls.jsonl datasets/challenges.jsonl --baby babies/baby-1.csv

Each question is asked of another person in turn, twice: "new" is the median of the first times, when what is known of the person has
to be read; "median" that of the second times, with the 99th percentile beside it. "After a put" is the first question after one
record of the kind that it is derived from was replaced, in milliseconds; the put itself is not in it.
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


def questions(engine, people, sessions):
    """Of each question its name, a function of a number that asks it, and the kind of record whose replacement it has to notice."""
    call = engine.call
    now = "2026-11-22T08:00:00Z"

    def user(number):
        return people[number % len(people)]

    def session(number):
        return sessions[number % len(sessions)]

    return {
        "near": (lambda n: call("near", session=session(n), k=10), "session"),
        "near, one state": (lambda n: call("near", session=session(n), k=10, where="state = drift"), "session"),
        "profile": (lambda n: call("profile", user=user(n), at=now), "session"),
        "insight": (lambda n: call("insight", session=session(n)), "session"),
        "map": (lambda n: call("map", user=user(n)), "session"),
        "inventory": (lambda n: call("inventory", near=HERE, within_km=5, user=user(n), k=10), "item"),
        "missions": (lambda n: call("missions", user=user(n), near=HERE, minutes=90, slot="morning", k=5), "item"),
        "similar_souls": (lambda n: call("similar_souls", user=user(n), k=10), "soul"),
        "why": (lambda n: call("why", user=user(n), other=user(n + 7)), "soul"),
        "suggest": (lambda n: call("suggest", user=user(n), at=now), "preferences"),
        "today": (lambda n: call("today", user=user(n), at=now), "preferences"),
        "forecast": (lambda n: call("forecast", user="u0", baby="b"), "event"),
        "predictions": (lambda n: call("predictions", user="u0", baby="b"), "event"),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("records", nargs="+", help="files of records, as kin generate makes them")
    options.add_argument("--baby", help="a log of care events in CSV")
    options.add_argument("--store", help="the database; a temporary one if not given")
    options.add_argument("--rounds", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    random.seed(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or os.path.join(folder, "people.db")
        is_new = not os.path.exists(path)
        engine = kin.Engine(path)
        if is_new:
            begin = time.perf_counter()
            counts = {}
            for file in given.records:
                counts |= engine.call("import", path=file)
            if given.baby:
                engine.call("put", records=[{"baby": {"user_id": "u0", "id": "b", "date_of_birth": "2025-12-01"}}])
                counts |= engine.call("put", records=list(care_events(given.baby, "u0", "b")))
            print(f"imported in {time.perf_counter() - begin:.1f} s: {counts}")
        people = [f"u{number}" for number in range(1000)]
        random.shuffle(people)
        sessions = [line["session"]["id"] for user in people for line in engine.call("sessions", user=user, count=1)]
        samples = {}
        for line in engine.call("export", user="u0"):
            # The last of each kind: of care events the latest.
            samples[next(iter(line))] = line
        item = engine.call("inventory", near=HERE, k=1)[0]["item"]
        replaced = {
            "session": samples["session"],
            "item": item,
            "soul": samples["soul"],
            "preferences": {"challenge_preferences": {"user_id": "u0"}},
            "event": samples.get("care_event"),
        }
        print(f"{'question':<18}{'first':>10}{'new':>10}{'median':>10}{'p99':>10}{'after a put':>13}   milliseconds")
        for name, (ask, kind) in questions(engine, people, sessions).items():
            if replaced[kind] is None:
                continue
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
