"""Statuses and versions of the Python package match the headers, generated files are up to date, and extras are optional."""

import re
import shutil
import subprocess
import sys

import kin
import pytest
from conftest import SOURCES, run_python

HEADER = re.sub(r"//[^\n]*", "", (SOURCES / "CKin/include/kin.h").read_text())


@pytest.mark.skipif(shutil.which("swift") is None, reason="the table of methods is the tool's, which Swift builds")
def test_generated_files_are_not_stale():
    check = [sys.executable, "-B", SOURCES.parent.parent / ".ci/generate", "check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_status_has_an_exception():
    codes = dict(re.findall(r"(KIN_[A-Z_]+) = (\d+),", re.search(r"enum \{\s*KIN_OK.*?\}", HEADER, re.DOTALL).group(0)))
    classes = {kind.code: kind for kind in kin.KinError.__subclasses__()}
    assert {int(number) for number in codes.values()} - {0} == classes.keys()
    for constant, number in codes.items():
        if number != "0":
            # KIN_UNKNOWN_ID is UnknownID.
            assert constant.replace("KIN_", "").replace("_", "").lower() == classes[int(number)].__name__.lower()


def test_versions_agree():
    assert f'#define KIN_VERSION "{kin.__version__}"' in HEADER
    assert f'version = "{kin.__version__}"' in (SOURCES / "python/pyproject.toml").read_text()
    assert f"## {kin.__version__}, " in (SOURCES.parents[1] / ".github/CHANGELOG.md").read_text()
    assert kin.build_info()["version"] == kin.__version__


def test_extras_are_imported_by_their_own_modules_alone():
    """`import kin` imports none of them, and a module without its package names the extra."""
    packages = {"langchain_core", "haystack", "sklearn", "ray", "pyarrow", "kin._documents"}
    assert run_python(f"import kin, sys; print({packages} & set(sys.modules))") == "set()\n"
    program = """
import sys
sys.modules.update(dict.fromkeys(["langchain_core", "haystack", "sklearn"]))
for name in ("langchain", "haystack", "sklearn"):
    try:
        __import__(f"kin.{name}")
    except ImportError as failure:
        print(failure)
"""
    for name, line in zip(("langchain", "haystack", "sklearn"), run_python(program).splitlines(), strict=True):
        assert line.startswith(f"kin.{name} needs ") and f"pip install 'kin-engine[{name}]'" in line
