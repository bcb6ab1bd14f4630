"""Labelled rows played as a bandit by Kin, Vowpal Wabbit and MABWiser: progressive reward and decisions per second.

    python bandits.py letter.csv.gz [--label label] [--pairs] [--orders 5] [--only Kin]
    python bandits.py --suite sets/*.csv --orders 10

One pass. A round shows the features, takes an arm, and reveals only whether it was the label (reward 1, cost 0). All
libraries see the same rows in the same order, with features divided by their largest magnitude (Kin gets them
unchanged, because it observes scales). A decision is a choice and the update by its reward. Times are of
loops in a Python program. Kin also plays the whole table in one call. Vowpal Wabbit runs with each of the settings
below, reads text lines, and receives the probability of its choice. MABWiser's figures are for its first rounds
(--slow), because it solves for every arm in every round.

With --suite Kin's standard policy plays several tables, compared with LinUCB of five widths on features standardized
over the whole table. Each table is also played with the constants that did best on the other tables.

Needs the Python package kin (or KIN_LIBRARY and PYTHONPATH), numpy and pandas. vowpalwabbit and mabwiser are skipped if
they are not installed.
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import kin

# Settings, and the costs of a hit and a miss: the best of about thirty-five settings tried on the letters. With a cost of
# -1 for a hit and 0 for a miss, Vowpal Wabbit does not mistake every unseen arm for a good one.
VOWPAL = [
    ("--cb_explore {arms} --epsilon 0.02 --cb_type dm -l 5", -1, 0),
    ("--cb_explore {arms} --epsilon 0.05 --cb_type dm -l 5", -1, 0),
    ("--cb_explore {arms} --bag 5 --cb_type dm -l 2", -1, 0),
    ("--cb_explore {arms} --cover 8 --epsilon 0.01", -1, 0),
    ("--cb_explore_adf --regcbopt --mellowness 0.001 -q sa -l 2", 0, 1),
    ("--cb_explore_adf --squarecb --gamma_scale 50 --gamma_exponent 0.7 -q sa -l 2", -1, 0),
    ("--cb_explore_adf --epsilon 0.05 --cb_type mtr --ignore_linear s -q sa -l 2", -1, 0),
]


# The constants of the standard policy's models, an exploration and a prior precision; the first pair is the standard.
CONSTANTS = [(0.7, 0.7), (0.25, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]
WIDTHS = [0.05, 0.1, 0.25, 0.5, 1]


def kin_single(kind, x, y, arms, pairs, seed):
    policy = kin.Policy(kind, x.shape[1], arms, pairs=pairs, seed=seed)
    hits = np.zeros(len(x), bool)
    for i in range(len(x)):
        c = policy.choose(x[i])
        hits[i] = c.arm == y[i]
        policy.learn(c.event, float(hits[i]))
    return hits


def kin_table(kind, x, y, arms, pairs, seed, **constants):
    policy = kin.Policy(kind, x.shape[1], arms, pairs=pairs, seed=seed, **constants)
    return policy.play(x, y)[0] == y


def vowpal(settings, hit_cost, miss_cost, x, y, arms, pairs, seed):
    import vowpalwabbit

    adf = "_adf" in settings
    extra = (" -q ss --interactions ssa" if adf else " -q ss") if pairs else ""
    workspace = vowpalwabbit.Workspace(settings.format(arms=arms) + extra + f" --random_seed {seed} --quiet")
    random = np.random.default_rng(seed)
    actions = [f"|a x{k}" for k in range(arms)]
    hits = np.zeros(len(x), bool)
    for i in range(len(x)):
        context = "|s " + " ".join(f"f{j}:{value:.5f}" for j, value in enumerate(x[i]))
        shown = ["shared " + context, *actions] if adf else context
        p = np.asarray(workspace.predict(shown))
        arm = int(random.choice(arms, p=p / p.sum()))
        hits[i] = hit = arm == y[i]
        label = f"{arm if adf else arm + 1}:{hit_cost if hit else miss_cost}:{p[arm]:.6f}"
        if adf:
            workspace.learn(["shared " + context, *actions[:arm], f"{label} {actions[arm]}", *actions[arm + 1 :]])
        else:
            workspace.learn(f"{label} {context}")
    workspace.finish()
    return hits


def mabwiser(policy, x, y, arms, pairs, seed):
    from mabwiser.mab import MAB

    if pairs:
        first, second = np.triu_indices(x.shape[1])
        x = np.hstack([x, x[:, first] * x[:, second]])
    x = np.hstack([x, np.ones((len(x), 1))])
    mab = MAB(list(range(arms)), policy, seed=seed)
    mab.fit([0], [0.0], x[:1] * 0)
    hits = np.zeros(len(x), bool)
    for i in range(len(x)):
        arm = mab.predict(x[i : i + 1])
        hits[i] = arm == y[i]
        mab.partial_fit([arm], [float(hits[i])], x[i : i + 1])
    return hits


def contenders(options):
    for kind in ("standard", "logistic-ucb", "linucb"):
        yield f"Kin {kind}, one call a choice", partial(kin_single, kind), None
        yield f"Kin {kind}, one call for all", partial(kin_table, kind), None
    try:
        import vowpalwabbit

        for settings, hit, miss in VOWPAL:
            name = f"Vowpal Wabbit {vowpalwabbit.__version__} {settings.replace('{arms}', 'K')}, hit {hit}, miss {miss}"
            yield name, partial(vowpal, settings, hit, miss), None
    except ImportError:
        print("vowpalwabbit is not installed")
    try:
        from mabwiser.mab import LearningPolicy

        for name, policy in (("LinUCB 0.5", LearningPolicy.LinUCB(0.5)), ("LinTS 0.1", LearningPolicy.LinTS(0.1))):
            yield f"MABWiser {name}", partial(mabwiser, policy), options.slow
    except ImportError:
        print("mabwiser is not installed")


def read(path, label):
    """The features of a table, its labels as numbers from 0, and their number; the last column is the default label."""
    frame = pd.read_csv(path)
    column = label or frame.columns[-1]
    names, y = np.unique(frame[column], return_inverse=True)
    return frame.drop(columns=[column]).to_numpy(dtype=float), y.astype(np.int64), len(names)


def curve(hits):
    """The mean rewards of the first 200, the first 1,000 and all rounds."""
    return [hits[:count].mean() for count in (200, 1000, len(hits))]


def suite(options):
    """Kin's standard policy and LinUCB on all tables: mean rewards, and those of the worst order."""
    found = {}
    for path in options.tables:
        raw, y, arms = read(path, options.label)
        spread = raw.std(axis=0)
        standardized = (raw - raw.mean(axis=0)) / np.where(spread > 0, spread, 1)
        ways = [("standard", raw, width, precision) for width, precision in CONSTANTS]
        ways += [("linucb", standardized, width, 1) for width in WIDTHS]
        orders = [np.random.default_rng(seed).permutation(len(raw))[: options.rows] for seed in range(options.orders)]
        found[path] = np.array([
            [curve(kin_table(kind, x[order], y[order], arms, options.pairs, seed, exploration=width, prior_precision=precision))
             for seed, order in enumerate(orders)]
            for kind, x, width, precision in ways
        ])
        print(f"{path} ...", file=sys.stderr)
    print("Mean reward of the first 200 · 1,000 · all rounds\n")
    print("| set | standard | constants of other sets | worst order | best LinUCB | its width |", *(f"{width} |" for width in WIDTHS))
    print("| --- |" + " --- |" * (5 + len(WIDTHS)))
    means = []
    for path, rewards in found.items():
        each = rewards.mean(axis=1)
        others = [other for name, other in found.items() if name != path] or [rewards]
        chosen = each[sum(other.mean(axis=1)[: len(CONSTANTS), 2] for other in others).argmax()]
        best = each[len(CONSTANTS) :, 2].argmax()
        linear = each[len(CONSTANTS) + best]
        means.append((each[0, 2], chosen[2], linear[2]))
        standard, widest = (" · ".join(f"{mean:.3f}" for mean in means) for means in (each[0], linear))
        print(f"| {Path(path).stem} | {standard} | {chosen[2]:.3f} | {rewards[0, :, 2].min():.3f} | {widest} | {WIDTHS[best]} |",
              *(f"{mean:.3f} |" for mean in each[len(CONSTANTS) :, 2]))
    print("\nmean of all sets: standard {:.4f}, constants of other sets {:.4f}, best width for each {:.4f}".format(*np.mean(means, axis=0)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", help="CSV files of features and a label, each with a header; several only with --suite")
    parser.add_argument("--label", help="the column of labels (default: the last)")
    parser.add_argument("--suite", action="store_true", help="compare Kin's standard policy with LinUCB on all tables")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--orders", type=int, default=1)
    parser.add_argument("--rows", type=int, help="maximum number of rows")
    parser.add_argument("--only", default="", help="run only libraries whose name contains this text")
    parser.add_argument("--slow", type=int, default=500, help="rounds of MABWiser, which solves for every arm in every round (default %(default)s)")
    options = parser.parse_args()
    if options.suite:
        return suite(options)
    raw, y, arms = read(options.tables[0], options.label)
    scaled = raw / np.maximum(np.abs(raw).max(axis=0), np.finfo(float).tiny)
    print(f"{len(raw)} rows, {raw.shape[1]} features, {arms} arms, {options.orders} orders, pairs: {options.pairs}\n")
    print("| | rounds | first 200 | first 1,000 | progressive reward | decisions a second |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name, play, limit in contenders(options):
        if options.only not in name:
            continue
        rewards, seconds, rounds = [], 0.0, 0
        for seed in range(options.orders):
            order = np.random.default_rng(seed).permutation(len(raw))[: limit or options.rows]
            x = np.ascontiguousarray((raw if name.startswith("Kin") else scaled)[order])
            start = time.perf_counter()
            rewards.append(curve(play(x, y[order], arms, options.pairs, seed)))
            seconds += time.perf_counter() - start
            rounds += len(order)
        shown = " | ".join(f"{mean:.4f}" for mean in np.mean(rewards, axis=0))
        print(f"| {name} | {rounds} | {shown} | {rounds / seconds:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
