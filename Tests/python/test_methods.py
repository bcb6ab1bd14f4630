"""The typed methods match the table, and answer like calls by name."""

import datetime
import inspect
import json
import re
import tempfile
from pathlib import Path

import kin
import pytest
from conftest import SOURCES, session
from kin import _methods

ROOT = SOURCES.parents[1]
PAGE = (SOURCES.parent / "Engine/KinEngine/METHODS.md").read_text()
DATA = [ROOT / "datasets" / f"{name}.jsonl" for name in ("people", "images", "souls", "challenges")]
ANALYSES = [json.loads(line) for line in DATA[1].read_text().splitlines()[:60]]
SOULS = [json.loads(line) for line in DATA[2].read_text().splitlines()[:12]]
AT = "2026-03-28T10:00:00Z"
HERE = {"lat": 40.72, "lng": -73.99}
STORY = {"story": {"title": "The shell", "content": "Once", "triggerZone": "Pool", "narrativeType": "fable"}}
LOG = [
    {"id": f"e{day}-{hour}", "type": "sleep", "start": f"2026-01-{day:02}T{hour:02}:00", "end": f"2026-01-{day:02}T{hour + 1:02}:10"}
    for day in range(1, 22)
    for hour in (9, 13, 20)
]
BABY = {"user": "u0", "baby": "b1"}
BACKUPS = tempfile.TemporaryDirectory()

LIBRARY = {name: kin.Engine().cluster(analyses=ANALYSES, k=3)[name] for name in ("clusters", "realm_index")}
WORLD = kin.Engine().call("world", name="Tide", goals=["sleep"], realms=1, **LIBRARY)

def typed(name):
    return name + "_" if name == "import" else name


def python(parameter):
    return parameter + "_" if parameter == "from" else parameter


def described():
    """The methods of METHODS.md with their parameters: the names, and whether each is required."""
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        name = re.match(r"`(\w+)`", section)[1]
        section = section.partition("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \| .*? \| (.*?) \| ", section, re.MULTILINE)
        yield name, {python(parameter): default == "required" for parameter, default in rows}


