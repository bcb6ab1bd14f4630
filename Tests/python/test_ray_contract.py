"""The guarantees of a session, broken on purpose: an immediate error that names the cause, and never a partial result.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, index_of, together
from ray_cluster import alive, cluster, clustered, expect_none_besides, ray  # noqa: F401

import kin.ray
from kin.ray import actors
from kin.ray.folder import Folder
from kin.ray.shard import Shard

pytestmark = pytest.mark.usefixtures("cluster")

# A hanging actor hangs for this number of seconds. It exceeds a session's default timeout, so a call that waited could
# only report a timeout.
SLEEP = 300


@pytest.fixture(scope="module")
def x():
    return clustered(np.random.default_rng(7), 1200)


@pytest.fixture(scope="module")
def folder(x, cluster, tmp_path_factory):
    """An index of three shards; every search uses all of them."""
    made = tmp_path_factory.mktemp("index")
    kin.ray.build(x, made, shards=3, partition="hash")
    return made


@pytest.fixture(scope="module")
def session(folder):
    """A session for tests that do not change it."""
    with kin.ray.open(folder) as opened:
        yield opened


def shard_file(folder, number):
    return folder / "shards" / Folder(folder).read().shards[number].name


@pytest.mark.parametrize("damage", ["missing", "short", "one bit"])
def test_a_shard_that_is_not_as_it_was(folder, x, damage):
    path = shard_file(folder, 1)
    whole = path.read_bytes()
    try:
        if damage == "missing":
            path.unlink()
        else:
            wrong = bytearray(whole[:-1] if damage == "short" else whole)
            wrong[len(wrong) // 2] ^= 4
            path.write_bytes(wrong)
        before = alive()
        assert_raises(kin.InputOutput if damage == "missing" else kin.CorruptFile, path.name, kin.ray.open, folder)
        expect_none_besides(before)
    finally:
        path.write_bytes(whole)
    with kin.ray.open(folder) as session:
        assert_same(session.search(x[:5]), index_of(x).search(x[:5]))


def test_a_restarted_actor_reports_a_damaged_file(folder, x):
    path = shard_file(folder, 2)
    whole = path.read_bytes()
    with kin.ray.open(folder) as session:
        try:
            path.unlink()
            assert_same(session.search(x[:5]), index_of(x).search(x[:5]))
            ray.kill(session._actors._handles[2][0])
            with pytest.raises(kin.InputOutput, match=path.name):
                # An actor may still answer while it is being killed.
                for _ in range(600):
                    session.search(x[:5])
                    time.sleep(0.05)
        finally:
            path.write_bytes(whole)


@pytest.mark.parametrize("replicas", [1, 2])
@pytest.mark.parametrize("is_restarted", [True, False])
def test_an_actor_that_is_killed(folder, x, replicas, is_restarted):
    expected = index_of(x).search(x[:200], 5)
    with kin.ray.open(folder, replicas=replicas) as session:
        for shard in range(3):
            ray.kill(session._actors._handles[shard][0], no_restart=not is_restarted)
            assert_same(session.search(x[:200], 5), expected)


def stand_in(monkeypatch, **methods):
    """Sessions with replaced actors."""
    monkeypatch.setattr(actors, "Shard", type("StandIn", (), {**Shard.__dict__, **methods}))


def test_a_constructor_that_raises(folder, monkeypatch):
    def refuse(self, *arguments):
        raise RuntimeError("there is no such library on this node")

    stand_in(monkeypatch, __init__=refuse)
    assert_raises(kin.ray.Unavailable, "no such library on this node", kin.ray.open, folder)


def test_too_few_cpus_for_actors_time_out(folder):
    assert_raises(kin.ray.TimedOut, r"shards 0, 1, 2 .* CPUs free", kin.ray.open, folder, num_cpus=100, timeout=3)


def test_time_outs_and_errors_of_one_shard(folder, x, monkeypatch):
    load = Shard.load

    def search(self, q, rows, k, radii, filter, options):
        number = int(self._shard.first_id)
        if k == 2 and number == 0:
            raise MemoryError("no memory is left")
        time.sleep(SLEEP if k == 1 or (k == 2 and number != 0) else 0)
        return self._index().search(q, k)

    stand_in(monkeypatch, load=load, search=search)
    with kin.ray.open(folder) as session:
        assert_raises(kin.ray.Unavailable, "no memory is left", session.search, x[:5], 2)
    with kin.ray.open(folder) as session:
        assert_same(session.search(x[:5], 3), index_of(x).search(x[:5], 3))
        began = time.monotonic()
        assert_raises(TimeoutError, "shards 0, 1, 2 of version 1", session.search, x[:5], 1, timeout=1)
        assert time.monotonic() - began < SLEEP / 4


def test_pending_work_is_bounded_and_ends_with_its_iterator(folder, x):
    taken = []

    def batches():
        for number in range(400):
            taken.append(number)
            yield x[number : number + 100]

    expected = index_of(x)
    with kin.ray.open(folder) as session:
        for number, found in enumerate(session.stream(batches(), 5)):
            assert len(taken) - number <= 3
            assert_same(found, expected.search(x[number : number + 100], 5))
            if number == 40:
                break
        assert len(taken) < 50
        found = session.stream([x[:5], x[:5] * np.nan, x[:5]], 5)
        assert_same(next(found), expected.search(x[:5], 5))
        assert_raises(kin.NotFinite, None, list, found)


def test_closing_a_session_ends_its_calls(folder, x, monkeypatch):
    def search(self, q, rows, k, radii, filter, options):
        time.sleep(SLEEP)

    stand_in(monkeypatch, search=search)
    session = kin.ray.open(folder)
    threading.Timer(0.5, session.close).start()
    began = time.monotonic()
    assert_raises(kin.ray.Unavailable, None, session.search, x[:5])
    assert time.monotonic() - began < SLEEP / 4
    assert_raises(kin.ray.Unavailable, "closed", session.search, x[:5])
    session.close()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s, x: s.search(x[:3] * np.nan), kin.NotFinite),
        (lambda s, x: s.search(x[:3, :4]), kin.DimensionMismatch),
        (lambda s, x: s.search(x[:3], -1), kin.InvalidArgument),
        (lambda s, x: s.search(x[:3], filter="user = 1"), kin.InvalidArgument),
        (lambda s, x: s.search(x[:3], filter="user ="), kin.MalformedInput),
        (lambda s, x: s.search(x[:3], filter=kin.Filter([1])), kin.InvalidArgument),
        (lambda s, x: s.search(x[:3], recall=2), kin.InvalidArgument),
        (lambda s, x: s.search(x[:3], threads=0), kin.InvalidArgument),
        (lambda s, x: s.range_search(x[:3], np.nan), kin.KinError),
        (lambda s, x: s.range_search(x[:3, :4], 1), kin.DimensionMismatch),
        (lambda s, x: s.explain(x[0] * np.inf), kin.NotFinite),
        (lambda s, x: kin.ray.open(s._actors._folder, replicas=0), kin.InvalidArgument),
        (lambda s, x: kin.ray.open(s._actors._folder, timeout=0), kin.InvalidArgument),
    ],
)
def test_invalid_calls_are_refused_and_the_session_stays_usable(session, x, call, error):
    assert_raises(error, None, call, session, x)
    assert_same(session.search(x[:3]), index_of(x).search(x[:3]))


@pytest.mark.parametrize("k", [2.0, np.int64(2)])
def test_whole_numbers_of_every_type_are_accepted(folder, session, x, k):
    expected = session.search(x[:3], 2)
    assert_same(session.search(x[:3], k), expected)
    assert_same(next(session.stream([x[:3]], k)), expected)
    assert session.explain(x[0], k)["neighbors"] == session.explain(x[0], 2)["neighbors"] and session.shards_asked(x[:3], k).tolist() == [3] * 3
    with kin.ray.open(folder, version=k - 1) as again:
        assert_same(again.search(x[:3], k), expected)


def test_a_pickled_session_serves_tasks_and_does_not_end_the_actors(folder, x):
    expected = index_of(x).search(x[:50], 5)
    with kin.ray.open(folder) as session:

        def search(guest, q):
            with guest:
                return guest.search(q, 5)

        task = ray.remote(search).options(num_cpus=0)
        for found in ray.get([task.remote(session, x[:50]) for _ in range(3)]):
            assert_same(found, expected)
        pickle.loads(pickle.dumps(session)).close()
        assert_same(session.search(x[:50], 5), expected)


def test_threads_that_search_at_once(folder, x):
    index = index_of(x)
    with kin.ray.open(folder, replicas=2) as session:

        def work(first):
            for _ in range(10):
                assert_same(session.search(x[first : first + 20], 4), index.search(x[first : first + 20], 4))

        together(*[partial(work, 100 * number) for number in range(4)])
        assert all(busy == [0, 0] for busy in session._actors._busy.values())


def test_actors_end_with_their_driver(folder):
    address = ray.get_runtime_context().gcs_address
    code = (
        "import ray, kin.ray, sys, time\n"
        f"ray.init(address={address!r}, log_to_driver=False, logging_level='error')\n"
        f"session = kin.ray.open({str(folder)!r})\n"
        "print('open', flush=True)\n"
        "time.sleep(100)\n"
    )
    before = alive()
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ)
    assert driver.stdout.readline() == b"open\n"
    assert len(alive() - before) == 3
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    expect_none_besides(before)
