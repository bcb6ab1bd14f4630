"""The other libraries that are installed."""

import importlib.metadata

PACKAGES = {name: name for name in ("scikit-learn", "scikit-learn-intelex", "hnswlib", "scipy", "pykdtree", "pynear",
                                    "usearch", "superkmeans")} | {
    "FAISS": "faiss-cpu", "ScaNN": "scann", "SVS": "scalable-vs"}


def versions():
    """Their names and versions."""
    found = {}
    for name, package in PACKAGES.items():
        try:
            found[name] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found
