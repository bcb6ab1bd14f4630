"""Affinity through the engine: the same scores as the formula, and errors that name the field."""

import math

import kin
import pytest

MARA = {"uid": "mara", "goals": {"anxiety": 12, "sleep": 8}, "realms": {"ocean": 14}, "valence": 0.2}
JON = {"uid": "jon", "goals": {"anxiety": 9, "sleep": 15}, "realms": {"ocean": 10, "shore": 2}}


def cosine(a, b):
    a, b = ({name: math.log1p(n) for name, n in traits.items()} for traits in (a, b))
    length = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(x * b.get(name, 0) for name, x in a.items()) / length


def test_affinity_is_the_formula():
    bond = kin.affinity(MARA, JON)
    truth = (0.40 * cosine(MARA["goals"], JON["goals"]) + 0.25 * cosine(MARA["realms"], JON["realms"])) / 0.65
    assert bond["score"] == pytest.approx(truth, abs=1e-14)
    assert bond["evidence"] == pytest.approx(0.65)
    assert set(bond["blocks"]) == {"goals", "realms"}
    assert kin.affinity(MARA, JON, weights={"realms": 1})["score"] == pytest.approx(cosine(MARA["realms"], JON["realms"]))
    with pytest.raises(kin.InvalidArgument, match="valence"):
        kin.affinity({"uid": "a", "valence": 2}, JON)


def test_matcher():
    souls = [{"uid": f"u{n}", "goals": {"sleep": 1 + n % 3, "focus": 1 + n % 5}} for n in range(20)]
    matcher = kin.Matcher(souls)
    first = matcher.kindred("u0", k=3)
    # In the same direction as u0, and of these the first.
    assert first[0]["kindred"] == "u1"
    assert first[0]["score"] == pytest.approx(1, abs=1e-14)
    assert len(matcher.kindred(k=2)) == 40
    pairs = matcher.matches(1.0)
    assert all(pair["score"] == 1 for pair in pairs) and len(pairs) >= 5
    with pytest.raises(kin.UnknownID):
        matcher.kindred("nobody")


def test_a_store_has_one_model(tmp_path):
    with kin.Engine(str(tmp_path / "people.db")) as engine:
        souls = [{**MARA, "uid": "a"}, {**JON, "uid": "b"}, {"uid": "c", "goals": {"sleep": 2}}]
        engine.call("put", records=[{"soul": soul} for soul in souls])
        engine.call("keep_affinity_model", weights={"goals": 3, "realms": 1})
        model = engine.call("affinity_model")
        assert model["weights"]["goals"] == 0.75 and model["people"] == 3 and model["goals"]["sleep"] == 3
        why = engine.call("why", user="a", other="b")
        assert engine.call("affinity", a=MARA, b=JON) == why == kin.affinity(MARA, JON, model=model)
        kindred = engine.call("kindred", user="a", k=2)
        assert kin.Matcher(souls, model=model).kindred("a", k=2) == kindred
        assert kindred[0]["compared"] == ["goals", "realms"]
        assert why["score"] == next(found["score"] for found in kindred if found["kindred"] == "b")


def test_a_connection_needs_enough_to_be_compared():
    bond = kin.affinity({"uid": "a", "valence": 0.3}, {"uid": "b", "valence": 0.3})
    assert bond["score"] == 1 and bond["connection"] == "distant_echo" and bond["evidence"] == 0.05
