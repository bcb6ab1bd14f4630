"""A plugin of pytest that runs scikit-learn's own tests with the classes of kin.sklearn.

Excluded tests also run, and have to fail. An excluded test that passes ends the run with an error, and so does an
exclusion without a test.
"""

import re

import kin.sklearn
import pytest
import sklearn.cluster
import sklearn.decomposition
import sklearn.neighbors
from sklearn_exclusions import EXCLUSIONS

for module in (sklearn.cluster, sklearn.decomposition, sklearn.neighbors):
    for name in {*kin.sklearn.__all__} & {*dir(module)}:
        setattr(module, name, getattr(kin.sklearn, name))

_counts = {}


def pytest_collection_modifyitems(items):
    idle = {pattern for exclusions in EXCLUSIONS.values() for pattern in exclusions}
    for item in items:
        for pattern, reason in EXCLUSIONS[item.module.__name__.rpartition(".")[2]].items():
            if re.fullmatch(pattern, item.name):
                idle.discard(pattern)
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
    if idle:
        raise pytest.UsageError(f"exclusions of no test: {sorted(idle)}")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        counts = _counts.setdefault(report.location[0].rpartition("/")[2], {"passed": 0, "failed": 0, "excluded": 0, "skipped": 0})
        counts["excluded" if report.skipped and hasattr(report, "wasxfail") else report.outcome] += 1


def pytest_sessionfinish():
    for module, counts in _counts.items():
        print(f"\n{module}: {', '.join(f'{count} {name}' for name, count in counts.items())}")
