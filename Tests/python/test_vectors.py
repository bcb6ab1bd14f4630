"""Vectors from files and tables: kin.read_vectors."""

import itertools

import kin
import numpy as np
import pytest
from conftest import assert_cancelled, assert_raises, index_of

TEXT = """id,calm,warm,place,city
7,0.5,1.5,beach,Rome
9,-2,4,forest,
4,1e-3,0,beach,Bern
"""


def test_a_text_gives_vectors_ids_labels_and_attributes(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text(TEXT)
    table = kin.read_vectors(path, label="place", attributes=["city:category"])
    assert table.vectors.dtype == np.float32 and table.ids.dtype == np.int64
    assert np.array_equal(table.vectors, np.float32([[0.5, 1.5], [-2, 4], [1e-3, 0]])) and table.ids.tolist() == [7, 9, 4]
    assert table.columns == ["calm", "warm"] and table.labels == ["beach", "forest", "beach"]
    assert table.attributes == {"city": ["Rome", None, "Bern"]}
    index = index_of(table.vectors, table.ids, make=kin.FlatIndex)
    index.declare({"city": "category"})
    index.set_attributes(table.ids, table.attributes)
    assert index.attributes(4) == {"city": "Bern"} and index.attributes(9) == {}


def test_text_ids_time_ranges_and_tags_are_indexed_unchanged(tmp_path):
    path = tmp_path / "stays.csv"
    path.write_text("id,x,y,from,to,words\nada,0.5,2,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,red | a b\nmia,1,3,,,\n")
    table = kin.read_vectors(path, id="id", columns=["x", "y"], attributes=["stay:time-range=from,to", "tags:tags=words"])
    assert table.ids.tolist() == ["ada", "mia"]
    index = index_of(table.vectors, table.ids, make=kin.FlatIndex)
    index.declare({"stay": "time-range", "tags": "tags"})
    index.set_attributes(table.ids, table.attributes)
    assert index.search([1, 3], 1)[1].tolist() == ["mia"]
    stay = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    assert index.attributes("ada") == {"stay": stay, "tags": ["a b", "red"]} and index.attributes("mia") == {}


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_in_files_are_read(tmp_path, order):
    rows = np.asarray(np.random.default_rng(2).normal(size=(500, 6)), order=order)
    np.save(tmp_path / "x.npy", rows)
    table = kin.read_vectors(str(tmp_path / "x.npy"))
    assert np.array_equal(table.vectors, rows.astype(np.float32)) and table.ids.tolist() == list(range(500))
    assert table.columns is None and table.labels is None and table.attributes == {}


def test_assumptions_are_noted_or_refused_if_strict(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text(TEXT)
    options = {"columns": ["calm", "warm"]}
    assert ["id" in note for note in kin.read_vectors(path, **options).notes] == [True]
    assert_raises(kin.MalformedInput, "column id", kin.read_vectors, path, strict=True, **options)
    assert kin.read_vectors(path, id="id", strict=True, **options).notes == []
    path.write_text("id,a\n007,1\n010,2\n")
    table = kin.read_vectors(path)
    assert table.ids.tolist() == ["007", "010"] and "texts" in table.notes[1]


def test_lost_precision_is_noted(tmp_path):
    path = tmp_path / "instants.csv"
    path.write_text("t,x\n" + "".join(f"{1_790_000_000 + i},{i}\n" for i in range(40)))
    assert "32-bit floats" in kin.read_vectors(path).notes[0]


@pytest.mark.parametrize(
    ("text", "options", "failure", "message"),
    [
        ("a,b\n1,2\n3,x\n", {}, kin.MalformedInput, "line 3"),
        ("a,b\n1,2\n3,nan\n", {}, kin.KinError, "line 3"),
        ("id,b\n1,2\n1,3\n", {}, kin.DuplicateID, "1"),
        ("a,b\n1,red||blue\n", {"attributes": ["b:tags"]}, kin.MalformedInput, "line 2, column b: a tag has at least one character"),
        ("a,b\n1,2\n", {"columns": ["c"]}, kin.InvalidArgument, "c"),
        ("a,b\n1,2\n", {"format": "tiff"}, kin.MalformedInput, "npy"),
        ("", {}, kin.MalformedInput, "empty"),
    ],
)
def test_invalid_files_are_errors(tmp_path, text, options, failure, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert_raises(failure, message, kin.read_vectors, path, **options)


def test_a_source_is_a_path_or_a_table(tmp_path):
    assert_raises(kin.InputOutput, "nowhere", kin.read_vectors, tmp_path / "nowhere.csv")
    assert_raises(kin.InvalidArgument, "list", kin.read_vectors, [[1.0]])


def test_reading_reports_progress_and_can_be_cancelled(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b,c\n" + "0.125,2.5,-7\n" * 2_000_000)
    seen = []
    with kin.progress(lambda done, total: seen.append((done, total))):
        assert len(kin.read_vectors(path).vectors) == 2_000_000
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)
    assert_cancelled(kin.read_vectors, path)


@pytest.mark.parametrize("ending", ["parquet", "pq", "arrow", "feather"])
def test_missing_and_damaged_files_of_tables_are_errors_of_kin(tmp_path, ending):
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / f"table.{ending}"
    for read in (kin.read_vectors, kin.read_log):
        assert_raises(kin.InputOutput, "table", read, path)
    if ending in ("parquet", "pq"):
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"x": [1.0] * 1000}), path)
    else:
        pytest.importorskip("pyarrow.feather").write_feather(arrow.table({"x": [1.0] * 1000}), path)
    whole = path.read_bytes()
    for content in (b"", b"x,y\n1,2\n", whole[: len(whole) // 2], whole[:-4]):
        path.write_bytes(content)
        for read in (kin.read_vectors, kin.read_log):
            with pytest.raises((kin.InputOutput, kin.MalformedInput), match="table"):
                read(path)


def outcome(source, options):
    """All that is read from a source, or the class of the error."""
    try:
        table = kin.read_vectors(source, **options)
    except kin.KinError as failure:
        return type(failure)
    return table.vectors.tolist(), table.ids.tolist(), table.columns, table.labels, table.notes


def test_a_table_is_read_like_a_file(tmp_path):
    """Each use of a column, and each pair of uses, such as of one column for the vector and for the labels."""
    frame = pytest.importorskip("pandas", minversion="3").DataFrame({"ID": [7, 9, 4], "x": [5, 3, 8], "y": [2, 6, 1], "shopid": [11, 13, 12]})
    frame.to_csv(tmp_path / "table.csv", index=False)
    names = [*frame, "nobody"]
    lists = [(), *((name,) for name in names), ("x", "y"), ("y", "x", "y"), tuple(frame)]
    uses = {"id": [None, *names], "label": [None, *names], "columns": lists, "exclude": lists, "strict": [False, True]}
    for one, other in itertools.combinations_with_replacement(uses, 2):
        for values in itertools.product(uses[one], uses[other]):
            options = dict(zip((one, other), values))
            assert outcome(frame, options) == outcome(tmp_path / "table.csv", options), options


def test_tables_and_files_of_tables_are_read(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pandas = pytest.importorskip("pandas", minversion="3")
    polars = pytest.importorskip("polars")
    columns = {"id": [7, 9, 4], "calm": [0.5, -2.0, 1e-3], "warm": [1, 4, 0], "place": ["beach", "forest", "beach"]}
    parquet.write_table(arrow.table(columns), tmp_path / "places.parquet")
    for source in [arrow.table(columns), pandas.DataFrame(columns), polars.DataFrame(columns), tmp_path / "places.parquet"]:
        table = kin.read_vectors(source, label="place")
        assert np.array_equal(table.vectors, np.float32([[0.5, 1], [-2, 4], [1e-3, 0]])), type(source)
        assert table.ids.tolist() == [7, 9, 4] and table.columns == ["calm", "warm"] and "id" in table.notes[0]
        assert table.labels == ["beach", "forest", "beach"]
        assert_raises(kin.InvalidArgument, "place", kin.read_vectors, source)
    for index in (pandas.Index([1042, 1007, 1300], name="user_id"), pandas.Index(list("abc"), name="user_id"),
                  pandas.MultiIndex.from_arrays([[1, 2, 3], [4, 5, 6]], names=["user_id", "n"])):
        indexed = pandas.DataFrame({"x": [0.5, 1.0, 3.0], "y": [1, 2, 4]}).set_index(index)
        parquet.write_table(arrow.Table.from_pandas(indexed), tmp_path / "indexed.parquet")
        for source in (indexed, tmp_path / "indexed.parquet"):
            table = kin.read_vectors(source)
            assert table.columns == ["x", "y"] and table.ids.tolist() == [0, 1, 2] and "index user_id is left out" in table.notes[0]
            assert_raises(kin.MalformedInput, "index user_id", kin.read_vectors, source, strict=True)
            assert kin.read_vectors(source, id="user_id").ids.tolist() == index.get_level_values(0).tolist()
        if index.dtype.kind == "i":
            assert kin.read_vectors(indexed, columns=["user_id", "x"]).vectors.tolist() == [[1042, 0.5], [1007, 1.0], [1300, 3.0]]
    sampled = pandas.DataFrame({"Unnamed: 0": [7, 3, 4], "a": [1.0, 2.0, 5.0]})
    assert kin.read_vectors(sampled).columns == ["a"] and kin.read_vectors(sampled.rename(columns={"Unnamed: 0": "index"})).columns == ["index", "a"]
    for rows, columns in (([2, 5, 7], ["a"]), ([2, 7, 5], ["row", "a"]), ([-2, 5, 7], ["row", "a"])):
        assert kin.read_vectors(pandas.DataFrame({"row": rows, "a": [1.0, 2.0, 5.0]})).columns == columns
    plain = pandas.DataFrame({"a": [1.0, 2.0, 5.0], "b": [3.0, 1.0, 2.0]})
    for numbered in (plain, plain.reset_index(names="row"), plain.reset_index(names="index"), plain.assign(**{"Unnamed: 2": [1, 2, 3]})):
        # Each reading of a written frame adds an unnamed column.
        for times in range(1, 4):
            numbered.to_csv(tmp_path / "numbered.csv")
            numbered = pandas.read_csv(tmp_path / "numbered.csv")
            table = kin.read_vectors(numbered)
            assert table.columns == ["a", "b"] and len(table.notes) == len(numbered.columns) - 2 >= times
    named = kin.read_vectors(polars.DataFrame({"id": ["b", "a"], "x": [1.0, 2.0]}), id="id")
    assert named.ids.tolist() == ["b", "a"] and named.notes == []
    for ids in (["b", "a", "b"], [7, 8, 7]):
        assert_raises(kin.DuplicateID, f"row 2 has the id {ids[0]} of row 0", kin.read_vectors, pandas.DataFrame({"id": ids, "a": [1.0, 2, 3]}))
    assert_raises(kin.NotFinite, "row 1 of column 'a'", kin.read_vectors, pandas.DataFrame({"a": [1.0, np.inf, 3]}))
    assert_raises(kin.InvalidArgument, "null", kin.read_vectors, arrow.table({"a": [1.0, None]}))
    with pytest.warns(kin.PrecisionWarning, match="'t'"):
        kin.read_vectors(polars.DataFrame({"t": [1_790_000_000 + i for i in range(40)]}))


@pytest.mark.parametrize(
    ("columns", "options", "place"),
    [
        ({"a": [1.0, 2.0, 3.0], "big": [4.0, 5.0, 1e300]}, {}, "row 2 of column 'big'"),
        ({"a": [1, 2], "big": [-1e39, 5.0]}, {"columns": ["big", "a"]}, "row 0 of column 'big'"),
        ({"v": [[1.0, 2.0], [3.0, 1e200]]}, {"columns": ["v"]}, r"row 1 of column 'v\[1\]'"),
    ],
)
@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars"])
def test_numbers_beyond_a_float_have_the_column_of_a_table(library, columns, options, place):
    module = pytest.importorskip(library)
    table = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    with pytest.raises(kin.NotFinite, match=f"{place}: .*too large for a 32-bit float"):
        kin.read_vectors(table, **options)
    if not options:
        with pytest.raises(kin.NotFinite, match=f"{place}: .*too large"):
            kin.FlatIndex(len(columns)).add(table)


@pytest.mark.parametrize("size", [2, 3])
def test_a_column_of_lists_holds_the_vectors(tmp_path, size):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pandas = pytest.importorskip("pandas", minversion="3")
    polars = pytest.importorskip("polars")
    rows = np.float32([[0.5, -2, 4][:size], [1, 8, 0.25][:size]])
    columns = {"id": [7, 9], "review": ["good", "bad"], "embedding": rows.tolist()}
    pandas.DataFrame(columns).to_csv(tmp_path / "lists.csv", index=False)
    pandas.DataFrame({**columns, "embedding": list(map(str, rows))}).to_csv(tmp_path / "arrays.csv", index=False)
    parquet.write_table(arrow.table(columns), tmp_path / "lists.parquet")
    fixed = polars.DataFrame(columns, schema_overrides={"embedding": polars.Array(polars.Float64, size)})
    sources = [
        arrow.table(columns), pandas.DataFrame(columns), pandas.DataFrame({**columns, "embedding": list(rows)}), polars.DataFrame(columns),
        fixed, *(tmp_path / name for name in ["lists.csv", "arrays.csv", "lists.parquet"]),
    ]
    for source in sources:
        for options in [{"columns": ["embedding"]}, {"label": "review"}]:
            table = kin.read_vectors(source, **options)
            assert np.array_equal(table.vectors, rows) and table.columns is None, (source, options)
            assert table.ids.tolist() == [7, 9]
    for wrong, error, words in [
        ([[1.0, 2], [3.0]], kin.DimensionMismatch, "lists of column 'e' have 1 to 2 numbers"),
        ([[1.0, 2], None], kin.InvalidArgument, "row 1 is null"),
        ([["a", "b"], ["c", "d"]], kin.InvalidArgument, "holds no numbers"),
        ([[1.0, np.inf], [1.0, 2]], kin.NotFinite, r"row 0 of column 'e\[1\]'"),
    ]:
        for frame in [pandas.DataFrame, polars.DataFrame]:
            assert_raises(error, words, kin.read_vectors, frame({"e": wrong}))
