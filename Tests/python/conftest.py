"""What the tests of the Python package share: vectors, and the folder of the sources."""

from pathlib import Path

import numpy as np
import pytest

SOURCES = Path(__file__).resolve().parents[2] / "Sources" / "Edges"


@pytest.fixture
def random():
    return np.random.default_rng(20260301)


@pytest.fixture
def x(random):
    """3,000 vectors of 16 dimensions."""
    return random.random((3000, 16), dtype=np.float32)


@pytest.fixture
def q(random):
    """40 queries of 16 dimensions."""
    return random.random((40, 16), dtype=np.float32)


def squared_distances(q, x):
    """Every squared distance, in double precision: (queries, vectors)."""
    difference = q[:, np.newaxis, :].astype(np.float64) - x[np.newaxis, :, :].astype(np.float64)
    return (difference**2).sum(axis=2)


def nearest(distances, k):
    """The columns of the k least numbers of each row, ties by column."""
    return np.argsort(distances, axis=1, kind="stable")[:, :k]
