"""The extension module for the shortest calls, and the path through ctypes: the same answers and the same errors."""

import os
import pickle
import re
import sysconfig
import threading

import kin
import kin._library
import kin._names
import kin.index
import kin.kmeans
import kin.policy
import numpy as np
import pytest
from conftest import SOURCES, index_of, run_python, together

IS_FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
has_calls = pytest.mark.skipif(
    kin._library.calls is kin._library.CtypesOnly, reason="KIN_CALLS is ctypes, or Python is free-threaded"
)


class Both:
    """Makes a call through the module and through ctypes, and counts the calls that the module answered."""

    def __init__(self, monkeypatch):
        self.patch = monkeypatch
        self.answered = 0

    def _use(self, calls):
        for module in (kin.index, kin._names, kin.kmeans, kin.policy):
            self.patch.setattr(module, "calls", calls)

    def __call__(self, work):
        results = []
        for calls in (self, kin._library.CtypesOnly):
            self._use(calls)
            try:
                results.append(work())
            except Exception as failure:  # noqa: BLE001
                results.append((type(failure), str(failure)))
        fast, slow = (pickle.dumps(result) for result in results)
        assert fast == slow, results
        return results[0]

    def __getattr__(self, name):
        function = getattr(kin._library.calls, name)

        def counted(*arguments):
            found = function(*arguments)
            self.answered += found is not None
            return found

        return counted


@pytest.fixture
def both(monkeypatch):
    return Both(monkeypatch)


QUERIES = {
    "a row": lambda q: q[0],
    "a table of one": lambda q: q[:1],
    "two rows": lambda q: q[:2],
    "no row": lambda q: q[:0],
    "doubles": lambda q: q[0].astype(np.float64),
    "a list": lambda q: q[0].tolist(),
    "big-endian": lambda q: q[0].astype(">f4"),
    "every second number": lambda q: np.repeat(q[0], 2)[::2],
    "unaligned": lambda q: np.frombuffer(b"x" + q[0].tobytes(), dtype=np.uint8)[1:].view(np.float32),
    "masked": lambda q: np.ma.masked_array(q[0], mask=np.arange(16) == 3),
    "read-only": lambda q: np.frombuffer(q[0].tobytes(), np.float32),
    "too short": lambda q: q[0, :15],
    "three dimensions": lambda q: q[np.newaxis, :1],
    "not finite": lambda q: np.full(16, np.nan, np.float32),
    "text": lambda q: "a vector",
    "None": lambda q: None,
}


@has_calls
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_searches_are_equal_on_both_paths(both, index, q, query):
    asked = query(q)
    for k in (10, 0, 3000, 5000, np.int64(3), True, -1, 2.5, 1 << 70, "ten", None):
        both(lambda: index.search(asked, k))
    for radius in (0.4, 0, np.float32(0.5), np.inf, np.nan, -1, "far", None):
        both(lambda: index.range_search(asked, radius))
    settings = [{"filter": [1, 5, 9]}, {"filter": np.zeros(0, np.int64)}, {"threads": 2}, {"radii": [0.4]}, {"radii": 0.4}]
    if isinstance(index, kin.IVFIndex):
        settings += [{"recall": 0.9}, {"probes": 2}, {"recall": 2.0}]
    for options in settings:
        both(lambda: index.search(asked, 4, **options))
        if "filter" in options or "threads" in options:
            both(lambda: index.range_search(asked, 0.4, **options))


@has_calls
def test_the_module_answers_plain_calls(both, index, q):
    for work in (lambda: index.search(q[0], 10), lambda: index.search(q[:1], 10), lambda: index.range_search(q[0], 0.3)):
        before = both.answered
        both(work)
        assert both.answered == before + 1
    empty = kin.FlatIndex(3)
    both(lambda: empty.search(np.zeros(3, np.float32), 2))
    both(lambda: empty.range_search(np.zeros(3, np.float32), 2))


@has_calls
@pytest.mark.parametrize("text", ["{}", "ünï {}", "日" * 40 + "{}", "x" * 1000 + "{}"])
def test_texts_of_results_are_equal_on_both_paths(both, make, x, q, text):
    index = index_of(x[:200], [text.format(number) for number in range(200)], make)
    for k in (0, 1, 10, 128, 129, 300):
        both(lambda: index.search(q[0], k))
        both(lambda: index.search(q[:1], k))
        both(lambda: index.search(q[:3], k))
    for radius in (-1, 0.2, 9):
        both(lambda: index.range_search(q[0], radius))
    both(lambda: index.ids)
    found = index.search(q[0], 5)[1]
    index.remove(found[:2])
    both(lambda: index.search(q[0], 200))
    before = both.answered
    both(lambda: index.search(q[0], 5))
    # The search, and its texts.
    assert both.answered == before + 2


