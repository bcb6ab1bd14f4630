"""Data frames of pandas are read in the same way with and without pyarrow."""

import decimal
import sys

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of, session
from kin import _arrow_reader

pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")

TIMES = pandas.Series(pandas.to_datetime(["2026-01-01 10:00", None, "2026-07-01 12:30"]))
COLUMNS = {
    "float": pandas.Series([1.5, None, 3.0]),
    "integer": pandas.Series([1, 2, 3]),
    "nullable integer": pandas.Series([1, None, 3], dtype="Int64"),
    "nullable float": pandas.Series([1.5, None, 3.0], dtype="Float64"),
    "boolean": pandas.Series([True, False, True]),
    "nullable boolean": pandas.Series([True, None, False], dtype="boolean"),
    "text": pandas.Series(["a", None, "Zürich"]),
    "string": pandas.Series(["a", None, "Zürich"], dtype="string"),
    "category": pandas.Series(["a", None, "b"], dtype="category"),
    "time": TIMES,
    "time with a zone": TIMES.dt.tz_localize("Europe/Rome"),
}


def plain(columns):
    return {name: column.plain() for name, column in columns.items()}


@pytest.mark.parametrize("index", [None, pandas.Index(["x", "y", "z"], name="key"), pandas.MultiIndex.from_arrays([[1, 2, 3], list("abc")], names=["n", "c"])])
def test_columns_are_the_same(index, monkeypatch):
    frame = pandas.DataFrame(COLUMNS)
    if index is not None:
        frame = frame.set_index(index)
    expected = [plain(_arrow_reader.read(frame, with_index)) for with_index in (False, True)]
    series = {name: _arrow_reader.read(frame[name]).plain() for name in COLUMNS}
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert_raises(ImportError, None, frame.__arrow_c_stream__)
    assert [plain(_arrow_reader.read(frame, with_index)) for with_index in (False, True)] == expected
    assert {name: _arrow_reader.read(frame[name]).plain() for name in COLUMNS} == series


def test_vectors_and_attributes_are_the_same(monkeypatch):
    frame = pandas.DataFrame({"id": [3, 1, 2], "x": [1.0, 2.0, 3.0], "y": [0.5, 0.25, 4.0]})
    attributes = pandas.DataFrame({"n": COLUMNS["nullable integer"], "t": COLUMNS["time with a zone"], "c": COLUMNS["text"]})

    def found():
        table = kin.read_vectors(frame)
        index = index_of(table.vectors, table.ids, make=kin.FlatIndex)
        index.declare({"n": "integer", "t": "time", "c": "category"})
        index.set_attributes(table.ids, attributes)
        return table.vectors.tolist(), table.ids.tolist(), table.notes, [index.attributes(id) for id in (1, 2, 3)]

    expected = found()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert found() == expected
    assert expected[3][2] == {"n": 1, "t": "2026-01-01T09:00:00Z", "c": "a"}
    np.testing.assert_array_equal(kin.FlatIndex(2).add(frame[["x", "y"]]), [0, 1, 2])


@pytest.fixture(params=["with pyarrow", "without"])
def library(request, monkeypatch):
    if request.param == "without":
        monkeypatch.setitem(sys.modules, "pyarrow", None)


