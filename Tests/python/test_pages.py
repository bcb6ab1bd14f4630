"""Every piece of Python in the package's pages runs, and both sides of a comparison agree."""

import contextlib
import importlib.util
import io
import re
import sys

import kin
import numpy as np
import pytest
from conftest import NAMES, SOURCES, session

sys.path.append(str(SOURCES.parent.parent / "Tests"))
import tutorials  # noqa: E402

FOLDER = SOURCES / "python"


def blocks(page):
    """The heading and the text of each Python block of a page."""
    heading = ""
    for part in re.finditer(r"^#+ ([^\n]*)$|^```python\n(.*?)^```$", (FOLDER / page).read_text(), re.MULTILINE | re.DOTALL):
        if part.group(1) is not None:
            heading = part.group(1)
        else:
            yield heading, part.group(2)


@pytest.fixture
def names(random, monkeypatch, tmp_path):
    """The names that a page assumes: vectors, queries, a query, ids and a folder to write to."""
    monkeypatch.chdir(tmp_path)
    # Directions of different variance, so that principal components are well determined.
    x = random.random((2000, 16), dtype=np.float32) * np.geomspace(0.3, 1.5, 16, dtype=np.float32)
    return {"np": np, "kin": kin, "x": x, "q": x[:20] + np.float32(0.01), "ids": np.arange(5000, 7000)} | {
        "session": session(1),
        "profile": {"uid": "u42", "pleasure_profile": dict.fromkeys(NAMES, 0.5)},
    }


def test_the_readme_runs(names):
    found = list(blocks("README.md"))
    assert len(found) >= 3
    for _, text in found:
        # Only this one needs more than NumPy.
        if "import polars" not in text or importlib.util.find_spec("polars"):
            exec(text, names)


def follow(page, names):
    """Runs a tutorial, whose program prints the text that the page shows."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for text in tutorials.blocks(FOLDER / page, "python"):
            exec(compile(text, page, "exec"), names)
    assert printed.getvalue() == "".join(tutorials.blocks(FOLDER / page, "text")) != ""


def test_the_tutorial_prints_what_it_shows(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    follow("TUTORIAL.md", {})


def pairs():
    found = list(blocks("MIGRATING.md"))
    assert len(found) % 2 == 0 and len(found) >= 16
    return [pytest.param(theirs, ours, id=heading) for (heading, theirs), (_, ours) in zip(found[::2], found[1::2])]


@pytest.mark.parametrize(("theirs", "ours"), pairs())
def test_both_sides_of_a_comparison_agree(names, theirs, ours):
    left, right = dict(names), dict(names)
    exec(theirs, left)
    exec(ours, right)
    shared = [
        name
        for name in left.keys() & right.keys() - names.keys()
        if isinstance(left[name], (np.ndarray, int, float)) and isinstance(right[name], (np.ndarray, int, float))
    ]
    assert shared, "the two sides have no result in common"
    for name in shared:
        np.testing.assert_allclose(
            np.asarray(left[name], dtype=np.float64), np.asarray(right[name], dtype=np.float64), rtol=1e-4, atol=1e-4,
            err_msg=name,
        )
