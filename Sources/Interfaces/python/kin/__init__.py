"""Kin: exact in-process vector search and clustering, on NumPy arrays.

    import kin

    index = kin.FlatIndex(16)
    index.add(x)                              # x: (n, 16), read where it is when it is float32
    distances, ids = index.search(q, k=10)    # (queries, 10) each, nearest first
    index.save("profiles.kin")
    index = kin.open("profiles.kin")

    kin.KMeans(256, seed=7).fit(x).labels_
    kin.MiniBatchKMeans(256).partial_fit(x)   # batch by batch, of a stream
    kin.PCA(2).fit_transform(x)

    with kin.Engine("people.db") as engine:   # records: profiles, sessions, inventory
        engine.near(session="s1", where="state = drift", k=5)

    kin.forecast(events, "2026-01-05T12:00", kind="nap")
    kin.affinity(a, b)["score"]               # souls are dictionaries: goals, realms, objects, patterns, valence
    kin.Matcher(souls).similar_souls("u42", k=10)

    policy = kin.Policy("linucb", dimension=16, arms=26, seed=1)
    c = policy.choose(context)                # c.arm, c.propensity, c.event
    policy.learn(c.event, reward=1.0)

    with kin.progress(print):                 # done and total, while something takes long; Ctrl-C cancels it
        kin.KMeans(1000, restarts=20).fit(x)

Every failure is a :class:`kin.KinError`. The global interpreter lock is released while the library works.
"""

from kin._library import build_info
from kin._options import SearchOptions
from kin._progress import progress
from kin.challenges import Challenges
from kin.engine import Engine, methods
from kin.errors import (
    Busy, Cancelled, CapacityExceeded, CorruptFile, DimensionMismatch, DuplicateID, InputOutput, InvalidArgument,
    KinError, LogWarning, MalformedInput, NotFinite, NumericalFailure, PrecisionWarning, UnknownID, UnsupportedFormat, ZeroVector,
)
from kin.files import open, restore, verify
from kin.filter import Filter
from kin.experiment import BothTests, Experiment, SequentialResult, detectable_effect, sample_size, sequential_test
from kin.flat import FlatIndex
from kin.frame import Frame
from kin.index import Index
from kin.ivf import IVFIndex
from kin.kmeans import KMeans
from kin.logs import ImportedLog, read_log
from kin.minibatch import MiniBatchKMeans
from kin.off_policy import (
    Estimate, Propensities, SharedFeatures, estimate, estimate_propensities, estimate_slates, marginal_probabilities,
    select_features,
)
from kin.pca import PCA
from kin.policy import Choice, Event, Policy
from kin.rhythm import Baby, backtest, forecast
from kin.souls import Matcher, affinity
from kin.vectors import VectorTable, read_vectors

__version__ = "0.3.0"

__all__ = [
    "Baby", "BothTests", "Busy", "Cancelled", "CapacityExceeded", "Challenges", "Choice", "CorruptFile",
    "DimensionMismatch", "DuplicateID", "Engine", "Estimate", "Event", "Experiment", "Filter", "FlatIndex", "Frame",
    "IVFIndex", "ImportedLog", "Index", "InputOutput", "InvalidArgument", "KMeans", "KinError", "LogWarning", "MalformedInput", "Matcher",
    "MiniBatchKMeans", "NotFinite", "NumericalFailure", "PCA", "Policy", "PrecisionWarning", "Propensities", "SearchOptions",
    "SequentialResult", "SharedFeatures", "UnknownID", "UnsupportedFormat", "VectorTable", "ZeroVector", "affinity", "backtest",
    "build_info", "detectable_effect", "estimate", "estimate_propensities", "estimate_slates", "forecast",
    "marginal_probabilities", "methods", "open", "progress", "read_log", "read_vectors", "restore", "sample_size", "select_features",
    "sequential_test", "verify",
]
