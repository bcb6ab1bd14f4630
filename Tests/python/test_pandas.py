"""Data frames of pandas are read in the same way with and without pyarrow."""

import sys

import kin
import numpy as np
import pytest
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
    with pytest.raises(ImportError):
        frame.__arrow_c_stream__()
    assert [plain(_arrow_reader.read(frame, with_index)) for with_index in (False, True)] == expected
    assert {name: _arrow_reader.read(frame[name]).plain() for name in COLUMNS} == series


def test_vectors_and_attributes_are_the_same(monkeypatch):
    frame = pandas.DataFrame({"id": [3, 1, 2], "x": [1.0, 2.0, 3.0], "y": [0.5, 0.25, 4.0]})
    attributes = pandas.DataFrame({"n": COLUMNS["nullable integer"], "t": COLUMNS["time with a zone"], "c": COLUMNS["text"]})

    def found():
        table = kin.read_vectors(frame)
        index = kin.FlatIndex(2)
        index.add(table.vectors, table.ids)
        index.declare({"n": "integer", "t": "time", "c": "category"})
        index.set_attributes(table.ids, attributes)
        return table.vectors.tolist(), table.ids.tolist(), table.notes, [index.attributes(id) for id in (1, 2, 3)]

    expected = found()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert found() == expected
    assert expected[3][2] == {"n": 1, "t": "2026-01-01T09:00:00Z", "c": "a"}
    np.testing.assert_array_equal(kin.FlatIndex(2).add(frame[["x", "y"]]), [0, 1, 2])
