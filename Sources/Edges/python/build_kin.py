"""Builds the wheel: libkin_engine by its own script, then setuptools, then auditwheel.

auditwheel puts the shared libraries that not every Linux has (the BLAS) into the wheel and names the oldest glibc that it
runs with, as PEP 600 asks. The Swift sources are outside this folder, so there are no source distributions.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import get_requires_for_build_wheel

__all__ = ["build_wheel", "get_requires_for_build_wheel", "prepare_metadata_for_build_wheel"]

HERE = Path(__file__).resolve().parent


@contextlib.contextmanager
def copied_tree():
    """A copy of this folder as the current one, because setuptools leaves things behind where it works."""
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        shutil.copytree(HERE, tree, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        with contextlib.chdir(tree):
            yield tree


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with copied_tree():
        return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    wheel_directory = Path(wheel_directory).resolve()
    with copied_tree() as tree:
        # One library that holds BLAS and LAPACK is less to carry than the system's two.
        environment = {"KIN_BLAS": "-lopenblas", **os.environ}
        subprocess.run([HERE.parent / "CKin" / "install.sh", tree / "prefix"], check=True, env=environment)
        (library,) = tree.glob("prefix/lib/libkin_engine.so.*")
        shutil.copy(library, tree / "kin")
        plain = build_meta.build_wheel(tree, config_settings)
        repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tree / "repaired", tree / plain]
        subprocess.run(repair, check=True)
        (wheel,) = tree.glob("repaired/*.whl")
        shutil.copy(wheel, wheel_directory)
        return wheel.name
