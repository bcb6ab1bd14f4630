"""The measured programs and libraries of this repository."""

import functools
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


@functools.cache
def build(package, product):
    """Builds a product of a package in release configuration and returns its folder."""
    command = ["swift", "build", "-c", "release", "--package-path", str(package), "--product", product]
    subprocess.run(command, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip())