# Examples of methods in the order of their calls: each uses data from the calls before it. The other methods run in
# between.
FIRST = [
    *[("import", {"path": path}) for path in DATA],
    ("put", {"records": [{"baby": {"user_id": "u0", "id": "b1", "name": "Ada", "date_of_birth": "2025-11-01"}}]}),
    ("put", {"records": [session(1, "u0")]}),
    ("put", {"records": [{"care_event": {"user_id": "u0", "baby": "b1", "event": event}} for event in LOG]}),
    ("near", {"session": "u0-1", "k": 3, "metric": "cosine", "where": "user = u0"}),
    ("near", {"user": "u0", "at": datetime.datetime(2026, 3, 28, 11, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))}),
    ("near", {"point": {"food": 0.8}, "k": 2}),
    ("near", {"session": "nobody"}),
    ("put", {"records": [{"session_embedding": {"user_id": "u0", "session_id": f"u0-{number}", "model": "note",
                                                "vector": [number, 1.5]}} for number in range(1, 5)]}),
    ("near", {"session": "u0-1", "model": "note", "weight": 0.25}),
    ("near", {"embedding": [1, 2], "k": 3}),
    ("vectors", {"model": "note", "user": "u0"}),
    ("sessions", {"user": "u0", "count": 4}),
    ("profile", {"user": "u0", "at": AT, "zone": "Europe/Berlin"}),
    ("insight", {"session": "u0-1"}),
    ("map", {"user": "u0", "components": 3}),
    ("advance", {"session": "s1", "state": "mastery"}),
    ("end", {"session": "s1", "at": "2027-01-01T00:00:00Z"}),
    ("inventory", {"near": HERE, "within_km": 20, "type": ["tool", "space"], "user": "u0", "at": AT}),
    ("inventory", {"point": {"food": 1}, "k": 4, "diversity": 0.4, "per_category": 2, "exclude": ["i1"]}),
    ("similar_souls", {"user": "u0", "k": 4, "diversity": 0.4, "per_category": 2, "exclude": ["u1"]}),
    ("items", {"ids": ["i1", "nothing"]}),
    ("geofence_events", {"positions": [{"at": AT, **HERE}], "within_km": 20}),
    ("missions", {"user": "u0", "near": HERE, "minutes": 60, "slot": "dawn", "within_km": 20, "at": AT}),
    ("flip_points", {"user": "u0", "near": HERE, "minutes": 60, "slot": "dawn", "within_km": 20, "at": AT}),
    ("cluster", {"k": 4, "seed": 2}),
    ("cluster", {"analyses": ANALYSES}),
    ("world", {"name": "Tide", "goals": ["sleep"], "minutes": 30, "seed": 3}),
    ("place", {"analysis": ANALYSES[3]}),
    ("insert_image", {"analysis": {**ANALYSES[3], "image_id": "another"}, **LIBRARY}),
    ("rank_images", {"goals": ["sleep"], "k": 3}),
    ("match_scenes", {"vector": [1, 1], "scenes": [{"id": "a", "vector": [1, 0]}, {"id": "b", "vector": [1, 1]}]}),
    ("dominant_colours", {"pixels": [10, 20, 30, 200, 100, 0], "k": 2}),
    ("forecast", {"log": LOG, "now": "2026-01-21T12:00", "kind": "nap"}),
    ("forecast", {**BABY, "now": "2026-01-21T12:00", "coverage": 0.9}),
    ("backtest", {"log": LOG, "at": ["2026-01-20T12:00"]}),
    ("backtest", {**BABY, "kind": "nap", "seed": 2}),
    ("predictions", {**BABY, "now": "2026-01-21T12:00", "coverage": 0.9}),
    ("day_plan", {"log": LOG, "now": "2026-01-21T12:00", "coverage": 0.9}),
    ("day_plan", {**BABY, "now": "2026-01-21T12:00", "given": [{"type": "sleep", "end": "2026-01-21T15:00"}]}),
    ("affinity", {"a": SOULS[0], "b": SOULS[1], "weights": {"goals": 1}}),
    ("match", {"souls": SOULS, "k": 2}),
    ("learn_souls", {"events": [{"uid": "u9", "at": AT, "goals": ["Calm"], "minutes": 20, "reaction": 0.5}]}),
    ("keep_affinity_model", {"weights": {"goals": 2, "realms": 1}, "deliveries_per_day": 50, "minimum_events": 1}),
    ("similar_souls", {"user": "u1", "k": 3}),
    ("similar_souls", {"user": "u1", "connections": "quantile", "quantiles": {"soul_mirror": 0.999}}),
    ("similar_souls", {"user": "u1", "above": 0.5, "coverage": 0.2}),
    ("similar_pairs", {"k": 2, "threads": 2}),
    ("why", {"user": "u1", "other": "u2"}),
    ("contribute", {"user": "u1", "contribution": STORY, "made": AT}),
    ("route", {"threads": 2}),
    ("anonymous_name", {"user": "u1"}),
    ("inbox", {"user": "u2", "state": "visible"}),
    ("digest", {"user": "u2", "since": AT}),
    ("join_world", {"user": "u2", "world": WORLD}),
    *[(method, {"user": "u2", "item": "none"}) for method in ("accept", "decline", "block")],
    ("prefer", {"user": "u0", "preferences": {"max_time": 60}, "at": AT}),
    ("suggest", {"user": "u0", "at": AT}),
    ("suggest", {"user": "u0", "at": AT, "zone": "+05:30"}),
    ("today", {"user": "u0", "at": AT}),
    ("assign", {"user": "u0", "at": AT}),
    ("timeline", {"user": "u0", "days": 3, "at": AT}),
    ("complete", {"user": "u0", "rating": 5, "minutes": 12.5, "at": AT}),
    ("assign", {"user": "u0", "at": "2026-03-29T10:00:00Z"}),
    ("skip", {"user": "u0", "at": "2026-03-29T11:00:00Z"}),
    ("evaluate_policy", {"user": "u0", "kind": "linucb", "exploration": 0.5, "epsilon": 0.1, "resamples": 20, "seed": 2}),
    ("reflect", {"user": "u0", "text": "well", "at": AT}),
    ("progress", {"user": "u0", "at": AT}),
    ("rotation", {"user": "u0", "refresh": "06:30", "at": AT}),
    ("next_notification", {"user": "u0", "at": AT, "phase": "uniform", "seed": 9}),
    ("notification_prior", {"user": "u0"}),
    ("notified", {"user": "u0", "sent": AT, "answered": True, "at": AT}),
    ("check_content", {"text": "{}"}),
    ("create_policy", {"policy": "banner", "kind": "linucb", "dimension": 2, "arms": 3, "seed": 4}),
    ("choose_arm", {"policy": "banner", "context": [0.5, 1], "arms": [0, 2]}),
    ("learn", {"policy": "banner", "reward": 0.5, "event": {"features": [0.5, 1], "arm": 2, "propensity": 0.5}}),
    ("create_policy", {"policy": "tools", "dimension": 2, "pairs": True}),
    ("choose_action", {"policy": "tools", "actions": [[0, 1], [1, 0.5]]}),
]
LAST = [
    ("dismiss_insight", {**BABY, "insight": "wake_window_1"}),
    ("share_baby", {**BABY, "other": "u1"}),
    ("unshare_baby", {**BABY, "other": "u0"}),
    ("remove", {"kind": "soul", "user": "u5"}),
    ("remove", {"session": "u0-1"}),
    ("export", {"user": "u0"}),
    ("export", {"user": "u0", "shape": "grain"}),
    ("shape", {"records": [{"dayNumber": 1, "completed": True}]}),
    ("forget", {"user": "u0"}),
    ("save_indexes", {}),
    ("backup", {"path": str(Path(BACKUPS.name, "backup.db")), "overwrite": True}),
    ("suspend", {}),
    ("check", {}),
    ("check_part", {"rows": 5}),
]


