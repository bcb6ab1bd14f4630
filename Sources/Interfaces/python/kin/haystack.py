"""A document store of Haystack whose embeddings are in an index of Kin, and its retriever.

    from kin.haystack import KinDocumentStore, KinEmbeddingRetriever

    store = KinDocumentStore("notes")                     # opens the folder if it holds a store
    store.write_documents(documents)                      # with embeddings, as a DocumentEmbedder makes them
    KinEmbeddingRetriever(store).run(query_embedding, top_k=5)["documents"]
    store.save()

Importing :mod:`kin` does not import Haystack; this module does. It needs the extra: ``pip install kin-engine[haystack]``.
"""

import asyncio
import functools
import operator
import os
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from types import NoneType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from kin._arrays import several
from kin._documents import Condition, Documents, Field, Layout, Record, copy_of, exist, value_at
from kin._signatures import Metric
from kin.errors import InvalidArgument

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.document_stores.errors import DuplicateDocumentError
    from haystack.document_stores.types import DuplicatePolicy, FilterPolicy, apply_filter_policy
    from haystack.errors import FilterError
    from haystack.utils.filters import document_matches_filter
except ImportError as failure:
    raise ImportError(f"kin.haystack needs haystack-ai 3.0 or later: pip install 'kin-engine[haystack]' ({failure})") from failure

__all__ = ["KinDocumentStore", "KinEmbeddingRetriever"]

