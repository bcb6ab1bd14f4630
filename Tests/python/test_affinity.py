"""Affinity through the engine: the scores of the formula, and errors that name the field."""

import math

import kin
import pytest
from conftest import assert_raises

USER_A = {"uid": "userA", "goals": {"anxiety": 12, "sleep": 8}, "realms": {"ocean": 14}, "valence": 0.2}
USER_B = {"uid": "userB", "goals": {"anxiety": 9, "sleep": 15}, "realms": {"ocean": 10, "shore": 2}}


def cosine(a, b):
    a, b = ({name: math.log1p(n) for name, n in traits.items()} for traits in (a, b))
    length = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(x * b.get(name, 0) for name, x in a.items()) / length


def shrinkage(*souls):
    events = [sum(sum(soul.get(block, {}).values()) for block in ("goals", "realms", "objects")) for soul in souls]
    return math.prod(math.sqrt((n + 1) / (n + 2)) for n in events)


def test_affinity_equals_its_formula():
    answer = kin.affinity(USER_A, USER_B)
    truth = (0.40 * cosine(USER_A["goals"], USER_B["goals"]) + 0.25 * cosine(USER_A["realms"], USER_B["realms"])) / 0.65
    assert answer["shrinkage"] == pytest.approx(shrinkage(USER_A, USER_B), abs=2**-11)
    assert answer["score"] == pytest.approx(truth * answer["shrinkage"], abs=1e-14)
    assert kin.Engine().affinity(USER_A, USER_B, shrink=False)["score"] == pytest.approx(truth, abs=1e-14)
    assert kin.affinity(USER_A, USER_B, shrink=False)["score"] == pytest.approx(truth, abs=1e-14)
    assert kin.affinity(USER_A, USER_A, shrink=False)["score"] == 1
    assert kin.affinity(USER_A, USER_B, shrink=True) == answer
    assert answer["coverage"] == pytest.approx(0.65)
    assert set(answer["blocks"]) == {"goals", "realms"}
    realms = kin.affinity(USER_A, USER_B, weights={"realms": 1})
    assert realms["score"] == pytest.approx(cosine(USER_A["realms"], USER_B["realms"]) * realms["shrinkage"])
    assert_raises(kin.InvalidArgument, "valence", kin.affinity, {"uid": "a", "valence": 2}, USER_B)


def test_matcher():
    souls = [{"uid": f"u{n}", "goals": {"sleep": 1 + n % 3, "focus": 1 + n % 5}} for n in range(20)]
    matcher = kin.Matcher(souls)
    first = matcher.similar_souls("u0", k=3)
    score, other = max((cosine(souls[0]["goals"], soul["goals"]) * shrinkage(souls[0], soul), soul["uid"]) for soul in souls[1:])
    assert first[0]["other"] == other and first[0]["score"] == pytest.approx(score, abs=2**-10)
    assert len(matcher.similar_souls(k=2)) == 40
    pairs = matcher.matches(0.85)
    assert all(pair["score"] >= 0.85 for pair in pairs) and len(pairs) == 58
    assert_raises(kin.UnknownID, None, matcher.similar_souls, "nobody")


@pytest.mark.parametrize(
    "parameters",
    [{}, {"weights": {"goals": 2, "valence": 1}}, {"every_goal_alike": True}, {"shrink": False}, {"shrink": True}],
)
def test_a_matcher_follows_changes_of_its_souls(parameters):
    souls = [
        {"uid": f"u{n:02}", "goals": {"sleep": 1 + n % 3, f"focus{n % 4}": 1 + n % 5}, "valence": n / 40} for n in range(40)
    ]
    kept = kin.Matcher(souls[:30], **parameters)
    kept.similar_souls("u03")
    kept.upsert([*souls[30:], {**souls[3], "valence": -0.5}])
    kept.remove("u07")
    present = [{**souls[3], "valence": -0.5} if n == 3 else soul for n, soul in enumerate(souls) if n != 7]
    engine = kin.Engine()
    for asked in ({"user": "u03"}, {"user": "u03", "coverage": 0.5}, {}, {"k": 2}):
        assert kept.similar_souls(**asked) == engine.match(present, **parameters, **asked)
    for asked in ({"user": "u03"}, {}):
        assert kept.matches(0.7, **asked) == engine.match(present, above=0.7, **parameters, **asked)
    assert_raises(kin.UnknownID, None, kept.remove, "u07")
    assert_raises(kin.UnknownID, None, kept.similar_souls, "u07")
    assert_raises(kin.DuplicateID, "'u04'", kin.Matcher, [*souls, souls[4]], **parameters)
    assert_raises(kin.KinError, "valence", kept.upsert, [{"uid": "u90"}, {"uid": "u91", "valence": 7}])
    assert len(kept.similar_souls(k=1)) == 39


def test_a_matcher_applies_its_model_to_changed_souls(engine):
    engine.put([{"soul": {**USER_A, "uid": "a"}}, {"soul": {**USER_B, "uid": "b"}}, {"soul": {"uid": "c", "goals": {"sleep": 2}}}])
    model = engine.affinity_model()
    matcher = kin.Matcher([{**USER_A, "uid": "a"}, {"uid": "d", "goals": {"focus": 1}}], model=model)
    matcher.upsert([{**USER_B, "uid": "b"}, {"uid": "c", "goals": {"sleep": 2}}])
    matcher.remove("d")
    assert matcher.similar_souls("a") == engine.similar_souls("a")
    assert kin.affinity(USER_A, USER_B, model=model) == engine.affinity(USER_A, USER_B)
    assert_raises(kin.UnknownID, None, matcher.remove, "d")


@pytest.mark.parametrize("soul", [{"valence": 0.5}, {"uid": ["x"]}, {"uid": "x", "valence": 5}, 7])
def test_a_refused_soul_changes_nothing(soul):
    souls = [{"uid": "a", "valence": 0.5}, {"uid": "b", "valence": 0.4}]
    model = kin.Engine().affinity_model()
    for matcher in (kin.Matcher(souls), kin.Matcher(souls, model=model)):
        before = matcher.similar_souls("a", k=5)
        with pytest.raises((kin.InvalidArgument, kin.MalformedInput, kin.NotFinite)):
            matcher.upsert([{"uid": "c", "valence": 0.5}, soul])
        assert matcher.similar_souls("a", k=5) == before
