"""The arrays for every library, as .npy files: float32, row-major, with queries separate from the vectors.

Synthetic ones come from `kin generate`, whose seeds give the same data everywhere. Real ones come from a folder with
the data that datasets/README.md lists.
"""

import csv
import functools
import gzip
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from product import PACKAGE, build

GENERATED = ("uniform", "clustered", "correlated")
KINDS = (*GENERATED, "embeddings")

# The file, the columns that are not features, and whether columns have different units and need a scale.
REAL = {
    "tracks": ("audio-features/tracks-hit-predictor.csv.gz", ("track_id", "decade", "hit"), True),
    "letter": ("letter-16d/letter.csv.gz", ("label",), False),
}


@dataclass
class DataSet:
    """Vectors and queries in separate files."""

    title: str
    folder: Path

    @property
    def vectors_path(self):
        return self.folder / "vectors.npy"

    @property
    def vectors(self):
        return np.load(self.vectors_path, mmap_mode="r")

    @property
    def queries(self):
        return np.load(self.folder / "queries.npy")

    @property
    def is_there(self):
        return (self.folder / "queries.npy").exists()

    def write(self, vectors, queries):
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(self.vectors_path, vectors)
        np.save(self.folder / "queries.npy", queries)


class Generator:
    """The tool's `generate`, and the folder for its files."""

    def __init__(self, scratch):
        self.scratch = scratch

    @functools.cached_property
    def tool(self):
        return build(PACKAGE.parent, "kin") / "kin"

    def make(self, kind, rows, queries, dimension, seed):
        """The set, created if it does not exist. The queries are the last rows of one file: unseen, and from the same
        distribution."""
        made = DataSet(f"{kind.capitalize()}, {rows:,} × {dimension}",
                       self.scratch / f"{kind}-{rows}x{dimension}-{queries}-{seed}")
        if made.is_there:
            return made
        if kind == "embeddings":
            everything = embeddings(rows + queries, dimension, seed)
            made.write(everything[:rows], everything[rows:])
            return made
        made.folder.mkdir(parents=True, exist_ok=True)
        path = made.folder / "all.npy"
        # The number of clusters that the tool would choose for the vectors alone.
        clusters = ["--clusters", str(max(1, round(2 * rows ** 0.5)))] if kind == "clustered" else []
        factors = ["--factors", str(min(4, dimension))] if kind == "correlated" else []
        subprocess.run([self.tool, "generate", kind, "--count", str(rows + queries), "--dimension", str(dimension),
                        "--seed", str(seed), "--output", path, *clusters, *factors], check=True, stdout=sys.stderr)
        everything = np.load(path, mmap_mode="r")
        made.write(everything[:rows], everything[rows:])
        path.unlink()
        return made


def embeddings(rows, dimension, seed):
    """Unit vectors like those of text and image models: topics, a decaying spectrum, axes without meaning.

    A vector is its topic's centre (of √rows) plus a normal deviate, both with standard deviation 1/√j along the j-th
    axis of a random orthonormal basis, normalised to length 1.
    """
    random = np.random.default_rng(seed)
    scale = np.arange(1, dimension + 1) ** -0.5
    basis, _ = np.linalg.qr(random.normal(size=(dimension, dimension)))
    centres = random.normal(size=(round(rows ** 0.5), dimension))
    made = centres[random.integers(0, len(centres), rows)] + random.normal(size=(rows, dimension))
    made = (made * scale) @ basis
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def real(name, data, scratch, queries, seed):
    """One of REAL from the folder `data`, with some of its rows removed as queries; None if it does not exist."""
    file, others, scaled = REAL[name]
    path = data / file
    if not path.exists():
        return None
    rows = _features(path, others)
    if scaled:
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    rows = rows.astype(np.float32)[np.random.default_rng(seed).permutation(len(rows))]
    count = min(queries, len(rows) // 10)
    made = DataSet(f"{name.capitalize()}, {len(rows) - count:,} × {rows.shape[1]}", scratch / f"{name}-{count}-{seed}")
    if not made.is_there:
        made.write(rows[count:], rows[:count])
    return made


def _features(path, others):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        table = csv.reader(file)
        chosen = [place for place, name in enumerate(next(table)) if name not in others]
        return np.array([[float(row[place]) for place in chosen] for row in table])
