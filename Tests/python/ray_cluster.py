"""Shared by the tests of kin.ray: a cluster on this machine, vectors and the names of actors."""

import logging
import time

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="there is no Ray for this Python")
import kin.ray  # noqa: E402
import ray.data  # noqa: E402

STORE = 150 << 20
# A lost node is detected in one second, not fifteen.
HEALTH = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 500,
    "health_check_failure_threshold": 2,
}
SETTINGS = {"object_store_memory": STORE, "include_dashboard": False}


@pytest.fixture(scope="module")
def cluster():
    """Ray on one node, which stays up for the next file, because its start takes five seconds."""
    if ray.is_initialized():
        return
    ray.init("local", num_cpus=4, logging_level="error", log_to_driver=False, **SETTINGS)
    # By default Ray sorts ten rows into two hundred partitions and prints a page about it.
    context = ray.data.DataContext.get_current()
    context.default_hash_shuffle_parallelism = context.min_parallelism = 4
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)


def clustered(random, n, dimension=16):
    """Vectors in clusters, with some duplicates."""
    centers = random.normal(size=(40, dimension))
    x = (centers[random.integers(0, 40, n)] + 0.1 * random.normal(size=(n, dimension))).astype(np.float32)
    x[n // 2 : n // 2 + n // 10] = x[: n // 10]
    return x


def distributions(random, n):
    """Names and vectors: spread evenly, in clusters, and on a coarse grid with nearly all distances tied."""
    return {
        "uniform": random.random((n, 16), dtype=np.float32),
        "clustered": clustered(random, n),
        "ties": random.integers(0, 2, (n, 16)).astype(np.float32) + np.float32(0.5),
    }


def alive():
    """The names of the actors of all sessions."""
    return {each["name"] for each in ray.util.list_named_actors(all_namespaces=True) if each["namespace"] == "kin"}


def expect_none_besides(others):
    """Waits for actors that are ending, which may still be listed for a while."""
    until = time.monotonic() + 30
    while (left := alive() - others) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
