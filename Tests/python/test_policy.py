"""Policies, and estimates from logs."""

import pickle

import numpy as np
import pytest
from conftest import assert_raises

import kin
from kin._signatures import POLICY_KINDS


@pytest.fixture
def table(random):
    """600 contexts, and the right one of three arms for each."""
    x = random.random((600, 4)) * [1, 100, 0.01, 1]
    return x, np.where(x[:, 0] > 0.6, 0, np.where(x[:, 1] > 50, 1, 2))


@pytest.mark.parametrize("kind", POLICY_KINDS)
def test_single_choices_learn_like_a_played_table(table, kind):
    x, y = table
    one, many = kin.Policy(kind, 4, arms=3, seed=5), kin.Policy(kind, 4, arms=3, seed=5)
    arms, propensities = many.play(x, y)
    for i in range(len(x)):
        c = one.choose(x[i])
        assert (c.arm, c.propensity) == (arms[i], propensities[i])
        assert c.event.propensity == c.propensity
        one.learn(c.event, float(c.arm == y[i]))
    assert one.to_bytes() == many.to_bytes()
    assert one.observations == 600
    assert (arms[300:] == y[300:]).mean() > 0.55


def test_shared_model_over_actions(random):
    policy = kin.Policy("thompson", dimension=3, seed=2)
    for _ in range(600):
        actions = random.random((8, 3))
        c = policy.choose(actions=actions)
        policy.learn(c.event, actions[c.arm, 0])
    assert policy.arms is None and policy.dimension == 3
    rewards = policy.expected_rewards(actions)
    assert rewards.shape == (8,)
    np.testing.assert_allclose(rewards, actions[:, 0], atol=0.1)
    found = policy.probabilities(actions, draws=256)
    assert found.sum() == pytest.approx(1)


def test_arms_to_choose_from_and_batches(table):
    x, _ = table
    policy = kin.Policy("squarecb", dimension=4, arms=5, pairs=True, seed=1)
    assert all(policy.choose(x[i], actions=[1, 3]).arm in (1, 3) for i in range(20))
    arms, propensities = policy.choose_many(x[:50])
    assert arms.shape == propensities.shape == (50,)
    policy.learn_many(x[:50], (arms == 2).astype(float), arms, weights=np.full(50, 2.0))
    assert policy.observations == 50
    assert policy.expected_rewards(x[:7]).shape == policy.probabilities(x[:7]).shape == (7, 5)
    assert [len(part) for part in policy.choose_many(np.empty((0, 4)))] == [0, 0]


def test_late_rewards_and_weights():
    policy = kin.Policy("linucb", dimension=2, seed=1)
    events = [policy.choose(actions=[[1, 0], [0, 1]]).event for _ in range(3)]
    for event in pickle.loads(pickle.dumps(events)):
        policy.learn(event, 1.0, weight=3.0)
    assert policy.observations == 3
    policy.discount(0.0)
    assert policy.expected_rewards([[1, 0]])[0] == 0


def test_state_is_bytes(table):
    x, y = table
    policy = kin.Policy("logistic-thompson", 4, 3, seed=9)
    policy.play(x[:100], y[:100])
    policy.name = "banner"
    others = [kin.Policy.from_bytes(policy.to_bytes()), pickle.loads(pickle.dumps(policy)), policy.copy()]
    assert [getattr(other, "name", None) for other in others] == [None, "banner", "banner"]
    for other in others:
        np.testing.assert_array_equal(other.copy().play(x, y)[0], policy.copy().play(x, y)[0])
    assert_raises(kin.CorruptFile, None, kin.Policy.from_bytes, b"nothing of the kind")


def test_prior(random):
    policy = kin.Policy("epsilon-greedy", dimension=2, exploration=0, prior_weights=[0, 1], prior_intercept=0.25, seed=1)
    assert policy.choose(actions=[[1, 0], [0, 1]]).arm == 1
    assert policy.expected_rewards([[1, 0], [0, 1]]).tolist() == [0.25, 1.25]


