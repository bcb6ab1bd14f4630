"""The flat index."""

from kin._arrays import count, number_of
from kin._library import create_handle, library
from kin._signatures import METRICS, Metric
from kin.index import Index


class FlatIndex(Index):
    """An exact index: every search reads every vector. The right choice up to millions of vectors.

    The results are those of a scan in double precision, for any data. Memory for 16 dimensions: 88 bytes per vector.

    Parameters
    ----------
    dimension : int
        Numbers in every vector, 1 … 65,536.
    metric : {"l2", "ip", "cosine"}
        The distance; smaller is nearer. ``"l2"`` is Σ (x − q)², the square of the Euclidean distance; ``"ip"`` is −⟨x,
        q⟩; ``"cosine"`` is 1 − ⟨x, q⟩ / (‖x‖ ‖q‖), and vectors of zeros are an error.
    """

    _kind = "flat"

    def __init__(self, dimension: int, metric: Metric = "l2") -> None:
        number = number_of(metric, METRICS, "metric")
        self._adopt(create_handle(library.kin_index_free, library.kin_index_create_flat, count(dimension, "dimension"), number))
