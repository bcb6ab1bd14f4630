"""Progress and cancellation of long calls."""

import ctypes
import functools
import json
import os
import signal
import sys
import threading

import kin
import numpy as np
import pytest
from conftest import assert_cancelled, assert_raises, index_of, together
from kin._library import CtypesOnly, library


@pytest.fixture
def points():
    return np.random.default_rng(3).normal(size=(60_000, 16)).astype(np.float32)


@pytest.fixture
def souls(tmp_path):
    """A file of 20,000 souls, no two alike."""
    lines = [
        json.dumps({"soul": {"uid": f"u{n}", "goals": {f"goal {n % 20}": 1 + n % 7}, "valence": n / 20_000}})
        for n in range(20_000)
    ]
    file = tmp_path / "souls.jsonl"
    file.write_text("\n".join(lines))
    return file


def fit(points):
    """Clusters for a minute or more, unless it is cancelled."""
    return kin.KMeans(300, restarts=1000, tolerance=0, seed=1).fit(points)


def test_a_handler_sees_done_and_total_on_its_thread(points):
    seen = []
    with kin.progress(lambda done, total: seen.append((done, total, threading.get_ident()))):
        watched = kin.KMeans(300, restarts=1, seed=1).fit(points)
    assert seen and all(0 <= done <= total and thread == threading.get_ident() for done, total, thread in seen)
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    plain = kin.KMeans(300, restarts=1, seed=1).fit(points)
    assert np.array_equal(watched.labels_, plain.labels_) and watched.inertia_ == plain.inertia_


def test_exceptions_of_a_handler_propagate(points):
    def handler(done, total):
        raise LookupError("enough")

    with kin.progress(handler), pytest.raises(LookupError, match="enough"):
        fit(points)


@pytest.fixture
def interrupts():
    """Python's own handler of Ctrl-C, which a process started in the background does not have."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


class Stop(Exception):
    """The exception of a signal's handler."""


STOPPED = {
    "fit": lambda points, engine, file: lambda: fit(points),
    "search": lambda points, engine, file: functools.partial(index_of(points).search, points, 10),
    "import": lambda points, engine, file: lambda: engine.import_(file),
}


@pytest.mark.parametrize("name", STOPPED)
def test_an_exception_of_a_signal_handler_ends_a_long_call(points, souls, tmp_path, monkeypatch, name):
    lost = []
    hook = lost.append
    monkeypatch.setattr(sys, "unraisablehook", hook)

    def stop(_number, _frame):
        raise Stop

    usual = signal.signal(signal.SIGALRM, stop)
    with kin.Engine(tmp_path / "people.db") as engine:
        call = STOPPED[name](points, engine, souls)
        try:
            for delay in (0.02, 0.03, 0.05):
                with pytest.raises(Stop):
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    call()
                    pytest.fail("the call ended before the signal")
                assert sys.unraisablehook is hook
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, usual)
        assert engine.info()["people"] == 0
    assert lost == []


def use_within(engine, call):
    """The errors of uses of an engine by the handler of its own long call."""
    errors = []

    def handler(_done, _total):
        for use in (engine.users, engine.info, engine.suspend, engine.close, lambda: engine.put([{"soul": {"uid": "s"}}])):
            with pytest.raises(kin.InvalidArgument) as failure:
                use()
            errors.append(str(failure.value))

    with kin.progress(handler):
        call(engine)
    return errors


WITHIN = {
    "import": lambda souls: lambda engine: engine.import_(souls),
    "export": lambda souls: lambda engine: engine.export(),
    "similar_pairs": lambda souls: lambda engine: engine.similar_pairs(above=0.99999, limit=1000),
}


@pytest.mark.parametrize("place", ["memory", "disk"])
@pytest.mark.parametrize("name", WITHIN)
def test_a_handler_cannot_use_the_engine_of_its_call(souls, tmp_path, name, place):
    with kin.Engine(tmp_path / "people.db" if place == "disk" else None) as engine:
        if name != "import":
            engine.import_(souls)
        errors = use_within(engine, WITHIN[name](souls))
        assert errors and all("handler" in error or "within a call" in error for error in errors), set(errors)
        assert engine.info()["people"] == 20_000


def test_a_handler_cannot_change_the_index_of_its_call(points):
    index = index_of(points[:1000], make=kin.FlatIndex)
    counts = []

    def handler(_done, _total):
        for change in (lambda: index.add(points[:2]), lambda: index.remove([1]), index.compact):
            assert_raises(kin.InvalidArgument, "handler", change)
        counts.append(len(index))

    with kin.progress(handler):
        index.add(np.tile(points, (6, 1)))
    assert set(counts) == {1000} and len(index) == 361_000


