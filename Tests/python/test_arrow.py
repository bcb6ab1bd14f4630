"""Vectors, ids, attributes and records from the columns of pyarrow, Polars and pandas."""

import datetime
import decimal
import gc

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, index_of, session
from kin import _arrays, _arrow_reader

arrow = pytest.importorskip("pyarrow")
polars = pytest.importorskip("polars")
pandas = pytest.importorskip("pandas")


@pytest.fixture
def x(random):
    return random.random((1000, 16), dtype=np.float32)


def test_a_data_frame_index_is_not_a_coordinate(x, tmp_path):
    rows = pandas.DataFrame(x[:40], columns=[f"c{column}" for column in range(16)])
    for index in (None, pandas.Index(range(40), name="key"), pandas.MultiIndex.from_product([range(8), range(5)], names=["a", "b"])):
        named = rows if index is None else rows.set_index(index)
        for lent in (named, arrow.Table.from_pandas(named)):
            vectors = kin.FlatIndex(16)
            assert len(vectors.add(lent)) == 40
            vectors.declare({"c0": "number"})
            vectors.set_attributes(range(40), arrow.Table.from_pandas(named[["c0"]]))
    souls = pandas.DataFrame([{"uid": "a", "valence": 0.5}, {"uid": "b", "valence": 0.4}]).set_index("uid")
    assert [found["other"] for found in kin.Matcher(souls).similar_souls("a", k=1)] == ["b"]


def lent(x):
    """The same rows in every form that provides them."""
    fixed = arrow.FixedSizeListArray.from_arrays(arrow.array(x.ravel()), 16)
    named = {f"c{column}": x[:, column] for column in range(16)}
    return {
        "fixed": fixed,
        "list": arrow.array(x.tolist(), arrow.list_(arrow.float64())),
        "large list": arrow.array(x.tolist(), arrow.large_list(arrow.float32())),
        "pieces": arrow.chunked_array([fixed[:300], fixed[300:300], fixed[300:]]),
        "slice": arrow.concat_arrays([fixed[:7], fixed])[7:],
        "table": arrow.table(named),
        "batch": arrow.RecordBatch.from_pydict(named),
        "polars array": polars.Series(x),
        "polars list": polars.Series(x.tolist()),
        "polars frame": polars.DataFrame(named),
        "pandas frame": pandas.DataFrame(x, index=np.arange(len(x))[::-1]),
    }


def lent_ids(ids):
    yield from (ids, arrow.array(ids), arrow.chunked_array([ids[:10], ids[10:]]), polars.Series(ids), pandas.Series(ids))


def test_rows_equal_numpy(x):
    ids = np.arange(5, 1005)
    expected = index_of(x, ids, make=kin.FlatIndex)
    q = x[:20] + np.float32(0.01)
    for column, queries in zip(lent(x).values(), lent(q).values()):
        for numbers in lent_ids(ids):
            index = kin.FlatIndex(16)
            index.add(column, numbers)
            assert_same(index.search(queries, k=5), expected.search(q, k=5))
        assert_same(index.range_search(queries, 0.5), expected.range_search(q, 0.5))
        assert index.remove(arrow.array(ids[:3])) == 3


def test_a_contiguous_column_is_read_without_a_copy(x):
    column = lent(x)["fixed"]
    start = column.values.buffers()[1].address
    taken, _ = _arrays.matrix(column, "x")
    assert taken.ctypes.data == start and not taken.flags.writeable
    again, _ = _arrays.matrix(column[3:], "x")
    assert again.ctypes.data == start + 3 * 64
    del column, taken
    gc.collect()
    np.testing.assert_array_equal(again, x[3:])


