"""The vectors, ids and attributes of an index, read back."""

import ctypes
from typing import Any, ClassVar, Iterator, Self

import numpy as np
from numpy.typing import NDArray

from kin import _arrays
from kin._arrays import Floats, IDs, Vectors, address
from kin._attributed import Attributed
from kin._library import check, create_handle, library
from kin._names import DAMAGED
from kin.errors import CorruptFile
from kin.filter import FilterLike, filter_for


class Contents(Attributed):
    """The contents of an index."""

    _dimension: int
    _is_snapshot = False
    _kind: ClassVar[str | None] = None
    _version = 0  # The number of changes. Below: that number and the mask that was last accepted.
    _accepted_mask: tuple[int, int | frozenset[int | str]] | None = None
    _is_shuffled = False
    """Whether ids were added in a different order than 0, 1, 2 …; unknown for lists from a file."""

    @property
    def dimension(self) -> int:
        """The number of coordinates of a vector."""
        return self._dimension

    def copy(self) -> Self:
        """A second index with the same contents, in no time: the two share all memory until one of them changes."""
        return self._copy_with(create_handle(library.kin_index_free, library.kin_index_copy, self._handle))

    __copy__ = copy

    def _snapshot(self) -> Self:
        """A copy to search after results of this index had no text, because a thread removed their vectors."""
        if self._is_snapshot:
            raise CorruptFile(DAMAGED)
        snapshot = self.copy()
        snapshot._is_snapshot = True
        return snapshot

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __len__(self) -> int:
        """The number of vectors."""
        count: int = library.kin_index_count(self._handle)
        return count

    @property
    def nbytes(self) -> int:
        """The number of bytes of vectors, codes and ids, in memory or mapped from a file."""
        total: int = library.kin_index_bytes(self._handle)
        return total

    @property
    def ids(self) -> IDs:
        """The ids of all vectors, shape (len,), in storage order: int64, or objects if they are texts."""
        # A copy, so that the index does not grow between the two calls.
        snapshot = self.copy()
        found = np.empty(len(snapshot), dtype=np.int64)
        total = ctypes.c_size_t()
        check(library.kin_index_ids(snapshot._handle, address(found), found.size, ctypes.addressof(total)))
        return snapshot._named(found)

    def contains(self, ids: Vectors) -> NDArray[np.bool_]:
        """Reports for each of the ids, shape (n,), whether a vector has it: shape (n,)."""
        wanted = self._numbers(ids)
        found = np.empty(wanted.size, dtype=np.uint8)
        check(library.kin_index_contains(self._handle, address(wanted), wanted.size, address(found)))
        return found.view(np.bool_)

    def __contains__(self, id: int | str) -> bool:
        if isinstance(id, str) or self._has_names:
            return isinstance(id, str) and self._has_names and bool(self.contains([id])[0])
        is_id = isinstance(id, (int, np.integer)) and -(1 << 63) <= id < 1 << 64
        return is_id and bool(self.contains([int(id)])[0])

    def __iter__(self) -> Iterator[int | str]:
        """The ids, in storage order."""
        return iter(self.ids.tolist())

    def vectors(self, ids: Vectors) -> Floats:
        """Reads vectors, exactly as they were added.

        Parameters
        ----------
        ids : array of int or str, shape (n,)

        Returns
        -------
        array of float32, shape (n, dimension)

        Raises
        ------
        UnknownID
            An id has no vector.
        """
        return self._rows(self._numbers(ids, known=True))

    def _rows(self, wanted: IDs) -> Floats:
        found = np.empty((wanted.size, self.dimension), dtype=np.float32)
        check(library.kin_index_get(self._handle, address(wanted), wanted.size, address(found), 0))
        return found

    def __getitem__(self, id: int | str) -> Floats:
        """The vector with an id, shape (dimension,). An unknown id raises UnknownID, which is a KeyError."""
        if not isinstance(id, (int, np.integer, str)):
            raise TypeError(f"index[{id!r}]: an index takes one id, a whole number or a text; index.vectors(ids) reads several")
        vector: Floats = self.vectors([id])[0]
        return vector

    def ids_where(self, filter: FilterLike) -> IDs:
        """The ids of the vectors that a filter allows, ascending, or in the order of their first load if they are texts.

            romans = index.ids_where("city = 'Rome'")

        Parameters
        ----------
        filter : Filter, array of ids, array of bool, or str, optional
            As for :meth:`search`; None allows all vectors.

        Returns
        -------
        array of int64 or str, shape (n,)
        """
        snapshot = self.copy()
        return snapshot._named(snapshot._allowed(filter))

    def _allowed(self, filter: FilterLike) -> IDs:
        """The ids of a snapshot as numbers."""
        allowed = filter_for(self, "id is present" if filter is None else filter)
        found, total = np.empty(len(self), dtype=np.int64), ctypes.c_size_t()
        arguments = (self._handle, allowed._handle, address(found), found.size, ctypes.addressof(total))
        check(library.kin_index_ids_where(*arguments))
        return found[: total.value].copy()

    def head(self, n: int = 5, *, filter: FilterLike = None) -> tuple[IDs, Floats]:
        """The first n vectors by ascending id: ids, shape (n,), and vectors, shape (n, dimension); fewer if there are fewer.

        ``filter`` limits them as for :meth:`search`, and :meth:`columns` reads the attributes of the ids.
        """
        snapshot = self.copy()
        return snapshot._pairs(snapshot._allowed(filter)[: _arrays.count(n, "n")])

    def sample(self, n: int = 5, seed: int = 0, *, filter: FilterLike = None) -> tuple[IDs, Floats]:
        """n vectors drawn at random without repetition, as for :meth:`head`; the same seed draws the same ids."""
        snapshot = self.copy()
        allowed = snapshot._allowed(filter)
        drawn = np.random.default_rng(_arrays.count(seed, "seed")).permutation(allowed.size)[: _arrays.count(n, "n")]
        return snapshot._pairs(allowed[drawn])

    def _pairs(self, numbers: IDs) -> tuple[IDs, Floats]:
        return self._named(numbers), self._rows(numbers)
