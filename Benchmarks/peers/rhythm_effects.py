#!/usr/bin/env python3
"""Measures whether an effect that the forecasts of naps and feeds ignore would lower their error.

Each effect is a linear correction of the logarithm of the forecast interval. Its coefficients minimize the absolute
error in minutes, either on the tuning logs except the judged one (`others`), or on the log's own past, refitted every
week with a ridge penalty (`own`). Features use only events known at the moment of the forecast. The tables have the
error relative to the present forecasts, at the moments of rhythm.py.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import report
from product import PACKAGE, build
from rhythm import DAY, asleep, kin, read, table

SLEEP_FEATURES = {
    "lengths of the last sleep and wake window": ["last_sleep", "last_window"],
    "sleep of the last 24 and 12 hours, deficit": ["deficit_24", "deficit_12"],
    "yesterday's sleep and naps, deficit": ["deficit_yesterday", "deficit_naps"],
    "weekend, and errors of this weekday": ["weekend", "weekday_errors"],
    "errors of today and of the last forecast": ["today_errors", "last_error"],
    "errors of yesterday at this hour": ["yesterday_error"],
    "number of sleeps so far, above the week's": ["sleeps_so_far"],
}
EFFECTS = {
    "nap": {"time since the last feed": ["since_feed"], "expected feed": ["expected_other"], **SLEEP_FEATURES},
    "feed": {"asleep, and time since waking": ["asleep", "since_waking"], "expected nap": ["expected_other"],
             **SLEEP_FEATURES},
}


def usual(now, values, span):
    """The median of earlier values within 1.5 hours of each clock time, up to `span` minutes ago; NaN below three."""
    result = np.full(len(now), np.nan)
    for i, t in enumerate(now):
        past = values[:i][(np.abs((now[:i] - t + 720) % DAY - 720) < 90) & (now[:i] > t - span)]
        result[i] = np.median(past) if len(past) >= 3 else np.nan
    return result


def deficit(blocks, now, begin, end):
    """The hours asleep between two offsets from each instant, above the mean of the seven days before."""
    spans = [asleep(blocks, now + end - k * DAY, end - begin) / 60 for k in range(8)]
    return np.where(now - blocks[0, 0] > 8 * DAY, spans[0] - np.mean(spans[1:], axis=0), np.nan)


def features(blocks, meals, kind, now, length, point, other):
    """The features of every effect at each instant; zero if unknown."""
    error = np.clip(np.log(np.maximum(length, 5) / point), -1.2, 1.2)
    last = np.maximum(np.searchsorted(blocks[:, 1], now + 1e-6) - 1, 1)
    sleeps = blocks[:, 1] - blocks[:, 0]
    windows = np.concatenate([[np.nan], blocks[1:, 0] - blocks[:-1, 1]])
    four = (now - 240) // DAY * DAY + 240
    weekday = (now // DAY + 4) % 7  # 0 is Sunday
    running = np.searchsorted(blocks[:, 0], now - 1e-6) > np.searchsorted(blocks[:, 1], now + 1e-6)
    fed = np.searchsorted(meals, now + 1e-6) - 1
    counts = [((blocks[:, 0] >= (four - k * DAY)[:, None]) & (blocks[:, 1] <= (now - k * DAY)[:, None])).sum(1)
              for k in range(8)]
    found = {
        "since_feed": np.log(np.clip(now - meals[np.maximum(fed, 0)], 0, DAY) + 15) if len(meals) else 0 * now,
        "expected_other": np.log(np.clip(other / point, 0.05, 5)),
        "asleep": running * 1.0,
        "since_waking": np.where(running, 0, np.log(np.clip(now - blocks[last, 1], 0, DAY) + 15)),
        "last_sleep": np.log((sleeps + 10) / (usual(blocks[:, 0], sleeps, 14 * DAY) + 10))[last],
        "last_window": np.log((windows + 10) / (usual(blocks[:, 0], windows, 14 * DAY) + 10))[last],
        "deficit_24": deficit(blocks, now, -DAY, 0), "deficit_12": deficit(blocks, now, -720, 0),
        "deficit_yesterday": deficit(blocks, four, -DAY, 0),
        "deficit_naps": deficit(blocks, four, 180 - DAY, 900 - DAY),
        "weekend": np.isin(weekday, (0, 6)) * 1.0, "sleeps_so_far": counts[0] - np.mean(counts[1:], axis=0),
    }
    past = {name: np.zeros(len(now)) for name in ("weekday_errors", "today_errors", "last_error", "yesterday_error")}
    for i, t in enumerate(now):
        known = now[:i] + length[:i] <= t
        chosen = {"weekday_errors": ((weekday[:i] == weekday[i]) & (now[:i] > t - 28 * DAY), 8),
                  "today_errors": (now[:i] >= four[i], 2), "yesterday_error": (np.abs(now[:i] - t + DAY) < 90, 0.5)}
        for name, (rows, least) in chosen.items():
            past[name][i] = error[:i][known & rows].sum() / ((known & rows).sum() + least)
        past["last_error"][i] = error[:i][known][-1] if known.any() else 0
    return {name: np.nan_to_num(column) for name, column in (found | past).items()}, error


def fit(columns, error, weights, penalty):
    """The coefficients with the least weighted absolute error, by reweighted least squares with a ridge penalty."""
    found = np.zeros(columns.shape[1])
    for _ in range(20):
        weighted = columns * (weights / np.maximum(np.abs(error - columns @ found), 0.03))[:, None]
        found = np.linalg.solve(weighted.T @ columns + penalty * np.eye(len(found)), weighted.T @ error)
    return found


def own(columns, log):
    """The corrections of a log whose coefficients come from its own past."""
    found, fitted, correction = np.zeros(columns.shape[1]), -np.inf, np.zeros(len(columns))
    for i, t in enumerate(log["now"]):
        if t - fitted >= 7 * DAY:
            known = (log["now"] + log["length"] <= t) & (log["now"] >= log["now"][log["judged"]][0])
            if known.sum() >= 40:
                weights = log["point"] / log["point"].mean() * np.exp((log["now"] - t) / DAY / 60)
                found = fit(columns[known], log["error"][known], weights[known], 60)
            fitted = t
        correction[i] = columns[i] @ found
    return correction


def ratio(log, correction):
    """The error of corrected forecasts relative to the present ones."""
    at = log["judged"]
    present = np.abs(log["point"] - log["length"])[at].mean()
    return np.abs(log["point"] * np.exp(correction) - log["length"])[at].mean() / present


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path, nargs="+", help="CSV logs of at least a month")
    parser.add_argument("--tuning", nargs="+", required=True, help="the stems of the logs that coefficients come from")
    parser.add_argument("--tool", type=Path, help="a built kin (default: builds one)")
    options = parser.parse_args()
    program = options.tool or build(PACKAGE.parent, "kin") / "kin"
    for kind, effects in EFFECTS.items():
        logs = {}
        for path in options.logs:
            blocks, meals = read(path)
            if len(blocks if kind == "nap" else meals) < 50:
                continue
            now, length, _, judged, _ = table(blocks, meals, kind)
            point, other = (kin(program, path, name, now) for name in (kind, "feed" if kind == "nap" else "nap"))
            point = np.where(np.isfinite(point), np.maximum(point, 10), 60)
            found, error = features(blocks, meals, kind, now, length, point, other)
            logs[path.stem] = {"now": now, "length": length, "judged": judged, "point": point, "error": error, **found}
            print(kind, path.stem, int(judged.sum()), file=sys.stderr)
        print(*report.head([kind, "coefficients from", *logs, "tuning logs", "other logs"], 2), sep="\n")
        for effect, names in {**effects, "all": sum(effects.values(), [])}.items():
            columns = {name: np.column_stack([log[column] for column in names] + [np.ones(len(log["now"]))])
                       for name, log in logs.items()}
            for source in ("others", "own"):
                ratios = {}
                for name, log in logs.items():
                    if source == "own":
                        ratios[name] = ratio(log, own(columns[name], log))
                        continue
                    chosen = [(columns[x][logs[x]["judged"]], logs[x]["error"][logs[x]["judged"]],
                               logs[x]["point"][logs[x]["judged"]]) for x in logs if x in options.tuning and x != name]
                    weights = [weight / (weight * np.abs(error)).sum() for _, error, weight in chosen]
                    weights = np.concatenate(weights) / sum(map(np.sum, weights))
                    found = fit(np.vstack([x for x, _, _ in chosen]), np.concatenate([e for _, e, _ in chosen]),
                                weights, 0.005)
                    ratios[name] = ratio(log, columns[name] @ found)
                groups = [[x for name, x in ratios.items() if (name in options.tuning) == tuned]
                          for tuned in (True, False)]
                print(report.line([effect, source, *(f"{x:.3f}" for x in ratios.values()),
                                   *(f"{np.mean(group):.4f}" if group else "–" for group in groups)]), flush=True)
        print()


if __name__ == "__main__":
    main()
