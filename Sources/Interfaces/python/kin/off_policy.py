"""Off-policy evaluation: the value of a policy, estimated from the log of a different policy."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin._arrays import Doubles, address, address_or_none, array_of, count, doubles, ids, number_of, pair, real, shaped
from kin._library import check, library
from kin._progress import long_call
from kin._signatures import ESTIMATORS, SLATE_ESTIMATORS, EstimatorName, SlateEstimatorName
from kin.errors import DimensionMismatch, InvalidArgument


class _Interval(NamedTuple):
    value: float
    lower: float
    upper: float


class Estimate(_Interval):
    """An estimated value and its interval.

    ``lower`` and ``upper`` are NaN if the log has too little evidence for an interval: fewer than 20 effective rounds,
    rounds or rewards that all agree, or a mean weight, 1 in expectation, below 0.5. With ``reward_range`` they are then
    the ends of that range. Intervals of 95 % hold about 82 % of the time if one reward in 50 is not 0, and 87 % if one
    in 20 is. For ``"snips"`` the value is NaN if the evaluated policy takes no logged action.
    """

    effective_rounds: float = 0.0
    """The number of unweighted rounds of equal precision, (Σw)² / Σw² of the weights of the rewards."""
    estimated_propensities: bool = False
    """Whether propensities were estimated (:func:`estimate_propensities`). The value is then correct only if they are,
    and the interval does not show their error."""


class Propensities(NamedTuple):
    """Estimated propensities. As the ``propensities`` of :func:`estimate` they mark the estimate as based on them."""

    values: Doubles
    """The propensities of the logged actions."""
    clipped: int
    """The number of propensities that were raised to the floor."""
    floor: float
    """The smallest propensity."""
    calibration_error: float
    """The expected calibration error of the model, over all actions."""


class SharedFeatures(NamedTuple):
    """The features that represent the actions, and the columns that :func:`estimate` needs for them."""

    kept: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """Whether each dimension is selected."""
    propensities: Doubles
    """The propensities of the logged actions' features."""
    probabilities: Doubles
    """The probabilities of these features under the evaluated policy."""


def estimate(
    estimator: EstimatorName,
    rewards: ArrayLike,
    propensities: ArrayLike | Propensities,
    probabilities: ArrayLike,
    *,
    estimates: ArrayLike | None = None,
    values: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 0,
    seed: int = 0,
    reward_range: tuple[float, float] | None = None,
) -> Estimate:
    """The reward per round that a policy would have had, from the log of a different policy, with an interval.

    Parameters
    ----------
    estimator : str
        ``"ips"``, ``"snips"``, ``"dm"`` or ``"dr"``. Or doubly robust with limited weights: ``"switch-dr"``, ``"dros"``
        or ``"sg-dr"``. These three differ from ``"dr"`` by at most a fifth of its standard error, and their intervals are
        those of ``"dr"``, moved to their value.
    rewards, propensities : array of float, shape (n,)
        Of the logged actions. Propensities may be the result of :func:`estimate_propensities`.
    probabilities : array of float, shape (n,)
        The probabilities of the logged actions under the evaluated policy.
    estimates, values : array of float, shape (n,), optional
        A model's expected rewards of the logged actions, and under the evaluated policy; for all but ``"ips"`` and
        ``"snips"``.
    resamples : int
        0 for the score interval, whose coverage is closer to ``confidence``; 2 or more for the percentile interval of a
        bootstrap, with the seed ``seed``.
    reward_range : (float, float), optional
        The range of all possible rewards: the worst case, used as the interval if the log has too little evidence for
        one.
    """
    logged = propensities.values if isinstance(propensities, Propensities) else propensities
    columns = (rewards, logged, probabilities, estimates, values)
    found, importance = _estimated("(n,)", estimator, columns, (confidence, resamples, seed), reward_range)
    found.effective_rounds = _effective_rounds(np.ones(len(importance)) if estimator == "dm" else importance)
    found.estimated_propensities = logged is not propensities
    return found


