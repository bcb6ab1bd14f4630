"""Jobs over datasets give the same results as the same calls on one machine."""

import json

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, baby_log, index_of
from ray_cluster import cluster, clustered, ray  # noqa: F401

import kin.ray
from kin.ray.kmeans import _Totals

pytestmark = pytest.mark.usefixtures("cluster")


def assert_same_clusters(found, expected):
    assert found.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.sizes_, expected.sizes_)
    assert found.inertia_ == expected.inertia_
    assert (found.n_iter_, found.converged_) == (expected.n_iter_, expected.converged_)


@pytest.mark.parametrize(
    ("n", "dimension", "k", "shards", "given"),
    [
        (900, 5, 7, 2, {}),
        # Whole numbers given as floats, which all calls accept.
        (900, 5, 7.0, 2, {"restarts": 2.0, "seed": 3.0}),
        # Several blocks, and points that move to a different actor.
        (30_000, 16, 70, 3, {"restarts": 2, "seed": 5}),
        # Blocks of samples that span two actors.
        (20_000, 3, 300, 2, {"seed": 2**63}),
        # More clusters than distinct points.
        (17_000, 2, 200, 3, {"grid": True, "tolerance": 0}),
        # Clusters that become empty and receive a point.
        (9000, 4, 64, 2, {"far": True}),
    ],
)
def test_kmeans_is_bit_identical_to_one_machine(random, n, dimension, k, shards, given):
    x = random.normal(size=(n, dimension)).astype(np.float32)
    given = dict(given)
    if given.pop("grid", False):
        x = np.round(x)
    if given.pop("far", False):
        given["init"] = np.concatenate([x[: k - 14], np.full((14, dimension), 1e3, dtype=np.float32)])
    assert_same_clusters(kin.ray.kmeans(x, k, shards=shards, **given), kin.KMeans(k, swaps=False, **given).fit(x))


def test_totals_of_blocks_are_added_in_their_order():
    totals = _Totals([(np.array([[value]]), np.array([1]), value) for value in (1.0, 1e16, -1e16, 1.0)])
    assert (totals.sums, totals.sizes, totals.inertia) == (1.0, 4, 1.0)


def test_kmeans_of_files_and_datasets(tmp_path, random):
    x = clustered(random, 9000, 6)
    expected = kin.KMeans(9, swaps=False, seed=3).fit(x)
    np.save(tmp_path / "a.npy", x[:5000])
    np.save(tmp_path / "b.npy", x[5000:])
    assert_same_clusters(kin.ray.kmeans([tmp_path / "a.npy", tmp_path / "b.npy"], 9, shards=2, seed=3), expected)
    order = random.permutation(9000)
    rows = ray.data.from_numpy([x[order[:4000]], x[order[4000:]]]).zip(
        ray.data.from_items([{"id": int(number)} for number in order], override_num_blocks=3)
    )
    assert_same_clusters(kin.ray.kmeans(rows, 9, shards=2, seed=3, ids="id", column="data"), expected)


@pytest.mark.parametrize(
    "given", [{"k": 0}, {"k": 101}, {"restarts": 0}, {"tolerance": 2}, {"init": "random"}, {"init": np.ones((2, 4))}, {"shards": 0}]
)
def test_kmeans_refuses_what_one_machine_refuses(given):
    x = np.random.default_rng(1).random((100, 4), dtype=np.float32)
    assert_raises(kin.InvalidArgument, None, kin.ray.kmeans, x, **{"k": 3} | given)
    with pytest.raises(kin.NotFinite, match="row 7 "):
        x[7] = np.nan
        kin.ray.kmeans(x, 3)


def test_neighbors(tmp_path, random):
    x = clustered(random, 2000)
    kin.ray.build(x, tmp_path, shards=2)
    rows = ray.data.from_items([{"vector": row, "number": number} for number, row in enumerate(x[:600])])
    found = kin.ray.neighbors(rows, tmp_path, 6, batch_size=100).to_pandas().sort_values("number")
    assert_same((np.stack(found["distances"]), np.stack(found["neighbors"])), index_of(x).search(x[:600], 6))


def test_similar_souls_of_everyone_equal_one_machine(tmp_path, random):
    goals = [f"goal {number}" for number in range(12)]
    souls = [
        {"uid": f"u{n}", "goals": {name: float(random.random()) for name in random.choice(goals, 3, replace=False)}, "valence": float(v)}
        for n, v in enumerate(random.uniform(-1, 1, 300))
    ]
    (tmp_path / "souls.jsonl").write_text("".join(json.dumps(soul) + "\n" for soul in souls))
    found = kin.ray.similar_souls(ray.data.read_text(str(tmp_path / "souls.jsonl")), 4, shards=2).take_all()
    by_user = {}
    for row in found:
        by_user.setdefault(row["user"], []).append((row["other"], row["score"], row["connection"], list(row["compared"])))
    matcher = kin.Matcher(souls)
    for soul in souls:
        expected = matcher.similar_souls(soul["uid"], k=4)
        assert by_user[soul["uid"]] == [(r["other"], r["score"], r["connection"], r["compared"]) for r in expected]


def test_forecasts_and_backtests():
    logs = [baby_log(days) for days in range(10, 15)]
    rows = ray.data.from_items([{"baby": n, "text": json.dumps(log), "born": "2025-10-01"} for n, log in enumerate(logs)])
    for row in kin.ray.forecasts(rows).take_all():
        expected = kin.forecast(logs[row["baby"]], born="2025-10-01")
        assert (row["point"], row["confidence"], row["forecast_at"]) == (expected["point"], expected["confidence"], expected["now"])
        assert row["reason"] is None and "text" not in row
    for row in kin.ray.backtest(rows).take_all():
        expected = kin.backtest(logs[row["baby"]], born="2025-10-01")["measures"]
        assert json.loads(row["measures"]) == expected and row["mean_absolute_error"] == expected["mean_absolute_error"]


def test_replay(random):
    contexts = random.normal(size=(400, 5))
    labels = np.argmax(contexts[:, :3], axis=1)
    order = random.permutation(400)
    rounds = ray.data.from_items([{"round": int(n), "context": contexts[n].tolist(), "label": int(labels[n])} for n in order])
    policies = {name: kin.Policy(name, 5, arms=3, seed=4) for name in ("linucb", "epsilon-greedy")}
    for row in kin.ray.replay(policies, rounds, order="round").take_all():
        arms, _ = policies[row["policy"]].copy().play(contexts, labels)
        assert row["value"] == (arms == labels).mean() and row["rounds"] == 400
    logger = kin.Policy("epsilon-greedy", 5, arms=3, epsilon=0.3, seed=1)
    arms, propensities = logger.choose_many(contexts)
    rewards = (arms == labels).astype(float)
    columns = {"round": np.arange(400), "arm": arms, "reward": rewards, "propensity": propensities}
    log = ray.data.from_items(
        [{"context": contexts[n].tolist(), **{name: column[n].item() for name, column in columns.items()}} for n in order]
    )
    for row in kin.ray.replay(policies, log, order="round", seed=9).take_all():
        chances = policies[row["policy"]].probabilities(contexts)[np.arange(400), arms]
        assert (row["value"], row["lower"], row["upper"]) == kin.estimate("snips", rewards, propensities, chances, seed=9)
    with pytest.raises(kin.InvalidArgument, match="no column 'arm'"):
        kin.ray.replay(policies, log.drop_columns(["arm"]), order="round")
