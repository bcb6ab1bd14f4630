"""The typed methods match the table, and pass their parameters on to calls by name."""

import contextlib
import datetime
import inspect
import json
import re

import kin
import pytest
from conftest import SOURCES, assert_raises, baby_log
from kin import _methods

PAGE = (SOURCES.parent / "Engine/KinEngine/METHODS.md").read_text()


def python(name):
    return name + "_" if name in ("import", "from") else name


def described():
    """The methods of METHODS.md with the default of each parameter: JSON, an empty text for none, or "required"."""
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        name = re.match(r"`(\w+)`", section)[1]
        section = section.partition("\n## ")[0]
        yield name, dict(re.findall(r"^\| `(\w+)` \| .*? \| `?(.*?)`? \| ", section, re.MULTILINE))


def test_each_method_is_typed():
    table = dict(described())
    assert sorted(table) == kin.methods()
    for name, parameters in table.items():
        signature = inspect.signature(getattr(kin.Engine, python(name))).parameters
        required = {name: given.default is given.empty for name, given in signature.items() if name != "self"}
        assert required == {python(parameter): default == "required" for parameter, default in parameters.items()}, name
        documentation = inspect.getdoc(getattr(kin.Engine, python(name)))
        assert all(f"\n    {parameter}: " in documentation for parameter in required), name
        # Required ids come first and by position, optional parameters by name.
        assert all(given.kind is given.KEYWORD_ONLY for given in signature.values() if given.default is not given.empty)


class Recorder(_methods.Methods):
    """Returns each call by name."""

    def call(self, method, /, **parameters):
        return method, parameters


def test_parameters_are_passed_on_and_have_the_defaults_of_the_table():
    for name, parameters in described():
        method = getattr(Recorder(), python(name))
        given = {parameter: object() for parameter in parameters}
        assert method(**{python(parameter): value for parameter, value in given.items()}) == (name, given)
        defaults = {parameter: json.loads(text or "null") for parameter, text in parameters.items() if text != "required"}
        _, passed = method(**{python(parameter): given[parameter] for parameter in given.keys() - defaults.keys()})
        listed = {parameter: list(value) if value == () else value for parameter, value in passed.items()}
        assert listed == given | defaults, name


@pytest.mark.parametrize(("kind", "ids", "title", "replaced"), [
    (kin.Baby, ["user", "baby"], "Rhythms", {"log", "born"}), (kin.Challenges, ["user"], "Challenges and daily content", set()),
])
def test_an_object_passes_its_ids_on_with_every_method(kind, ids, title, replaced):
    stored = {name: object() for name in [*ids, "zone"]}
    made, group = kind(Recorder(), **stored), PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    called = [(name, parameters.keys()) for name, parameters in described() if f"### `{name}`" in group and {*ids} <= parameters.keys()]
    for name, parameters in called:
        given = {parameter: object() for parameter in parameters - stored.keys() - replaced}
        if name == "prefer":
            given = {"preferences": {"max_time": 30}, "at": None}
        passed = getattr(made, python(name))(**given.get("preferences", {python(parameter): value for parameter, value in given.items()}))
        expected = given | {parameter: stored[parameter] for parameter in parameters & stored.keys()}
        assert passed == (name, expected | dict.fromkeys(parameters & replaced)), name
    assert len(called) > 10


def test_answers_have_the_types_of_the_methods(engine):
    """For all methods that require at most a person and a baby."""
    known, answered = {"user": "u0", "baby": "b1", "at": "2026-03-28T10:00:00Z"}, 0
    engine.import_(SOURCES.parents[1] / "datasets" / "people.jsonl")
    engine.put([{"soul": {"uid": "u0", "goals": {"sleep": 1}}}])
    kin.Baby(engine, "u0", "b1").put({"id": f"e{number}", **event} for number, event in enumerate(baby_log(21)))
    for name, parameters in described():
        required = {parameter for parameter, default in parameters.items() if default == "required"}
        if name in ("forget", "suspend") or not known.keys() >= required:
            continue
        with contextlib.suppress(kin.InvalidArgument):  # It needs one of several parameters.
            answer = getattr(engine, python(name))(**{each: known[each] for each in {"user", "baby"} & parameters.keys() | required})
            annotation = inspect.signature(getattr(_methods.Methods, python(name))).return_annotation
            assert annotation == "Any" or isinstance(answer, {"Record": dict, "Records": list}[annotation]), name
            answered += 1
    assert answered > 40


def test_an_instant_needs_a_time_zone():
    engine = kin.Engine()
    berlin = datetime.timezone(datetime.timedelta(hours=1))
    answer = engine.timeline("u1", days=1, at=datetime.datetime(2026, 3, 28, 0, 30, tzinfo=berlin))
    assert answer == engine.timeline("u1", days=1, at="2026-03-27T23:30:00Z")
    naive = datetime.datetime(2026, 3, 28, 0, 30)
    for at in (naive, "2026-03-28T00:30:00", "2026-03-28 00:30"):
        assert_raises(kin.KinError, "offset", engine.timeline, "u1", days=1, at=at)
    assert engine.timeline("u1", days=1, at=naive.date()) == engine.timeline("u1", days=1, at="2026-03-28")
