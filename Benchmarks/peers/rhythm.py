#!/usr/bin/env python3
"""Forecasts the next nap or feed with Kin and LightGBM, walked forward through logs, and writes their errors and times.

LightGBM is refitted every seven days on the intervals known so far, with the absolute error. Its features are the last
intervals and sleeps, sleep in the last 6, 12 and 24 hours, clock time, the day's number of naps, and the medians of the
last week, for all hours and for the current one. Both are measured at the same moments: wakings from 06:00 to 18:59, or
feeds, once the previous week has 14 intervals.
"""

import argparse
import csv
import datetime
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import machine
import report
from product import PACKAGE, build

try:
    import lightgbm
except ImportError:
    lightgbm = None

DAY = 1440.0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path, nargs="*", help="CSV logs (default: generated babies)")
    parser.add_argument("--kinds", nargs="+", choices=["nap", "feed"], default=["nap", "feed"])
    parser.add_argument("--output", type=Path, default=report.page("rhythm"))
    return parser.parse_args()


def minutes(text):
    return (datetime.datetime.fromisoformat(text) - datetime.datetime(1970, 1, 1)).total_seconds() / 60


def read(path):
    """Sleeps of at least 10 minutes, joined if less than 15 minutes apart, and meals, whose feeds are less than 45
    minutes apart."""
    sleeps, feeds = [], []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            start = minutes(row["start"])
            if row["type"] == "feed":
                feeds.append(start)
            elif row["type"] == "sleep" and row["end"] and minutes(row["end"]) - start >= 10:
                sleeps.append((start, minutes(row["end"])))
    blocks = []
    for start, end in sorted(sleeps):
        if blocks and start - blocks[-1][1] < 15:
            blocks[-1][1] = max(blocks[-1][1], end)
        else:
            blocks.append([start, end])
    meals, last = [], -np.inf
    for start in sorted(set(feeds)):
        if start - last >= 45:
            meals.append(start)
        last = start
    return np.array(blocks).reshape(-1, 2), np.array(meals)


def asleep(blocks, now, span):
    """Minutes asleep before each instant."""
    ends, starts = np.minimum(blocks[:, 1], now[:, None]), np.maximum(blocks[:, 0], now[:, None] - span)
    return np.clip(ends - starts, 0, None).sum(1)


def table(blocks, meals, kind):
    """The instants, the intervals to the next event, and the features known at each instant."""
    if kind == "nap":
        now, after = blocks[:-1, 1], blocks[1:, 0]
        keep = (after - now >= 15) & (after - now <= 600)
    else:
        now, after = meals[:-1], meals[1:]
        keep = after - now <= 720
    now, after = now[keep], after[keep]
    length = after - now
    before = [np.concatenate([np.full(lag, np.nan), length[:-lag]]) for lag in (1, 2, 3)]
    last = np.searchsorted(blocks[:, 1], now, side="right") - 1
    slept = np.where(last >= 0, blocks[last, 1] - blocks[last, 0], np.nan)
    woken = np.where(last >= 0, now - blocks[last, 1], np.nan)
    hour = now % DAY / 60
    four = np.floor((now - 240) / DAY) * DAY + 240
    naps = ((blocks[:, 0] >= four[:, None]) & (blocks[:, 1] <= now[:, None])).sum(1)
    week, near = np.full(len(now), np.nan), np.full(len(now), np.nan)
    counts = np.zeros(len(now), dtype=int)
    day = (hour >= 6) & (hour < 19) if kind == "nap" else np.ones(len(now), dtype=bool)
    for i in range(len(now)):
        known = (now < now[i]) & (now >= now[i] - 7 * DAY) & (after <= now[i])
        counts[i] = known.sum() if (known & day).sum() >= 5 else 0
        known &= day
        if known.any():
            week[i] = near[i] = np.median(length[known])
            close = known & (np.abs((np.floor(hour) - np.floor(hour[i]) + 12) % 24 - 12) <= 1)
            if close.sum() >= 3:
                near[i] = np.median(length[close])
    known = [slept, woken, hour, naps, week, near, *before, *(asleep(blocks, now, 60 * h) for h in (6, 12, 24))]
    return now, length, np.column_stack(known), day & (counts >= 14), near


def boosted(now, length, known, told):
    """LightGBM's forecasts at the moments in `told`, refitted every seven days on the intervals that were over by then.
    """
    found = np.full(len(now), np.nan)
    model, fitted = None, -np.inf
    for i in np.flatnonzero(told):
        if now[i] - fitted >= 7 * DAY:
            past = now + length <= now[i]
            model = lightgbm.LGBMRegressor(objective="l1", n_estimators=150, learning_rate=0.05, num_leaves=15,
                                           min_child_samples=10, verbose=-1, n_jobs=1, random_state=1)
            model.fit(known[past], length[past])
            fitted = now[i]
        found[i] = model.booster_.predict(known[i:i + 1])[0]
    return found


def kin(program, path, kind, now):
    """Kin's forecasts, in minutes after each instant; NaN without a forecast."""
    keys = [(datetime.datetime(1970, 1, 1) + datetime.timedelta(minutes=m)).isoformat(timespec="seconds") for m in now]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(keys))
        file.flush()
        lines = subprocess.run([program, "backtest", path, "--kind", kind, "--at", file.name, "--json-lines"],
                               check=True, capture_output=True, text=True).stdout.splitlines()
    found = {line["now"]: minutes(line["point"]) for line in map(json.loads, lines) if "point" in line}
    return np.array([found.get(key, np.nan) for key in keys]) - now


def main():
    options = arguments()
    if lightgbm is None:
        sys.exit("lightgbm is not installed: pip install -r requirements.txt")
    program = build(PACKAGE.parent, "kin") / "kin"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        logs = options.logs
        if not logs:
            subprocess.run([program, "generate", "babies", "--count", "3", "--days", "300", "--seed", "1", "-o", folder],
                           check=True, stdout=subprocess.DEVNULL)
            logs = sorted(Path(folder).glob("*.csv"))
        for path in logs:
            blocks, meals = read(path)
            for kind in options.kinds:
                if len(blocks if kind == "nap" else meals) < 50:
                    continue
                now, length, known, told, near = table(blocks, meals, kind)
                if not told.any():
                    continue
                clock = time.perf_counter()
                by_kin = kin(program, path, kind, now[told])
                kin_seconds = time.perf_counter() - clock
                clock = time.perf_counter()
                by_trees = boosted(now, length, known, told)[told]
                seconds = time.perf_counter() - clock
                errors = [np.abs(x - length[told]).mean() for x in (near[told], by_kin, by_trees)]
                rows.append((path.stem, kind, int(told.sum()), *errors, kin_seconds, seconds))
                print(*rows[-1], file=sys.stderr)
    lines = ["# Forecasts compared with LightGBM", "", f"{datetime.date.today()}. {machine.processor()}. Mean absolute errors in minutes; Kin's seconds "
             "are for the whole command, including reading.", "",
             *report.head(["log", "kind", "forecasts", "same-hour median", "Kin", "LightGBM", "Kin ∕ median",
                           "LightGBM ∕ median", "Kin, s", "LightGBM, s"], 2)]
    for log, kind, count, median, own, trees, own_seconds, tree_seconds in rows:
        lines.append(report.line([log, kind, count, f"{median:.1f}", f"{own:.1f}", f"{trees:.1f}", f"{own / median:.3f}",
                                  f"{trees / median:.3f}", f"{own_seconds:.2f}", f"{tree_seconds:.1f}"]))
    report.write(options.output, lines)


if __name__ == "__main__":
    main()