KINDS = {
    "float": "number", "integer": "integer", "nullable integer": "integer", "nullable float": "number", "boolean": "boolean",
    "nullable boolean": "boolean", "text": "category", "string": "category", "category": "category", "time": "time", "time with a zone": "time",
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_arrays_and_indexes_are_read_like_series(library, name):
    series = COLUMNS[name]

    def stored(kind, values):
        index = index_of(np.eye(3, 1), make=kin.FlatIndex)
        index.declare({"a": kind})
        index.set_attributes(range(3), {"a": values})
        return [index.attributes(id) for id in range(3)]

    forms = [pandas.Index(series), series.array, series.values]
    for values in forms:
        assert stored(KINDS[name], values) == stored(KINDS[name], series)
    for kind in set(KINDS.values()) - {KINDS[name]}:
        try:
            expected = stored(kind, series)
        except kin.InvalidArgument as failure:
            for values in forms:
                assert_raises(kin.InvalidArgument, None, stored, kind, values)
            assert "attribute a" in str(failure)
        else:
            assert all(stored(kind, values) == expected for values in forms)


@pytest.mark.parametrize("listed", [list, lambda rows: rows.tolist()])
def test_a_series_of_lists_holds_vectors(library, listed):
    rows = np.random.default_rng(1).random((6, 4), np.float32)
    column = pandas.Series(listed(rows))
    index = kin.FlatIndex(4)
    index.add(column)
    np.testing.assert_array_equal(index.vectors(range(6)), rows)
    np.testing.assert_array_equal(index.search(column, 1)[1].ravel(), range(6))
    np.testing.assert_array_equal(kin.read_vectors(pandas.DataFrame({"e": column})).vectors, rows)
    fitted = kin.KMeans(2, seed=1).fit(column)
    np.testing.assert_array_equal(fitted.cluster_centers_, kin.KMeans(2, seed=1).fit(rows).cluster_centers_)
    np.testing.assert_array_equal(fitted.predict(column), fitted.labels_)
    for wrong in (pandas.Series([*rows, None]), pandas.Series([*rows, rows[0, :2]]), pandas.Series(["a", "b"])):
        assert_raises(kin.InvalidArgument, None, index.add, wrong)


def test_booleans_are_dimensions(library):
    table = pandas.get_dummies(pandas.DataFrame({"x": [1.5, 2, 3], "c": ["a", "b", "a"]}))
    assert "bool" in set(map(str, table.dtypes))
    for frame in (table, table[["c_a", "c_b"]]):
        index = index_of(frame, make=kin.FlatIndex)
        np.testing.assert_array_equal(index.vectors(range(3)), frame.to_numpy(np.float32))
        np.testing.assert_array_equal(kin.read_vectors(frame).vectors, frame.to_numpy(np.float32))


def test_objects_that_are_numbers_are_dimensions(library):
    numbers = pandas.DataFrame({"a": [1, 2.5, 3], "b": [0, 1, 0]})
    tables = [numbers.astype(object), numbers.astype({"b": "category"}), numbers.astype(pandas.SparseDtype(float))]
    tables += [numbers.map(decimal.Decimal), numbers.astype("Float64"), numbers.astype({"b": bool}).astype({"b": object}), numbers.astype({"b": "boolean"})]
    for table in tables:
        index = index_of(table, make=kin.FlatIndex)
        np.testing.assert_array_equal(index.vectors(range(3)), numbers.to_numpy(np.float32))
        assert kin.KMeans(1).fit(table).cluster_centers_.shape == (1, 2)
    for wrong in (numbers.astype(object).replace(2.5, "x"), numbers.astype(object).replace(2.5, None)):
        assert_raises(kin.InvalidArgument, "column 'a'", kin.FlatIndex(2).add, wrong)
    for missing in (numbers.astype("Float64").replace(2.5, pandas.NA), numbers.astype(object).replace(2.5, None)):
        assert_raises(ValueError, "missing values, in row 1", kin.KMeans(2).fit, missing)


def test_columns_of_one_name_are_refused(library):
    frame = pandas.DataFrame(np.eye(2), columns=["a", "a"])
    index = kin.FlatIndex(2)
    calls = [index.add, index.search, kin.read_vectors, lambda table: index.set_attributes([], table), kin.forecast]
    for call in calls:
        assert_raises(kin.InvalidArgument, "2 columns are named 'a'", call, frame)


DATES = pandas.to_datetime(["2026-01-01", None])
PERIODS = pandas.to_timedelta([1, 2], unit="s")
NUMERIC = {
    "features": lambda values: kin.Policy("linucb", dimension=2, arms=2).choose(values),
    "rewards": lambda values: kin.estimate("ips", values, [0.5, 0.5], [0.5, 0.5]),
    "outcomes": lambda values: kin.sequential_test(values, [0, 1]),
    "weights": lambda values: kin.KMeans(1).fit([[1.0], [2]], sample_weight=values),
    "vectors": lambda values: kin.FlatIndex(1).add(pandas.DataFrame({"a": values})),
    "points": lambda values: kin.KMeans(1).fit(pandas.DataFrame({"a": values})),
}


@pytest.mark.parametrize("values", [DATES, PERIODS, pandas.Series(DATES), pandas.Series(PERIODS), PERIODS.as_unit("ns"), list(DATES[:1]) * 2], ids=str)
@pytest.mark.parametrize("name", NUMERIC)
def test_times_are_not_read_as_numbers(name, values):
    assert_raises((kin.KinError, ValueError, TypeError), "no real numbers|holds no numbers|is null|which is not read|must be a (string or a )?real number", NUMERIC[name], values)


@pytest.mark.parametrize("name", NUMERIC)
def test_whole_numbers_too_large_for_a_float_are_refused(name):
    values = pandas.Series([10**400, 1], dtype=object)
    assert_raises((kin.KinError, ValueError, OverflowError), None, NUMERIC[name], values)


LISTS = [list, tuple, set, iter, np.array, pandas.Series, pandas.Index, pandas.array, lambda ids: pandas.DataFrame({"id": ids})["id"]]


@pytest.mark.parametrize("kind", LISTS)
def test_ids_are_any_iterable(engine, kind):
    engine.put([session(number) for number in range(5)])
    found = engine.near(session="s0", exclude=kind(["s1", "s2", "s3"]))
    assert [row["session"]["id"] for row in found] == ["s4"]


def test_rows_of_a_data_frame_are_records():
    frame = pandas.DataFrame({"id": ["c1", "c2"], "title": ["A", "B"], "category": ["calm", "nature"], "time_investment": [10, 20], "description": ["C", None]})
    engine = kin.Engine()
    assert engine.put([{"challenge": row} for _, row in frame.iterrows()]) == {"challenge": 2}
    assert [row["challenge"].get("description") for row in engine.export()] == ["C", None]


def test_ids_may_be_whole_floats():
    arms = pandas.Series([1, None, 0])[[0, 2]]
    policy = kin.Policy("linucb", dimension=1, arms=2)
    policy.learn_many([[1.0], [2.0]], [1.0, 0.0], arms)
    for wrong in ([0.5, 1], [1.0, np.nan], [2.0**53 + 2, 1], [np.inf, 1]):
        assert_raises(kin.InvalidArgument, "float64", policy.learn_many, [[1.0], [2.0]], [1.0, 0.0], wrong)


@pytest.mark.parametrize("event", [None, (), {}, (b"", 0), ("", 0, 1.0), [1, 2, 3]])
def test_an_event_is_that_of_a_choice(event):
    assert_raises(kin.InvalidArgument, "choice.event", kin.Policy("linucb", dimension=1, arms=2).learn, event, 1.0)
