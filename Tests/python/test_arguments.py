"""Impossible arguments: sizes that would wrap, paths that would be cut, invalid filters."""

import copy
import gc
import inspect
import pickle
import re
import sys
from pathlib import Path

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of
from kin._library import ClosableHandle, Handle

SIZES = [2**64 + 1, 2**64, -1, 1.5, "two", float("nan"), np.array([1, 2]), None]


SIZED = [
    lambda size: kin.FlatIndex(size),
    lambda size: kin.IVFIndex(size),
    lambda size: kin.Policy("linucb", size),
    lambda size: kin.Policy("linucb", 2, seed=size),
    lambda size: kin.KMeans(size).fit(np.ones((4, 2))),
    lambda size: kin.KMeans(2, seed=size).fit(np.ones((4, 2))),
    lambda size: kin.KMeans(2, restarts=size).fit(np.ones((4, 2))),
    lambda size: kin.MiniBatchKMeans(size).partial_fit(np.ones((4, 2))),
    lambda size: kin.MiniBatchKMeans(2, batch_size=size).fit(np.ones((4, 2))),
    lambda size: kin.FlatIndex(2).search(np.ones((1, 2)), size),
    # From here on, None is the default.
    lambda size: kin.Policy("linucb", 2, arms=size),
    lambda size: kin.IVFIndex(16, lists=size),
    lambda size: kin.PCA(size).fit(np.eye(4)),
    lambda size: kin.IVFIndex(2).search(np.ones((1, 2)), 2, probes=size),
    lambda size: kin.IVFIndex(2).search(np.ones((1, 2)), 2, threads=size),
    lambda size: kin.Engine(memory_budget=size),
    lambda size: kin.Engine(answer_limit=size),
]


@pytest.mark.parametrize(("call", "size"), [(call, size) for number, call in enumerate(SIZED) for size in SIZES if number < 10 or size is not None])
def test_invalid_sizes_are_refused(call, size):
    assert_raises((kin.InvalidArgument, kin.CapacityExceeded), None, call, size)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda path: kin.IVFIndex(2, lists=0), "lists"),
        (lambda path: kin.IVFIndex.build(path, [np.ones((3, 2))], lists=0), "lists"),
        (lambda path: kin.IVFIndex.build(path, [np.ones((3, 2))], memory=0), "memory"),
        (lambda path: kin.Policy("linucb", 2, arms=0), "arms"),
        (lambda path: kin.MiniBatchKMeans(2, batch_size=0).fit(np.ones((4, 2))), "batch_size"),
        (lambda path: kin.estimate_propensities([0, 1], np.ones((2, 2)), folds=2), "folds"),
        (lambda path: kin.KMeans(2, threads=0).fit(np.ones((4, 2))), "threads"),
    ],
)
def test_numbers_below_the_minimum_are_refused(call, name, tmp_path):
    assert_raises(kin.InvalidArgument, f"{name} must be a whole number from [013] on", call, tmp_path / "index.kin")


SOULS = [{"uid": "a", "goals": {"sleep": 1}}, {"uid": "b", "goals": {"sleep": 2}}]
BOOLEANS = {
    "Engine read_only": lambda value, path: kin.Engine(path, read_only=value),
    "FlatIndex.save overwrite": lambda value, path: index_of(np.ones((3, 2))).save(path, overwrite=value),
    "IVFIndex.build overwrite": lambda value, path: kin.IVFIndex.build(path, [np.ones((3, 2))], overwrite=value),
    "KMeans swaps": lambda value, path: kin.KMeans(2, swaps=value).fit(np.eye(4)),
    "Matcher every_goal_alike": lambda value, path: kin.Matcher(SOULS, every_goal_alike=value),
    "Policy pairs": lambda value, path: kin.Policy("linucb", 2, pairs=value),
    "open mapped": lambda value, path: kin.open(path.with_name("saved.kin"), mapped=value),
    "read_log strict": lambda value, path: kin.read_log(path.with_name("log.csv"), strict=value),
    "read_vectors strict": lambda value, path: kin.read_vectors(path.with_name("vectors.csv"), strict=value),
}
OPTIONAL_BOOLEANS = {
    "Matcher shrink": lambda value, path: kin.Matcher(SOULS, shrink=value),
    "affinity shrink": lambda value, path: kin.affinity(*SOULS, shrink=value),
    "read_vectors header": lambda value, path: kin.read_vectors(path.with_name("vectors.csv"), header=value),
}