BROKEN = [
    (arrow.array([[1.0, 2.0], [3.0]]), "equally long"),
    (arrow.array([[1.0, 2.0], None]), "row 1 is null"),
    (arrow.array([[1.0, None]]), "complete"),
    (arrow.array(["a"]), "equally long"),
    (arrow.array([1.0]), "1 dimensions"),
    (arrow.array([[b"x"]]), "Arrow type 'z'"),
    (arrow.array([decimal.Decimal(1)], arrow.decimal32(9, 4)), "Arrow type 'd:9,4,32'"),
    (arrow.array([decimal.Decimal(1)], arrow.decimal64(18, 6)), "Arrow type 'd:18,6,64'"),
    (arrow.table({"a": ["x"], "b": [1.0]}), "'a' holds no numbers"),
    (arrow.table({"a": [1.0, None], "b": [1.0, 2.0]}), "row 1 is null"),
    (arrow.table({"a": [1.0]}), "2 dimensions"),
]


@pytest.mark.parametrize(("column", "said"), BROKEN)
def test_columns_without_vectors_are_refused(column, said):
    index = kin.FlatIndex(2)
    assert_raises(kin.KinError, said, index.add, column)
    assert len(index) == 0


def test_ids_must_be_one_complete_column():
    index = kin.FlatIndex(1)
    assert_raises(kin.InvalidArgument, "row 1 is null", index.add, [[1], [2]], arrow.array([1, None]))
    assert_raises(kin.InvalidArgument, "one column", index.add, [[1], [2]], arrow.table({"id": [1, 2]}))
    assert index.add([[1]], arrow.array([2**64 - 2], arrow.uint64())).tolist() == [-2]


def test_attributes_equal_numpy():
    values = {
        "count": [1, None, 3],
        "score": [0.5, None, 1.5],
        "whole": [2, None, 4],
        "place": ["sea", None, "a home beside it"],
        "start": [datetime.datetime(2026, 1, 1, 5), None, datetime.datetime(2026, 2, 1)],
        "open": [True, None, False],
        "visit": [[datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 2)], None, [datetime.datetime(2026, 1, 3)] * 2],
    }
    kinds = dict(zip(values, ("integer", "number", "number", "category", "time", "boolean", "time-range")))
    table = arrow.table(values)
    words = table.set_column(3, "place", table["place"].dictionary_encode())
    columns = {name: table[name] for name in table.column_names}
    frame = polars.DataFrame({**values, "visit": polars.Series(values["visit"], dtype=polars.Array(polars.Datetime("us"), 2))})
    read = []
    for given in (values, table, words, columns, frame, frame.to_arrow()):
        index = index_of([[0], [1], [2]], make=kin.FlatIndex)
        index.declare(kinds)
        index.set_attributes([0, 1, 2], given)
        read.append([index.attributes(row) for row in range(3)])
        assert read[-1] == read[0]
    assert read[0][1] == {} and read[0][0].keys() == read[0][2].keys() == values.keys()
    assert read[0][2]["place"] == "a home beside it" and read[0][0]["start"] == "2026-01-01T05:00:00Z"
    assert_raises(kin.InvalidArgument, "table", index.set_attributes, [0, 1, 2], table["count"])
    assert_raises(kin.InvalidArgument, "declare", index.set_attributes, [0], arrow.table({"other": [1]}))


TYPES = {
    "bool": (arrow.bool_(), lambda random: bool(random.integers(2))),
    "i8": (arrow.int8(), lambda random: int(random.integers(-128, 128))),
    "u16": (arrow.uint16(), lambda random: int(random.integers(1 << 16))),
    "i64": (arrow.int64(), lambda random: int(random.integers(-(2**63), 2**63 - 1))),
    "f32": (arrow.float32(), lambda random: float(random.integers(1 << 20)) / 8),
    "f64": (arrow.float64(), lambda random: float(random.random())),
    "text": (arrow.string(), lambda random: "äöü🙂abcdefghij"[: random.integers(15)]),
    "large": (arrow.large_string(), lambda random: "x" * random.integers(20)),
    "view": (arrow.string_view(), lambda random: "abcdefghijklmnopqrstü"[: random.integers(22)]),
    "word": (arrow.dictionary(arrow.int8(), arrow.string()), lambda random: ("sea", "home", "park")[random.integers(3)]),
    "list": (arrow.list_(arrow.int32()), lambda random: random.integers(0, 9, random.integers(4)).tolist()),
    "pair": (arrow.list_(arrow.float32(), 2), lambda random: random.integers(0, 9, 2).astype(float).tolist()),
    "texts": (arrow.large_list(arrow.string()), lambda random: ["a", "bc"][: random.integers(3)]),
    "point": (
        arrow.struct({"x": arrow.float64(), "t": arrow.list_(arrow.string_view())}),
        lambda random: {"x": float(random.random()), "t": ["a long text of more than twelve"] * random.integers(3)},
    ),
}


