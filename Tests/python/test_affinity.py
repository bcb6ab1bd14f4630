"""Affinity through the engine: the scores of its methods, and errors that name the field."""

import kin
import pytest
from conftest import assert_raises

USER_A = {"uid": "userA", "goals": {"anxiety": 12, "sleep": 8}, "realms": {"ocean": 14}, "valence": 0.2}
USER_B = {"uid": "userB", "goals": {"anxiety": 9, "sleep": 15}, "realms": {"ocean": 10, "shore": 2}}


def test_affinity_passes_its_parameters_on(engine):
    answer = kin.affinity(USER_A, USER_B)
    assert answer == engine.affinity(USER_A, USER_B) == kin.affinity(USER_A, USER_B, shrink=True)
    assert set(answer["blocks"]) == {"goals", "realms"} and answer["coverage"] == pytest.approx(0.65)
    for named in ({"shrink": False}, {"weights": {"realms": 1}}):
        assert kin.affinity(USER_A, USER_B, **named) == engine.affinity(USER_A, USER_B, **named) != answer
    assert kin.affinity(USER_A, USER_A, shrink=False)["score"] == 1
    assert_raises(kin.InvalidArgument, "valence", kin.affinity, {"uid": "a", "valence": 2}, USER_B)


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
