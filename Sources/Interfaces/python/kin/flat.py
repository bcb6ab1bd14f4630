"""The flat index."""

from __future__ import annotations

from kin import _arrays
from kin._library import library, made
from kin._options import metric_number
from kin.index import Index, Metric


class FlatIndex(Index):
    """An exact index: every search reads every vector, the right choice up to millions of them.

    A search finds what a scan in double precision would find, for any data. Memory for 16 dimensions: 88 bytes a vector.

    Parameters
    ----------
    dimension : int
        Numbers in every vector, 1 … 65,536.
    metric : {"l2", "ip", "cosine"}
        The distance, where smaller is nearer: ``"l2"`` is Σ (x − q)², the square of the Euclidean distance; ``"ip"`` is
        −⟨x, q⟩; ``"cosine"`` is 1 − ⟨x, q⟩ / (‖x‖ ‖q‖), and refuses vectors of zeros.
    """

    def __init__(self, dimension: int, metric: Metric = "l2") -> None:
        create = library.kin_index_create_flat
        self._take(made(library.kin_index_free, create, _arrays.count(dimension, "dimension"), metric_number(metric)))
