"""Kin's classes for ann-benchmarks and big-ann-benchmarks, called as these projects do: every id of an exact search is right."""

import subprocess
import sys

import pytest
from conftest import SOURCES

PROGRAM = SOURCES.parents[1] / "Benchmarks" / "peers" / "ann_benchmarks" / "run.py"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the benchmarks are not here")
def test_exact_searches_are_exact(tmp_path):
    page = tmp_path / "page.md"
    command = [sys.executable, "-B", PROGRAM, "--vectors", "3000", "--queries", "100", "--dimensions", "9", "--output", page]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for algorithm in ("kin-lists (recall 1)", "kin-flat (recall 1)", "kin-filter (recall 1)", "kin-streaming (recall 1)"):
        assert f"| {algorithm} | 1.0000 |" in page.read_text()
