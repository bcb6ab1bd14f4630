"""Attributes of vectors, and filters by them."""

import datetime
import decimal
import warnings
import zoneinfo

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of


@pytest.fixture
def profiles(index):
    """An index whose vectors have attributes of every kind."""
    ids = np.arange(300)
    index.declare({"user": "category", "visits": "integer", "score": "number", "start": "time"})
    index.declare({"open": "boolean", "visit": "time-range", "user": "category"})
    start = np.datetime64("2026-01-01") + ids.astype("timedelta64[D]")
    index.set_attributes(
        ids,
        {
            "user": [None if i % 5 == 0 else f"u{i % 7}" for i in ids],
            "visits": np.ma.masked_equal(ids, 13),
            "score": np.where(ids % 3 == 0, np.nan, ids / 300),
            "start": np.where(ids == 17, np.datetime64("NaT"), start),
            "open": ids % 2 == 0,
            "visit": np.column_stack([start, start + np.timedelta64(2, "D")]),
        },
    )
    return index


def test_attributes_are_read_back(profiles, tmp_path):
    assert list(profiles.schema.items())[:2] == [("user", "category"), ("visits", "integer")]
    expected = {
        "user": "u1",
        "visits": 1,
        "score": 1 / 300,
        "start": "2026-01-02T00:00:00Z",
        "open": False,
        "visit": {"start": "2026-01-02T00:00:00Z", "end": "2026-01-04T00:00:00Z"},
    }
    assert profiles.attributes(1) == expected
    assert "visits" not in profiles.attributes(13) and "start" not in profiles.attributes(17)
    assert profiles.attributes(299 + 1) == {}
    profiles.save(tmp_path / "profiles.kin")
    assert kin.open(tmp_path / "profiles.kin").attributes(1) == expected


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda i: i.declare({"user": "integer"}), kin.InvalidArgument, "user"),
        (lambda i: i.declare({"a.b": "integer"}), kin.InvalidArgument, "point"),
        (lambda i: i.declare({"mood": "colour"}), kin.InvalidArgument, "no kind of attributes 'colour'"),
        (lambda i: i.set_attributes([1], {"mood": [1]}), kin.InvalidArgument, "no attribute 'mood'"),
        (lambda i: i.set_attributes([1], {"visits": [1, 2]}), kin.InvalidArgument, "as many values"),
        (lambda i: i.set_attributes([1], {"user": [5]}), kin.InvalidArgument, "a category is a text"),
        (lambda i: i.set_attributes([1], {"score": [np.inf]}), kin.NotFinite, "score"),
        (lambda i: i.set_attributes([1], {"start": ["yesterday"]}), kin.InvalidArgument, "start"),
        (lambda i: i.set_attributes([1], {"visit": [["2026-01-02", "2026-01-01"]]}), kin.InvalidArgument, "before"),
        (lambda i: i.set_attributes([1], {"visit": ["2026-01-02"]}), kin.InvalidArgument, "dimensions"),
        (lambda i: i.set_attributes([1, 1], {"visits": [1, 2]}), kin.DuplicateID, "twice"),
        (lambda i: i.set_attributes([9999], {"visits": [1]}), kin.UnknownID, "9999"),
        (lambda i: i.attributes(9999), kin.UnknownID, "9999"),
        (lambda i: i.search(np.zeros(16), filter="user ="), kin.MalformedInput, "character"),
        (lambda i: i.search(np.zeros(16), filter="mood = 1"), kin.InvalidArgument, "mood"),
    ],
)
def test_attribute_errors_change_nothing(profiles, call, error, words):
    assert_raises(error, words, call, profiles)
    assert profiles.attributes(1)["visits"] == 1


