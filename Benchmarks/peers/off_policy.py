"""Kin's off-policy estimates beside those of obp (zr-obp), on the open-bandit logs and on made-up rounds.

    python off_policy.py FOLDER          # the folder with random-all.csv.gz, bts-all.csv.gz and so on
    python off_policy.py --made-up       # the rounds of OffPolicyTests.swift

The evaluated policies: the items' shares by position in the log of the other policy, and a softmax of users' affinities
drawn with a fixed seed. The reward model: every item's click rate by position in the other log, smoothed. What is
compared is the estimate, which has to agree to 1e-6; bootstrap intervals are shown side by side, since the two draw
different resamples.

obp imports PyTorch for its neural estimators; where that is not installed an empty stand-in is given, as nothing here
uses it. Needs the Python package kin (or KIN_LIBRARY and PYTHONPATH).
"""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

try:
    import torch  # noqa: F401
except ImportError:

    class StandIn(ModuleType):
        """A module in which every name is another one, or where a class is needed an empty class."""

        def __getattr__(self, name):
            if name[0].islower():
                return StandIn(name)
            return type(name, (), {})

    for name in ("torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.utils", "torch.utils.data"):
        sys.modules[name] = StandIn(name)

from obp.ope import DirectMethod, DoublyRobust, InverseProbabilityWeighting, SelfNormalizedInverseProbabilityWeighting

ESTIMATORS = {
    "ips": InverseProbabilityWeighting(),
    "snips": SelfNormalizedInverseProbabilityWeighting(),
    "dm": DirectMethod(),
    "dr": DoublyRobust(),
}


def by_obp(name, reward, action, position, pscore, distribution, expected, interval=True):
    """obp's estimate and interval."""
    arguments = dict(
        reward=reward,
        action=action,
        position=position,
        pscore=pscore,
        action_dist=distribution,
        estimated_rewards_by_reg_model=expected,
    )
    value = ESTIMATORS[name].estimate_policy_value(**arguments)
    if not interval:
        return value, None, None
    bounds = ESTIMATORS[name].estimate_interval(**arguments, n_bootstrap_samples=1000, random_state=1)
    return value, bounds["95.0% CI (lower)"], bounds["95.0% CI (upper)"]


def columns(action, position, distribution, expected):
    """What Kin takes of the same: probability and estimate of the logged action, and the policy's expected reward."""
    rounds = np.arange(len(action))
    here = distribution[rounds, :, position]
    model = expected[rounds, :, position]
    return here[rounds, action], model[rounds, action], (here * model).sum(axis=1)


def shares(log, items, positions, column, smoothing):
    """Per item and position the mean of a column, or with None the share of the position's rounds."""
    table = np.zeros((items, positions))
    for position in range(positions):
        rows = log[log.position == position + 1]
        for item in range(items):
            own = rows[rows.item_id == item]
            if column is None:
                table[item, position] = (len(own) + smoothing) / (len(rows) + items * smoothing)
            else:
                table[item, position] = (own[column].sum() + smoothing * rows[column].mean()) / (len(own) + smoothing)
    return table


def compare(folder):
    import kin

    print("log         policy    estimator   kin           obp           difference   kin's interval        obp's interval")
    worst = 0.0
    for campaign in ("all", "women"):
        logs = {kind: pd.read_csv(Path(folder) / f"{kind}-{campaign}.csv.gz") for kind in ("random", "bts")}
        items = int(max(log.item_id.max() for log in logs.values())) + 1
        for kind, other in (("random", "bts"), ("bts", "random")):
            log = logs[kind]
            action, position = log.item_id.to_numpy(), log.position.to_numpy() - 1
            model = shares(logs[other], items, 3, "click", 20.0)
            expected = np.broadcast_to(model, (len(log), items, 3))
            affinity = log[[name for name in log.columns if name.startswith("user-item_affinity")]].to_numpy()[:, :items]
            weights = np.random.default_rng(7).standard_normal((affinity.shape[1], items)) / 2
            scores = affinity @ weights
            soft = np.exp(scores - scores.max(axis=1, keepdims=True))
            soft /= soft.sum(axis=1, keepdims=True)
            policies = {
                other: np.broadcast_to(shares(logs[other], items, 3, None, 1.0), (len(log), items, 3)),
                "softmax": np.repeat(soft[:, :, np.newaxis], 3, axis=2),
            }
            for policy, distribution in policies.items():
                reward, pscore = log.click.to_numpy(dtype=float), log.propensity_score.to_numpy()
                probability, estimate, value = columns(action, position, distribution, expected)
                for name in ESTIMATORS:
                    theirs = by_obp(name, reward, action, position, pscore, distribution, expected)
                    ours = kin.estimate(name, reward, pscore, probability, estimates=estimate, values=value, seed=1)
                    difference = abs(ours.value - theirs[0])
                    worst = max(worst, difference)
                    print(
                        f"{kind}-{campaign:7} {policy:9} {name:9} {ours.value:13.9f} {theirs[0]:13.9f}   {difference:9.1e}"
                        f"   {ours.lower:.6f} {ours.upper:.6f}   {theirs[1]:.6f} {theirs[2]:.6f}"
                    )
    print(f"largest difference {worst:.1e}")
    assert worst < 1e-6


def made_up():
    """The rounds of OffPolicyTests.swift, and what obp makes of them."""
    i = np.arange(200)
    reward = ((i * 7) % 5 == 0).astype(float) + (i % 11) / 10
    action, pscore = i % 4, (1 + i % 3) / 6
    arms = np.arange(4)
    distribution = (i[:, np.newaxis] + arms**2) % 5 + 1.0
    distribution = (distribution / distribution.sum(axis=1, keepdims=True))[:, :, np.newaxis]
    expected = (((3 * i[:, np.newaxis] + 2 * arms) % 7) / 10)[:, :, np.newaxis]
    for name in ESTIMATORS:
        print(name, repr(float(by_obp(name, reward, action, 0 * i, pscore, distribution, expected, interval=False)[0])))


if __name__ == "__main__":
    made_up() if sys.argv[1] == "--made-up" else compare(sys.argv[1])
