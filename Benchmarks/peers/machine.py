"""The environment of a run: processor, memory, versions, and the ceilings for comparison with Kin's figures."""

import importlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np

import installed
from product import PACKAGE, build
from worker import Worker


def ceilings(threads, code_bytes, seconds):
    """The output of the `ceilings` tool; `code_bytes` is the number of bytes that one query reads, `seconds` the
    longest time of a figure's round."""
    command = [build(PACKAGE, "ceilings") / "ceilings", "--json", "--read", str(code_bytes), "--seconds", str(min(0.05, seconds / 10))]
    for count in threads:
        command += ["--threads", str(count)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def best(one, other):
    """The higher of two measurements of the same ceilings: other programs can only lower a measurement."""
    rates = ("floatMultiplyAdds", "byteMultiplyAdds", "bytesPerSecond")
    return {part: [{key: max(value, b[key]) if key in rates else value for key, value in a.items()}
                   for a, b in zip(one[part], other[part], strict=True)] for part in one}


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        return names[0] if names else platform.machine()
    except FileNotFoundError:
        return platform.processor() or platform.machine()


def commit():
    try:
        shown = subprocess.run(["git", "describe", "--always", "--dirty"], check=True, capture_output=True, text=True,
                               cwd=PACKAGE)
        return shown.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class _BLAS:
    """In a separate process, which loads every library with a BLAS."""

    def kernels(self):
        for module in ("faiss", "scipy.linalg", "superkmeans"):
            try:
                importlib.import_module(module)
            except ImportError:
                pass
        try:
            from threadpoolctl import threadpool_info
        except ImportError:
            return []
        return [f"{Path(row['filepath']).parent.name.removesuffix('.libs')} {row['internal_api']} {row['version']} "
                f"{row.get('architecture', '')}" for row in threadpool_info() if row["user_api"] == "blas"]


def blas():
    """The BLAS of each library and its kernels. A BLAS that takes a new processor for an old type can be several times
    slower."""
    worker = Worker(_BLAS)
    kernels = worker.call("kernels")
    worker.close()
    return ", ".join(kernels) or "none found"


def description():
    """Lines of a Markdown list."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    compiler = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    versions = ", ".join(f"{name} {version}" for name, version in installed.versions().items())
    return [
        f"- Machine: {processor()}, {os.cpu_count()} cores, {memory} GiB, {platform.system()}",
        f"- Kin {commit()}, {compiler.splitlines()[0].split('(')[0].strip()}",
        f"- Peers: {versions or 'none installed'}; numpy {np.__version__}, Python {sys.version.split()[0]}",
        f"- BLAS: {blas()}",
    ]