def parameters_of(kind):
    """The parameters with a type, of public functions and classes without the generated methods of an engine."""
    for name in kin.__all__:
        public = getattr(kin, name)
        calls = {name: public}
        if inspect.isclass(public):
            calls = {name: public.__init__, **{f"{name}.{method}": call for method, call in vars(public).items() if method[0] != "_"}}
        for called, call in calls.items():
            call = getattr(call, "__func__", call)
            if inspect.isfunction(call) and call.__module__ != "kin._methods":
                yield from (f"{called} {p.name}" for p in inspect.signature(call).parameters.values() if p.annotation == kind)


def test_every_boolean_parameter_is_tested():
    known = BOOLEANS | OPTIONAL_BOOLEANS | {"Index.save overwrite": None, "IVFIndex.save overwrite": None}
    assert known.keys() >= {*parameters_of(bool), *parameters_of(bool | None)} >= OPTIONAL_BOOLEANS.keys()


@pytest.mark.parametrize("name", [*BOOLEANS, *OPTIONAL_BOOLEANS])
def test_booleans_are_true_or_false(name, tmp_path):
    call, path = (BOOLEANS | OPTIONAL_BOOLEANS)[name], tmp_path / "file"
    index_of(np.ones((3, 2))).save(tmp_path / "saved.kin")
    (tmp_path / "vectors.csv").write_text("1,2\n3,4\n")
    (tmp_path / "log.csv").write_text("type,start\nfeed,2026-01-01T08:00\n")
    for value in ["no", "True", "", 0, 1, 2, 1.0, [], [True], np.int64(1), np.array([True])]:
        assert_raises((kin.InvalidArgument, kin.MalformedInput), f"{name.split()[-1]}.*(must be True or False|true or false is expected)", call, value, path)
    if name in BOOLEANS:
        assert_raises(kin.InvalidArgument, "must be True or False, not None", call, None, path)
    else:
        call(None, path)
    for number, value in enumerate([False, np.bool_(False), *([True, np.bool_(True)] if "read_only" not in name else [])]):
        call(value, tmp_path / f"file{number}")


def test_a_single_text_is_no_list(tmp_path):
    """Its characters would be the elements."""
    (tmp_path / "xy.csv").write_text("x,y\n1,2\n")
    calls = {name: lambda given: kin.read_vectors(tmp_path / "xy.csv", **given) for name in ("columns", "exclude", "attributes")}
    whole = {"users": ["a", "b"], "sessions": ["x", "y"], "vectors": np.eye(2)}
    calls |= {name: lambda given: kin.Engine().put_embeddings(**whole | given) for name in ("users", "sessions")}
    calls |= {"people": lambda given: kin.Experiment("e", bytes(16), ["a"]).assign(**given), "variants": lambda given: kin.Experiment("e", bytes(16), **given)}
    for name, call in calls.items():
        assert_raises(kin.InvalidArgument, f"{name} must be a list of texts", call, {name: "xy"})


def test_preparing_needs_a_filter(index):
    assert_raises(kin.InvalidArgument, "no filter", index.prepare, None)


def test_results_of_a_range_search_are_writable(index, q):
    limits, distances, ids = index.range_search(q, 2.0)
    np.sqrt(distances, out=distances)
    ids += 1
    assert limits[-1] == len(ids) > 0
    assert all(found.size == 0 for found in index.range_search(q, -1.0)[1:])


@pytest.mark.parametrize("call", [kin.open, kin.Engine, kin.verify, lambda path: kin.FlatIndex(2).save(path)])
@pytest.mark.parametrize("path", ["/tmp/a\0b", b"/tmp/a\0b", b"/tmp/\xff", "/tmp/\udcff"])
def test_invalid_paths_are_refused(call, path):
    assert_raises(kin.InvalidArgument, None, call, path)


