"""Attributes of an index's vectors, to filter by."""

from typing import Any, Mapping, Sequence, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import IDs, Vectors, address
from kin._arrow_reader import ArrowStream, is_lent
from kin._columns import Column, named_columns, read_column
from kin._library import call_json, check, create_handle, library
from kin._names import Named
from kin._signatures import ATTRIBUTE_KINDS
from kin.errors import InvalidArgument, KinError

Values: TypeAlias = ArrayLike | Sequence[object]
"""Values of an attribute; None is a missing value."""


class Attributed(Named):
    """Typed attributes of vectors, declared by name."""

    @property
    def schema(self) -> dict[str, str]:
        """The kinds of the attributes, by name, in the order of their declaration."""
        kinds: dict[str, str] = call_json(library.kin_index_schema, self._handle)
        return kinds

    def declare(self, kinds: Mapping[str, str]) -> None:
        """Declares attributes; an attribute is missing in every vector until it is set.

        Parameters
        ----------
        kinds : mapping of names to kinds
            A kind is ``"integer"``, ``"number"``, ``"category"`` (few different texts),
            ``"time"``, ``"boolean"``, ``"time-range"`` or ``"tags"`` (a set of texts).
        """
        if not isinstance(kinds, Mapping):
            raise InvalidArgument(f'kinds must be a mapping of names to kinds, such as {{"user": "category"}}, not {kinds!r:.80}')
        numbers = {_arrays.text(name, "name"): _arrays.number_of(kind, ATTRIBUTE_KINDS, "kind of attributes") for name, kind in kinds.items()}
        # All are first declared in a copy, so that an invalid one leaves the index unchanged.
        rehearsal = create_handle(library.kin_index_free, library.kin_index_copy, self._handle)
        for handle in (rehearsal, self._handle):
            for name, number in numbers.items():
                check(library.kin_index_declare_attribute(handle, name, number))

    def set_attributes(self, ids: Vectors, columns: Mapping[str, Values] | ArrowStream) -> None:
        """Sets attributes of existing vectors, to filter by.

            index.declare({"user": "category", "start": "time"})
            index.set_attributes(ids, {"user": ["u1", "u2"], "start": np.array(["2026-01-01", "NaT"], "M8[s]")})
            index.search(q, 10, filter="user = u1 and start >= 2026-01-01")

        Parameters
        ----------
        ids : array of int or str, shape (n,)
            Different ids.
        columns : mapping of names to arrays, shape (n,), or (n, 2) for time ranges; or a table with Arrow's interface
            Times are datetime64. The tags of a vector are a list or set of texts. None, NaN, NaT, nulls and masked elements are missing values.
        """
        given = self._numbers(ids, known=True)
        schema = self.schema
        read: list[Column] = []
        for name, values in named_columns(columns):
            if name not in schema:
                raise InvalidArgument(f"there is no attribute {name!r}; declare it first")
            read.append(Column(name, schema[name], values, given.size))
        before = create_handle(library.kin_index_free, library.kin_index_copy, self._handle)
        for place, column in enumerate(read):
            try:
                self._set(column, given)
            except KinError:
                for earlier in read[:place]:
                    values = read_column(before, earlier.name, earlier.kind, given, given.shape)
                    self._set(Column(earlier.name, earlier.kind, values, given.size), given)
                raise

    def _set(self, column: Column, ids: IDs) -> None:
        number = _arrays.number_of(column.kind, ATTRIBUTE_KINDS, "kind of attributes")
        arguments = (self._handle, column.name.encode(), number, address(ids), ids.size, *column.addresses)
        check(library.kin_index_set_attribute(*arguments))

    def columns(self, ids: Vectors, names: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """Reads attributes of vectors, such as the results of a search.

            distances, ids = index.search(q, 10)
            index.columns(ids, ["city", "age"])

        Parameters
        ----------
        ids : array of int or str
            Ids of any shape. The values are missing for −1, None, and ids without a vector.
        names : sequence of str, optional
            Default: all attributes, in the order of their declaration.

        Returns
        -------
        dict of arrays by name, with the shape of ``ids``
            Categories are objects, with None for missing ones; tags are sorted lists of texts, or None. Numbers are float64 with NaN, and times datetime64[us]
            with NaT; time ranges have a last axis of 2. Integers and booleans are masked arrays.
        """
        if isinstance(names, str):
            raise TypeError(f"attributes are a list of names: [{names!r}]")
        given = _arrays.one_column(ids, "ids") if is_lent(ids) else _arrays.array_of(ids, "ids")
        flat = given.reshape(-1)
        numbers = np.full(flat.size, -1, np.int64)
        is_given = np.array([id is not None for id in flat], bool) if flat.dtype == object else np.ones(flat.size, bool)
        if is_given.any():
            numbers[is_given] = self._numbers(flat[is_given].tolist() if flat.dtype == object else flat[is_given])
        schema = self.schema
        wanted = schema if names is None else names
        for name in wanted:
            if name not in schema:
                raise InvalidArgument(f"there is no attribute {name!r}; the attributes are {', '.join(schema) or 'none'}")
        return {name: read_column(self._handle, name, schema[name], numbers, given.shape) for name in wanted}

    def attributes(self, id: int | str) -> dict[str, Any]:
        """The attributes of one vector by name, without missing ones; times are ISO 8601 texts."""
        number = int(self._numbers([id], known=True).view(np.uint64)[0])
        values: dict[str, Any] = call_json(library.kin_index_attributes, self._handle, number)
        return values
