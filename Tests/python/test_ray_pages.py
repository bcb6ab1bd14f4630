"""Every piece of Python in the page about Ray runs."""

import kin
import numpy as np
import pytest
from ray_cluster import cluster, clustered  # noqa: F401
from test_pages import blocks

pytestmark = pytest.mark.usefixtures("cluster")


def test_the_page_runs(random, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    x = clustered(random, 2000)
    names = {"np": np, "kin": kin, "x": x, "q": x[:20] + np.float32(0.01), "ids": np.arange(5000, 7000)}
    found = list(blocks("RAY.md"))
    assert len(found) >= 3
    for heading, text in found:
        print(heading)
        exec(compile(text, f"RAY.md: {heading}", "exec"), names)