def test_instants_respect_their_offsets(profiles):
    noon = datetime.datetime(2026, 3, 1, 14, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        profiles.set_attributes([1, 2, 3, 4], {"start": ["2026-03-01T12:00Z", "2026-03-01T10:00-02:00", noon, None]})
    assert [profiles.attributes(number).get("start") for number in (1, 2, 3, 4)] == [*["2026-03-01T12:00:00Z"] * 3, None]


def test_integers_beyond_int64_are_refused(make, x):
    index = index_of(x[:3], make=make)
    index.declare({"number": "integer"})
    index.set_attributes([0, 1, 2], {"number": np.array([2**63 - 1, 1, 0], np.uint64)})
    wide = np.array([2**63, 1, 0], np.uint64)
    polars = pytest.importorskip("polars")
    for values in (wide, np.ma.masked_array(wide, [False, True, False]), polars.Series(wide), polars.Series([2**63, None, 0], dtype=polars.UInt64)):
        assert_raises(kin.InvalidArgument, r"2\*\*63", index.set_attributes, [0, 1, 2], {"number": values})
        assert index.attributes(0)["number"] == 2**63 - 1
    # Masked values are not numbers, so none of them is too large.
    index.set_attributes([0, 1, 2], {"number": np.ma.masked_array(wide, [True, False, False])})
    assert [index.attributes(row).get("number") for row in range(3)] == [None, 1, 0]


@pytest.fixture
def tagged(make, x):
    """An index and the sets of tags of its vectors; every fifth has none, and one set is empty."""
    sets = [None if i % 5 == 0 else {f"t{i % 3}", f"ü {i % 7}", "all"} for i in range(300)]
    sets[1] = set()
    index = index_of(x[:300], make=make)
    index.declare({"tags": "tags"})
    index.set_attributes(np.arange(300), {"tags": sets})
    return index, sets


def test_tags_come_back_sorted(tagged, q):
    index, sets = tagged
    order = np.array([[3, -1], [0, 1], [10**6, 299]])
    expected = [[sorted(sets[3]), None], [None, []], [None, sorted(sets[299])]]
    assert index.columns(order, ["tags"])["tags"].tolist() == expected
    _, ids, columns = index.search(q, 3, attributes=["tags"])
    assert columns["tags"].shape == ids.shape and columns["tags"][0, 0] == (None if sets[ids[0, 0]] is None else sorted(sets[ids[0, 0]]))
    assert index.attributes(3)["tags"] == sorted(sets[3]) and "tags" not in index.attributes(0) and index.attributes(1)["tags"] == []


def test_every_form_of_tags_is_read(index):
    arrow = pytest.importorskip("pyarrow")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    index.declare({"tags": "tags"})
    sets = [["b", "a"], None, [], ["c", "c"], ["a much longer tag", "ü"]]
    equal = [["b", "a"], ["c", "d"], ["d", "d"], ["ü", "b"], ["a", "a"]]
    objects = np.fromiter(sets, object, 5)
    forms = [
        sets, tuple(sets), objects, np.ma.masked_array(np.fromiter([s or [] for s in sets], object, 5), [s is None for s in sets]),
        [None if s is None else set(s) for s in sets], [None if s is None else np.array(s, str) for s in sets],
        pandas.Series(sets), polars.Series(sets, dtype=polars.List(polars.String)), arrow.array(sets, arrow.list_(arrow.string())),
        arrow.array(sets, arrow.large_list(arrow.large_string())), arrow.chunked_array([sets[:2], sets[2:]], arrow.list_(arrow.string_view())),
        arrow.array(sets, arrow.list_(arrow.dictionary(arrow.int8(), arrow.string()))),
    ]  # fmt: skip
    for form in forms:
        index.set_attributes(np.arange(5), {"tags": [["old"]] * 5})
        index.set_attributes(np.arange(5), {"tags": form})
        assert index.columns(np.arange(5))["tags"].tolist() == [None if s is None else sorted(set(s)) for s in sets], form
    for form in (equal, np.array(equal), np.array(equal, object), arrow.array(equal), polars.DataFrame({"tags": equal})):
        index.set_attributes(np.arange(5), form if isinstance(form, polars.DataFrame) else {"tags": form})
        assert index.columns(np.arange(5))["tags"].tolist() == [sorted(set(s)) for s in equal], form
    index.set_attributes([0, 1], arrow.table({"tags": arrow.array([[], None], arrow.list_(arrow.null()))}))
    assert index.columns([0, 1])["tags"].tolist() == [[], None]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["red"], r"list of texts, such as \['red'\]"), ([5], "list of texts"), ([[5]], "a tag is a text"), ([[None, "a"]], "a tag is a text"),
        ([[""]], "at least one character"), ([["a\x1fb"]], "control characters"), ([["a\0b"]], "control characters"), ([["a\nb"]], "control characters"),
        ([["a"], ["b"]], "as many values"),
    ],
)  # fmt: skip
def test_wrong_tags_change_nothing(tagged, given, words):
    index, sets = tagged
    assert_raises(kin.InvalidArgument, words, index.set_attributes, [3], {"tags": given})
    assert index.attributes(3)["tags"] == sorted(sets[3])


