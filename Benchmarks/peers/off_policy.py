"""Kin's off-policy estimates compared with those of obp (zr-obp), on the open-bandit logs and on generated rounds.

    python off_policy.py FOLDER          # the folder with random-all.csv.gz, bts-all.csv.gz and so on
    python off_policy.py --made-up       # the rounds of OffPolicyTests.swift and the slates of SlateEvaluationTests.swift
    python off_policy.py --synthetic     # bias, error and coverage on logs of a known value

The evaluated policies: the items' shares by position in the log of the other policy, and a softmax of users' affinities
drawn with a fixed seed. The reward model: every item's click rate by position in the other log, smoothed. The estimates
have to agree to 1e-6. Bootstrap intervals are only shown for comparison, because the two libraries draw different
resamples.

obp imports PyTorch for its neural estimators. If PyTorch is not installed, empty modules replace it, because nothing
here needs it. Needs the Python package kin (or KIN_LIBRARY and PYTHONPATH).
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
        """A stub module: every name is a further stub module, or an empty class if obp needs a class."""

        def __getattr__(self, name):
            if name[0].islower():
                return StandIn(name)
            return type(name, (), {})

    for name in ("torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.utils", "torch.utils.data"):
        sys.modules[name] = StandIn(name)

from obp import ope
from obp.ope.estimators_embed import MarginalizedInverseProbabilityWeighting

ESTIMATORS = {
    "ips": ope.InverseProbabilityWeighting(),
    "snips": ope.SelfNormalizedInverseProbabilityWeighting(),
    "dm": ope.DirectMethod(),
    "dr": ope.DoublyRobust(),
}


def by_obp(name, reward, action, position, pscore, distribution, expected, interval=True):
    """obp's estimate and interval."""
    arguments = dict(
        reward=reward, action=action, position=position, pscore=pscore, action_dist=distribution,
        estimated_rewards_by_reg_model=expected,
    )  # fmt: skip
    value = ESTIMATORS[name].estimate_policy_value(**arguments)
    if not interval:
        return value, None, None
    bounds = ESTIMATORS[name].estimate_interval(**arguments, n_bootstrap_samples=1000, random_state=1)
    return value, bounds["95.0% CI (lower)"], bounds["95.0% CI (upper)"]


def columns(action, position, distribution, expected):
    """Kin's input for the same rounds: probability and estimate of the logged action, and the policy's expected reward.
    """
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
    """The rounds of OffPolicyTests.swift, and obp's results for them."""
    i = np.arange(200)
    reward = ((i * 7) % 5 == 0).astype(float) + (i % 11) / 10
    action, pscore = i % 4, (1 + i % 3) / 6
    arms = np.arange(4)
    distribution = (i[:, np.newaxis] + arms**2) % 5 + 1.0
    distribution = (distribution / distribution.sum(axis=1, keepdims=True))[:, :, np.newaxis]
    expected = (((3 * i[:, np.newaxis] + 2 * arms) % 7) / 10)[:, :, np.newaxis]
    for name in ESTIMATORS:
        print(name, repr(float(by_obp(name, reward, action, 0 * i, pscore, distribution, expected, interval=False)[0])))
    for kind, parameter in ((ope.SwitchDoublyRobust, 1.25), (ope.DoublyRobustWithShrinkage, 2.5), (ope.SubGaussianDoublyRobust, 0.125)):
        value = kind(lambda_=parameter).estimate_policy_value(
            reward=reward, action=action, pscore=pscore, action_dist=distribution, estimated_rewards_by_reg_model=expected
        )
        print(kind.estimator_name, parameter, repr(float(value)))
    features = MarginalizedInverseProbabilityWeighting(n_actions=4)
    logged = (2 * i[:, np.newaxis] + arms) % 3 + 1.0
    logged = (logged / logged.sum(axis=1, keepdims=True))[:, :, np.newaxis]
    likelihoods = ((1 + (arms[:, np.newaxis] + np.arange(3)) % 3) / 6)[:, :, np.newaxis]
    value = features.estimate_policy_value(
        reward=reward, action=action, action_embed=(i % 3)[:, np.newaxis], pi_b=logged, action_dist=distribution, p_e_a=likelihoods
    )
    print("mips", repr(float(value)))