def test_a_path_may_be_bytes(index, tmp_path):
    path = str(tmp_path / "näher.kin").encode()
    index.save(path)
    assert len(kin.open(path)) == len(index)
    with kin.Engine(str(tmp_path / "a.db").encode()) as engine:
        assert engine.info()["people"] == 0


def test_a_prepared_filter_is_not_copied(index):
    for filter in (index.prepare([1]), ~index.prepare([1]), kin.Filter([1]) & index.prepare([1])):
        assert_raises(TypeError, "neither copied nor pickled", copy.deepcopy, filter)


def test_an_engine_is_not_copied(engine):
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        assert_raises(TypeError, "neither copied nor pickled", copied, engine)


FREED = {
    "engine": (kin.Engine, lambda engine: engine.users()),
    "engine's close": (kin.Engine, lambda engine: (engine.close(), engine.users())),
    "index": (lambda: kin.FlatIndex(2), lambda index: index.search([1, 2], 1)),
    "array": (lambda: kin.FlatIndex(2), lambda index: index.search(np.ones(2, np.float32), 1)),
    "length": (lambda: kin.FlatIndex(2), len),
    "policy": (lambda: kin.Policy("thompson", dimension=2, arms=2), lambda policy: policy.choose([1, 2])),
    "filter": (lambda: kin.Filter([1]), lambda filter: index_of(np.ones((3, 2))).search([1, 2], 1, filter=filter)),
}


@pytest.mark.parametrize("name", FREED)
def test_an_object_that_the_collector_has_freed_is_not_used(name):
    create, use = FREED[name]
    outcomes = []

    class Cycle:
        """An object in a cycle that uses another object of the cycle, which the collector finalises first."""

        def __init__(self):
            self.used = create()
            self.last = Last(self)

    class Last:
        def __init__(self, cycle):
            self.cycle = cycle

        def __del__(self):
            try:
                outcomes.append(use(self.cycle.used))
            except Exception as failure:
                outcomes.append(str(failure))

    Cycle()
    gc.collect()
    assert len(outcomes) == 1 and ("freed" in outcomes[0] or "closed" in outcomes[0]), outcomes


@pytest.mark.parametrize("kind", [Handle, ClosableHandle])
def test_an_uninitialised_handle_is_freed_without_error(kind, monkeypatch):
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    handle = kind.__new__(kind)
    assert_raises(TypeError, None, copy.copy, handle)
    del handle
    assert raised == []


TABLE, SHARES, SOME, THREE = np.ones((3, 16)), np.full((3, 3), 0.5), np.ones(3), [0, 1, 2]
ARRAYS = [
    (lambda index, x, ids: index.add(x, ids), TABLE, THREE),
    (lambda index, q: index.search(q, 1), TABLE),
    (lambda index, q: index.search(q, 1), TABLE[0]),
    (lambda index, q, radii: index.search(q, 1, radii=radii), TABLE, SOME),
    (lambda index, allowed: index.search(np.ones(16), 1, filter=allowed), THREE),
    (lambda index, allowed: index.search(np.ones(16), 1, filter=allowed), [True, False, True]),
    (lambda index, q: index.range_search(q, 1.0), TABLE),
    (lambda index, q: index.explain(q), TABLE[0]),
    (lambda index, ids, other, excluded: index.recommend(ids, other, exclude=excluded), THREE, THREE, THREE),
    (lambda index, example: index.recommend([example]), TABLE[0]),
    (lambda index, ids: index.vectors(ids), THREE),
    (lambda index, ids: index.contains(ids), THREE),
    (lambda index, ids: index.remove(ids), THREE),
    (lambda index, ids: index.set_attributes(ids, {}), THREE),
    (lambda index, x, init, weights: kin.KMeans(3, init=init).fit(x, sample_weight=weights), TABLE, TABLE, SOME),
    (lambda index, x, weights: kin.MiniBatchKMeans(1).partial_fit(x, sample_weight=weights), TABLE, SOME),
    (lambda index, x, y: kin.PCA(16).fit(x).inverse_transform(y), np.eye(17)[:, :16], TABLE),
    (lambda index, weights: kin.Policy("linucb", 3, prior_weights=weights), SOME),
    (lambda index, context, arms: kin.Policy("linucb", 3, arms=3).choose(context, arms), SOME, THREE),
    (lambda index, actions: kin.Policy("linucb", 16).choose(actions=actions), TABLE),
    (lambda index, contexts: kin.Policy("linucb", 16, arms=2).choose_many(contexts), TABLE),
    (lambda index, *given: kin.Policy("linucb", 16, arms=3).learn_many(*given), TABLE, SOME, THREE, SOME),
    (lambda index, contexts, labels: kin.Policy("linucb", 16, arms=3).play(contexts, labels), TABLE, THREE),
    (lambda index, rows: kin.Policy("linucb", 16).expected_rewards(rows), TABLE),
    (lambda index, rows: kin.Policy("linucb", 16).probabilities(rows), TABLE),
    (lambda index, a, b, *given: kin.estimate("dr", *given, estimates=a, values=b), *[SOME] * 5),
    (lambda index, a, b, *given: kin.estimate_slates("cascade-dr", *given, estimates=a, values=b), *[TABLE] * 5),
    (lambda index, actions, x, groups: kin.estimate_propensities(actions, x, groups=groups), THREE, TABLE, THREE),
    (lambda index, *given: kin.marginal_probabilities(*given), TABLE, TABLE, TABLE),
    (lambda index, *given: kin.select_features(*given), SOME, THREE, np.eye(3, 2, dtype=int), SHARES, SHARES),
    (lambda index, *given: kin.sequential_test(*given), SOME, [True, False, True]),
    (lambda index, embedding: kin.Engine().near(embedding=embedding), TABLE[0]),
]


