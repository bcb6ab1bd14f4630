"""Damage to an index file: `kin.verify` reports it, and other calls raise documented errors."""

import importlib
import inspect
import os
import pkgutil
import re

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of


@pytest.fixture
def good(index, tmp_path):
    """A saved index with attributes, and its bytes."""
    index.declare({"city": "category", "age": "integer"})
    index.set_attributes(np.arange(1000), {"city": ["Rome", "Oslo"] * 500, "age": np.arange(1000)})
    index.save(tmp_path / "good.kin")
    return (tmp_path / "good.kin").read_bytes()


def test_damage_is_reported_and_refused(good, tmp_path):
    """Swift's MutationTests change every bit, and the fuzzers open files of their own."""
    path, middle = tmp_path / "damaged.kin", len(good) // 2
    intact = kin.verify(tmp_path / "good.kin")
    assert intact["intact"] and "damage" not in intact and intact["kind"] in ("FLAT", "IVF ")
    for content in (b"", good[:-1], good + b"\0", b"text" * 100, good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :]):
        path.write_bytes(content)
        report = kin.verify(path)
        assert not report["intact"] and report["total_bytes"] == len(content)
        assert report["damage"]["description"] and 0 <= report["damage"]["offset"] <= len(content)
        assert_raises((kin.CorruptFile, kin.UnsupportedFormat), re.escape(str(path)), kin.open, path, verify="all")
        if len(content) == len(good):
            index = kin.open(path, verify="on-use")
            assert_raises(kin.CorruptFile, None, index.search, np.zeros(16, np.float32), len(index))


def test_a_damaged_text_id_is_a_corrupt_file(x, tmp_path):
    index = index_of(x, [f"name{row:04}" for row in range(len(x))], make=kin.FlatIndex)
    index.save(tmp_path / "named.kin")
    content = (tmp_path / "named.kin").read_bytes()
    at = content.find(b"name0007")
    (tmp_path / "named.kin").write_bytes(content[:at] + bytes(8) + content[at + 8 :])
    calls = [
        lambda index: index.search(x[:20], 3), lambda index: index.search(x[7], 3, filter="id is present"), lambda index: index.ids,
        lambda index: index.range_search(x[7], 0.1), lambda index: index.recommend(x[7], k=3), lambda index: index.head(20),
        lambda index: index.ids_where("id is present"), lambda index: index.sample(3000), list,
    ]  # fmt: skip
    for call in calls:
        assert_raises(kin.CorruptFile, "kin.verify", call, kin.open(tmp_path / "named.kin", verify="structure"))


def test_verify_raises_if_there_is_nothing_to_read(good, tmp_path):
    assert_raises(kin.InputOutput, "missing", kin.verify, tmp_path / "missing.kin")
    assert_raises(kin.KinError, "folder", kin.verify, tmp_path)
    os.mkfifo(tmp_path / "fifo")
    assert_raises(kin.KinError, None, kin.verify, tmp_path / "fifo")
    if os.geteuid():
        (tmp_path / "good.kin").chmod(0)
        assert_raises(kin.InputOutput, "permission", kin.verify, tmp_path / "good.kin")


def documented_failures():
    """The names under "Raises" in the documentation of the package's own functions and classes."""
    for module in pkgutil.iter_modules(kin.__path__, "kin."):
        # The modules of other packages' users, and the program.
        if module.ispkg or module.name in ("kin.langchain", "kin.haystack", "kin.__main__", "kin._calls"):
            continue
        for _, thing in inspect.getmembers(importlib.import_module(module.name)):
            if getattr(thing, "__module__", "").partition(".")[0] != "kin":
                continue
            for part in [thing, *(member for _, member in inspect.getmembers(thing, callable))]:
                for listed in re.findall(r"^Raises\n-+\n((?:.+\n?)+)", inspect.getdoc(part) or "", re.MULTILINE):
                    for line in listed.splitlines():
                        if not line.startswith(" "):
                            yield from line.split(", ")


def test_documented_failures_are_kin_errors():
    names = set(documented_failures())
    assert {"CorruptFile", "InputOutput", "Busy"} <= names
    # Without an optional dependency, such as pandas, a call raises what Python raises for it.
    for name in names - {"ImportError"}:
        assert issubclass(getattr(kin, name), kin.KinError), name