def test_rows_of_every_type_equal_pyarrow(random):
    """For any slices, pieces and nulls, the rows equal those that pyarrow itself reads."""
    for _ in range(60):
        length = int(random.integers(0, 40))
        made = {
            name: arrow.array([None if random.random() < 0.3 else make(random) for _ in range(length)], kind)
            for name, (kind, make) in TYPES.items()
        }
        table = arrow.table(made)
        first = int(random.integers(0, length + 1))
        pieces = [table[first:], table[: random.integers(0, length + 1)], table]
        for given in (*pieces, arrow.concat_tables(pieces), *table.to_batches()):
            expected = [{name: value for name, value in row.items() if value is not None} for row in given.to_pylist()]
            assert _arrow_reader.records(given) == expected
    assert _arrow_reader.records(arrow.table({"a": arrow.nulls(2), "b": [1, 2]})) == [{"b": 1}, {"b": 2}]
    assert _arrow_reader.records(polars.DataFrame({"a": ["x" * 40, None, ""]})) == [{"a": "x" * 40}, {}, {"a": ""}]
    assert _arrow_reader.records(arrow.table({"a": arrow.array([], arrow.int64())})) == []
    assert_raises(kin.InvalidArgument, "column was given", _arrow_reader.table, arrow.array([1]))


@pytest.mark.parametrize(("precision", "scale", "width"), [(5, 2, 128), (38, 10, 128), (20, 0, 128), (76, 20, 256)])
def test_decimals_are_the_nearest_doubles(random, precision, scale, width):
    kind = getattr(arrow, f"decimal{width}")(precision, scale)
    texts = [str(number) for number in (0, -1, 1, 123, -999)] + [f"{'-' * (n % 2)}{n}.{random.integers(100)}" for n in range(5, 60) if scale]
    column = arrow.array([decimal.Decimal(text) for text in texts] + [None], kind)[1:]
    read = _arrow_reader.one_column(column, "c")
    assert read.missing.tolist() == [False] * (len(texts) - 1) + [True]
    assert read.values[:-1].tolist() == [float(text) for text in texts[1:]]


def test_instants_without_a_zone_have_no_offset():
    """test_times.py has instants with one."""
    noon = datetime.datetime(2026, 3, 5, 12)
    for unit in ("s", "ms", "us", "ns"):
        wall = arrow.array([noon], arrow.timestamp(unit))
        assert not _arrow_reader.records(arrow.table({"at": wall}))[0]["at"].endswith("Z")
    for kind in (arrow.date32(), arrow.date64()):
        assert _arrow_reader.records(arrow.table({"on": arrow.array([noon.date()], kind)})) == [{"on": "2026-03-05"}]


def test_records_come_from_tables():
    rows = [session(number) for number in range(20)]
    with kin.Engine() as ours, kin.Engine() as theirs:
        ours.put([{"session": row} for row in rows])
        # A column of structures has a field for each key of any row. A row's missing keys are null, and are left out
        # again.
        theirs.put(arrow.table({"session": rows}))
        assert ours.sessions(user="u1") == theirs.sessions(user="u1")
        with pytest.raises(kin.KinError):
            theirs.put(arrow.table({"session": [{**row, "state": "asleep"} for row in rows]}))
        assert ours.sessions(user="u1") == theirs.sessions(user="u1")
    souls = [{"uid": f"u{number}", "goals": {"sleep": 1 + number, "focus": 3}, "valence": number / 10} for number in range(9)]
    expected = kin.Matcher(souls).similar_souls("u3", k=3)
    for table in (arrow.Table.from_pylist(souls), polars.DataFrame(souls), pandas.DataFrame(souls)):
        assert kin.Matcher(table).similar_souls("u3", k=3) == expected
    events = [{"type": "feed", "start": datetime.datetime(2026, 1, day, hour)} for day in range(1, 15) for hour in range(1, 24, 3)]
    texts = [{**event, "start": event["start"].isoformat()} for event in events]
    expected = kin.forecast(texts, "2026-01-14T20:00", kind="feed")
    for table in (arrow.Table.from_pylist(events), polars.DataFrame(events), pandas.DataFrame(events)):
        assert kin.forecast(table, "2026-01-14T20:00", kind="feed") == expected