def estimate_propensities(
    actions: ArrayLike, features: ArrayLike, *, groups: ArrayLike | None = None, folds: int = 5, floor: float | None = None, seed: int = 0
) -> Propensities:
    """Estimates the propensities of a log without propensities, by cross-fitting, for :func:`estimate`.

    A multinomial logistic model of the action given the features is fitted to some folds, calibrated on a further
    one, and fitted to both. It has seen no round of the people whose propensities it estimates. Estimates that use these
    propensities are correct only if the features contain everything that the logging policy used.

    Parameters
    ----------
    actions : array of int, shape (n,)
        The logged actions.
    features : array of float, shape (n, d)
        The contexts; units do not matter.
    groups : array of int, shape (n,), optional
        The person or unit of each round; all rounds of a unit are in one fold.
    folds : int
        3 or more.
    floor : float, optional
        The smallest propensity, at most an action's even share. Default: a tenth of it, at most 0.01.
    """
    logged = ids(actions, "actions")
    table = doubles(features, "features")
    if table.ndim != 2 or len(table) != len(logged):
        raise DimensionMismatch(f"features must have the shape ({len(logged)}, d), not {table.shape}")
    people = None if groups is None else shaped(ids(groups, "groups"), "groups", len(logged))
    if floor is not None and not 0 < floor <= 1:
        raise InvalidArgument(f"floor must be above 0 and at most 1, not {floor}")
    values, result = np.empty(len(logged)), np.empty(3)
    rows = (address(logged), address(table), len(logged), table.shape[1], 0, address_or_none(people))
    settings = (count(folds, "folds", least=3), floor or 0.0, count(seed, "seed"))
    check(long_call(library.kin_off_policy_propensities, *rows, *settings, address(values), address(result)))
    return Propensities(values, int(result[1]), float(result[0]), float(result[2]))


def estimate_slates(
    estimator: SlateEstimatorName,
    rewards: ArrayLike,
    propensities: ArrayLike,
    probabilities: ArrayLike,
    *,
    estimates: ArrayLike | None = None,
    values: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 0,
    seed: int = 0,
    reward_range: tuple[float, float] | None = None,
) -> Estimate:
    """The reward per slate (ranking) that a policy would have had, from a different policy's log, as :func:`estimate`.

    Parameters
    ----------
    estimator : str
        ``"sips"``: rewards weighted by the importance of the whole slate. ``"rips"``: by the importance of their slot
        and the slots above. ``"iips"``: by the importance of their slot. ``"cascade-dr"``: a model's expectation,
        corrected by its weighted errors.
    rewards, propensities : array of float, shape (n, slots)
        Of the logged actions, the top slot first. Probabilities are conditional on the slots above; for ``"iips"`` they
        are per slot.
    probabilities : array of float, shape (n, slots)
        The probabilities of the logged actions under the evaluated policy.
    estimates, values : array of float, shape (n, slots), optional
        For ``"cascade-dr"``: a model's expected rewards of the logged actions and the slots below, and the same under
        the evaluated policy.
    reward_range : (float, float), optional
        The range of all possible rewards of a slate, as for :func:`estimate`.
    """
    columns = (rewards, propensities, probabilities, estimates, values)
    found, importance = _estimated("(n, slots)", estimator, columns, (confidence, resamples, seed), reward_range)
    through = importance if estimator == "iips" else np.cumprod(importance, axis=1)
    found.effective_rounds = _effective_rounds(through[:, -1] if estimator == "sips" else through.mean(axis=1))
    return found


def marginal_probabilities(
    likelihoods: ArrayLike, propensities: ArrayLike, probabilities: ArrayLike
) -> tuple[Doubles, Doubles]:
    """The propensities and probabilities of the logged actions' features, for :func:`estimate` (MIPS).

    With many actions the importance of the features varies far less than the importance of the actions. Estimates are
    unbiased if actions with equal features have equal expected rewards.

    Parameters
    ----------
    likelihoods : array of float, shape (n, actions)
        The probability of the logged features for each action. If features are certain: 1 for the actions that have
        them, else 0.
    propensities, probabilities : array of float, shape (n, actions)
        Of each action under the logging and the evaluated policy.
    """
    known = doubles(likelihoods, "likelihoods")
    if known.ndim != 2:
        raise DimensionMismatch(f"likelihoods must have the shape (n, actions), not {known.shape}")
    logged, judged = _tables(propensities, probabilities, *known.shape)
    return np.einsum("ij,ij->i", known, logged), np.einsum("ij,ij->i", known, judged)