def made_up_slates(slates=60, slots=3):
    """The slates of SlateEvaluationTests.swift, and obp's results for them."""
    i, k = np.repeat(np.arange(slates), slots), np.tile(np.arange(slots), slates)
    arms, action = np.arange(2), (i + k) % 2
    log = dict(slate_id=i, position=k, reward=((7 * i + 3 * k) % 5 == 0).astype(float) + ((i + k) % 11) / 10)
    propensity, probability = (2 + (i + k) % 3) / 6, (1 + (2 * i + k) % 5) / 8
    q = ((3 * i[:, np.newaxis] + 2 * k[:, np.newaxis] + arms) % 7) / 10
    distribution = np.where(arms == action[:, np.newaxis], probability[:, np.newaxis], 1 - probability[:, np.newaxis])
    logged, judged = (each.reshape(slates, slots).cumprod(axis=1) for each in (propensity, probability))
    whole = dict(pscore=np.repeat(logged[:, -1], slots), evaluation_policy_pscore=np.repeat(judged[:, -1], slots))
    alone = dict(pscore_item_position=propensity, evaluation_policy_pscore_item_position=probability)
    cascade = dict(pscore_cascade=logged.ravel(), evaluation_policy_pscore_cascade=judged.ravel())
    model = dict(action=action, q_hat=q.ravel(), evaluation_policy_action_dist=distribution.ravel())
    for estimator, arguments in (
        (ope.SlateStandardIPS(len_list=slots), whole),
        (ope.SlateIndependentIPS(len_list=slots), alone),
        (ope.SlateRewardInteractionIPS(len_list=slots), cascade),
        (ope.SlateCascadeDoublyRobust(len_list=slots, n_unique_action=2), cascade | model),
    ):
        print(estimator.estimator_name, repr(float(estimator.estimate_policy_value(**log, **arguments))))


def synthetic(rounds=1000, repetitions=200, actions=10):
    """Bias, root mean squared error and coverage of 95 % intervals over logs of a known value. obp's parameters come
    from SLOPE with a grid like the one in its documentation. A softmax logs, and a sharper softmax of noisier scores is
    evaluated, so that a few weights are large. A good reward
    model is one tenth noise, a bad one four fifths."""
    import kin

    grid = [1.0, 3.0, 10.0, 30.0, 100.0, 1000.0, np.inf]
    tuned = {
        "switch-dr": lambda: ope.SwitchDoublyRobustTuning(lambdas=grid),
        "dros": lambda: ope.DoublyRobustWithShrinkageTuning(lambdas=grid),
        "sg-dr": lambda: ope.SubGaussianDoublyRobustTuning(lambdas=[0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]),
    }
    for model, skill in (("a good model", 0.9), ("a bad model", 0.2)):
        random = np.random.default_rng(5)
        found = {name: {"kin": [], "obp": []} for name in (*ESTIMATORS, *tuned)}
        truths = []
        for _ in range(repetitions):
            quality = random.random((rounds, actions)) ** 2
            logging = np.exp(2 * random.standard_normal((rounds, actions)))
            logging /= logging.sum(axis=1, keepdims=True)
            evaluated = np.exp(4 * quality + random.standard_normal((rounds, actions)))
            evaluated /= evaluated.sum(axis=1, keepdims=True)
            action = (random.random((rounds, 1)) > logging.cumsum(axis=1)).sum(axis=1).clip(max=actions - 1)
            row = np.arange(rounds)
            reward = (random.random(rounds) < quality[row, action]).astype(float)
            guess = skill * quality + (1 - skill) * random.random((rounds, actions)) + 0.1 * (1 - skill)
            # The value on these contexts; the log is a sample of them.
            truths.append((evaluated * quality).sum(axis=1).mean())
            pscore, chance = logging[row, action], evaluated[row, action]
            for name in found:
                ours = kin.estimate(
                    name, reward, pscore, chance, estimates=guess[row, action], values=(evaluated * guess).sum(axis=1), resamples=200, seed=1
                )
                found[name]["kin"].append((ours.value, ours.lower, ours.upper))
                estimator = ESTIMATORS[name] if name in ESTIMATORS else tuned[name]()
                arguments = dict(
                    reward=reward, action=action, pscore=pscore, action_dist=evaluated[:, :, np.newaxis],
                    estimated_rewards_by_reg_model=guess[:, :, np.newaxis], position=0 * action,
                )  # fmt: skip
                suffix = "" if name in ESTIMATORS else "_with_tuning"
                value = getattr(estimator, f"estimate_policy_value{suffix}")(**arguments)
                bounds = getattr(estimator, f"estimate_interval{suffix}")(**arguments, n_bootstrap_samples=200, random_state=1)
                found[name]["obp"].append((value, bounds["95.0% CI (lower)"], bounds["95.0% CI (upper)"]))
        truth = np.array(truths)
        print(f"\n{model}, {repetitions} logs of {rounds} rounds, {actions} actions; the value is {truth.mean():.3f}\n")
        print("| estimator | bias, Kin | obp | RMSE, Kin | obp | coverage, Kin | obp |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name, both in found.items():
            cells = []
            for of in (
                lambda e: f"{(e[:, 0] - truth).mean():+.4f}",
                lambda e: f"{np.sqrt(((e[:, 0] - truth) ** 2).mean()):.4f}",
                lambda e: f"{((e[:, 1] <= truth) & (truth <= e[:, 2])).mean():.0%}",
            ):
                cells += [of(np.array(both["kin"])), of(np.array(both["obp"]))]
            print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    actions = {"--made-up": lambda: (made_up(), made_up_slates()), "--synthetic": synthetic}
    actions.get(sys.argv[1], lambda: compare(sys.argv[1]))()