def test_group_by_finds_the_nearest_of_each_group(make, x, q):
    index = index_of(x[:900], make=make)
    index.declare({"page": "integer", "score": "number"})
    index.set_attributes(np.arange(900), {"page": np.arange(900) % 30})
    found = index.search(q, 40, group_by="page", filter="page > 3", threads=2)[1]
    for row, ids in enumerate(found):
        firsts = {}
        for id in index.search(q[row], 900, filter="page > 3")[1]:
            firsts.setdefault(id % 30 if id >= 0 else None, id)
        firsts.pop(None)
        assert ids.tolist() == [*firsts.values()] + [-1] * 14
        assert index.search(q[row], 40, group_by="page", filter="page > 3")[1].tolist() == ids.tolist()
    assert index.search(q, 3, group_by="page", attributes=["page"])[2]["page"].shape == (len(q), 3)
    assert_raises(kin.InvalidArgument, "did you mean page", index.search, q, 3, group_by="pag")
    assert_raises(kin.InvalidArgument, "without groups", index.explain, q[0], 3, group_by="page")


NOON = datetime.datetime(2026, 1, 1, 12)
VALUES = {
    "category": ["sea"], "integer": [3, np.int8(3)], "number": [0.5, np.float32(0.5), 1], "boolean": [True, np.True_],
    "time": [NOON, NOON.date(), NOON.replace(tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), "2026-01-01T12:00:00+01:00", np.datetime64(NOON)],
    "time-range": [[NOON, NOON], (NOON, NOON)], "tags": [["sea"], ("sea", "home"), {"sea"}],
}  # fmt: skip


def missing_values():
    values = [None, float("nan"), np.float32("nan"), np.datetime64("NaT")]
    try:
        import pandas
    except ImportError:
        return values
    return [*values, pandas.NA, pandas.NaT]


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in VALUES.items() for value in values])
def test_every_form_of_missing_is_missing(kind, value):
    masked = np.ma.masked_array(np.fromiter([value, value], object, 2), [False, True])
    for missing in missing_values():
        for gap in (missing, [missing, missing]) if kind == "time-range" else (missing,):
            for given in ([value, gap], (value, gap), *([] if kind == "time-range" else [masked])):
                index = index_of([[0], [1]], make=kin.FlatIndex)
                index.declare({"a": kind})
                index.set_attributes([0, 1], {"a": given})
                assert list(index.attributes(0)) == ["a"] and index.attributes(1) == {}
                index.set_attributes([0], {"a": [gap]})
                assert index.attributes(0) == {}


def test_whole_numbers_that_doubles_lack_are_refused_as_numbers(index):
    index.declare({"n": "number"})
    for wrong in (2**53 + 1, -(2**53) - 1, 2**60 + 1):
        for given in ([wrong, 1], np.array([wrong, 1]), [wrong, None], np.ma.masked_array([wrong, 1], [False, True])):
            assert_raises(kin.InvalidArgument, "declare the attribute as integer", index.set_attributes, [0, 1], {"n": given})
    index.set_attributes([0, 1], {"n": [2**53, 2**60]})
    assert index.ids_where("n = 9007199254740992").tolist() == [0]


@pytest.mark.parametrize("pair", [(0, 1), (1, 0)])
def test_a_range_with_one_end_is_refused(index, pair):
    index.declare({"r": "time-range"})
    for missing in missing_values():
        ends = [(NOON, missing)[place] for place in pair]
        for given in ([[NOON, NOON], ends], np.array([[NOON, NOON], [(NOON, "NaT")[place] for place in pair]], "M8[us]")):
            assert_raises(kin.InvalidArgument, "time range 1 has one end", index.set_attributes, [0, 1], {"r": given})


def test_times_are_not_numbers(index):
    index.declare({"score": "number", "word": "category"})
    wrong = [np.array(["2026-01-01"], "M8[s]"), [np.datetime64(NOON)], np.array([1], "m8[s]"), [NOON], ["1.5"], np.array(["1.5"], object)]
    for given in [*wrong, *(np.ma.masked_array([values[0], 0], [False, True], object) for values in wrong)]:
        assert_raises(kin.InvalidArgument, "attribute score", index.set_attributes, range(len(given)), {"score": given})
        assert_raises(kin.InvalidArgument, "attribute score", index.set_attributes, [0, 1], {"score": [given[0], None]})
    assert_raises(kin.InvalidArgument, "attribute word", index.set_attributes, [0, 1, 2], {"word": "sea"})


