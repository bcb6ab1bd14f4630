"""Experiments: assignment, sequential tests, sizes."""

import kin
import numpy as np
import pytest
from conftest import assert_raises

KEY = bytes(range(32))


def test_assignments_are_stable_and_in_proportion():
    people = [f"u{i}" for i in range(4000)]
    first = kin.Experiment("evenings", KEY, {"a": 1, "b": 2, "c": 1})
    assigned = first.assign(people)
    assert assigned[:9].tolist() == ["a", "c", "c", "b", "b", "b", "c", "b", "a"]
    assert abs((assigned == "b").mean() - 0.5) < 0.04
    assert (kin.Experiment("evenings", KEY, {"c": 1, "b": 2, "a": 1}).assign(people) == assigned).all()
    other = kin.Experiment("mornings", KEY, ["a", "b"]).assign(people)
    assert abs((other[assigned == "a"] == "a").mean() - 0.5) < 0.07
    assert first.assign([]).shape == (0,)


def test_a_sequential_test_is_valid_at_any_time(random):
    n = 3000
    treated = random.random(n) < 0.4
    outcomes = (random.random(n) < np.where(treated, 0.5, 0.3)) * 5.0
    found = kin.sequential_test(outcomes, treated, share=0.4, range=(0, 5))
    assert found.lower < 1 < found.upper and abs(found.effect - 1) < 0.3
    assert found.p_value == found.p_values[-1] < 0.05 and (np.diff(found.p_values) <= 0).all()
    nothing = kin.sequential_test([], [])
    assert nothing[:4] == (0, -1, 1, 1)


def test_sizes_and_effects_are_inverse():
    sizes = kin.sample_size(0.1, 0.02)
    assert sizes.fixed == pytest.approx(7678, abs=20) and sizes.fixed < sizes.sequential < 3 * sizes.fixed
    assert kin.detectable_effect(0.1, int(sizes.sequential)).sequential == pytest.approx(0.02, rel=1e-3)


def test_invalid_arguments_are_refused():
    for arguments in (("e", b"short", ["a"]), ("e", KEY, []), ("e", KEY, {"a": -1.0})):
        assert_raises(kin.InvalidArgument, None, kin.Experiment, *arguments)
    for name in ("", "e\0", "\ud800", 5):
        assert_raises(kin.InvalidArgument, None, kin.Experiment, name, KEY, ["a"])
    for people in ([5], ["u1", None]):
        assert_raises(kin.InvalidArgument, "text", kin.Experiment("e", KEY, ["a", "b"]).assign, people)
    assert_raises(kin.DuplicateID, None, kin.Experiment, "e", KEY, ["a", "a"])
    assert_raises(kin.DimensionMismatch, None, kin.sequential_test, [1, 0], [True])
    assert_raises(kin.InvalidArgument, "row 1", kin.sequential_test, [1, np.nan], [1, 0])
    for group in (2, -1, 0.5, np.inf):
        with pytest.raises(kin.InvalidArgument, match="treated must be Booleans, or 0 and 1, not"):
            kin.sequential_test([1, 0, 1], [1, group, 0])
    assert kin.sequential_test([1, 0], [1.0, 0]).effect == kin.sequential_test([1, 0], [True, False]).effect
    assert_raises(kin.InvalidArgument, None, kin.sequential_test, [1], [1], share=1.0)
    assert_raises(kin.InvalidArgument, None, kin.sample_size, 0.1, 0.0)
    assert_raises(kin.InvalidArgument, None, kin.detectable_effect, 0.1, 1)


@pytest.mark.parametrize("wrong", ["0.1", None, [0.1], b"1"])
def test_wrong_types_are_named(wrong):
    policy, choice = kin.Policy("linucb", 2, arms=3), kin.Policy("linucb", 2, arms=3).choose([1, 2])
    calls = {
        "baseline": lambda: kin.sample_size(wrong, 0.02), "effect": lambda: kin.sample_size(0.1, wrong),
        "power": lambda: kin.detectable_effect(0.1, 100, power=wrong), "share": lambda: kin.sequential_test([1, 0], [1, 0], share=wrong),
        "range": lambda: kin.sequential_test([1, 0], [1, 0], range=(0, wrong)), "factor": lambda: policy.discount(wrong),
        "confidence": lambda: kin.sequential_test([1, 0], [1, 0], confidence=wrong),
    }  # fmt: skip
    for name, call in calls.items():
        assert_raises(kin.InvalidArgument, f"{name} must be a number, not", call)
    rewards = [[1.0]], [[1.0]], [[1.0]]
    for call in (lambda pair: kin.sequential_test([1], [1], range=pair), lambda pair: kin.estimate_slates("iips", *rewards, reward_range=pair)):
        for pair in ((wrong,), (0, 1, wrong), 5):
            assert_raises(kin.InvalidArgument, "range must be two numbers", call, pair)
        assert_raises(kin.InvalidArgument, "range must be a number, not", call, (0, wrong))
    for event in (choice, (bytearray(16), 0, 1.0), ([1.0, 2.0], 0, 1.0)):
        assert_raises(kin.InvalidArgument, "event must be the event of a choice", policy.learn, event, 1.0)
    assert_raises(kin.InvalidArgument, "give `arms`", policy.learn_many, [[1, 2]], [1.0])
    for texts in (["a", "b"] * 9, np.array(["a", "b"] * 9, object)):
        with pytest.raises(kin.InvalidArgument, match="actions must be whole numbers, not texts; np.unique"):
            kin.estimate_propensities(texts, np.eye(18), groups=None)
        with pytest.raises(kin.InvalidArgument, match="labels must be whole numbers, not texts"):
            policy.play(np.ones((18, 2)), texts)


@pytest.mark.parametrize("key", [32, "k" * 32, list(range(32)), None])
def test_a_key_is_bytes(key):
    assert_raises(TypeError, "must be 16 or more bytes", kin.Experiment, "e", key, ["a", "b"])