@has_calls
def test_policies_are_equal_on_both_paths(both):
    def play(name, tables, **settings):
        policy = kin.Policy("linucb", dimension=4, seed=3, **settings)
        seen = []
        for table, reward in zip(tables, [0.0, 1, np.float32(0.5)] * 10):
            choice = policy.choose(**{name: table})
            seen.append((choice, type(choice), type(choice.event)))
            policy.learn(choice.event, reward)
            policy.learn(choice.event, reward=1, weight=2)
        return seen, policy.to_bytes()

    both(lambda: play("context", ROWS, arms=3))
    both(lambda: play("actions", TABLES))
    assert both.answered >= 150
    policy = kin.Policy("linucb", dimension=4, arms=3)
    event = policy.choose(np.ones(4)).event
    for context in (np.ones(3), np.ones((1, 4)), [1, 2, 3, 4], np.ones(4, np.float32), np.full(4, np.nan), None, "x"):
        both(lambda: kin.Policy("linucb", dimension=4, arms=3, seed=1).choose(context))
    for wrong in (
        event._replace(arm=7), event._replace(arm=-1), event._replace(arm=None), event._replace(features=b"12345678"),
        event._replace(arm=np.int64(1)), tuple(event), event._replace(features=bytearray(event.features)), (), None,
    ):
        both(lambda: _learned(wrong, 1.0))
    for reward, weight in ((np.nan, 1.0), (1.0, -1.0), ("good", 1.0), (None, 1.0), (1.0, None), (True, 1)):
        both(lambda: _learned(event, reward, weight))


ROWS = np.random.default_rng(1).random((30, 4))
TABLES = np.random.default_rng(2).random((30, 5, 4))


def _learned(event, *numbers):
    policy = kin.Policy("linucb", dimension=4, arms=3, seed=1)
    policy.learn(event, *numbers)
    return policy.to_bytes()


@has_calls
def test_labels_are_equal_on_both_paths(both, x):
    for metric in ("l2", "cosine"):
        means = kin.KMeans(5, metric=metric).fit(x)
        before = both.answered
        both(lambda: means.predict(x))
        both(lambda: means.predict(x[:1]))
        assert both.answered == before + 2
        for table in (x[0], x[:, :3], x.astype(np.float64), x[::2], np.full((2, 16), np.nan, np.float32), x[:0], None):
            both(lambda: means.predict(table))
    both(lambda: kin.KMeans(5).predict(x))


@has_calls
def test_calls_run_in_parallel(index, q):
    """A search of a large index lets other threads run."""
    large = index_of(np.random.default_rng(4).random((400_000, 16), dtype=np.float32), make=kin.FlatIndex)
    expected = index.search(q[0], 5)[1].tolist()
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            assert index.search(q[0], 5)[1].tolist() == expected
            large.search(q[1], 5)

    def change():
        for number in range(200):
            index.add(np.full((1, 16), 9.0, np.float32), [7_000 + number % 3])
        stop.set()

    together(*[ask] * 4, change)


def test_the_module_can_be_switched_off():
    """As in free-threaded Python, which has no module. The tests above compare all calls."""
    program = """
import kin, kin._library, numpy as np
assert kin._library.calls is kin._library.CtypesOnly
index = kin.FlatIndex(2); index.add(np.eye(2), ["a", "b"])
assert index.search(np.float32([0, 1]), 1)[1].tolist() == ["b"]
"""
    run_python(program, KIN_CALLS="ctypes")


@pytest.mark.skipif(IS_FREE_THREADED, reason="free-threaded Python has no limited API")
def test_the_wheel_has_the_module():
    assert os.environ.get("KIN_CALLS") == "ctypes" or kin._library.calls.__name__ == "kin._calls"


LEVELS = re.findall(r'"(\w+)"', re.search(r'"simd" \(.*?;', (SOURCES / "CKin/include/kin.h").read_text(), re.DOTALL)[0])[1:]
"""The instruction sets that kin.h lists."""


@pytest.mark.parametrize("level", LEVELS)
def test_code_bits_match_the_kernel(level):
    """Lists are screened with eight bits at every level, except for inner products. Levels without a dot product scan
    with six."""
    program = f"""
import kin, numpy as np
if kin.build_info()["simd"] == "{level}":
    x = np.random.default_rng(1).random((3000, 16), dtype=np.float32)
    for metric in ("l2", "cosine", "ip"):
        for kind in (kin.FlatIndex, kin.IVFIndex):
            index = kind(16, metric); index.add(x)
            report = index.explain(x[0] + np.float32(0.01), 3)
            assert report["simd"] == "{level}" and report["blocks_screened"] > 0
            print(metric, kind.__name__, report["code_bits"])
"""
    printed = run_python(program, KIN_SIMD=level)
    if not printed:
        pytest.skip("this CPU has no such level")
    few = 6 if level in ("avx2", "neon") else 8
    expected = [f"{metric} {kind} {8 if kind == 'IVFIndex' and metric != 'ip' else few}"
                for metric in ("l2", "cosine", "ip") for kind in ("FlatIndex", "IVFIndex")]
    assert printed.splitlines() == expected
