"""Affinity through the engine: the scores of its methods, and errors that name the field."""

import re

import kin
import pytest
from conftest import assert_raises, session

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


SOUL = {"uid": "a", "goals": {"sleep": 1}}
NAPS = [{"id": "e", "type": "sleep", "start": "2026-01-01T08:00", "end": "2026-01-01T09:00"}]


def baby(**parts):
    return kin.Baby(kin.Engine(), **({"user": "u", "baby": "b"} | parts))


def wrong_calls():
    """Calls of functions and classes that wrap the engine's methods, and the name that an error must have."""
    nan = float("nan")
    for model in (None, kin.Engine().affinity_model()):
        matcher = kin.Matcher([{"uid": "z"}, SOUL], model=model)
        for soul, place in (
            ({"uid": "c", "goals": {"x": "1"}}, r"\.goals\.x"), ({"uid": "c", "goals": {"x": nan}}, r"\.goals\.x"),
            ({"uid": "c", "valence": 7}, r"\.valence"), ({"uid": "c", "gaols": {}}, ""), ({"goals": {}}, ""), (7, ""), (None, ""),
        ):
            yield lambda m=matcher, s=soul: m.upsert([SOUL, s]), rf"souls\[1\]{place}"
            yield lambda m=model, s=soul: kin.Matcher([SOUL, s], model=m), rf"souls\[1\]{place}"
        for souls in (7, None, "souls", SOUL):
            yield lambda m=matcher, s=souls: m.upsert(s), "souls must be"
            yield lambda m=model, s=souls: kin.Matcher(s, model=m), "souls must be"
        yield lambda m=matcher: m.upsert([SOUL, SOUL]), "'a'"
        for name, value in (("k", 0), ("k", 1.5), ("k", "x"), ("coverage", 2), ("coverage", nan), ("coverage", "x")):
            yield lambda m=matcher, n=name, v=value: m.similar_souls("a", **{n: v}), name
            yield lambda m=matcher, n=name, v=value: m.similar_souls(**{n: v}), name
        for value in (2, nan, "x", None):
            yield lambda m=matcher, v=value: m.matches(v, "a"), "above"
            yield lambda m=matcher, v=value: m.matches(v), "above"
        yield lambda m=matcher: m.similar_souls(1), "user"
        for value in (0, "x", nan):
            yield lambda m=model, v=value: kin.Matcher([SOUL], model=m, threads=v), "threads"
    for weights in ({"goals": -1}, {"goals": nan}, {"gaols": 1}, 3, "x", {"goals": "1"}):
        yield lambda w=weights: kin.Matcher([SOUL], weights=w), "weights"
        yield lambda w=weights: kin.affinity(SOUL, SOUL, weights=w), "weights"
    yield lambda: kin.Matcher([SOUL], model=3), "model"
    yield lambda: kin.affinity(SOUL, 3), r"\bb\b"
    yield lambda: kin.affinity({"uid": "a", "valence": 9}, SOUL), r"a\.valence"
    for call in (kin.forecast, kin.backtest):
        for start in ("x", 7, nan):
            yield lambda c=call, s=start: c([*NAPS, {"type": "sleep", "start": s}]), r"events\[1\]\.start"
        yield lambda c=call: c(7), "events"
        for name, value in (("kind", "naps"), ("zone", "Mars"), ("born", "x")):
            yield lambda c=call, n=name, v=value: c(NAPS, **{n: v}), name
    yield lambda: kin.forecast(NAPS, "x"), "now"
    yield lambda: kin.forecast(NAPS, coverage=2), "coverage"
    yield lambda: kin.backtest(NAPS, at=["x"]), r"at\[0\]"
    for born in (None, "2026-01-01"):
        for field, value in (("start", "x"), ("type", "slep"), ("end", nan), ("id", None)):
            yield lambda b=born, f=field, v=value: baby().put([*NAPS, NAPS[0] | {f: v}], born=b), rf"events\[1\](\.{field})?"
    yield lambda: baby().put(born="x"), "born"
    yield lambda: baby().put(name=3), "name"
    yield lambda: baby(zone="Mars").put(NAPS), "zone"
    yield lambda: baby(baby=3).put(NAPS), "baby"
    yield lambda: baby(user=3).put(NAPS), "user"
    engine = kin.Engine()
    engine.put([{"session": session(number)} for number in (1, 2)])
    stored = engine.sessions("u1")
    yield lambda: engine.put_embeddings(["u", "u"], ["s", "t"], [[1, 0], [0, 1]]), r"sessions\[0\]"
    for parts, name in (
        ({"vectors": [[1, 0], [nan, 0]]}, r"vectors\[1\]"), ({"vectors": [[1, 0], [0, 0]]}, r"vectors\[1\]"),
        ({"users": ["u1", 3]}, r"users\[1\]"), ({"sessions": [stored[0]["session"]["id"], 3]}, r"sessions\[1\]"), ({"model": 3}, "model"),
    ):
        whole = {"users": ["u1"] * 2, "sessions": [row["session"]["id"] for row in stored], "vectors": [[1, 0], [0, 1]]} | parts
        yield lambda p=whole: engine.put_embeddings(**p), name
    yield lambda: engine.session_vectors(3), "model"


def wrong_tables():
    """The same for logs in tables."""
    table = pytest.importorskip("pandas").DataFrame
    for call in (kin.forecast, kin.backtest):
        yield lambda c=call: c(table({"type": ["sleep"], "start": ["2026-13-01"]})), "events"
    for name, value in (("unit", "x"), ("dates", "x"), ("zone", "Mars"), ("child", 3)):
        yield lambda n=name, v=value: kin.read_log(table({"type": ["feed"], "start": ["2026-01-01"]}), **{n: v}), name


@pytest.mark.parametrize("calls", [wrong_calls, wrong_tables])
def test_errors_have_the_names_of_the_call(calls):
    for number, (call, name) in enumerate(calls()):
        with pytest.raises(kin.KinError) as failure:
            call()
            pytest.fail(f"call {number}, {name}")
        text = str(failure.value)
        assert re.search(name, text), f"call {number}: {text}"
        assert not re.search(r"\bmethod |records\[|\blog\[|line 1, column", text), f"call {number}: {text}"
        assert isinstance(failure.value, (kin.InvalidArgument, kin.MalformedInput, kin.DuplicateID, kin.NotFinite, kin.UnknownID, kin.ZeroVector)), text