def test_numbers_are_not_times(index):
    index.declare({"t": "time", "r": "time-range"})
    seconds = 1_700_000_000
    for number in (seconds, np.int64(seconds), 1.5, np.float32(1.5), True, np.True_, decimal.Decimal(seconds), np.timedelta64(1, "s")):
        for gap in (None, float("nan"), NOON, "2026-01-01", np.datetime64("NaT")):
            for values in ([number, gap], [gap, number]):
                objects = np.array(values, object)
                for given in (values, objects, np.ma.masked_array(objects, [value is None for value in values])):
                    with pytest.raises(kin.InvalidArgument, match="attribute t: times are datetime64, not"):
                        index.set_attributes([0, 1], {"t": given})
                for given in ([values, None], [values, [NOON, NOON]], np.array([values, values], object)):
                    with pytest.raises(kin.InvalidArgument, match="attribute r: times are datetime64, not"):
                        index.set_attributes([0, 1], {"r": given})
    assert index.attributes(0) == {}
    index.set_attributes([0, 1], {"t": np.ma.masked_array(np.array([seconds, NOON], object), [True, False])})
    assert list(index.attributes(1)) == ["t"]


def test_whole_floats_are_integers(index):
    index.declare({"n": "integer"})
    for values in ([3.0, None], np.array([3, np.nan]), np.float32([3, np.nan]), np.ma.masked_array([3.0, 0.5], [False, True])):
        index.set_attributes([0, 1], {"n": np.array([7, 7])})
        index.set_attributes([0, 1], {"n": values})
        assert index.attributes(0) == {"n": 3} and index.attributes(1) == {}
    for wrong in (3.5, float("inf"), 2.0**53 + 2, -1e300):
        with pytest.raises(kin.InvalidArgument, match="attribute n: an integer attribute holds whole numbers"):
            index.set_attributes([0, 1], {"n": [wrong, None]})
    assert index.attributes(0) == {"n": 3}


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms"]


@pytest.mark.parametrize("unit", UNITS)
def test_times_beyond_the_years_are_refused(index, unit):
    index.declare({"t": "time", "r": "time-range"})
    for ticks in (2**62, -(2**62), 2**63 - 1):
        instant = np.array([ticks], "i8").view(f"M8[{unit}]")
        for column in ({"t": instant}, {"r": np.stack([instant, instant], axis=1)}):
            assert_raises(kin.InvalidArgument, "years 0 to 9999", index.set_attributes, [0], column)
    assert index.attributes(0) == {}


@pytest.mark.parametrize("kind", VALUES)
def test_a_column_has_one_value_in_order_for_each_id(index, kind):
    index.declare({"a": kind})
    value = VALUES[kind][0]
    for wrong in ({"x", "y"}, frozenset(["x"]), [[[value]]], {"t": value}):
        assert_raises(kin.InvalidArgument, "attribute a", index.set_attributes, [0, 1], {"a": wrong})
    if kind in ("time", "number"):
        for numbers in ([1_700_000_000, 1], [True, False]) if kind == "time" else (["5", "6"],):
            assert_raises(kin.InvalidArgument, "attribute a", index.set_attributes, [0, 1], {"a": numbers})
    assert index.attributes(0) == index.attributes(1) == {}


@pytest.mark.parametrize("kind", VALUES)
def test_a_refused_call_changes_no_attribute(index, kind):
    index.declare({"first": "category", "a": kind})
    index.set_attributes([0], {"first": ["old"]})
    late = {"time": np.array(["12000-01-01"], "M8[s]"), "time-range": np.array([["2026-02-01", "2026-01-01"]], "M8[s]"), "number": [np.inf]}
    for wrong in ([object()], late.get(kind, [object()])):
        with pytest.raises(kin.KinError):
            index.set_attributes([0, 1], {"first": ["new", "new"], "a": [*wrong, *wrong]})
    assert index.attributes(0) == {"first": "old"} and index.attributes(1) == {}
    for kinds in ({"ok": "integer", "b": "wrong"}, {"ok": "integer", "id": "integer"}, {"ok": "integer", "a\0": "integer"}):
        assert_raises(kin.InvalidArgument, None, index.declare, kinds)
    assert list(index.schema) == ["first", "a"]
