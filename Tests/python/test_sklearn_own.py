"""scikit-learn's own tests of the seven classes, from the installed package, run with Kin's classes."""

import os
import re
import subprocess
import sys
from pathlib import Path

from sklearn_exclusions import EXCLUSIONS

PACKAGES = {"test_k_means": "cluster", "test_pca": "decomposition", "test_neighbors": "neighbors", "test_neighbors_pipeline": "neighbors", "test_graph": "neighbors"}


def test_scikit_learns_own_tests_pass(capsys):
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SKLEARN_RUN_FLOAT32_TESTS": "1"}
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "sklearn_plugin", "-p", "no:cacheprovider", "--tb=native", "-s"]
    command += ["--pyargs", *(f"sklearn.{PACKAGES[module]}.tests.{module}" for module in EXCLUSIONS)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-20_000:]
    counts = re.findall(r"^(test_\w+)\.py: ([1-9]\d* passed, 0 failed, \d+ excluded, \d+ skipped)$", done.stdout, re.MULTILINE)
    assert {module for module, _ in counts} == {*EXCLUSIONS}, done.stdout[-2000:]
    with capsys.disabled():
        print("", *(f"{module} of scikit-learn: {words}" for module, words in counts), sep="\n")
