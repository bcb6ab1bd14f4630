"""The engine: a store of records, by JSON."""

import json

import kin
import numpy
import pytest
from conftest import assert_raises, session, store_of

@pytest.fixture
def engine(tmp_path):
    with store_of(tmp_path / "people.db") as engine:
        yield engine


def test_records_are_exported_imported_and_forgotten(engine, tmp_path):
    exported = engine.call("export", user="u1")
    assert {line["session"]["id"] for line in exported} == {f"s{number}" for number in range(1, 60, 3)}
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join(json.dumps(line) for line in exported))
    with kin.Engine(tmp_path / "other.db") as other:
        assert other.call("import", path=str(lines)) == {"session": 20}
        assert other.call("export") == exported
    assert engine.call("forget", user="u1") == {"session": 20}
    assert engine.call("export", user="u1") == []
    assert [user["user"] for user in engine.call("users")] == ["u0", "u2"]
    assert engine.call("remove", session="s0") == {"removed": True}
    assert engine.call("remove", session="s0") == {"removed": False}
    assert engine.info() == {"people": 2, "sessions": 39, "items": 0, "records": {"session": 39}}
    assert engine.call("check")["is_intact"]
    assert engine.forget("nobody") == {} and engine.forget(["u0", "u2", "nobody"]) == {"session": 39}
    assert engine.call("users") == []


@pytest.mark.parametrize(
    ("method", "parameters", "said"),
    [
        ("neer", {}, "near"),
        ("near", {"session": "s1", "whre": "x"}, "where"),
        ("near", {"session": "nobody"}, "nobody"),
        ("put", {"records": [{"session": {"id": "x"}}]}, "missing"),
        ("near", {"session": float("nan")}, "session must be a finite number, not nan"),
    ],
)
def test_errors_name_the_cause_and_change_nothing(engine, method, parameters, said):
    before = engine.call("info")
    assert_raises(kin.KinError, said, engine.call, method, **parameters)
    assert engine.call("info") == before


def test_a_store_has_one_writer_and_many_readers(engine, tmp_path):
    assert_raises(kin.Busy, None, kin.Engine, tmp_path / "people.db")
    with kin.Engine(tmp_path / "people.db", read_only=True) as reader:
        assert reader.call("info")["sessions"] == 60
        assert_raises(kin.InvalidArgument, "reading", reader.call, "forget", user="u1")
    assert_raises(kin.InvalidArgument, "closed", reader.call, "info")
    reader.close()


def test_a_caller_can_supply_the_naming_key(tmp_path):
    key = bytes(range(32))
    with kin.Engine(tmp_path / "people.db", naming_key=key) as engine:
        engine.call("put", records=[{"soul": {"uid": "u1", "valence": 0.5}}])
        assert engine.call("check")["naming_key"] == "caller"
    assert key not in (tmp_path / "people.db").read_bytes()
    assert_raises(kin.InvalidArgument, None, kin.Engine, tmp_path / "people.db", naming_key=key[::-1])
    assert_raises(kin.InvalidArgument, None, kin.Engine, tmp_path / "people.db", naming_key=b"short")
    with kin.Engine(tmp_path / "people.db") as engine:
        assert engine.call("sessions", user="u1") == []


def test_an_engine_in_memory_has_its_own_records_and_options():
    with kin.Engine(memory_budget=4096, naming_key=bytes(range(16))) as engine, kin.Engine() as other:
        engine.put([session(number, f"u{number}") for number in range(50)])
        for number in range(50):
            engine.profile(f"u{number}")
        assert engine.memory()["budget"] == 4096 and engine.memory()["evictions"] > 0
        assert engine.call("check")["naming_key"] == "caller" and other.info()["sessions"] == 0
    assert_raises(kin.InvalidArgument, None, kin.Engine, naming_key=b"short")


def test_an_answer_above_the_limit_is_an_error():
    with kin.Engine(answer_limit=1000) as engine:
        engine.put([session(number) for number in range(50)])
        assert_raises(kin.CapacityExceeded, "answer_limit", engine.near, session="s1", k=49)
        assert len(engine.near(session="s1", k=1)) == 1


def test_python_and_numpy_values_become_json():
    with kin.Engine() as engine:
        given = (session(number) for number in range(5))
        engine.put(given)
        point = {"food": numpy.float32(0.5)}
        assert engine.near(point=point, k=numpy.int64(2)) == engine.near(point={"food": 0.5}, k=2)
        deep = []
        for _ in range(100_000):
            deep = [deep]
        for wrong in (object(), deep):
            assert_raises(kin.InvalidArgument, "JSON", engine.call, "near", point=wrong)
        for long in (b"x" * 1_000, bytearray(1_000)):
            with pytest.raises(kin.InvalidArgument, match="JSON") as failure:
                engine.put([{"policy": {"name": "p", "policy": long}}])
            assert repr(long)[:80] in str(failure.value) and repr(long)[:81] not in str(failure.value)


def test_embeddings_are_arrays(random):
    with kin.Engine() as engine:
        ids = [f"s{number}" for number in range(200)]
        engine.put([{"session": session(number)} for number in range(200)])
        vectors = random.normal(size=(200, 24)).astype(numpy.float32)
        assert engine.put_embeddings(["u1"] * 200, ids, vectors, model="note") == {"session_embedding": 200}
        names, array = engine.session_vectors("note")
        assert names == sorted(ids) and array.dtype == numpy.float32
        assert numpy.array_equal(array, vectors[[int(name[1:]) for name in names]])
        names, points = engine.session_vectors(user="u1")
        assert names == sorted(ids) and points.shape == (200, 16)
        # Rows as floats, doubles and a list, and a row with a stride, which has the wrong dimension.
        for query in (vectors[7], vectors[7].astype(float), vectors[:, ::2][7], vectors[7].tolist()):
            if len(query) == 24:
                found = engine.near(embedding=query, k=5)
                assert found[0]["session"]["id"] == "s7" and found[0]["embedding_distance"] < 1e-12
            else:
                assert_raises(kin.KinError, "12 dimensions", engine.near, embedding=query)
        assert_raises(kin.InvalidArgument, "200 vectors", engine.put_embeddings, ["u1"], ids, vectors)
        assert_raises(kin.InvalidArgument, None, engine.near, embedding=numpy.array(["x"]))


def test_import_paths_with_a_zero_character_are_refused(tmp_path):
    (tmp_path / "abc").write_text("", encoding="utf-8")
    with kin.Engine() as engine, pytest.raises(kin.InvalidArgument, match="path"):
        engine.import_(f"{tmp_path}/abc\0def")
