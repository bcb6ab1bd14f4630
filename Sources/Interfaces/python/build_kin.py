"""Builds the wheel: libkin_engine by its own script, then setuptools, then auditwheel; and the source distribution.

auditwheel adds the shared libraries that not every Linux has (the BLAS, SQLite) to the wheel, and names it after the
oldest glibc that it runs with, as PEP 600 requires. Each library comes with its licence: licences of the code in
libkin_engine are added by its script, licences of the libraries that auditwheel adds come from their Debian packages.

The library's sources are outside this folder. A source distribution contains everything in the repository that is
built, with this folder's pyproject.toml at its root; it builds on machines with Swift and the BLAS.
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
# Libraries of every Linux, which wheels therefore never contain.
SYSTEM = {"libc", "libm", "libgcc_s", "libstdc++"}


@contextlib.contextmanager
def copied_tree():
    """A copy of this folder as the current folder, because setuptools leaves files in its working folder."""
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
        # One library with BLAS and LAPACK takes less space than the system's two.
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
    """The name and the licence of every Debian package that this library's shared libraries belong to."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+?)\.so\S* => (/\S+)", listed, re.MULTILINE):
        if name in SYSTEM:
            continue
        found = subprocess.run(["dpkg-query", "--search", f"*/{Path(path).resolve().name}"], capture_output=True, text=True)
        for package in re.findall(r"^([^:,\s]+)", found.stdout, re.MULTILINE)[:1]:
            yield name, Path("/usr/share/doc", package, "copyright").read_bytes()


def require_licences(wheel):
    """Raises an error if the wheel contains a library without its licence."""
    names = zipfile.ZipFile(wheel).namelist()
    known = {Path(name).stem for name in names if "/licenses/" in name}
    for name in names:
        # auditwheel puts a hash into the file names, which can be longer than the library's name: libopenblasp-r0.
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
    # The same files give the same bytes, whenever and by whomever they are packed.
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            is_script = (ROOT / path).exists() and os.access(ROOT / path, os.X_OK)
            entry.size, entry.mode = len(content), 0o755 if is_script else 0o644
            archive.addfile(entry, io.BytesIO(content))
    Path(sdist_directory, f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"