class Failing:
    """A failing stream, from a library that is missing."""

    def __arrow_c_stream__(self, requested_schema=None):
        raise ImportError("no pyarrow")

    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 3), dtype)


NULLS = {
    "column": ([None, None, None], [{}, {}, {}]),
    "member": ([{"a": None, "b": 1}, {"a": None, "b": None}, None], [{"v": {"b": 1}}, {"v": {}}, {}]),
    "list": ([[None], [], None], [{"v": [None]}, {"v": []}, {}]),
    "list of objects": ([[{"a": None}], [], None], [{"v": [{}]}, {"v": []}, {}]),
}


@pytest.mark.parametrize("values, rows", NULLS.values(), ids=NULLS)
@pytest.mark.parametrize("make", [polars.Series, arrow.array, pandas.Series], ids=["polars", "pyarrow", "pandas"])
def test_columns_that_are_all_null_are_read(make, values, rows):
    frame = {polars.Series: polars.DataFrame, arrow.array: arrow.table, pandas.Series: pandas.DataFrame}[make]
    table = frame({"n": make([1, 2, 3]), "v": make(values)})
    assert _arrow_reader.records(table) == [{"n": n, **row} for n, row in zip([1, 2, 3], rows)]
    assert _arrow_reader.records(table[1:]) == [{"n": n, **row} for n, row in zip([2, 3], rows[1:])]
    events = {"type": make(["sleep", "feed", "diaper"]), "start": make([f"2026-03-01T0{hour}:00" for hour in range(3)])}
    assert len(kin.read_log(frame({**events, "v": make(values)}))["events"]) == 3
    if rows[0] == {}:
        index = kin.FlatIndex(2)
        index.add(np.eye(2), [0, 1])
        index.declare({"v": "category"})
        index.set_attributes([0, 1], frame({"v": make(values[:2])}))
        assert index.columns([0, 1], ["v"])["v"].tolist() == [None, None]
        assert_raises(kin.InvalidArgument, "row 0 is null", index.add, np.eye(3, 2), make(values))


def test_columns_of_types_that_are_not_lent_or_mean_something_else_are_refused():
    periods = pandas.DataFrame({"a": pandas.period_range("2026", periods=2, freq="h"), "b": [1, 2]})
    wide = polars.DataFrame({"a": polars.Series([1, 2], dtype=polars.Int128), "b": [1, 2]})
    for table, said in [(periods, "a"), (arrow.Table.from_pandas(periods), "periods; convert them"), (wide, "convert the columns of this Arrow type")]:
        assert_raises(kin.InvalidArgument, said, kin.FlatIndex(2).add, table)
        with kin.Engine() as engine:
            assert_raises(kin.InvalidArgument, said, engine.put, table)


def test_a_failing_stream_falls_back_to_numpy_or_is_refused():
    index = kin.FlatIndex(3)
    index.add(Failing())
    assert len(index) == 2
    with kin.Engine() as engine, pytest.raises(kin.InvalidArgument, match="no pyarrow"):
        engine.put(Failing())


