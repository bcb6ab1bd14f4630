"""Which of the other libraries are installed."""

import importlib.metadata

PACKAGES = {"FAISS": "faiss-cpu", "ScaNN": "scann", "scikit-learn": "scikit-learn", "hnswlib": "hnswlib",
            "scipy": "scipy", "usearch": "usearch", "SVS": "scalable-vs"}


def versions():
    """Their names and versions."""
    found = {}
    for name, package in PACKAGES.items():
        try:
            found[name] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found