def test_a_call_on_another_thread_is_cancelled(points):
    def work():
        with kin.progress(lambda done, total: False):
            fit(points)

    assert_raises(kin.Cancelled, None, together, work)


def test_handlers_are_nested_and_end_with_their_block(points):
    outer, inner = [], []
    with kin.progress(lambda done, total: outer.append(done)):
        with kin.progress(lambda done, total: inner.append(done)):
            kin.KMeans(300, seed=1).fit(points)
    kin.KMeans(300, seed=1).fit(points)
    assert inner and not outer


LONG = {
    "add": lambda index, points, path: lambda: index.add(np.tile(points, (20, 1))),
    "search": lambda index, points, path: lambda: index.search(points, 10),
    "range_search": lambda index, points, path: lambda: index.range_search(points, 1.0),
    "recommend": lambda index, points, path: lambda: index.recommend([1], k=2000, diversity=0.3),
    "save": lambda index, points, path: lambda: index.save(path),
    "KMeans.predict": lambda index, points, path: functools.partial(kin.KMeans(500, max_iterations=1).fit(points[:1000]).predict, points),
    "PCA.fit": lambda index, points, path: lambda: kin.PCA(2).fit(np.tile(points, (20, 1))),
}


@pytest.mark.parametrize("kind", [kin.FlatIndex, kin.IVFIndex])
@pytest.mark.parametrize("name", LONG)
def test_every_long_call_can_be_cancelled(points, tmp_path, name, kind):
    # A call reports at most every 10 ms; a fast disk writes 20 MB in half of that.
    index = index_of(np.tile(points, (40 if name == "save" else 5, 1)), make=kind)
    call, before = LONG[name](index, points, tmp_path / "index.kin"), len(index)
    assert_cancelled(call)
    assert list(tmp_path.iterdir()) == [] and len(index) == before


def policy_calls():
    """Calls of policies and of estimates that take seconds, and the state that they must not change."""
    random = np.random.default_rng(4)
    rows, shares = random.normal(size=(4000, 40)), random.uniform(0.2, 0.8, 200_000)
    labels = random.integers(30, size=4000)
    policy = kin.Policy("thompson", 40, arms=30, seed=1)
    free = kin.Policy("thompson", 40, seed=1)
    yield policy, lambda: policy.play(np.tile(rows, (10, 1)), np.tile(labels, 10))
    yield policy, lambda: policy.choose_many(np.tile(rows, (20, 1)))
    yield policy, lambda: policy.learn_many(np.tile(rows, (40, 1)), np.zeros(160_000), np.zeros(160_000, int))
    yield policy, lambda: policy.expected_rewards(np.tile(rows, (40, 1)))
    yield policy, lambda: policy.probabilities(np.tile(rows, (20, 1)))
    yield free, lambda: free.probabilities(rows[:4], draws=1 << 16)
    yield None, lambda: kin.estimate("ips", shares, shares, shares, resamples=1000)
    yield None, lambda: kin.estimate_propensities(labels, rows)


def test_calls_of_policies_can_be_cancelled(interrupts):
    for policy, call in policy_calls():
        before = policy and policy.to_bytes()
        assert_cancelled(call)
        with kin.progress(lambda done, total: os.kill(os.getpid(), signal.SIGINT)), pytest.raises(KeyboardInterrupt):
            call()
        assert policy is None or policy.to_bytes() == before


INTERRUPTED = {
    "kin_clustering_assign": [lambda points: kin.KMeans(4).fit(points).predict, lambda points: kin.KMeans(4).fit(points).score],
    "kin_pca_transform": [lambda points: kin.PCA(2).fit(points).transform],
    "kin_pca_inverse_transform": [lambda points: kin.PCA(16).fit(points).inverse_transform],
}


@pytest.mark.parametrize("name", INTERRUPTED)
def test_a_short_call_raises_a_signal_that_arrives_during_it(points, interrupts, monkeypatch, name):
    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    for made in INTERRUPTED[name]:
        call = made(points)
        with monkeypatch.context() as patch:
            # The signal comes during the call, and its handler runs at the first Python step after it.
            patch.setattr("kin.kmeans.calls", CtypesOnly)
            patch.setattr(library, name, functools.partial(ctypes.CDLL(None)["raise"], signal.SIGINT))
            with pytest.raises(KeyboardInterrupt):
                call(points)
                pytest.fail("the signal was lost")
        assert np.size(call(points)) > 0
    assert lost == []
