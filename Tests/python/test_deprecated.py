"""The names of release 0.1.0 answer like those that replace them: in Python with a warning, in C marked as deprecated."""

import re

import kin
import numpy as np
import pytest
from conftest import SOURCES
from kin import _deprecated
from kin._arrays import address
from kin._library import library
from kin._library import made

SOULS = [{"uid": f"u{n}", "goals": {"sleep": 1 + n, "focus": 9 - n}, "valence": n / 10} for n in range(9)]


def test_the_page_names_everything_that_is_deprecated():
    page = (SOURCES.parents[1] / ".github" / "MIGRATING.md").read_text()
    renamed = {old.rpartition(".")[2]: new for old, new in _deprecated.MEMBERS.items()}
    for names in _deprecated.ARGUMENTS.values():
        renamed.update(names)
    header = (SOURCES / "CKin/include/kin.h").read_text()
    renamed.update(re.findall(r"(\w+)\([^;()]*\)\s*KIN_DEPRECATED\(\"use (\w+)", header))
    assert len(renamed) >= 10 and "kin_policy_fade" in renamed
    for old, new in renamed.items():
        # Each pair in one line of the table.
        assert any(old in line and new in line for line in page.splitlines()), (old, new)


def policy(**parameters):
    made = kin.Policy("epsilon-greedy", 2, 3, seed=1, **parameters)
    made.learn_many([[1, 0], [0, 1]], [1, 0.5], [0, 2])
    return made


def people():
    """An engine in memory with the souls."""
    engine = kin.Engine()
    engine.put([{"soul": soul} for soul in SOULS])
    return engine


def failure(call):
    """The error of a call."""
    with pytest.raises(kin.KinError) as raised:
        call()
    return str(raised.value)


def discounted(by):
    """The state after a discount, by a method of a name and an argument."""
    changed = policy()
    by(changed)
    return changed.to_bytes()


# For each deprecated name: the present one, and the old one, which answers the same.
MEMBERS = {
    "Engine.absorb": (
        lambda: failure(lambda: people().insert_image({}, clusters={})),
        lambda: failure(lambda: people().absorb({}, clusters={})),
    ),
    "Engine.away": (
        lambda: people().digest("u1", since="2026-01-01T00:00:00Z"),
        lambda: people().away("u1", since="2026-01-01T00:00:00Z"),
    ),
    "Engine.kindred": (lambda: people().similar_souls("u1", k=3), lambda: people().kindred("u1", k=3)),
    "Matcher.kindred": (lambda: kin.Matcher(SOULS).similar_souls("u1", k=3), lambda: kin.Matcher(SOULS).kindred("u1", k=3)),
    "Policy.fade": (lambda: discounted(lambda p: p.discount(0.5)), lambda: discounted(lambda p: p.fade(0.5))),
    "Policy.lessons": (lambda: policy().observations, lambda: policy().lessons),
}
ARGUMENTS = {
    ("Engine.match", "evidence"): (
        lambda: people().match(SOULS, coverage=0.3),
        lambda: people().match(SOULS, evidence=0.3),
    ),
    ("Engine.similar_souls", "evidence"): (
        lambda: people().similar_souls("u1", coverage=0.3),
        lambda: people().similar_souls("u1", evidence=0.3),
    ),
    ("Matcher.matches", "evidence"): (
        lambda: kin.Matcher(SOULS).matches(0.9, coverage=0.3),
        lambda: kin.Matcher(SOULS).matches(0.9, evidence=0.3),
    ),
    ("Matcher.similar_souls", "evidence"): (
        lambda: kin.Matcher(SOULS).similar_souls(coverage=0.3),
        lambda: kin.Matcher(SOULS).similar_souls(evidence=0.3),
    ),
    ("Policy.__init__", "memory"): (
        lambda: policy(effective_window=20).to_bytes(),
        lambda: policy(memory=20).to_bytes(),
    ),
    ("Policy.__init__", "uniform_share"): (
        lambda: policy(epsilon=0.3).to_bytes(),
        lambda: policy(uniform_share=0.3).to_bytes(),
    ),
    ("Policy.discount", "share"): (
        lambda: discounted(lambda p: p.discount(factor=0.5)),
        lambda: discounted(lambda p: p.discount(share=0.5)),
    ),
}


def test_every_deprecated_name_answers_with_a_warning():
    assert MEMBERS.keys() == _deprecated.MEMBERS.keys()
    assert ARGUMENTS.keys() == {(place, old) for place, names in _deprecated.ARGUMENTS.items() for old in names}
    for name, (present, former) in {**MEMBERS, **ARGUMENTS}.items():
        expected = present()
        with pytest.warns(DeprecationWarning, match="is deprecated") as warned:
            assert former() == expected, name
        assert all(warning.filename == __file__ for warning in warned), name


def test_deprecated_names_of_calls_warn():
    engine = people()
    expected = engine.similar_souls("u1", k=3, coverage=0.3)
    for former in (
        lambda: engine.call("kindred", user="u1", k=3, coverage=0.3),
        lambda: engine.call("similar_souls", user="u1", k=3, evidence=0.3),
        lambda: engine.call("kindred", user="u1", k=3, evidence=0.3),
    ):
        with pytest.warns(DeprecationWarning, match="is deprecated") as warned:
            assert former() == expected
        assert all(warning.filename == __file__ for warning in warned)


def test_an_argument_is_given_by_one_name():
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="deprecated name"):
        kin.Matcher(SOULS).matches(0.9, coverage=0.3, evidence=0.3)


def test_deprecated_functions_of_c(x):
    index = kin.FlatIndex(16)
    index.add(x)
    found = []
    for search in (library.kin_index_range_search, library.kin_index_search_radius):
        matches = made(library.kin_matches_free, search, index._handle, address(x), 5, 0, 0.5, None)
        offsets = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_size_t * 6).from_address(library.kin_matches_offsets(matches)))
        found.append(offsets.tolist())
    assert found[0] == found[1] and found[0][-1] >= 5
    one, two = policy(), policy()
    assert library.kin_policy_lessons(one._handle) == library.kin_policy_observations(one._handle) == 2
    assert library.kin_policy_fade(one._handle, 0.5) == library.kin_policy_discount(two._handle, 0.5) == 0
    assert one.to_bytes() == two.to_bytes()
    header = (SOURCES / "CKin/include/kin.h").read_text()
    section = header[header.index("// Deprecated: names of release") :]
    assert section.count('KIN_DEPRECATED("use ') == 3