def masked(values):
    """The same values with a masked row."""
    array = np.ma.masked_array(values)
    array[1] = np.ma.masked
    return array


@pytest.mark.parametrize(("call", "arguments", "place"), [(call, given, place) for call, *given in ARRAYS for place in range(len(given))])
def test_masked_numbers_are_refused_in_every_array(index, call, arguments, place):
    before = len(index), index.ids
    given = [masked(values) if number == place else values for number, values in enumerate(arguments)]
    assert_raises(kin.InvalidArgument, "row 1 is masked", call, index, *given)
    assert len(index) == before[0] and (index.ids == before[1]).all()


@pytest.mark.parametrize(
    "wrong",
    [[["a", "b"]], [[1, 2], [3]], [[None, {}]], np.ones((1, 2), complex), np.zeros((1, 2), "M8[s]"), [[10**400, 1]]],
    ids=["texts", "ragged", "objects", "complex", "times", "huge"],
)
@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: kin.FlatIndex(2).add(wrong),
        lambda wrong: kin.IVFIndex(2).search(wrong, 1),
        lambda wrong: kin.FlatIndex(2).range_search(wrong, 1.0),
        lambda wrong: kin.Policy("linucb", 2).expected_rewards(wrong),
        lambda wrong: kin.estimate_slates("iips", np.ones((1, 2)), np.ones((1, 2)), wrong),
    ],
)
def test_arrays_without_numbers_are_refused(call, wrong):
    assert_raises(kin.InvalidArgument, None, call, wrong)


def test_a_set_is_a_filter(index, q):
    expected = index.search(q, 3, filter=[3, 5, 8])
    for allowed in ({3, 5, 8}, frozenset([8, 5, 3]), dict.fromkeys([5, 3, 8]).keys()):
        assert (index.search(q, 3, filter=allowed)[1] == expected[1]).all()
    assert (index.search(q, 3, filter=set())[1] == -1).all()


@pytest.mark.parametrize("missing", [np.nan, None])
def test_missing_treatments_are_refused(missing):
    with pytest.raises(kin.NotFinite, match="treated"):
        kin.sequential_test([0.0, 1.0, 0.5], np.array([1.0, missing, 0.0], object if missing is None else float))


@pytest.mark.parametrize("given", [masked(TABLE), (TABLE, masked(THREE))])
def test_builds_refuse_masked_batches(given, tmp_path):
    assert_raises(kin.InvalidArgument, "row 1 is masked", kin.IVFIndex.build, tmp_path / "index.kin", [given])


