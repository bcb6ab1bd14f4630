#!/usr/bin/env python3
"""Clusters real images with Kin and scikit-learn on the same square-root histograms, in one run.

The boxes of COCO images become analyses (`kin convert coco`), and Kin clusters the visible objects (`kin cluster
--histogram-only`). scikit-learn's KMeans receives the histograms, recomputed here, and the same k. The best of
its starts by inertia counts. Silhouettes are scikit-learn's, for all images. Exits with 1 if Kin's silhouette is lower and Kin is not ten
times as fast.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import sklearn.cluster
import sklearn.metrics
import threadpoolctl


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boxes", type=Path, help="CSV: image_id, category_id, x, y, w, h")
    parser.add_argument("categories", type=Path, help="CSV: category_id, category, supercategory")
    parser.add_argument("--kin", required=True, help="the tool, built with -c release")
    parser.add_argument("--k", type=int, nargs="*", default=[8, 16, 24], help="numbers of clusters, in addition to the one that Kin chooses")
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3, help="number of runs; the best time counts (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def histograms(path, vocabulary):
    """Part 1 of the recipe: the square roots of shares by area and confidence. An object counts at least 2 % of the area,
    and the last column is for other categories."""
    column = {category: i for i, category in enumerate(vocabulary)}
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        objects = json.loads(line)["detected_objects"]
        areas = np.array([o["bounding_box"]["width"] * o["bounding_box"]["height"] for o in objects])
        shares = areas / areas.sum() if areas.sum() > 0 else np.full(len(objects), 1 / len(objects))
        weights = np.maximum(shares, 0.02) * [o["confidence"] for o in objects]
        row = np.zeros(len(vocabulary) + 1)
        for o, weight in zip(objects, weights):
            row[column.get(o["category"], len(vocabulary))] += weight
        rows.append(np.sqrt(row / row.sum()))
    return np.array(rows, dtype=np.float32)


def kin(options, lines, folder, k):
    command = [options.kin, "cluster", lines, "-o", folder, "--histogram-only", "--seed", str(options.seed), "--threads", "1",
               "--restarts", str(options.starts), "--json"]
    command += ["-k", str(k)] if k else []
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            for _ in range(options.rounds)]
    clusters = json.loads((folder / "clusters.json").read_text(encoding="utf-8"))
    return min(run["secondsClustering"] for run in runs), clusters


def peer(options, x, k):
    best = None
    for _ in range(options.rounds):
        start = time.perf_counter()
        model = sklearn.cluster.KMeans(k, n_init=options.starts, random_state=options.seed).fit(x)
        seconds = time.perf_counter() - start
        best = min(best, seconds) if best else seconds
    return best, model.labels_, model.inertia_


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch, threadpoolctl.threadpool_limits(1):
        folder, lines = Path(scratch), Path(scratch) / "images.jsonl"
        subprocess.run([options.kin, "convert", "coco", options.boxes, options.categories, "-o", lines], check=True,
                       capture_output=True)
        chosen_seconds, chosen = kin(options, lines, folder, None)
        x = histograms(lines, chosen["recipe"]["categories"])
        print(f"{len(x)} images, {x.shape[1]} bins, one thread, {options.starts} starts each; Kin chooses k = {chosen['k']} in "
              f"{chosen_seconds:.2f} s, k from 2 to 24 tried\n")
        print("| k | Kin silhouette | scikit-learn silhouette | Kin inertia | scikit-learn inertia | Kin s | scikit-learn s | ratio |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        fine = True
        for k in sorted({chosen["k"], *options.k}):
            seconds, found = kin(options, lines, folder, k)
            centres = np.array([c["centroid"] for c in found["clusters"]], dtype=np.float64)
            distances = ((x[:, None, :].astype(np.float64) - centres[None]) ** 2).sum(axis=2)
            own = sklearn.metrics.silhouette_score(x, distances.argmin(axis=1))
            peer_seconds, labels, inertia = peer(options, x, k)
            other = sklearn.metrics.silhouette_score(x, labels)
            print(f"| {k} | {own:.4f} | {other:.4f} | {distances.min(axis=1).sum():.1f} | {inertia:.1f} | {seconds:.3f} | "
                  f"{peer_seconds:.3f} | {peer_seconds / seconds:.1f} |")
            fine &= own >= other or peer_seconds >= 10 * seconds
    return 0 if fine else 1


sys.exit(main())