def select_features(
    rewards: ArrayLike, actions: ArrayLike, features: ArrayLike, propensities: ArrayLike, probabilities: ArrayLike
) -> SharedFeatures:
    """Selects the features that represent the actions (MIPS): all, or fewer as long as no bias shows (SLOPE).

        shared = kin.select_features(reward, action, features, logged, judged)
        kin.estimate("snips", reward, shared.propensities, shared.probabilities)

    Parameters
    ----------
    rewards : array of float, shape (n,)
        Of the logged actions.
    actions : array of int, shape (n,)
        The logged actions, rows of ``features``.
    features : array of int, shape (actions, d)
        Equal numbers are equal features.
    propensities, probabilities : array of float, shape (n, actions)
        Of each action under the logging and the evaluated policy.
    """
    logged = ids(actions, "actions")
    brought = shaped(doubles(rewards, "rewards"), "rewards", len(logged))
    given = array_of(features, "features")
    if given.dtype.kind not in "iub":
        raise InvalidArgument(f"features are whole numbers that are equal where features are, not {given.dtype}")
    kinds = np.require(given, dtype=np.int64, requirements=["C", "A"])
    if kinds.ndim != 2:
        raise DimensionMismatch(f"features must have the shape (actions, d), not {kinds.shape}")
    tables = _tables(propensities, probabilities, len(logged), len(kinds))
    kept, shared = np.empty(kinds.shape[1], np.uint8), (np.empty(len(logged)), np.empty(len(logged)))
    rows = (address(brought), address(logged), len(logged), address(kinds), *kinds.shape)
    check(long_call(library.kin_off_policy_select_features, *rows, *map(address, tables), address(kept), *map(address, shared)))
    return SharedFeatures(kept.astype(bool), *shared)


def _tables(propensities: ArrayLike, probabilities: ArrayLike, rounds: int, actions: int) -> tuple[Doubles, Doubles]:
    """The probabilities of each action under two policies."""
    logged, judged = doubles(propensities, "propensities"), doubles(probabilities, "probabilities")
    return shaped(logged, "propensities", rounds, actions), shaped(judged, "probabilities", rounds, actions)


_FORMS: dict[str, tuple[Any, Sequence[str]]] = {
    "(n,)": (library.kin_off_policy_estimate, ESTIMATORS), "(n, slots)": (library.kin_slate_estimate, SLATE_ESTIMATORS),
}
"""The function of the library and the estimators for each shape of rewards."""


def _estimated(
    form: str,
    estimator: str,
    columns: tuple[ArrayLike | None, ...],
    settings: tuple[float, int, int],
    reward_range: tuple[float, float] | None,
) -> tuple[Estimate, Doubles]:
    """The estimate from the columns rewards, propensities, probabilities, estimates and values, and the importance of the logged actions.

    The settings are the confidence, the number of resamples and the seed.
    """
    call, words = _FORMS[form]
    number, (confidence, resamples, seed) = number_of(estimator, words, "estimator"), settings
    last = (real(confidence, "confidence"), count(resamples, "resamples"), count(seed, "seed"))
    names = ("rewards", "propensities", "probabilities", "estimates", "values")
    arrays = {name: doubles(each, name) for name, each in zip(names, columns) if each is not None}
    if estimator in ("dm", "dr", "switch-dr", "dros", "sg-dr", "cascade-dr") and not {"estimates", "values"} <= arrays.keys():
        raise InvalidArgument(f'the estimator "{estimator}" needs estimates and values, the expected rewards of a model')
    shape = arrays["rewards"].shape if "rewards" in arrays else ()
    if len(shape) != (1 if form == "(n,)" else 2) or 0 in shape[1:]:
        raise DimensionMismatch(f"rewards must have the shape {form}, not {shape}")
    rounds, *slots = shape
    addresses = [address(shaped(arrays[name], name, *shape)) if name in arrays else None for name in names]
    if reward_range is not None:
        least, largest = pair(reward_range, "reward_range")
        sums = arrays["rewards"].sum(axis=1) if slots else arrays["rewards"]
        if not np.all((sums >= least) & (sums <= largest)):
            raise InvalidArgument(f"reward_range is {reward_range}, but rewards are from {sums.min()} to {sums.max()}")
    result = np.empty(3)
    check(long_call(call, number, *slots, *addresses, rounds, *last, address(result)))
    value, lower, upper = result.tolist()
    if reward_range is not None and np.isnan(lower):
        lower, upper = least, largest
    return Estimate(value, lower, upper), arrays["probabilities"] / arrays["propensities"]


def _effective_rounds(weights: NDArray[Any]) -> float:
    """(Σw)² / Σw² of the weights of rounds, divided by the largest first, so that no square overflows."""
    tiny = np.finfo(float).tiny
    shares = weights / max(weights.max(), tiny)
    return float(shares.sum() ** 2 / max((shares**2).sum(), tiny))
