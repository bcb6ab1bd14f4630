"""Shared by the tests of the Python package: vectors, indexes, records, logs, threads and programs."""

import datetime
import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path

import kin
import numpy as np
import pytest

# The package and its tests need only NumPy, except for these tests. run.sh installs their dependencies; clean.sh does
# not.
NEEDS = {
    "sklearn": ["test_ann_benchmarks.py", "test_estimators.py", "test_pages.py", "test_sklearn*.py"],
    "langchain_tests": ["test_langchain.py", "test_pages.py"],
    "haystack": ["test_haystack.py", "test_pages.py"],
}
collect_ignore_glob = [name for package, names in NEEDS.items() if not importlib.util.find_spec(package) for name in names]
# Without this, Haystack sends statistics.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

SOURCES = Path(__file__).resolve().parents[2] / "Sources" / "Interfaces"


@pytest.fixture
def random():
    return np.random.default_rng(20260301)


@pytest.fixture
def x(random):
    """3,000 vectors of 16 dimensions."""
    return random.random((3000, 16), dtype=np.float32)


@pytest.fixture
def q(random):
    """40 queries of 16 dimensions."""
    return random.random((40, 16), dtype=np.float32)


@pytest.fixture
def blobs(random):
    centres = 10 * random.standard_normal((5, 6))
    return np.concatenate([centre + random.standard_normal((80, 6)) for centre in centres]).astype(np.float32)


KINDS = [kin.FlatIndex, kin.IVFIndex, lambda *settings, **named: kin.IVFIndex(*settings, **named, lists=20)]


@pytest.fixture(params=KINDS, ids=["flat", "ivf", "ivf-lists"])
def make(request):
    """Makes an empty index."""
    return request.param


@pytest.fixture
def index(make, x):
    return index_of(x, make=make)


@pytest.fixture
def engine():
    """A store in memory."""
    with kin.Engine() as engine:
        yield engine


def index_of(x, ids=None, make=kin.IVFIndex, **settings):
    """An index of vectors."""
    index = make(np.shape(x)[1], **settings)
    index.add(x, ids, threads=2)
    return index


def assert_same(found, expected):
    """Requires identical bits, or equal texts."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one.dtype == other.dtype and one.shape == other.shape
        assert one.tolist() == other.tolist() if one.dtype == object else one.tobytes() == other.tobytes()


def assert_raises(error, words, call, /, *arguments, **named):
    """Requires that a call raises an error whose text matches a pattern; None for any text."""
    with pytest.raises(error, match=words):
        call(*arguments, **named)


def assert_cancelled(call, /, *arguments):
    """Requires that a handler of its progress can end a call."""
    with kin.progress(lambda done, total: False), pytest.raises(kin.Cancelled, match="cancelled"):
        call(*arguments)


def together(*works):
    """Runs functions on threads that begin at the same time, and raises the first error."""
    failures = []
    start = threading.Barrier(len(works))

    def guarded(work):
        start.wait()
        try:
            work()
        except BaseException as failure:  # noqa: BLE001
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread hangs"
    if failures:
        raise failures[0]


def run_python(program, *arguments, **environment):
    """Runs a program in a new process, requires success, and returns its standard output."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def squared_distances(q, x):
    """Every squared distance, in double precision: (queries, vectors)."""
    difference = q[:, np.newaxis, :].astype(np.float64) - x[np.newaxis, :, :].astype(np.float64)
    return (difference**2).sum(axis=2)


def nearest(distances, k):
    """The columns of the k least numbers of each row, ties by column."""
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


NAMES = (
    "order enclosure path horizon anxiety ignorance repetition post food mobility erotic_uncertainty material_play power "
    "nature_mirror serendipity_following anchor_expansion"
).split()


def session(number, user="u1", state="drift"):
    return {
        "id": f"s{number}",
        "user_id": user,
        "state": state,
        "timestamp_start": f"2026-11-{1 + number % 20:02}T06:30:00Z",
        "pleasure_vector": {"primary": [NAMES[number % 16]], "intensities": {NAMES[number % 16]: 0.5 + number % 7 / 16}},
    }


def at(minutes):
    """An instant by its minutes since the beginning of 2026."""
    return (datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=minutes)).isoformat(timespec="minutes")


def baby_log(days):
    """A baby asleep at 9, 12 and 15 for an hour, and from 20 to 6; fed after each sleep."""
    events = []
    for day in range(days):
        for hour, hours in ((9, 1), (12, 1), (15, 1), (20, 10)):
            start = day * 1440 + hour * 60 + day % 5
            events.append({"type": "sleep", "start": at(start), "end": at(start + hours * 60)})
            events.append({"type": "feed", "start": at(start + hours * 60 + 10)})
    return sorted(events, key=lambda event: event["start"])


def store_of(path, count=60):
    """An engine with a store that has sessions of three people."""
    engine = kin.Engine(path)
    engine.put([{"session": session(number, f"u{number % 3}")} for number in range(count)])
    return engine