def examples():
    """Examples of every method. A method that requires at most a person and a baby needs no example above."""
    named, known, found = {name for name, _ in [*FIRST, *LAST]}, {**BABY, "at": AT}, []
    for name, parameters in described():
        if name not in named and known.keys() >= {parameter for parameter, required in parameters.items() if required}:
            found.append((name, {parameter: known[parameter] for parameter in parameters if parameter in known}))
    return [*FIRST, *found, *LAST]


EXAMPLES = examples()


def test_each_method_is_typed():
    table = dict(described())
    assert sorted(table) == kin.methods()
    for name, parameters in table.items():
        signature = inspect.signature(getattr(kin.Engine, typed(name))).parameters
        required = {name: given.default is given.empty for name, given in signature.items() if name != "self"}
        assert required == parameters, name
        documentation = inspect.getdoc(getattr(kin.Engine, typed(name)))
        assert all(f"\n    {parameter}: " in documentation for parameter in parameters), name
        # Required ids come first and by position, optional parameters by name.
        assert all(given.kind is given.KEYWORD_ONLY for given in signature.values() if given.default is not given.empty)


def test_a_baby_has_every_method_for_logs():
    for name, parameters in described():
        if {"log", "baby"} <= parameters.keys():
            signature = inspect.signature(getattr(kin.Baby, name)).parameters
            assert signature.keys() - {"self"} == parameters.keys() - {"user", "baby", "zone", "log", "born"}, name


def outcome(call):
    try:
        return call()
    except kin.KinError as failure:
        return type(failure), str(failure)


def test_typed_methods_answer_like_calls(tmp_path):
    assert {name for name, _ in EXAMPLES} == set(kin.methods())
    one, two = (kin.Engine(tmp_path / f"{name}.db", naming_key=b"0123456789abcdef") for name in "ab")
    answered = set()
    for name, parameters in EXAMPLES:
        method = getattr(one, typed(name))
        expected = outcome(lambda: two.call(name, **parameters))
        answer = outcome(lambda: method(**parameters))
        if name in ("advance", "check", "memory"):
            assert type(answer) is type(expected), name
        else:
            assert answer == expected, name
        if isinstance(answer, tuple):
            continue
        answered.add(name)
        annotation = inspect.signature(getattr(_methods.Methods, typed(name))).return_annotation
        assert annotation == "Any" or isinstance(answer, {"Record": dict, "Records": list}[annotation]), name
    # The short log of the examples has no insight.
    assert set(kin.methods()) - answered <= {"accept", "decline", "block", "dismiss_insight"}
    one.close()
    two.close()


def test_an_instant_needs_a_time_zone():
    engine = kin.Engine()
    berlin = datetime.timezone(datetime.timedelta(hours=1))
    answer = engine.timeline("u1", days=1, at=datetime.datetime(2026, 3, 28, 0, 30, tzinfo=berlin))
    assert answer == engine.timeline("u1", days=1, at="2026-03-27T23:30:00Z")
    naive = datetime.datetime(2026, 3, 28, 0, 30)
    for at in (naive, "2026-03-28T00:30:00", "2026-03-28 00:30"):
        with pytest.raises(kin.KinError, match="offset"):
            engine.timeline("u1", days=1, at=at)
    assert engine.timeline("u1", days=1, at=naive.date()) == engine.timeline("u1", days=1, at="2026-03-28")