@pytest.mark.parametrize("kind", [list, np.array, np.longdouble])
def test_numbers_beyond_a_float_are_named(index, kind):
    for call in (index.add, index.search, lambda x: kin.FlatIndex(2).add(x)):
        with pytest.raises(kin.NotFinite, match="row 1: 1e.300 is too large for a 32-bit float"):
            call(kind([[np.inf, 1], [2, 1e300]]))
    assert_raises(kin.NotFinite, "-1e.300 is too large", index.search, [-1e300, 1])


def test_errors_of_bytes_name_no_file():
    for state in (b"", b"nothing of the kind", kin.FlatIndex(2).to_bytes()[:-9]):
        for read in (kin.FlatIndex.from_bytes, kin.Index.from_bytes):
            with pytest.raises(kin.KinError, match="^the bytes: ") as raised:
                read(state)
            assert "index.kin" not in str(raised.value)


def test_masked_arrays_without_masked_values_are_accepted(index, x):
    whole = np.ma.masked_array(x[:2])
    assert (index.add(whole, np.ma.masked_array([5, 6], [False, False])) == [5, 6]).all()
    assert (index.search(whole, 1)[1][:, 0] >= 0).all()
    assert kin.PCA(1).fit(whole).n_components_ == 1


@pytest.mark.parametrize("wrong", ["x", None, [1, 2], 1 + 2j, object()])
def test_a_number_is_required_by_name(index, q, wrong):
    calls = {
        "radius": lambda: index.range_search(q, wrong),
        "negative_weight": lambda: index.recommend([1], negative_weight=wrong),
        "diversity": lambda: index.recommend([1], diversity=wrong),
    }
    if wrong is not None:
        calls["recall"] = lambda: index.search(q, 2, recall=wrong)
    for name, call in calls.items():
        assert_raises(kin.InvalidArgument, f"^{name} must be a number", call)


def test_the_size_of_an_index_and_of_a_policy_cannot_be_assigned(index):
    for owner, names in ((index, ["dimension", "metric"]), (kin.Policy("linucb", 3), ["dimension", "arms"])):
        for name in names:
            assert_raises(AttributeError, None, setattr, owner, name, 1)


def test_a_missing_number_is_refused_with_its_row():
    for rows in ([[1.0, 2.0], [1.0, None]], np.array([[1, 2], [None, 3]], object), [[1.0, 2.0], [3.0, float("nan")]]):
        assert_raises((kin.InvalidArgument, kin.NotFinite), "row 1", kin.FlatIndex(2).add, rows)


class Tensor:
    """A tensor that is lent by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        if self.array is None:
            raise BufferError("the tensor is on a device")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return (1, 0) if self.array is None else self.array.__dlpack_device__()


def test_tensors_are_read(index, x, q):
    found = kin.FlatIndex(16)
    found.add(Tensor(x))
    np.testing.assert_array_equal(found.search(Tensor(q), 3)[1], index.search(q, 3)[1])
    assert_raises(kin.InvalidArgument, "copy it to the CPU", found.add, Tensor(None))


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (kin.NotFinite, lambda: kin.KMeans(2).fit([[np.nan], [1]])),
        (kin.NotFinite, lambda: kin.KMeans(2).fit([[None], [1]])),
        (kin.InvalidArgument, lambda: kin.KMeans(2).fit([["a"], ["b"]])),
        (kin.InvalidArgument, lambda: kin.PCA().fit([[1, 2]])),
        (kin.InvalidArgument, lambda: kin.KMeans(2).set_params(a=1)),
        (kin.DimensionMismatch, lambda: kin.KMeans(2).fit([1, 2])),
        (kin.DimensionMismatch, lambda: kin.KMeans(1).fit([[1, 2]]).predict([[1]])),
        (kin.DimensionMismatch, lambda: kin.PCA(1).fit(np.eye(3)).inverse_transform([[1, 2]])),
    ],
)
def test_estimators_raise_errors_with_codes(kind, call):
    assert_raises(kind, None, call)


def test_every_refused_value_has_a_code():
    # _json finds the place of a value after its plain error.
    plain = re.compile(r"raise (ValueError|RuntimeError|KeyError|IndexError|OSError)\(")
    found = {path.name for path in Path(kin.__file__).parent.glob("*.py") if plain.search(path.read_text(encoding="utf-8"))}
    assert found == {"_json.py"}