@pytest.mark.parametrize(("call", "robust", "simple", "shape"), [
    (kin.estimate, "dr", "ips", (400,)), (kin.estimate_slates, "cascade-dr", "rips", (200, 3)),
])
def test_estimates_equal_their_formulas(random, call, robust, simple, shape):
    reward, propensity, probability = random.random(shape), random.random(shape) * 0.9 + 0.1, random.random(shape)
    estimates, values = random.random(shape), random.random(shape)
    weight = probability / propensity
    through = weight.reshape(shape[0], -1).cumprod(axis=1).reshape(shape)
    expected = (through / weight * values + through * (reward - estimates)).reshape(shape[0], -1).sum(axis=1)
    found = call(robust, reward, propensity, probability, estimates=estimates, values=values, seed=3)
    assert found.value == pytest.approx(expected.mean(), abs=1e-12) and found.lower < found.value < found.upper
    assert found == call(robust, reward, propensity, probability, estimates=estimates, values=values, seed=3)
    plain = call(simple, reward, propensity, probability, reward_range=(0, 9))
    assert plain.value == pytest.approx((through * reward).reshape(shape[0], -1).sum(axis=1).mean()) and plain.upper <= 9
    weights = through.reshape(shape[0], -1).mean(axis=1)
    assert plain.effective_rounds == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert_raises(kin.InvalidArgument, "estimates", call, robust, reward, propensity, probability)
    assert_raises(kin.InvalidArgument, "no estimator 'best'", call, "best", reward, propensity, probability)
    assert_raises(kin.InvalidArgument, "reward_range", call, simple, reward, propensity, probability, reward_range=(0, 0.5))
    for wrong in (reward[:, np.newaxis], reward[..., :0] if len(shape) > 1 else reward[:5, np.newaxis], 1.0, None):
        assert_raises(kin.DimensionMismatch, "rewards", call, simple, wrong, propensity, probability)
    assert_raises(kin.DimensionMismatch, "probabilities", call, simple, reward, propensity, probability[..., :2])


def test_an_estimate_without_evidence_has_no_value(random):
    none = kin.estimate("snips", random.random(50), np.full(50, 0.5), np.zeros(50))
    assert np.isnan([none.value, none.lower]).all() and none.effective_rounds == 0


def test_features_of_actions_give_marginal_estimates(random):
    n, actions = 300, 40
    logged, judged = (random.dirichlet(np.ones(actions), n) for _ in range(2))
    group = np.arange(actions) % 4
    action = random.integers(actions, size=n)
    has = (group == group[action][:, None]).astype(float)
    propensity, probability = kin.marginal_probabilities(has, logged, judged)
    rows = np.arange(n)
    assert propensity == pytest.approx([logged[i, group == group[action[i]]].sum() for i in rows])
    assert probability == pytest.approx([judged[i, group == group[action[i]]].sum() for i in rows])
    reward = random.random(n)
    assert kin.estimate("ips", reward, propensity, probability).value == pytest.approx((probability / propensity * reward).mean())
    for wrong in ((has[:, :1], logged, judged), (has, logged[:1], judged), (has, logged, judged[:, :1]), (has[0], logged[0], judged[0])):
        assert_raises(kin.DimensionMismatch, None, kin.marginal_probabilities, *wrong)


def test_uninformative_features_are_dropped(random):
    n, actions = 400, 30
    features = np.stack([np.arange(actions) % 3, np.arange(actions)], axis=1)
    logged, judged = (random.dirichlet(np.ones(actions), n) for _ in range(2))
    action = np.array([random.choice(actions, p=p) for p in logged])
    reward = (random.random(n) < 0.2 + 0.3 * features[action, 0]).astype(float)
    shared = kin.select_features(reward, action, features, logged, judged)
    assert shared.kept.shape == (2,) and not shared.kept[1]
    has = (features[:, 0] == features[action, 0][:, None]) | (not shared.kept[0])
    expected = kin.marginal_probabilities(has, logged, judged)
    assert shared.propensities == pytest.approx(expected[0]) and shared.probabilities == pytest.approx(expected[1])
    assert_raises(kin.DimensionMismatch, None, kin.select_features, reward, action, features, logged[:, 1:], judged)
    assert_raises(kin.DimensionMismatch, None, kin.select_features, reward[1:], action, features, logged, judged)
    with pytest.raises(kin.InvalidArgument, match="round 0"):
        kin.select_features(reward, action + actions, features, logged, judged)


