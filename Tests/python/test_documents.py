"""Documents next to an index: copies and refusals, and a folder that holds the old state or the new one after any failure."""

import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import threading

import kin
import numpy as np
import pytest
from conftest import assert_raises, together
from kin._documents import Condition, Documents, Field, exist
from kin._signatures import METRICS

ODD = {
    "not a number": math.nan, "infinite": -math.inf, "bytes": b"x", "a set": {1}, "a tuple": (1, 2), "nested tuple": [{"a": (1,)}], "a key": {1: "x"},
    "two keys": {1: "x", "1": "y"}, "a complex number": 1j, "an object": object(), "an array": np.ones(2), "a NumPy integer": np.int64(1),
    "a date": np.datetime64("2026-01-01"), "too many digits": 10**5000,
}
PLAIN = {
    "texts": ["", "ä", "日本\n\r\u2028", "\0", "\ud800", "a\\\"b"], "numbers": [0, -0.0, 1.5, 2**70, -1, 1e-320, np.float64(0.1)],
    "others": [True, False, None, [], {}, {"": {"": [[None]]}}],
}


def entries(n, version=0, dimension=8, first=0):
    """Documents that say their version, with vectors that depend on it; each seventh has none."""
    x = np.random.default_rng(version).random((n, dimension))
    return [
        (f"id {first + row}", {"text": f"{version}: {row}", "metadata": {"version": version}}, None if row % 7 == 3 else x[row]) for row in range(n)
    ]


def written(*groups, **settings):
    documents = Documents("langchain", **settings)
    for group in groups:
        documents.write(group)
    return documents


def contents(documents):
    """All that documents hold, by id."""
    records = list(documents)
    return {record.id: (record.fields, vector) for record, vector in zip(records, documents.vectors(records))}


