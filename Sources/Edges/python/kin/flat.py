"""The flat index."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Doubles, IDs, Vectors
from kin._library import library, made
from kin._options import metric_number, search_options
from kin.filter import FilterLike
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

    def search(
        self,
        q: Vectors,
        k: int = 10,
        *,
        filter: FilterLike = None,
        threads: int | None = None,
        radii: ArrayLike | None = None,
    ) -> tuple[Doubles, IDs]:
        """Finds the k nearest vectors of each query.

        Parameters
        ----------
        q : array of float, shape (n, dimension) or (dimension,)
            Read where it is when it is float32 and its rows are contiguous.
        k : int
            How many neighbours are wanted.
        filter : Filter, array of ids, array of bool, or str, optional
            Which vectors may be returned; see :class:`Filter`.
        threads : int, optional
            The most threads to use, 1 when left out. The result does not depend on it.
        radii : array of float, shape (n,), or float, optional
            The largest distance of a neighbour for each query, in the metric's own units as for :meth:`range_search`; a
            vector at this very distance is one. A radius that is known from elsewhere saves time.

        Returns
        -------
        distances : array of float64, shape (n, k) or (k,)
            Nearest first; infinity where there are fewer than k.
        ids : array of int64, shape (n, k) or (k,)
            Equal distances in ascending order of id; −1 where there are fewer than k.
        """
        plain = filter is None and threads is None and radii is None
        return self._search(q, k, None if plain else search_options(filter, threads, radii=radii))

    def explain(self, q: Vectors, k: int = 10, *, filter: FilterLike = None) -> dict[str, Any]:
        """Searches for one query, shape (dimension,), and reports the plan and what was read.

        Returns a dictionary: ``neighbors`` (a list of ``id`` and ``distance``), ``plan`` (what was done, in a sentence),
        ``rows``, ``blocks_screened``, ``survivors``, ``exact_distances``, ``bytes_read``, ``simd`` and ``code_bits``.
        """
        return self._explain(q, k, search_options(filter, None))