def test_estimated_propensities_are_reported(random):
    n = 600
    context = random.normal(size=(n, 2))
    likely = 1 / (1 + np.exp(-context[:, 0]))
    actions = (random.random(n) < likely).astype(int)
    reward = (random.random(n) < 1 / (1 + np.exp(-2 * context[:, 0]))).astype(float)
    found = kin.estimate_propensities(actions, context, groups=np.arange(n) // 2, seed=1)
    assert np.abs(found.values - np.where(actions == 1, likely, 1 - likely)).mean() < 0.06
    assert found.floor == 0.01 and found.clipped == (found.values == 0.01).sum() and found.calibration_error < 0.1
    estimate = kin.estimate("snips", reward, found, actions)
    assert estimate.estimated_propensities and abs(estimate.value - 0.5) < 0.1
    value, lower, upper = estimate
    assert lower < value < upper
    assert not kin.estimate("snips", reward, found.values, actions).estimated_propensities
    for wrong in ({"folds": 2}, {"floor": 0.0}, {"floor": np.nan}, {"seed": -1}):
        assert_raises(kin.InvalidArgument, None, kin.estimate_propensities, actions, context, **wrong)
    assert_raises(kin.DimensionMismatch, None, kin.estimate_propensities, actions, context[:-1])
    assert_raises(kin.DimensionMismatch, None, kin.estimate_propensities, actions, context, groups=[1])
    assert_raises(kin.NotFinite, None, kin.estimate_propensities, actions, context * np.nan)
    assert_raises(kin.InvalidArgument, "cross-fitting", kin.estimate_propensities, [0, 1], [[1.0], [2.0]])


EVENT = kin.Policy("logistic-ucb", 3).choose(actions=np.eye(3)).event


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda arms, shared: kin.Policy("best", 3), kin.InvalidArgument, "no kind"),
        (lambda arms, shared: kin.Policy("linucb", 0), kin.InvalidArgument, None),
        (lambda arms, shared: kin.Policy("linucb", 3, prior_weights=[1, 2]), kin.DimensionMismatch, None),
        (lambda arms, shared: arms.choose(actions=[0]), kin.InvalidArgument, None),
        (lambda arms, shared: arms.choose([1, 2]), kin.DimensionMismatch, None),
        (lambda arms, shared: arms.choose([1, 2, np.nan]), kin.NotFinite, None),
        (lambda arms, shared: arms.choose([1, 2, 3], actions=[2]), kin.InvalidArgument, None),
        (lambda arms, shared: shared.choose([1, 2, 3]), kin.InvalidArgument, None),
        (lambda arms, shared: shared.choose(), kin.InvalidArgument, None),
        (lambda arms, shared: shared.choose_many(np.zeros((2, 3))), kin.InvalidArgument, None),
        (lambda arms, shared: shared.learn(EVENT, 2.0), kin.InvalidArgument, None),
        (lambda arms, shared: shared.learn(EVENT, "1"), kin.InvalidArgument, "reward must be a number, not '1'"),
        (lambda arms, shared: kin.Policy("linucb", 4).learn(EVENT, 1.0), kin.DimensionMismatch, None),
        (lambda arms, shared: arms.play(np.zeros((4, 3)), [0, 1]), kin.DimensionMismatch, None),
    ],
)
def test_invalid_calls_are_refused_and_change_nothing(call, error, words):
    arms, shared = kin.Policy("linucb", 3, arms=2), kin.Policy("logistic-ucb", 3)
    before = arms.to_bytes(), shared.to_bytes()
    assert_raises(error, words, call, arms, shared)
    assert (arms.to_bytes(), shared.to_bytes()) == before


@pytest.mark.parametrize("given", [dict(prior_precision=0), dict(prior_precision=-1), dict(effective_window=0), dict(effective_window=float("nan"))])
def test_zero_is_refused_and_not_replaced_by_the_default(given):
    assert_raises(kin.InvalidArgument, None, kin.Policy, "linucb", 2, **given)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex128, object, "U1", "M8[s]"])
def test_features_of_unsupported_types_are_refused(kind):
    shares, features = np.full((2, 2), 0.5), np.array([[1], [2]]).astype(kind)
    with pytest.raises(kin.InvalidArgument, match="whole numbers"):
        kin.select_features([1.0, 0.0], [0, 1], features, shares, shares)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint32, np.int64])
def test_features_of_every_supported_type_are_compared(kind):
    shares = np.full((2, 2), 0.5)
    found = kin.select_features([1.0, 0.0], [0, 1], np.array([[0], [1]]).astype(kind), shares, shares)
    assert (found.propensities == 0.5).all()


@pytest.mark.parametrize("arm", [2**64, 2**64 + 1, 2**63, 3, -1, 0.5])
def test_an_event_of_an_unknown_arm_is_refused(arm):
    policy = kin.Policy("linucb", 2, arms=3)
    event = policy.choose([1.0, 2.0]).event._replace(arm=arm)
    before = policy.to_bytes()
    assert_raises(kin.InvalidArgument, "arm", policy.learn, event, 1.0)
    assert policy.to_bytes() == before