def test_borrowed_memory_is_released(x):
    class Lender:
        def __init__(self, column):
            self.column = column

        def __arrow_c_array__(self, requested_schema=None):
            return self.column.__arrow_c_array__()

    pool = arrow.total_allocated_bytes()
    for _ in range(50):
        column = arrow.FixedSizeListArray.from_arrays(arrow.array(x.ravel().tolist(), arrow.float32()), 16)
        for given in (column, Lender(column), arrow.table({"a": column})["a"]):
            assert _arrays.matrix(given, "x")[0].shape == x.shape
            assert_raises(kin.InvalidArgument, None, _arrow_reader.table, given)
    del column, given
    gc.collect()
    assert arrow.total_allocated_bytes() <= pool + x.nbytes


LISTS = {
    "list": lambda rows: arrow.array(rows, arrow.list_(arrow.float32())),
    "large list": lambda rows: arrow.array(rows, arrow.large_list(arrow.float64())),
    "fixed": lambda rows: arrow.array(rows, arrow.list_(arrow.float32(), 2)),
    "pieces": lambda rows: arrow.chunked_array([arrow.array(rows, arrow.list_(arrow.float32()))]),
    "polars list": lambda rows: polars.Series(rows, dtype=polars.List(polars.Float32)),
    "polars array": lambda rows: polars.Series(rows, dtype=polars.Array(polars.Float32, 2)),
}


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("outside", [[None, 3.0], [None, None], None])
def test_slices_are_validated_by_their_own_rows(kind, outside):
    column = LISTS[kind]([[1.0, 2.0], outside, [3.0, 4.0], [5.0, 6.0], outside])
    index = kin.FlatIndex(2)
    index.add(column[2:4])
    np.testing.assert_array_equal(index.vectors([0, 1]), [[3, 4], [5, 6]])
    assert_raises(kin.InvalidArgument, "complete|null", index.add, column[1:4])


@pytest.mark.parametrize("kind", LISTS)
def test_columns_without_rows(kind, tmp_path):
    rows = LISTS[kind]([[1.0, 2.0]])
    for column in (rows[:0], LISTS[kind]([]), rows[1:]):
        index = kin.FlatIndex(2)
        assert index.add(column).shape == (0,) and len(index) == 0
        distances, ids = index.search(column, 3)
        assert distances.shape == ids.shape == (0, 3)
        assert len(kin.IVFIndex.build(tmp_path / "built.kin", [rows, column, rows])) == 2
    index = kin.FlatIndex(2)
    assert index.add(arrow.chunked_array([], arrow.list_(arrow.float32()))).shape == (0,)
    assert index.add(arrow.chunked_array([], arrow.list_(arrow.float32(), 2))).shape == (0,)
    assert_raises(kin.DimensionMismatch, None, index.add, arrow.chunked_array([], arrow.list_(arrow.float32(), 3)))


def test_dictionary_encoded_ids_and_numbers_are_read(x):
    plain = arrow.array([70, 2**63, 90, 70], arrow.uint64())
    pieces = arrow.chunked_array([plain[:2].dictionary_encode(), plain[2:3].dictionary_encode()])
    for ids in (plain[:3].dictionary_encode(), pieces, pandas.Series([70, 2**63, 90], dtype="uint64").astype("category")):
        index = index_of(x[:3], ids, make=kin.FlatIndex)
        assert sorted(index.ids.view(np.uint64).tolist()) == [70, 90, 2**63]
    within = arrow.array([70, None, 80, 90]).dictionary_encode()
    index = index_of(x[:2], within[2:], make=kin.FlatIndex)
    assert index.ids.tolist() == [80, 90]
    assert_raises(kin.InvalidArgument, "row 1 is null", index.add, x[:4], within)
    assert_raises(kin.InvalidArgument, "whole numbers", index.add, x[:2], arrow.array([0.5, 1.5]).dictionary_encode())
    index.declare({"score": "number", "at": "time"})
    scores = arrow.array([0.5, None]).dictionary_encode()
    at = arrow.array([None, datetime.datetime(2026, 1, 1)]).dictionary_encode()
    index.set_attributes([80, 90], arrow.table({"score": scores, "at": at}))
    assert index.attributes(80) == {"score": 0.5} and list(index.attributes(90)) == ["at"]
    assert _arrow_reader.records(arrow.table({"n": within})) == [{"n": 70}, {}, {"n": 80}, {"n": 90}]
