"""Columns of answers, in the forms that pandas, Polars and Arrow accept."""

import gc
import resource
from pathlib import Path

import kin
import numpy as np
import pytest
from conftest import assert_raises, run_python, session, together

ROWS = [
    {"whole": 1, "truth": True, "text": "x", "word": "x\0", "nested": {"a": [1]}, "number": 1.5, "mixed": 1, "wide": 2**63, "void": None},
    {"whole": -(2**63), "truth": None, "text": None, "word": "", "nested": None, "number": 2, "mixed": "1", "wide": 0, "void": None},
    {"whole": 3, "truth": False, "text": "", "word": "ü", "nested": [], "number": None, "mixed": None, "wide": 1, "late": "ü"},
]
COLUMNS = {
    "whole": [1, -(2**63), 3],
    "truth": [True, None, False],
    "text": ["x", None, ""],
    "word": ["x\0", "", "ü"],
    "nested.a": [[1], None, None],
    "number": [1.5, 2.0, None],
    "mixed": ["1", '"1"', None],
    "wide": [str(2**63), "0", "1"],
    "void": [None, None, None],
    "nested": [None, None, []],
    "late": [None, None, "ü"],
}


def test_frames_need_no_other_library():
    frame = kin.Frame(ROWS)
    assert len(frame) == 3 and frame.columns == list(frame) == list(COLUMNS)
    assert "nested.a" in frame and "early" not in frame
    for name, values in COLUMNS.items():
        assert frame[name].tolist() == values, name
    assert frame["whole"].dtype == "int64" and frame["word"].dtype == object
    frame = kin.Frame([{"n": 2**53 + 1, "list": [2**53 + 1, 0.5]}, {"n": 0.5, "list": []}, {}])
    assert frame["n"].tolist() == [2.0**53, 0.5, None] and frame["list"].tolist() == [[2.0**53, 0.5], [], None], "as in the exported columns"
    assert len(kin.Frame([])) == 0 and kin.Frame([]).columns == []


def test_notebooks_show_the_first_rows():
    frame = kin.Frame([{"id": f"<s{number}>", "note": None, "a&b": number} for number in range(21)])
    shown = frame._repr_html_()
    assert shown.startswith("<table><thead><tr><th>id</th><th>note</th><th>a&amp;b</th></tr></thead><tbody><tr><td>&lt;s0&gt;</td><td></td><td>0</td></tr>")
    assert shown.count("<tr>") == 21 and shown.endswith("<p>The first 20 of 21 rows</p>")
    assert repr(frame) == "Frame of 21 rows and 3 columns: id, note, a&b"
    assert kin.Frame([])._repr_html_() == "<table><thead><tr></tr></thead><tbody></tbody></table>"


def as_arrow(frame):
    return pytest.importorskip("pyarrow").table(frame).to_pydict()


def as_polars(frame):
    return pytest.importorskip("polars").DataFrame(frame).to_dict(as_series=False)


def as_pandas(frame):
    pandas = pytest.importorskip("pandas", minversion="3")
    table = pandas.DataFrame.from_arrow(frame).astype(object)
    plain = {name: column.where(column.notna(), None).tolist() for name, column in table.items()}
    return {name: [value.tolist() if hasattr(value, "tolist") else value for value in values] for name, values in plain.items()}


def test_a_frame_is_a_dict_of_arrays():
    frame = kin.Frame(ROWS)
    columns = dict(frame)
    assert list(columns) == frame.columns and all(len(column) == len(frame) for column in columns.values())
    assert_raises(TypeError, r"dict\(frame\)", np.asarray, frame)
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(columns).shape == (len(frame), len(frame.columns))
    assert_raises(TypeError, r"dict\(frame\)", pandas.DataFrame, frame)


@pytest.mark.parametrize("taken", [as_arrow, as_polars, as_pandas])
def test_other_libraries_read_the_columns(taken):
    assert taken(kin.Frame(ROWS)) == COLUMNS
    assert taken(kin.Frame([])) == {}
    many = [{"n": i, "t": f"t{i}", "b": i % 3 == 0, "x": None if i % 7 == 0 else i / 7} for i in range(5000)]
    columns = taken(kin.Frame(many))
    assert columns == {name: [row[name] for row in many] for name in many[0]}


def test_exported_memory_is_released():
    pyarrow = pytest.importorskip("pyarrow")
    frame = kin.Frame(ROWS)
    frame.__arrow_c_stream__()
    table = pyarrow.table(frame)
    part = table.slice(1, 1)
    del frame, table
    gc.collect()
    assert part.to_pydict()["whole"] == [-(2**63)]
    wide = kin.Frame([{"text": "x" * 100_000, "numbers": [0.5] * 10_000}])

    def work():
        for _ in range(200):
            assert pyarrow.table(wide).num_rows == 1

    before = resident()
    together(*[work] * 4)
    gc.collect()
    assert resident() < before + 50_000_000, "800 exports of 180 kB are 144 MB"