Filters = dict[str, Any] | None
Store = TypeVar("Store")
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def _in_thread(method: Callable[Concatenate[Store, Parameters], Answer]) -> Callable[Concatenate[Store, Parameters], Coroutine[Any, Any, Answer]]:
    """A method as a coroutine, which runs it on a thread."""

    async def call(store: Store, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        return await asyncio.to_thread(method, store, *arguments, **named)

    return functools.wraps(method)(call)


class KinDocumentStore:
    """Documents by id, and the embeddings of those that have one in an index.

    Embeddings are stored and returned as float32, and searches are exact. All methods can be called on several threads at once. Documents are in
    memory until ``save`` is called. Metadata are values of JSON; others are refused.

    Parameters
    ----------
    path : str or path, optional
        The folder of the store. If it holds a saved store, this is opened.
    metric : str, optional
        The distance, as for :class:`kin.FlatIndex`. Default: that of the saved store, or "cosine".
    layout : {"flat", "lists"}, optional
        A :class:`kin.FlatIndex`, or a :class:`kin.IVFIndex`, whose searches read a part of embeddings that have structure. Default: that of the
        saved store, or "flat".
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, metric: Metric | None = None, layout: Layout | None = None) -> None:
        self.path = None if path is None else os.fspath(path)
        if self.path is None or not exist(self.path):
            self._documents = Documents("haystack", metric or "cosine", layout or "flat")
            return
        self._documents = Documents.load(self.path, "haystack")
        for name, wanted, stored in (("metric", metric, self._documents.metric), ("layout", layout, self._documents.layout)):
            if wanted not in (None, stored):
                raise InvalidArgument(f"{name} is {wanted!r}, but {self.path} holds a store whose {name} is {stored!r}")

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Saves the store in its folder or another one, all or nothing: after a crash the folder holds the old state or the new one.

        A store in the folder is replaced. If a different program saved the store after this one opened it, the call raises Busy. A folder with
        other files raises InvalidArgument.
        """
        folder = path or self.path
        if folder is None:
            raise InvalidArgument("the store has no path; give one to save")
        self._documents.save(folder)

    def to_dict(self) -> dict[str, Any]:
        """The arguments that the store was made with, for the description of a pipeline; not the documents."""
        described: dict[str, Any] = default_to_dict(self, path=self.path, metric=self._documents.metric, layout=self._documents.layout)
        return described

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The store of a description."""
        store: Self = default_from_dict(cls, data)
        return store

    def count_documents(self) -> int:
        """The number of documents."""
        return len(self._documents)

    def filter_documents(self, filters: Filters = None) -> list[Document]:
        """The documents that fulfil Haystack's filters, with their embeddings; all without filters."""
        matching = self._matching(filters)
        return [_document(record, vector) for record, vector in zip(matching, self._documents.vectors(matching))]

    def write_documents(self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        """Writes documents, all of them or, on failure, none; returns how many were written.

        With `DuplicatePolicy.NONE` or `FAIL`, an id that exists raises DuplicateDocumentError; `SKIP` leaves the old document, `OVERWRITE` replaces it.
        """
        if not isinstance(documents, list) or not all(isinstance(document, Document) for document in documents):
            raise InvalidArgument("write_documents takes a list of Documents")
        chosen: dict[str, Document] = {}
        for document in documents:
            if policy != DuplicatePolicy.OVERWRITE and (document.id in chosen or self._documents.get(document.id)):
                if policy != DuplicatePolicy.SKIP:
                    raise DuplicateDocumentError(f"there is a document with the id {document.id!r} already; nothing was written")
                continue
            chosen[document.id] = document
        self._documents.write((document.id, _fields(document), document.embedding) for document in chosen.values())
        return len(documents) if policy == DuplicatePolicy.OVERWRITE else len(chosen)

    def delete_documents(self, document_ids: list[str]) -> None:
        """Deletes documents; ids that no document has are passed over."""
        self._documents.delete(several(document_ids, "document_ids"))

    def delete_all_documents(self) -> None:
        """Deletes all documents."""
        self._documents.delete([record.id for record in self._documents])

    def delete_by_filter(self, filters: Filters) -> int:
        """Deletes the documents that fulfil filters; returns how many."""
        matching = self._matching(filters)
        self._documents.delete(record.id for record in matching)
        return len(matching)

    def update_by_filter(self, filters: Filters, meta: dict[str, Any]) -> int:
        """Sets fields of the metadata of the documents that fulfil filters; returns how many."""
        matching = self._matching(filters)
        vectors = self._documents.vectors(matching)
        changed = (record.fields | {"meta": record.fields["meta"] | meta} for record in matching)
        self._documents.write((record.id, fields, vector) for record, fields, vector in zip(matching, changed, vectors))
        return len(matching)

    def count_documents_by_filter(self, filters: Filters) -> int:
        """The number of documents that fulfil filters."""
        return len(self._matching(filters))

    def embedding_retrieval(
        self, query_embedding: list[float], filters: Filters = None, top_k: int = 10, return_embedding: bool = False, group_by: str | None = None
    ) -> list[Document]:
        """The documents nearest to an embedding, nearest first. Their score grows with similarity: the cosine, 1 − ‖x − q‖ ∕ √2 for "l2", and
        otherwise the negated distance, which is the inner product for "ip".

        With ``group_by``, a field such as "meta.source", the nearest document of each of the ``top_k`` nearest sources. A document without a value is
        a group of its own.
        """
        group = None if group_by is None else group_by.split(".")
        found = self._documents.search(query_embedding, top_k, _condition(filters) if filters else None, group)
        vectors = self._documents.vectors([record for record, _ in found]) if return_embedding else [None] * len(found)
        scores = [self._documents.similarity(distance) for _, distance in found]
        return [_document(record, vector, score=score) for (record, _), vector, score in zip(found, vectors, scores)]

    def _matching(self, filters: Filters) -> list[Record]:
        if not filters:
            return list(self._documents)
        if not len(self._documents):
            # A malformed filter is an error in an empty store, too.
            document_matches_filter(filters, Document(content=""))
        return list(filter(_condition(filters).test, self._documents))

    count_documents_async = _in_thread(count_documents)
    filter_documents_async = _in_thread(filter_documents)
    write_documents_async = _in_thread(write_documents)
    delete_documents_async = _in_thread(delete_documents)
    delete_all_documents_async = _in_thread(delete_all_documents)
    delete_by_filter_async = _in_thread(delete_by_filter)
    update_by_filter_async = _in_thread(update_by_filter)
    count_documents_by_filter_async = _in_thread(count_documents_by_filter)
    embedding_retrieval_async = _in_thread(embedding_retrieval)


def _fields(document: Document) -> dict[str, Any]:
    """The fields of a document, without its id and embedding."""
    meta = document.meta or {}
    if not isinstance(meta, dict):
        raise InvalidArgument(f"document {document.id!r}: meta must be a dictionary, not {meta!r:.80}")
    named = replace(document, embedding=None, meta=meta).to_dict(flatten=False)
    return {name: value for name, value in named.items() if name not in ("id", "embedding")}


def _document(record: Record, embedding: list[float] | None = None, **others: Any) -> Document:
    fields = copy_of(record.fields) | {"id": record.id, "embedding": embedding} | others
    # Without parts to convert, Haystack's own reader takes twice the time.
    return Document.from_dict(fields) if fields["blob"] or fields["sparse_embedding"] else Document(**fields)


_ORDERS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_OPPOSITES = {"!=": "==", "not in": "in"}
_JOINTS: dict[str, tuple[Callable[[Iterable[bool]], bool], str]] = {
    "AND": (all, "({})"), "OR": (any, "({})"), "NOT": (lambda parts: not all(parts), "not ({})"),
}


def _condition(filters: Any) -> Condition:
    """Haystack's filters, or a part of them, as a condition. Filters about other fields than metadata test each document, and so do malformed ones."""
    joint = filters.get("operator") if isinstance(filters, dict) else None
    if joint in _JOINTS and "field" not in filters and isinstance(filters.get("conditions"), list):
        join, form = _JOINTS[joint]
        parts = [_condition(part) for part in filters["conditions"]]

        def joined(field_at: Callable[[Sequence[str]], Field]) -> str | None:
            texts = [part.expression(field_at) for part in parts]
            return None if None in texts or not texts else form.format((" or " if joint == "OR" else " and ").join(map(str, texts)))

        return Condition(lambda record: join(part.test(record) for part in parts), joined)
    if isinstance(filters, dict) and str(filters.get("field")).startswith("meta."):
        return _comparison(filters)
    return Condition(lambda record: document_matches_filter(filters, Document.from_dict(record.fields | {"id": record.id})))


def _comparison(filters: dict[str, Any]) -> Condition:
    """A comparison of metadata, which becomes the values for which it holds."""
    keys, name, wanted = filters["field"].split("."), str(filters.get("operator")), filters.get("value")
    if name in _OPPOSITES:
        return _condition({"operator": "NOT", "conditions": [filters | {"operator": _OPPOSITES[name]}]})
    order, equal = _ORDERS.get(name), {"==": [wanted], "in": wanted}.get(name)
    if "value" in filters and isinstance(equal, list) and all(map(_equals_itself_alone, equal)):
        return Condition(lambda record: value_at(record.fields, keys) in equal, lambda field_at: field_at(keys).among(equal))
    compared, probe = filters | {"field": "meta.value"}, Document(id="any", meta={})

    def holds(value: Any) -> bool:
        try:
            # Numbers, and texts of times, at a quarter of the cost of Haystack's own test.
            if order and isinstance(wanted, (str, int, float, datetime)):
                return bool(order(_instant(value), _instant(wanted)))
        except (TypeError, ValueError):
            pass
        probe.meta["value"] = value
        return bool(document_matches_filter(compared, probe))

    def expression(field_at: Callable[[Sequence[str]], Field]) -> str | None:
        field = field_at(keys)
        try:
            return field.among([value for value in (None, *field.numbers) if holds(value)])
        except (FilterError, TypeError):
            # The test of each document raises it, unless no document is tested for this part.
            return None

    return Condition(lambda record: holds(value_at(record.fields, keys)), expression)


def _instant(value: Any) -> Any:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _equals_itself_alone(value: Any) -> bool:
    """Whether no text of a different form is equal to a value, as a text of the same instant is. Each date begins with its year."""
    return isinstance(value, (int, float, NoneType)) or (isinstance(value, str) and not value[:4].isdigit())


@component
class KinEmbeddingRetriever:
    """A component that finds the documents of a :class:`KinDocumentStore` nearest to an embedding.

    Parameters
    ----------
    document_store : KinDocumentStore
    filters : dict, optional
        Haystack's filters, for calls without their own.
    top_k : int
        The number of documents. Default: 10.
    group_by : str, optional
        A field such as "meta.source", of which each value is found once; see :meth:`KinDocumentStore.embedding_retrieval`.
    return_embedding : bool
        Whether the documents have their embeddings. Default: False.
    filter_policy : FilterPolicy or {"replace", "merge"}
        Whether the filters of a call replace ``filters`` (default), or are merged with them by Haystack's rules.
    """

    def __init__(
        self, document_store: KinDocumentStore, filters: Filters = None, top_k: int = 10, group_by: str | None = None,
        return_embedding: bool = False, filter_policy: FilterPolicy | str = FilterPolicy.REPLACE,
    ) -> None:
        self.document_store, self.filters, self.top_k, self.group_by = document_store, filters, top_k, group_by
        # A text, so that a description of a pipeline can have it.
        self.return_embedding, self.filter_policy = return_embedding, FilterPolicy.from_str(str(filter_policy)).value

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(
        self, query_embedding: list[float], filters: Filters = None, top_k: int | None = None, group_by: str | None = None,
        return_embedding: bool | None = None,
    ) -> dict[str, list[Document]]:
        """Finds the documents nearest to an embedding."""
        chosen = apply_filter_policy(FilterPolicy.from_str(self.filter_policy), self.filters, filters)
        count = self.top_k if top_k is None else top_k
        with_embedding = self.return_embedding if return_embedding is None else return_embedding
        found = self.document_store.embedding_retrieval(query_embedding, chosen, count, with_embedding, group_by or self.group_by)
        return {"documents": found}
