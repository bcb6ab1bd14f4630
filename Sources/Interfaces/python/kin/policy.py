"""Contextual bandits."""

from ctypes import addressof, byref, c_double, c_int64, sizeof
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from kin._arrays import Doubles, IDs, address, address_or_none, array_of, boolean, count, doubles, ids, number_of, real, shaped
from kin._library import Handle, Owner, bind_calls, calls, check, create_handle, encode_state, library
from kin._progress import long_call
from kin._signatures import POLICY_KINDS, PolicyKind, PolicyOptions
from kin.errors import DimensionMismatch, InvalidArgument

_choose = library.kin_policy_choose
_learn = library.kin_policy_learn


class Event(NamedTuple):
    """A choice that waits for its reward: store it until then, pickled or as its parts."""

    features: bytes
    """The features of the chosen action, or of the context, as packed float64."""
    arm: int | None
    """The arm, if each arm has its own model."""
    propensity: float
    """The probability of the choice."""


class Choice(NamedTuple):
    """A choice of a policy, with its probability."""

    arm: int
    """The chosen arm, or the row of the chosen action."""
    propensity: float
    """The probability of the choice."""
    event: Event
    """The argument of :meth:`Policy.learn`, with the reward."""


bind_calls(Choice, Event)


class Policy(Owner):
    """A contextual policy: it learns only from the chosen action's reward, and reports the probability of each choice.

        policy = kin.Policy("linucb", dimension=16, arms=26, seed=1)
        c = policy.choose(context)
        policy.learn(c.event, reward=1.0)          # at once, or days later

    Parameters
    ----------
    kind : str
        A name of ``kin.policy.POLICY_KINDS``. The logistic kinds and ``"standard"`` expect rewards from 0 to 1. The
        linear kinds assume that the rewards of one action vary by about 1; divide amounts by their deviation. With
        ``arms``, ``"standard"`` weighs two logistic models, with and without pairs of features, by how well each
        predicts the rewards.
    dimension : int
        Features of an action, or with ``arms`` of the context.
    arms : int, optional
        The number of arms, each with its own model. The choice among them depends on the context. Default: no arms; an
        action is a row of features, and one model serves all actions. The scale of every learned feature is observed,
        so any factor gives the same choices. Only ``"standard"`` with ``arms`` also observes the mean: otherwise 0
        should mean "as usual" or "none", such as degrees above the usual temperature, or an age and not a year.
        Magnitudes may be up to 1e40; below 1e-40, products of two features have no effect.
    pairs : bool
        Whether products of two features and squares are features too. ``"standard"`` with ``arms`` also has them without
        a request if they are few: up to 30 features, and 8 MiB for all arms.
    exploration : float, optional
        Share, width, scale or gain, depending on the kind.
    epsilon : float, optional
        The share of choices that is uniformly random, 0 to 1: each of n actions then has a propensity of at least
        ``epsilon`` / n. For ``"epsilon-greedy"`` this is its exploration, unless that is given. Default: depends on
        the kind; 0 for ``"standard"`` with ``arms``, which draws one choice in 64 by the chance of each arm to be better
        than the best estimate.
    prior_precision : float, optional
        The precision of each weight before any observation, 1e-9 to 1e9, for features divided by their scales.
    prior_weights : array of float, shape (dimension,), optional
        The mean of each weight before any observation. Default: zeros. Like ``prior_intercept``, not for
        ``"standard"`` with ``arms``.
    prior_intercept : float
        The score expected if all features are 0. Expected rewards of logistic kinds are means over its uncertainty too.
    effective_window : float, optional
        Observations after which one weighs 1/e of a new one, 2 or more. Default: no discount.
    seed : int
        The same seed and the same calls give the same choices.
    """

    def __init__(
        self,
        kind: PolicyKind = "standard",
        dimension: int = 1,
        arms: int | None = None,
        *,
        pairs: bool = False,
        exploration: float | None = None,
        epsilon: float | None = None,
        prior_precision: float | None = None,
        prior_weights: ArrayLike | None = None,
        prior_intercept: float = 0.0,
        effective_window: float | None = None,
        seed: int = 0,
    ) -> None:
        number = number_of(kind, POLICY_KINDS, "kind of policy")
        options = PolicyOptions(sizeof(PolicyOptions), count(arms, "arms", default=0, least=1), int(boolean(pairs, "pairs")))
        options.exploration = -1 if exploration is None else _amount(exploration, "exploration")
        options.epsilon = -1 if epsilon is None else _amount(epsilon, "epsilon")
        for given, name in ((prior_precision, "prior_precision"), (effective_window, "effective_window")):
            if given is not None and not real(given, name) > 0:
                raise InvalidArgument(f"{name} must be above 0, or left out, not {given}")
        options.prior_precision = 0 if prior_precision is None else prior_precision
        options.effective_window = 0 if effective_window in (None, float("inf")) else effective_window
        options.prior_intercept = real(prior_intercept, "prior_intercept")
        options.seed = count(seed, "seed")
        if prior_weights is not None:
            weights = shaped(doubles(prior_weights, "prior_weights"), "prior_weights", dimension)
            options.prior_weights = address(weights)
        size = count(dimension, "dimension")
        self._adopt(create_handle(library.kin_policy_free, library.kin_policy_create, number, size, byref(options)))

    def _adopt(self, handle: Handle) -> Self:
        self._handle = handle
        self._dimension: int = library.kin_policy_dimension(handle)
        self._arms: int | None = library.kin_policy_arms(handle) or None
        return self

    @property
    def dimension(self) -> int:
        """The number of features of an action or a context."""
        return self._dimension

    @property
    def arms(self) -> int | None:
        """The number of arms with their own models; None without arms."""
        return self._arms

    @property
    def observations(self) -> int:
        """The number of rewards learned."""
        number: int = library.kin_policy_observations(self._handle)
        return number

    def choose(self, context: ArrayLike | None = None, actions: ArrayLike | None = None) -> Choice:
        """Chooses an arm in a context, or one of several actions.

        Several threads may choose and learn at once; their calls run one after the other.

        Parameters
        ----------
        context : array of float, shape (dimension,)
            For a policy with arms.
        actions : optional
            With arms: the arms to choose from. Default: all. Without arms: rows of features, shape (n, dimension), one
            for each action.
        """
        found: Choice | None = calls.choose(self._handle, self._dimension, self._arms, context, actions)
        if found is not None:
            return found
        if self.arms is None:
            return self._choose_action(context, actions)
        if context is None:
            raise InvalidArgument("a policy with arms chooses in a context; give its features")
        features = shaped(array_of(context, "the context", np.float64), "the context", self.dimension).tobytes()
        arm, propensity = c_int64(), c_double()
        if actions is None:
            check(_choose(self._handle, features, 1, 0, addressof(arm), addressof(propensity)))
        else:
            allowed = ids(actions, "actions")
            choices = (address(allowed), len(allowed), addressof(arm), addressof(propensity))
            check(library.kin_policy_choose_among(self._handle, features, *choices))
        return Choice(arm.value, propensity.value, Event(features, arm.value, propensity.value))

    def _choose_action(self, context: ArrayLike | None, actions: ArrayLike | None) -> Choice:
        if context is not None:
            raise InvalidArgument("a policy without arms takes what it needs of the context in the rows of `actions`")
        if actions is None:
            raise InvalidArgument("a policy without arms chooses among rows of features; give `actions`")
        table = self._table(actions, "actions")
        row, propensity = c_int64(), c_double()
        check(_choose(self._handle, address(table), len(table), 0, addressof(row), addressof(propensity)))
        return Choice(row.value, propensity.value, Event(table[row.value].tobytes(), None, propensity.value))

    def choose_many(self, contexts: ArrayLike) -> tuple[IDs, Doubles]:
        """Chooses an arm for each of several contexts without learning in between: arms and propensities."""
        self._require_arms()
        table = self._table(contexts, "contexts")
        arms, propensities = np.empty(len(table), np.int64), np.empty(len(table))
        if len(table):
            check(long_call(_choose, self._handle, address(table), len(table), 0, address(arms), address(propensities)))
        return arms, propensities

    def learn(self, event: Event, reward: float, weight: float = 1.0) -> None:
        """Learns from the reward of a choice.

        Parameters
        ----------
        event : Event
            The event of a :meth:`choose`.
        reward : float
            From 0 to 1 for the logistic kinds.
        weight : float
            The number of such rewards that this one counts for.
        """
        if calls.learn(self._handle, self._dimension, self._arms, event, reward, weight):
            return
        if not (isinstance(event, (tuple, list)) and len(event) == 3 and isinstance(event[0], bytes)):
            raise InvalidArgument("event must be the event of a choice: choice.event")
        features, arm, _ = event
        if len(features) != 8 * self.dimension:
            raise DimensionMismatch(f"the event has {len(features) // 8} features; the policy takes {self.dimension}")
        if arm is not None and count(arm, "the event's arm") >= (self.arms or 1):
            raise InvalidArgument(f"the event has the arm {arm}; the policy has {self.arms or 'none'}")
        arms, rewards = c_int64(arm or 0), c_double(real(reward, "reward"))
        weights = None if weight == 1.0 else byref(c_double(real(weight, "weight")))
        check(_learn(self._handle, features, 1, 0, None if arm is None else addressof(arms), addressof(rewards), weights))

    def learn_many(
        self, rows: ArrayLike, rewards: ArrayLike, arms: ArrayLike | None = None, weights: ArrayLike | None = None
    ) -> None:
        """Learns from the rewards of many choices, all or none: features of the actions or contexts, rewards, arms."""
        if arms is None and self.arms is not None:
            raise InvalidArgument("a policy with arms learns the reward of an arm; give `arms`")
        table = self._table(rows, "rows")
        brought = shaped(doubles(rewards, "rewards"), "rewards", len(table))
        chosen = None if arms is None else shaped(ids(arms, "arms"), "arms", len(table))
        counted = None if weights is None else shaped(doubles(weights, "weights"), "weights", len(table))
        optional = (address_or_none(chosen), address(brought), address_or_none(counted))
        check(long_call(_learn, self._handle, address(table), len(table), 0, *optional))

    def play(self, contexts: ArrayLike, labels: ArrayLike) -> tuple[IDs, Doubles]:
        """Plays labelled rows as a bandit, in their order, and learns only whether the chosen arm is the label.

        Returns
        -------
        arms, propensities
            ``(arms == labels).mean()`` is the progressive reward.
        """
        self._require_arms()
        table = self._table(contexts, "contexts")
        right = shaped(ids(labels, "labels"), "labels", len(table))
        arms, propensities = np.empty(len(table), np.int64), np.empty(len(table))
        arrays = (address(right), address(arms), address(propensities))
        check(long_call(library.kin_policy_play, self._handle, address(table), len(table), 0, *arrays))
        return arms, propensities

    def discount(self, factor: float) -> None:
        """Multiplies the weight of everything learned so far by a factor, 0 … 1, to account for elapsed time."""
        check(library.kin_policy_discount(self._handle, real(factor, "factor")))

    def expected_rewards(self, rows: ArrayLike) -> Doubles:
        """Expected rewards; for the logistic kinds, probabilities. Shape (n,), or with arms (n, arms)."""
        table = self._table(rows, "rows")
        rewards = self._numbers(len(table))
        check(long_call(library.kin_policy_expected_rewards, self._handle, address(table), len(table), 0, address(rewards)))
        return rewards

    def probabilities(self, rows: ArrayLike, *, draws: int = 1024, seed: int = 0) -> Doubles:
        """The probability with which the policy would choose each action now: shape (n,), or with arms (n, arms).

        Exact; with arms the probabilities of :meth:`choose` for each context, if that context came next. For Thompson
        sampling without arms, the mean over ``draws`` draws with the seed ``seed``.
        """
        table = self._table(rows, "rows")
        found = self._numbers(len(table))
        numbers = (count(draws, "draws"), count(seed, "seed"), address(found))
        check(long_call(library.kin_policy_probabilities, self._handle, address(table), len(table), 0, *numbers))
        return found

    def to_bytes(self) -> bytes:
        """The whole state; :meth:`from_bytes` returns a policy that continues as this one would."""
        return encode_state(library.kin_policy_encode, self._handle)

    @classmethod
    def from_bytes(cls, state: bytes) -> Self:
        """A policy from the bytes of :meth:`to_bytes`."""
        return cls._of(cls._decode(bytes(state)))

    def copy(self) -> Self:
        """A second policy with the same state."""
        return self._copy_with(create_handle(library.kin_policy_free, library.kin_policy_copy, self._handle))

    _encode = to_bytes

    @staticmethod
    def _decode(state: bytes) -> Handle:
        return create_handle(library.kin_policy_free, library.kin_policy_decode, state, len(state))

    def __repr__(self) -> str:
        return f"Policy(dimension={self.dimension}, arms={self.arms}, observations={self.observations})"

    def _table(self, values: ArrayLike, name: str) -> Doubles:
        table = doubles(values, name)
        if table.ndim != 2 or table.shape[1] != self.dimension:
            raise DimensionMismatch(f"{name} must have the shape (n, {self.dimension}), not {table.shape}")
        return table

    def _numbers(self, rows: int) -> Doubles:
        return np.empty(rows if self.arms is None else (rows, self.arms))

    def _require_arms(self) -> None:
        if self.arms is None:
            raise InvalidArgument("this policy has no arms; make one with `arms`")


def _amount(value: float, name: str) -> float:
    if not real(value, name) >= 0:
        raise InvalidArgument(f"{name} must be 0 or more, not {value}")
    return float(value)
