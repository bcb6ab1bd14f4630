"""Every class called by many threads at once, closed during calls, and used after a fork."""

import os
import signal
import sysconfig
import threading
import time

import numpy as np
import pytest

import kin
from conftest import assert_raises, index_of, session, store_of, together


def in_child(work):
    """Runs a function in a fork of this process; the test fails if the function fails or hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.db"
    store_of(path).close()
    return path


@pytest.mark.parametrize("closers", [1, 3])
def test_an_engine_is_closed_while_threads_call(path, closers):
    for _ in range(4):
        engine = kin.Engine(path)
        answers = []

        def ask():
            while True:
                try:
                    answers.append(len(engine.call("near", session="s5", k=5)))
                except kin.InvalidArgument as failure:
                    assert "closed" in str(failure)
                    return

        def close():
            time.sleep(0.02)
            engine.close()
            # The engine is closed when the call returns, whichever thread closed it.
            assert_raises(kin.InvalidArgument, "closed", engine.call, "info")

        together(*[ask] * 6, *[close] * closers)
        assert set(answers) <= {5}
        # Its lock is released at once.
        with kin.Engine(path) as next_one:
            assert next_one.call("info")["sessions"] == 60


def test_an_engine_is_not_closed_from_within_its_own_call(path):
    engine = kin.Engine(path)
    engine._handle._enter()
    assert_raises(kin.InvalidArgument, "within", engine.close)
    engine._handle._leave()
    engine.close()
    engine.close()


def test_a_policy_serves_many_threads():
    policy = kin.Policy("thompson", dimension=4, arms=3, seed=5)
    shared = kin.Policy("thompson", dimension=4, seed=5)

    def work(number):
        random = np.random.default_rng(number)
        for _ in range(300):
            context = random.random(4)
            choice = policy.choose(context)
            # The event belongs to this call: features from a different call would teach the wrong thing.
            assert np.array_equal(np.frombuffer(choice.event.features), context)
            assert 0 <= choice.arm < 3 and 0 < choice.propensity <= 1
            policy.learn(choice.event, 1.0)
            table = random.random((5, 4))
            chosen = shared.choose(actions=table)
            assert np.array_equal(np.frombuffer(chosen.event.features), table[chosen.arm])
            shared.learn(chosen.event, 0.5, weight=2.0)

    together(*[lambda number=number: work(number) for number in range(6)])
    assert policy.observations == shared.observations == 1800


@pytest.mark.parametrize("kind", [kin.FlatIndex, kin.IVFIndex])
def test_an_index_serves_many_threads(kind, x, tmp_path):
    index = index_of(x, make=kind)
    index.declare({"n": "integer"})
    index.set_attributes(np.arange(3000), {"n": np.arange(3000)})
    mine = kin.Filter("n < 100")

    def read():
        for i in range(60):
            distances, ids = index.search(x[i % 100], 3, filter=mine, threads=1 + i % 2)
            assert ids[0] == i % 100 and distances[0] == 0
            assert index.range_search(x[i % 100], 0.0)[2].tolist() == [i % 100]
            assert len(index.ids) >= 3000 and index.contains([i]).all()
            assert index.attributes(i)["n"] == i
            kin.Filter([1, 2, 3])
            index.prepare("n < 50")

    def write():
        for i in range(60):
            index.add(x[100 + i : 101 + i], [5000 + i])
            index.remove([5000 + i])

    def keep():
        for i in range(5):
            name = tmp_path / f"{threading.get_ident()}.kin"
            index.save(name)
            assert kin.open(name).search(x[3], 1)[1][0] == 3

    together(read, read, read, write, keep, lambda: [index.copy().compact() for _ in range(20)])


def test_estimators_are_fitted_by_many_threads(random):
    tables = [random.random((60 + 40 * width, width)).astype(np.float32) for width in (2, 5, 16)]
    means, components = kin.KMeans(4), kin.PCA(2)

    def fit(table):
        for _ in range(40):
            for estimator in (means, components):
                estimator.fit(table)
                try:
                    # A different thread may have fitted a different width. The call then fails, or the answer has the
                    # right shape.
                    assert len(estimator.transform(table)) == len(table)
                    if estimator is means:
                        assert set(means.predict(table)) <= set(range(4))
                    else:
                        components.inverse_transform(np.zeros((3, 2), np.float32))
                except (ValueError, kin.KinError):
                    pass

    together(*[lambda table=table: fit(table) for table in tables])


def test_a_forked_child_continues_with_its_parents_objects(path, x):
    index = index_of(x)
    index.search(x, 5, threads=2)
    policy = kin.Policy("linucb", dimension=4, arms=3, seed=5)
    engine = kin.Engine(path)
    engine.call("info")
    kin.forecast([], "2026-01-02")
    souls = [{"uid": f"u{i}", "goals": {"a": 1 + i % 3, "b": i % 5}} for i in range(200)]

    def live():
        assert index.search(x[7], 1, threads=2)[1][0] == 7
        index.add(x[:3], [9000, 9001, 9002])
        kin.KMeans(3, threads=2).fit(x)
        kin.PCA(2, threads=2).fit_transform(x)
        policy.learn(policy.choose(np.ones(4)).event, 1.0)
        # A store does not survive the fork, and calls that need it fail at once instead of waiting.
        for attempt in (lambda: engine.call("info"), lambda: kin.Engine(path, read_only=True)):
            assert_raises(kin.InvalidArgument, "fork", attempt)
        engine.close()
        # Calls that need no store work, and continue from the parent's state.
        assert "reason" in kin.forecast([], "2026-01-02")
        assert len(kin.Matcher(souls, threads=2).similar_souls(k=1)) == 200
        assert kin.affinity(souls[0], souls[3])["score"] > 0

    in_child(live)
    # The parent's store is unchanged.
    assert engine.call("info")["sessions"] == 60
    engine.call("put", records=[session(60, "u9")])
    engine.close()


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_threads_that_search_at_once_all_advance(threads):
    """Threads take turns at brief searches of an index that is too large for the interpreter's lock."""
    points = np.random.default_rng(3).random((6000, 16), dtype=np.float32)
    index = index_of(points)
    searched = [0] * threads
    number = iter(range(threads))

    def ask():
        mine = next(number)
        while min(searched) < 200:
            row = (mine + threads * searched[mine]) % len(points)
            assert index.search(points[row], 1)[1][0] == row
            searched[mine] += 1

    together(*[ask] * threads)


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="in free-threaded Python a child inherits the locks of objects that other threads use, and can wait for them for ever",
)
def test_a_child_forked_while_threads_search_also_searches():
    points = np.random.default_rng(5).random((6000, 16), dtype=np.float32)
    index = index_of(points)
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            assert index.search(points[4], 1)[1][0] == 4

    def live():
        together(*[lambda: [index.search(points[i], 1) for i in range(50)]] * 4)

    def fork():
        try:
            for _ in range(10):
                in_child(live)
        finally:
            stop.set()

    together(*[ask] * 5, fork)
