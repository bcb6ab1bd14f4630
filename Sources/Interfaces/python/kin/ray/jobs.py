"""Jobs on Ray Datasets: one call returns a Dataset of answers, which runs when it is read."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow

import ray

from kin._signatures import EstimatorName
from kin.errors import InvalidArgument
from kin.off_policy import estimate
from kin.policy import Policy
from kin.ray.folder import FolderLike
from kin.ray.session import open as open_session
from kin.rhythm import backtest as backtest_one
from kin.rhythm import forecast
from kin.souls import Matcher


def neighbors(dataset: Any, folder: FolderLike, k: int = 10, *, column: str = "vector", replicas: int = 1, **parameters: Any) -> Any:
    """The k nearest vectors of a sharded index to every row of a dataset, exactly.

    The call opens a session for the job, and closes it: the answer is materialized.

    Parameters
    ----------
    dataset : Ray Dataset
    folder : str, path or Folder
        The index; to find the neighbours of all its vectors, pass the dataset that it was built from.
    k, column, parameters
        As for :meth:`kin.ray.Session.map_batches`.
    replicas : int
        As for :func:`kin.ray.open`.

    Returns
    -------
    Ray Dataset
        With columns ``neighbors`` and ``distances``.
    """
    with open_session(folder, replicas=replicas) as session:
        return session.map_batches(dataset, k, column=column, **parameters).materialize()


def similar_souls(
    dataset: Any, k: int = 10, *, column: str = "text", shards: int = 1, coverage: float = 0.0, threads: int = 1,
    weights: Mapping[str, float] | None = None,
) -> Any:  # fmt: skip
    """The k most similar souls of every person, exactly, as :meth:`kin.Matcher.similar_souls`.

    Every actor holds all souls, because the rarity of a goal among them is part of every score, and answers for some of
    them. With 60,000 souls of 250 bytes of JSON, an actor held 2.3 KB per soul, and up to 6.6 KB while it started. More
    actors answer faster, but each needs the same memory: a node needs room for all souls once per actor.

    Parameters
    ----------
    dataset : Ray Dataset
        A column of souls (see :func:`kin.affinity`) as JSON, such as the lines of a file read by
        ``ray.data.read_text``.
    k, coverage, weights, threads
        As for :class:`kin.Matcher`.
    column : str
        The column's name.
    shards : int
        The number of actors.

    Returns
    -------
    Ray Dataset
        ``user``, ``other``, ``score``, ``connection``, ``coverage`` and ``compared``. The rows of a user are ordered
        from the best; users are in no particular order.
    """
    souls = dataset.select_columns([column]).materialize()
    given = souls.to_arrow_refs(), column, k, coverage, threads, weights
    # A soul is parsed by the actor that answers for it, and by all actors when they start.
    return souls.map_batches(
        _SimilarSouls, fn_constructor_args=given, concurrency=shards, num_cpus=threads, batch_size=256, batch_format="numpy"
    )


def forecasts(logs: Any, *, kind: Any = "nap", column: str = "text", coverage: float = 0.8) -> Any:
    """Forecasts each baby's next nap, feed, waking or bedtime: :func:`kin.forecast` for every row.

    Parameters
    ----------
    logs : Ray Dataset
        A column of logs as JSON; the columns ``now``, ``born`` and ``zone``, if present, apply to their row's log.
    kind, coverage
        As for :func:`kin.forecast`.
    column : str
        The column's name.

    Returns
    -------
    Ray Dataset
        The other columns, and ``forecast_at``, ``point``, ``lower``, ``upper``, ``confidence``, ``duration_minutes``,
        ``kind`` and ``reason``, which are None if they do not apply.
    """

    def answered(row: dict[str, Any]) -> dict[str, Any]:
        log, given = _log(row, column, ("now", "born", "zone"))
        found = forecast(log, kind=kind, coverage=coverage, **given)
        names = ("point", "lower", "upper", "confidence", "duration_minutes", "kind", "reason")
        return {**_others(row, column), "forecast_at": found.get("now"), **{name: found.get(name) for name in names}}

    return logs.map(answered)


def backtest(logs: Any, *, kind: Any = "nap", column: str = "text", seed: int = 1) -> Any:
    """Measures the accuracy of past forecasts of each log: the measures of :func:`kin.backtest` for every row.

    Parameters
    ----------
    logs, column
        As for :func:`forecasts`.
    kind, seed
        As for :func:`kin.backtest`.

    Returns
    -------
    Ray Dataset
        The other columns, and ``measures`` as JSON; its top-level numbers, such as ``mean_absolute_error``, are columns
        too.
    """

    def answered(row: dict[str, Any]) -> dict[str, Any]:
        log, given = _log(row, column, ("born", "zone"))
        measures = backtest_one(log, kind=kind, seed=seed, **given)["measures"]
        numbers = {name: value for name, value in measures.items() if isinstance(value, (int, float))}
        return {**_others(row, column), **numbers, "measures": json.dumps(measures)}

    return logs.map(answered)


def replay(
    policies: Mapping[str, Policy], log: Any, *, order: str, estimator: EstimatorName = "snips", confidence: float = 0.95, seed: int = 0
) -> Any:
    """Estimates the reward that each of several policies would have earned on a log, each in a separate task.

    Parameters
    ----------
    policies : mapping of names to Policy
        Policies with arms; they do not change.
    log : Ray Dataset
        ``context`` (numbers) and ``label``, the correct arm: each policy plays the rounds and learns
        (:meth:`kin.Policy.play`). Or ``context``, ``arm``, ``reward`` and ``propensity`` of rounds that a different
        policy has played: the value of each policy in its current state is estimated (:func:`kin.estimate`). A task
        holds the log in memory.
    order : str
        The column whose ascending order is the order of the rounds.
    estimator, confidence, seed
        As for :func:`kin.estimate`.

    Returns
    -------
    Ray Dataset
        ``policy``, ``rounds`` and ``value``, the mean reward per round; for estimates ``lower`` and ``upper``, the ends
        of the interval.
    """
    names = set(log.schema().names)
    needed = {order, "context", *(["label"] if "label" in names else ["arm", "reward", "propensity"])}
    if missing := needed - names:
        raise InvalidArgument(f"the log has no column {sorted(missing)[0]!r}; it has {', '.join(sorted(names))}")
    blocks = log.select_columns(sorted(needed)).to_arrow_refs()
    given = [{"policy": name, "state": policy.to_bytes()} for name, policy in policies.items()]

    def played(row: dict[str, Any]) -> dict[str, Any]:
        tables = ray.get(blocks)
        columns = {name: np.concatenate([table[name].to_numpy() for table in tables]) for name in needed}
        rounds = np.argsort(columns[order], kind="stable")
        columns = {name: column[rounds] for name, column in columns.items()}
        policy, contexts = Policy.from_bytes(row["state"]), np.stack([np.asarray(cells, float) for cells in columns["context"]])
        found = {"policy": row["policy"], "rounds": len(contexts)}
        if "label" in needed:
            arms, _ = policy.play(contexts, columns["label"])
            return {**found, "value": float((arms == columns["label"]).mean())}
        chances = policy.probabilities(contexts)[np.arange(len(contexts)), columns["arm"]]
        value, lower, upper = estimate(
            estimator, columns["reward"], columns["propensity"], chances, confidence=confidence, seed=seed
        )
        return {**found, "value": value, "lower": lower, "upper": upper}

    return ray.data.from_items(given, override_num_blocks=max(1, len(given))).map(played)


class _SimilarSouls:
    """All souls, stored in an actor."""

    def __init__(
        self, blocks: list[Any], column: str, k: int, coverage: float, threads: int, weights: Mapping[str, float] | None
    ) -> None:
        self._column, self._k, self._coverage = column, k, coverage
        souls = (json.loads(text) for table in ray.get(blocks) for text in table[column].to_pylist())
        self._matcher = Matcher(souls, weights=weights, threads=threads)

    def __call__(self, batch: Mapping[str, Any]) -> Any:
        users = [json.loads(text)["uid"] for text in batch[self._column]]
        rows = [row for user in users for row in self._matcher.similar_souls(user, k=self._k, coverage=self._coverage)]
        # Without souls nothing is known, and the columns keep their types.
        text, number = pyarrow.string(), pyarrow.float64()
        kinds = {"user": text, "other": text, "score": number, "connection": text, "coverage": number}
        kinds["compared"] = pyarrow.list_(text)
        return pyarrow.Table.from_pylist(rows, pyarrow.schema(kinds))


def _log(row: dict[str, Any], column: str, names: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
    return json.loads(row[column]), {name: row[name] for name in names if row.get(name) is not None}


def _others(row: dict[str, Any], column: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != column}