def resident():
    """The memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


AT_EXIT = """
import builtins, sys, kin, polars, pyarrow
lend = lambda: kin.Frame([{"n": i, "t": f"x{i}"} for i in range(100)])
table, frame, unused = pyarrow.table(lend()), polars.DataFrame(lend()), lend().__arrow_c_stream__()
sys.held = [pyarrow.table(lend()), polars.DataFrame(lend()), lend().__arrow_c_stream__()]
builtins.held = polars.DataFrame(lend())["t"], pyarrow.table(lend())["t"]
sys.held.append(sys.held)
"""


def test_exported_memory_outlives_the_module():
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    run_python(AT_EXIT)


NESTED = [
    {"s": {"id": "a", "at": {"lat": 1.5, "lng": 2}, "tags": ["x", None], "parts": [{"n": 1}], "grid": [[1], [2]], "mixed": [1, "x"], "none": {}}},
    {"s": {"id": "b", "at": None, "tags": [], "parts": None, "grid": [], "mixed": None, "flags": [True], "numbers": [1, 2.5], "empty": []}},
    {"s": {"id": "c", "at": {"lat": None, "deep": {"x": {"y": 3}}}, "tags": None, "numbers": [None], "empty": [None]}},
]
FLAT = {
    "id": ["a", "b", "c"],
    "at.lat": [1.5, None, None],
    "at.lng": [2, None, None],
    "tags": [["x", None], [], None],
    "parts": ['[{"n": 1}]', None, None],
    "grid": ["[[1], [2]]", "[]", None],
    "mixed": ['[1, "x"]', None, None],
    "none": [None, None, None],
    "at": [None, None, None],
    "flags": [None, [True], None],
    "numbers": [None, [1, 2.5], [None]],
    "empty": [None, [], [None]],
    "at.deep.x.y": [None, None, 3],
}


def test_nested_records_are_columns():
    frame = kin.Frame(NESTED)
    assert frame.columns == list(FLAT)
    for name, values in FLAT.items():
        assert frame[name].tolist() == values, name
    assert kin.Frame([{"d": 1.0, "s": {"id": "a"}}]).columns == ["d", "s.id"]
    assert kin.Frame([{"s": {"id": "a"}}, {"s": None}]).columns == ["s.id", "s"]
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table(frame)
    assert table.to_pydict() == FLAT
    table.validate(full=True)
    types = {"id": "large_string", "at.lat": "double", "at.lng": "int64", "tags": "large_list<item: large_string>", "parts": "large_string",
             "flags": "large_list<item: bool>", "numbers": "large_list<item: double>", "at.deep.x.y": "int64"}
    assert {name: str(table.schema.field(name).type) for name in types} == types
    assert pytest.importorskip("polars").DataFrame(frame).to_dict(as_series=False) == FLAT


def test_columns_of_nulls_keep_their_type(engine):
    arrow = pytest.importorskip("pyarrow")
    rows = [{"n": None, "i": None, "b": None, "t": None, "x": None}] * 2
    types = {"n": "number or null", "i": "integer or null", "b": "boolean", "t": "text or null"}
    schema = arrow.table(kin.Frame(rows, types)).schema
    assert [str(field.type) for field in schema] == ["double", "int64", "bool", "large_string", "large_string"]
    log = [{"type": "feed", "start": "2026-03-05T09:00"}, {"type": "feed", "start": "2026-03-06T09:00"}]
    table = arrow.table(engine.frame("days", log=log))
    assert table["longest_night_stretch"].null_count == len(table) > 0
    assert str(table.schema.field("longest_night_stretch").type) == "double"


def test_sessions_are_columns(engine):
    engine.put([session(number) for number in range(8)])
    frame = engine.frame("sessions", user="u1")
    assert {"id", "user_id", "state", "timestamp_start", "notes", "pleasure_vector.primary"} <= set(frame)
    assert sorted(frame["id"]) == sorted(f"s{number}" for number in range(8))
    rows = {row["session"]["id"]: row["session"] for row in engine.sessions("u1")}
    for id, primary, order in zip(frame["id"], frame["pleasure_vector.primary"], frame["pleasure_vector.intensities.order"]):
        assert primary == rows[id]["pleasure_vector"]["primary"]
        assert order == rows[id]["pleasure_vector"]["intensities"].get("order")
    frame = engine.frame("near", session="s5", k=7)
    assert frame.columns[:2] == ["distance", "session.id"]
    assert frame["distance"].tolist() == [found["distance"] for found in engine.near(session="s5", k=7)]
    assert_raises(kin.InvalidArgument, "no list", engine.frame, "info")


@pytest.mark.parametrize(("method", "parameters"), [("inventory", {}), ("sessions", {"user": "nobody"})])
def test_a_frame_of_nothing_is_empty(engine, method, parameters):
    frame = engine.frame(method, **parameters)
    assert len(frame) == 0
