"""Kin: exact vector search and clustering in process, on NumPy arrays.

    import kin

    index = kin.FlatIndex(16)
    index.add(x)                              # x: (n, 16), read where it is when it is float32
    distances, ids = index.search(q, k=10)    # (queries, 10) each, nearest first
    index.save("profiles.kin")
    index = kin.open("profiles.kin")

    kin.KMeans(256, seed=7).fit(x).labels_
    kin.PCA(2).fit_transform(x)

    with kin.Engine("people.db") as engine:   # records: profiles, sessions, inventory
        engine.call("near", session="s1", where="state = drift", k=5)

    kin.forecast(events, "2026-01-05T12:00", kind="nap")

Every failure is a :class:`kin.KinError`. The global interpreter lock is released while the library works.
"""

from kin._library import build_info
from kin.engine import Engine, methods
from kin.errors import (
    Busy,
    CapacityExceeded,
    CorruptFile,
    DimensionMismatch,
    DuplicateID,
    InputOutput,
    InvalidArgument,
    KinError,
    MalformedInput,
    NotFinite,
    NumericalFailure,
    UnknownID,
    UnsupportedFormat,
    ZeroVector,
)
from kin.files import open, verify
from kin.filter import Filter
from kin.flat import FlatIndex
from kin.index import Index
from kin.ivf import IVFIndex
from kin.kmeans import KMeans
from kin.pca import PCA
from kin.rhythm import backtest, forecast

__version__ = "0.1.0"

__all__ = [
    "Busy",
    "CapacityExceeded",
    "CorruptFile",
    "DimensionMismatch",
    "DuplicateID",
    "Engine",
    "Filter",
    "FlatIndex",
    "IVFIndex",
    "Index",
    "InputOutput",
    "InvalidArgument",
    "KMeans",
    "KinError",
    "MalformedInput",
    "NotFinite",
    "NumericalFailure",
    "PCA",
    "UnknownID",
    "UnsupportedFormat",
    "ZeroVector",
    "backtest",
    "build_info",
    "forecast",
    "methods",
    "open",
    "verify",
]