def assert_whole(documents):
    """Everything has one version, and each document with a vector is found by it, alone at distance 0."""
    held = contents(documents)
    assert len({fields["metadata"]["version"] for fields, _ in held.values()}) <= 1
    for id, (fields, vector) in held.items():
        if vector is not None:
            ((record, distance),) = documents.search(vector, 1, None)
            assert (record.id, record.fields) == (id, fields) and distance == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("layout", ["flat", "lists"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_saved_folder_loads_unchanged(metric, layout, tmp_path):
    documents = written(entries(500), entries(40, version=1, first=100), metric=metric, layout=layout)
    documents.delete(["id 3", "id 4", "id 5", "nobody"])
    documents.save(tmp_path / "a" / "b")
    loaded = Documents.load(tmp_path / "a" / "b", "langchain")
    assert contents(loaded) == contents(documents) and [r.id for r in loaded] == [r.id for r in documents]
    assert (loaded.metric, loaded.layout) == (metric, layout)
    query = np.random.default_rng(9).random(8)
    assert loaded.search(query, 30, None) == documents.search(query, 30, None)
    # The next key is stored, so that no key is used twice.
    for each in (loaded, documents):
        each.write(entries(20, version=2))
    assert contents(loaded) == contents(documents)
    assert sorted(os.listdir(tmp_path / "a" / "b")) == [".lock", "documents.jsonl", "vectors-1.kin"]


@pytest.mark.parametrize("metric", METRICS)
def test_the_similarity_falls_with_the_distance(metric):
    documents = written(entries(40), metric=metric)
    similarities = [documents.similarity(distance) for _, distance in documents.search(np.random.default_rng(9).random(8), 20, None)]
    assert similarities == sorted(similarities, reverse=True) and similarities[0] > similarities[-1]
    assert documents.similarity(2.0) == {"l2": 0, "cosine": -1, "ip": -2}[metric]


def test_an_empty_folder_and_one_without_vectors(tmp_path):
    documents = written()
    documents.save(tmp_path)
    assert len(Documents.load(tmp_path, "langchain")) == 0 and documents.search([1, 2], 3, None) == []
    documents.write([("a", {"n": 1}, None)])
    documents.save(tmp_path)
    loaded = Documents.load(tmp_path, "langchain")
    assert contents(loaded) == {"a": ({"n": 1}, None)}
    # A store without vectors takes any number of dimensions, also after it had others.
    for dimension in (3, 5):
        loaded.write([("a", {"n": 2}, np.ones(dimension))])
        assert len(loaded.search(np.ones(dimension), 9, None)) == 1
        loaded.delete(["a"])


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_values_that_json_lacks_are_refused(value):
    documents = written(entries(5))
    before = contents(documents)
    for nested in (value, [0, value], {"deep": {"deeper": value}}):
        with pytest.raises(kin.InvalidArgument, match=r"document 'b'\.metadata\.field.*: .*a document holds"):
            documents.write([("a", {"text": "x"}, np.ones(8)), ("b", {"metadata": {"field": nested}}, np.ones(8))])
    assert contents(documents) == before


def test_circular_and_deeply_nested_values_are_refused():
    circle, deep = [], []
    circle.append(circle)
    for _ in range(100_000):
        deep = [deep]
    for value in (circle, deep):
        assert_raises(kin.InvalidArgument, "document 'a'", written, [("a", {"metadata": value}, None)])


def test_json_values_are_copied_and_restored(tmp_path):
    given = json.loads(json.dumps(PLAIN))
    documents = written([("ä\ud800\n\r\u2028", given, [1, 2]), ("b", {"metadata": PLAIN}, None)])
    given["texts"].append("later")
    documents.save(tmp_path)
    for each in (documents, Documents.load(tmp_path, "langchain")):
        assert each.get("ä\ud800\n\r\u2028").fields == PLAIN and each.get("b").fields == {"metadata": PLAIN}


@pytest.mark.parametrize("id", ["", None, 1, b"a"])
def test_ids_must_be_texts(id):
    assert_raises(kin.InvalidArgument, "is a text that is not empty", written, [("a", {}, None), (id, {}, None)])


def test_the_last_document_with_an_id_wins():
    documents = written([("a", {"n": 1}, [1, 0]), ("b", {"n": 2}, [0, 1]), ("a", {"n": 3}, [0, 2])])
    assert contents(documents) == {"a": ({"n": 3}, [0, 2]), "b": ({"n": 2}, [0, 1])}
    documents.write([("b", {"n": 4}, None)])
    assert [(record.id, record.fields) for record, _ in documents.search([0, 1], 9, None)] == [("a", {"n": 3})]


@pytest.mark.parametrize(("vector", "error"), [
    ([1, math.nan], kin.NotFinite), ([1, 1e300], kin.NotFinite), ([1, 2, 3], kin.DimensionMismatch), ([0, 0], kin.ZeroVector), ([[1, 2]], kin.DimensionMismatch),
    (["a", "b"], kin.InvalidArgument), ([[1], [1, 2]], kin.InvalidArgument), (1, kin.DimensionMismatch),
])
def test_a_refused_vector_changes_nothing(vector, error):
    documents = written([("a", {"n": 1}, [1, 0]), ("b", {"n": 2}, [0, 1])])
    before = contents(documents)
    assert_raises(error, "embedding of document 'c'", documents.write, [("a", {"n": 5}, [3, 4]), ("c", {"n": 6}, vector)])
    assert contents(documents) == before and len(documents.search([1, 1], 9, None)) == 2
    assert_raises(kin.DimensionMismatch, None, written, [("a", {}, 1.0)])
    for query in ([1, 2, 3], [[1, 2]], 1.0):
        assert_raises(kin.DimensionMismatch, None, documents.search, query, 1, None)


STEPS = """
import os, sys
import kin, kin._documents
from kin._documents import Documents
sys.path.insert(0, sys.argv[3])
from test_documents import entries

folder, last = sys.argv[1], int(sys.argv[2])
documents = Documents.load(folder, "langchain")
documents.write(entries(60, version=1, first=0))
documents.delete([record.id for record in documents if record.fields["metadata"]["version"] == 0])
step = 0

def stepped(function):
    def call(*arguments, **named):
        global step
        step += 1
        if step == last:
            os._exit(3)
        function(*arguments, **named)
        step += 1
        if step == last:
            os._exit(3)
    return call

kin.FlatIndex.save = stepped(kin.FlatIndex.save)
os.fsync, os.replace, os.unlink = stepped(os.fsync), stepped(os.replace), stepped(os.unlink)
kin._documents.Path.unlink = stepped(kin._documents.Path.unlink)
kin._documents.open = open
documents.save(folder)
print(step)
"""


def test_a_crash_leaves_the_old_state_or_the_new_one(tmp_path):
    """The process ends before and after each step of a save that changes something in the folder."""
    old, new = written(entries(50)), written(entries(60, version=1))
    old.save(tmp_path / "old")
    states, last = [], 0
    while True:
        last += 1
        folder = tmp_path / f"step {last}"
        shutil.copytree(tmp_path / "old", folder)
        command = [sys.executable, "-c", STEPS, str(folder), str(last), os.path.dirname(__file__)]
        ended = subprocess.run(command, capture_output=True, text=True)
        loaded = Documents.load(folder, "langchain")
        assert_whole(loaded)
        states.append(contents(loaded) == contents(new))
        assert states[-1] or contents(loaded) == contents(old)
        # The next save goes on from either, and leaves nothing behind.
        loaded.save(folder)
        assert contents(Documents.load(folder, "langchain")) == contents(loaded) and len(os.listdir(folder)) == 3
        if ended.returncode == 0:
            break
        assert (ended.returncode, ended.stderr) == (3, "")
    assert last > 8 and states == sorted(states) and not states[0]


def test_no_damage_of_the_documents_goes_unnoticed(tmp_path):
    documents = written(entries(6))
    documents.save(tmp_path)
    file = tmp_path / "documents.jsonl"
    whole = file.read_bytes()
    random = np.random.default_rng(3)
    damaged = [whole[:length] for length in range(0, len(whole), 3)]
    for place in range(int(random.integers(3)), len(whole), 3):
        damaged.append(whole[:place] + bytes([whole[place] ^ (1 << int(random.integers(8)))]) + whole[place + 1 :])
    lines = whole.splitlines(keepends=True)
    damaged += [b"".join(lines[:4] + lines[5:]), b"".join([*lines, lines[-1]]), b"".join([lines[0], *lines[:0:-1]]), b"[]\n", b"null\n", b"\xff\n", b"[" * 100_000]
    for content in damaged:
        file.write_bytes(content)
        with pytest.raises((kin.CorruptFile, kin.UnsupportedFormat), match="documents.jsonl"):
            Documents.load(tmp_path, "langchain")
    for save in (documents.save, written(entries(2)).save):
        assert_raises(kin.InvalidArgument, "It is not replaced", save, tmp_path)
    assert file.read_bytes() == damaged[-1]
    file.write_bytes(whole)
    assert contents(Documents.load(tmp_path, "langchain")) == contents(documents)


def test_a_later_format_is_refused_by_number(tmp_path):
    written(entries(3)).save(tmp_path)
    file = tmp_path / "documents.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"format": 1', b'"format": 2', 1))
    with pytest.raises(kin.UnsupportedFormat, match="has the format 2, and this release reads 1"):
        Documents.load(tmp_path, "langchain")


def test_vectors_of_other_documents_are_refused(tmp_path):
    written(entries(20)).save(tmp_path / "a")
    written(entries(30)).save(tmp_path / "b")
    shifted = written(entries(5), entries(20))
    shifted.save(tmp_path / "c")
    vectors = tmp_path / "a" / "vectors-1.kin"
    for other in ("b", "c"):
        shutil.copy(tmp_path / other / "vectors-1.kin", vectors)
        with pytest.raises(kin.CorruptFile, match="vectors-1.kin does not have the vectors"):
            Documents.load(tmp_path / "a", "langchain")
    vectors.write_bytes(vectors.read_bytes()[:-100])
    assert_raises(kin.CorruptFile, None, Documents.load, tmp_path / "a", "langchain")
    vectors.unlink()
    assert_raises(kin.InputOutput, "vectors-1.kin", Documents.load, tmp_path / "a", "langchain")


def test_missing_and_foreign_folders_are_refused(tmp_path):
    for missing in (tmp_path / "nothing", tmp_path):
        assert_raises(kin.InputOutput, "documents.jsonl: there is no such file", Documents.load, missing, "langchain")
    (tmp_path / "thesis.tex").write_text("x")
    assert_raises(kin.InvalidArgument, "holds other files", written(entries(3)).save, tmp_path)
    assert_raises(kin.InputOutput, None, written(entries(3)).save, tmp_path / "thesis.tex")
    assert os.listdir(tmp_path) == ["thesis.tex"] and not exist(tmp_path)
    written(entries(3)).save(tmp_path / "new")
    with pytest.raises(kin.InvalidArgument, match="was saved by kin.langchain; open it there"):
        Documents.load(tmp_path / "new", "haystack")


@pytest.mark.parametrize("settings", [{"metric": "hamming"}, {"layout": "graph"}])
def test_unknown_settings_are_refused(settings):
    assert_raises(kin.InvalidArgument, "use one of", Documents, "langchain", **settings)


def test_of_two_writers_the_second_is_told(tmp_path):
    written(entries(10)).save(tmp_path)
    one, other = (Documents.load(tmp_path, "langchain") for _ in range(2))
    one.write(entries(10, version=1))
    one.save(tmp_path)
    one.save(tmp_path)
    assert_raises(kin.Busy, "load it again", other.save, tmp_path)
    other.save(tmp_path / "elsewhere")
    assert contents(Documents.load(tmp_path, "langchain")) == contents(one)
    # A new store replaces the saved one: a program that runs a second time does the same.
    written(entries(4, version=7)).save(tmp_path)
    assert len(Documents.load(tmp_path, "langchain")) == 4


def test_a_value_written_during_a_search_is_not_found_by_a_negation():
    """The expression of a search does not know the value. Each document found is tested again."""
    documents = written([(f"{n}", {"n": n}, [1, n]) for n in range(5)])

    def expression(field_at):
        unequal = f"not {field_at(('n',)).among([7])}"
        documents.write([("late", {"n": 7}, [1, 0])])
        return unequal

    found = documents.search([1, 0], 9, Condition(lambda record: record.fields["n"] != 7, expression))
    assert [record.id for record, _ in found] == ["0", "1", "2", "3", "4"]


def test_a_search_sees_no_vector_before_its_attributes(monkeypatch):
    documents = written([("a", {"n": 1}, [1, 1])])
    documents.search([1, 0], 1, Condition(bool, lambda field_at: field_at(("n",)).among([1])))
    assign, found = Field.assign, []

    def searching(*arguments):
        found.append([record.id for record, _ in documents.search([1, 0], 1, None)])
        assign(*arguments)

    monkeypatch.setattr(Field, "assign", searching)
    documents.write([("b", {"n": 1}, [1, 0])])
    assert found == [["a"]] and documents.search([1, 0], 1, None)[0][0].id == "b"


def test_fields_forget_the_values_that_no_document_has():
    documents = written([(f"{n}", {"n": None, "many": []}, [1, n]) for n in range(30)])
    for key in ("n", "many"):
        assert documents.search([1, 0], 40, Condition(bool, lambda field_at: field_at((key,)).among([None]))) != [] or key == "many"
    for version in range(40):
        # Every third document has no vector, and so no attribute.
        documents.write([(f"{n}", {"n": version * 30 + n}, None if n % 3 == 0 else [1, n]) for n in range(30)])
        documents.delete([f"{version % 30}"])
    (numbers, many) = documents._fields.values()
    held = [record.fields["n"] for record in documents if record.key is not None]
    assert sorted(numbers.numbers) == sorted(held) and len(set(numbers.numbers.values())) == len(held)
    assert numbers.is_plain and many.is_plain and many.numbers == {}
    documents.write([("more", {"many": {}}, [1, 1])])
    assert not many.is_plain
    documents.delete([record.id for record in documents])
    assert numbers.numbers == {} and many.is_plain and set(numbers._uses.values()) | set(many._uses.values()) == set()


def test_readers_of_a_repeatedly_saved_folder_see_whole_states(tmp_path):
    written(entries(30)).save(tmp_path)
    done = threading.Event()

    def save():
        try:
            for version in range(1, 60):
                written(entries(30, version)).save(tmp_path)
        finally:
            done.set()

    def read():
        while not done.is_set():
            assert_whole(Documents.load(tmp_path, "langchain"))

    together(save, read, read)


@pytest.mark.parametrize("layout", ["flat", "lists"])
def test_a_search_never_mixes_versions(layout):
    """Each document has the place of its vector. A thread replaces and deletes documents during the searches."""
    documents, done = Documents("langchain", "l2", layout), threading.Event()
    even = Condition(lambda record: not record.fields["odd"], lambda field_at: field_at(("odd",)).among([0]))

    def group(version):
        return [(f"{n}", {"place": version + n, "odd": (version + n) % 2, "half": n // 2}, [version + n, 0]) for n in range(50)]

    def write():
        try:
            for version in range(300):
                documents.write(group(version))
                if version % 20 == 0:
                    documents.delete([f"{n}" for n in range(25)])
                if version % 70 == 0:
                    documents.delete([f"{n}" for n in range(50)])
        finally:
            done.set()

    def read():
        while not done.is_set():
            for record, distance in documents.search([100, 0], 60, None):
                assert distance == (record.fields["place"] - 100) ** 2
            for record, distance in documents.search([100, 0], 60, even):
                assert distance == (record.fields["place"] - 100) ** 2 and not record.fields["odd"]
            with contextlib.suppress(kin.InvalidArgument):  # There is no document.
                halves = [record.fields["half"] for record, _ in documents.search([100, 0], 60, None, ("half",))]
                assert len(halves) == len(set(halves))
            records = list(documents)
            for record, vector in zip(records, documents.vectors(records)):
                assert vector in (None, [record.fields["place"], 0])

    together(write, read, read)
