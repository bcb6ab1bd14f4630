"""Builds the wheel: libkin_engine by its own script, then setuptools, then auditwheel; and the source distribution.

auditwheel puts the shared libraries that not every Linux has (the BLAS, SQLite) into the wheel and names the oldest glibc
that it runs with, as PEP 600 asks. Each comes with its licence: what is linked into libkin_engine by its script, what
auditwheel adds from the Debian package that it is from.

The library's sources are outside this folder. A source distribution holds all of the repository that is built, with this
folder's pyproject.toml at its root; it builds where Swift and the BLAS are.
"""

import contextlib
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import get_requires_for_build_wheel
from typed_modules import write_modules

__all__ = ["build_sdist", "build_wheel", "get_requires_for_build_wheel", "prepare_metadata_for_build_wheel"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# What every Linux has, and wheels therefore never contain.
SYSTEM = {"libc", "libm", "libgcc_s", "libstdc++"}


@contextlib.contextmanager
def copied_tree():
    """A copy of this folder as the current one, because setuptools leaves things behind where it works."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        shutil.copytree(HERE, tree, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        shutil.copy(ROOT / "LICENSE", tree)
        os.chdir(tree)
        try:
            yield tree
        finally:
            os.chdir(before)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with copied_tree():
        return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with copied_tree() as tree:
        # One library that holds BLAS and LAPACK is less to carry than the system's two.
        environment = {"KIN_BLAS": "-lopenblas", **os.environ}
        subprocess.run([ROOT / "Sources/Interfaces/CKin/install.sh", tree / "prefix"], check=True, env=environment)
        (library,) = tree.glob("prefix/lib/libkin_engine.so.*")
        shutil.copy(library, tree / "kin")
        write_modules(tree / "kin", tree / "prefix/include", library)
        licences = tree / "licenses"
        shutil.copytree(tree / "prefix/share/doc/kin/licenses", licences, ignore=shutil.ignore_patterns("kin.txt"))
        for name, text in licences_beside(library):
            (licences / f"{name}.txt").write_bytes(text)
        plain = build_meta.build_wheel(tree, config_settings)
        repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tree / "repaired", tree / plain]
        subprocess.run(repair, check=True)
        (wheel,) = tree.glob("repaired/*.whl")
        require_licences(wheel)
        shutil.copy(wheel, wheel_directory)
        return wheel.name


def licences_beside(library):
    """The name and the licence of every Debian package that a shared library of this library is from."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+?)\.so\S* => (/\S+)", listed, re.MULTILINE):
        if name in SYSTEM:
            continue
        found = subprocess.run(["dpkg-query", "--search", f"*/{Path(path).resolve().name}"], capture_output=True, text=True)
        for package in re.findall(r"^([^:,\s]+)", found.stdout, re.MULTILINE)[:1]:
            yield name, Path("/usr/share/doc", package, "copyright").read_bytes()


def require_licences(wheel):
    """Refuses a wheel with a library whose licence is not in it."""
    names = zipfile.ZipFile(wheel).namelist()
    known = {Path(name).stem for name in names if "/licenses/" in name}
    for name in names:
        # auditwheel puts a hash into the names of the files, which can say more than the library's name: libopenblasp-r0.
        library = re.match(r"[^/]*\.libs/(.+)-[0-9a-f]{8}\.", name)
        if library and not any(library[1].startswith(stem) for stem in known):
            raise RuntimeError(f"{name} is in the wheel, and its licence is not: no Debian package has it")


def build_sdist(sdist_directory, config_settings=None):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "Package.swift", "LICENSE", "Sources", "Tests"], cwd=ROOT, check=True, capture_output=True
    )
    files = {name: (ROOT / name).read_bytes() for name in sorted(listed.stdout.decode().split("\0")) if name}
    with copied_tree() as tree:
        metadata = tree / build_meta.prepare_metadata_for_build_wheel(tree) / "METADATA"
        files["PKG-INFO"] = metadata.read_bytes()
    here = HERE.relative_to(ROOT)
    files["pyproject.toml"] = (HERE / "pyproject.toml").read_bytes().replace(b'["."]', f'["{here}"]'.encode())
    files["README.md"] = (HERE / "README.md").read_bytes()
    version = re.search(rb"^Version: (.+)$", files["PKG-INFO"], re.MULTILINE)[1].decode()
    name = f"kin_engine-{version}"
    # The same bytes for the same files, whenever and by whomever it is made.
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            is_script = (ROOT / path).exists() and os.access(ROOT / path, os.X_OK)
            entry.size, entry.mode = len(content), 0o755 if is_script else 0o644
            archive.addfile(entry, io.BytesIO(content))
    Path(sdist_directory, f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"
