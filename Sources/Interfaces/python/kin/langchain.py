"""A vector store of LangChain whose vectors are in an index of Kin.

    from kin.langchain import KinVectorStore

    store = KinVectorStore.from_texts(["one", "two"], embedding, metadatas=[{"page": 1}, {"page": 2}], ids=["a", "b"])
    store.similarity_search("a question", k=2, filter={"page": 2})
    store.save("notes")
    store = KinVectorStore.load("notes", embedding)

Importing :mod:`kin` does not import LangChain; this module does. It needs the extra: ``pip install kin-engine[langchain]``.
"""

import os
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self, TypeAlias

import numpy as np

from kin._arrays import several
from kin._documents import Condition, Documents, Field, Layout, Record, copy_of
from kin._signatures import Metric
from kin.errors import InvalidArgument
from kin.flat import FlatIndex

try:
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import VectorStore
except ImportError as failure:
    raise ImportError(f"kin.langchain needs langchain-core 1.0 or later: pip install 'kin-engine[langchain]' ({failure})") from failure

__all__ = ["KinVectorStore"]

Filter: TypeAlias = Mapping[str, Any] | Callable[[Document], bool]


class KinVectorStore(VectorStore):  # type: ignore[misc]
    """Texts and metadata by text id, and the vectors of the texts in an index.

    Vectors are stored as float32; texts and metadata are in memory until :meth:`save`. Any number of threads can call the store. The asynchronous
    methods are LangChain's, which run these on its executor.

    Metadata are texts, finite numbers, booleans, None, and lists and dictionaries of these. Others are refused.

    Each search has the options of :class:`kin.SearchOptions`, and two of them differ. A filter is a dictionary of values that metadata must have, such
    as ``{"page": 2}``, or a function that returns whether a document may be found, which is called for every document. ``group_by`` names a field of
    the metadata, such as the source of a passage: a search then returns the nearest document of each of the k nearest sources. Documents without a
    value are groups of their own.

    Parameters
    ----------
    embedding : Embeddings
        The model that makes vectors of texts and queries.
    metric : str
        The distance, as for :class:`kin.FlatIndex`.
    layout : {"flat", "lists"}
        A :class:`kin.FlatIndex`, or a :class:`kin.IVFIndex`, whose searches read only a part of vectors that have structure.
    """

    def __init__(self, embedding: Embeddings, *, metric: Metric = "cosine", layout: Layout = "flat") -> None:
        self._embedding = embedding
        self._documents = Documents("langchain", metric, layout)

    @property
    def embeddings(self) -> Embeddings:
        """The model that makes vectors of texts and queries."""
        return self._embedding

    @classmethod
    def from_texts(
        cls, texts: list[str], embedding: Embeddings, metadatas: list[dict[str, Any]] | None = None, *,
        ids: list[str] | None = None, **kwargs: Any,
    ) -> Self:
        """A store of these texts; ``metric`` and ``layout`` are those of the constructor."""
        store = cls(embedding, **kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def add_texts(
        self, texts: Iterable[str], metadatas: Sequence[dict[str, Any]] | None = None, *,
        ids: Sequence[str | None] | None = None, **kwargs: Any,
    ) -> list[str]:
        """Embeds texts and writes them, all or, on failure, none; returns their ids. A document with the same id is replaced.

        Texts without an id get a random one. ``batch_size``, which LangChain's ``index`` passes, has no effect.
        """
        if unknown := sorted(kwargs.keys() - {"batch_size"}):
            raise TypeError(f"add_texts has no parameter {unknown[0]!r}; its parameters are texts, metadatas and ids")
        if isinstance(texts, str):
            raise InvalidArgument("texts is a single text; give a list of texts")
        texts = list(texts)
        given = [] if ids is None else several(ids, "ids")
        names = [id or str(uuid.uuid4()) for id in given or [None] * len(texts)]
        values = ([] if metadatas is None else list(metadatas)) or [{}] * len(texts)
        for name, text, metadata in zip(names, texts, values):
            if not isinstance(text, str):
                raise InvalidArgument(f"document {name!r}: text must be a text, not {text!r:.80}")
            if not isinstance(metadata, dict):
                raise InvalidArgument(f"document {name!r}: metadata must be a dictionary, not {metadata!r:.80}")
        vectors = self._embedding.embed_documents(texts) if texts else []
        for what, count in (("ids", len(names)), ("metadatas", len(values)), ("vectors", len(vectors))):
            if count != len(texts):
                raise InvalidArgument(f"{len(texts)} texts need as many {what}, but there are {count}")
        fields = ({"text": text, "metadata": metadata} for text, metadata in zip(texts, values))
        self._documents.write(zip(names, fields, vectors))
        return names

    def delete(self, ids: Sequence[str] | None = None, **kwargs: Any) -> bool:
        """Deletes documents, or all if ids is None; ids that no document has are passed over. Returns True."""
        self._documents.delete([record.id for record in self._documents] if ids is None else several(ids, "ids"))
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents with these ids, in their order; ids that no document has are passed over."""
        return [_document(record) for id in several(ids, "ids") if (record := self._documents.get(id))]

    def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> list[Document]:
        """The k documents nearest to a query."""
        return [document for document, _ in self.similarity_search_with_score(query, k, **kwargs)]

    def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **kwargs: Any) -> list[Document]:
        """The k documents nearest to a vector."""
        return [_document(record) for record, _ in self._search(embedding, k, **kwargs)]

    def similarity_search_with_score(self, query: str, k: int = 4, **kwargs: Any) -> list[tuple[Document, float]]:
        """The k documents nearest to a query, and their distances in the store's metric: smaller is nearer."""
        return [(_document(record), distance) for record, distance in self._search(self._embedding.embed_query(query), k, **kwargs)]

    def max_marginal_relevance_search(self, query: str, k: int = 4, fetch_k: int = 20, lambda_mult: float = 0.5, **kwargs: Any) -> list[Document]:
        """:meth:`max_marginal_relevance_search_by_vector` with the vector of a query."""
        return self.max_marginal_relevance_search_by_vector(self._embedding.embed_query(query), k, fetch_k, lambda_mult, **kwargs)

    def max_marginal_relevance_search_by_vector(
        self, embedding: list[float], k: int = 4, fetch_k: int = 20, lambda_mult: float = 0.5, **kwargs: Any
    ) -> list[Document]:
        """Chooses k of the fetch_k documents nearest to a vector: near the vector, and different from each other.

        The first document has the largest cosine with the vector. Each further document has the largest
        ``lambda_mult · a − (1 − lambda_mult) · b``: a is the cosine with the vector, b is the largest cosine with a chosen document.
        ``lambda_mult`` is 0 … 1.
        """
        if not 0 <= lambda_mult <= 1:
            raise InvalidArgument(f"lambda_mult must be 0…1, not {lambda_mult!r}")
        records = [record for record, _ in self._search(embedding, fetch_k, **kwargs)]
        candidates = FlatIndex(len(embedding), "cosine")
        for place, vector in enumerate(self._documents.vectors(records)):
            # A vector of zeros has no cosine, and is not chosen.
            if vector is not None and any(vector):
                candidates.add([vector], [place])
        # A diversity is below 1, and this is the largest number that is.
        _, chosen = candidates.recommend(np.array(embedding, np.float32), k=k, diversity=min(1 - lambda_mult, 1 - 2**-53))
        return [_document(records[place]) for place in chosen if place >= 0]

    def _search(
        self, vector: list[float], k: int, filter: Filter | None = None, group_by: str | None = None, **options: Any
    ) -> list[tuple[Record, float]]:
        group = None if group_by is None else ("metadata", group_by)
        return self._documents.search(vector, k, None if filter is None or filter == {} else _condition(filter), group, **options)

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        """Called by LangChain's searches with relevance scores."""
        return self._documents.similarity

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the store in a folder, all or nothing: after a crash the folder holds the old state or the new one.

        A store in the folder is replaced. If a different program saved the store after this one loaded it, the call raises Busy. A folder with
        other files raises InvalidArgument.
        """
        self._documents.save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], embedding: Embeddings) -> Self:
        """The store that a folder holds, with the model that made its vectors.

        Raises
        ------
        InputOutput, CorruptFile, UnsupportedFormat
        """
        store = cls(embedding)
        store._documents = Documents.load(path, "langchain")
        return store


def _document(record: Record) -> Document:
    return Document(id=record.id, page_content=record.fields["text"], metadata=copy_of(record.fields["metadata"]))


def _condition(filter: Filter) -> Condition:
    if callable(filter):
        return Condition(lambda record: bool(filter(_document(record))))
    if not isinstance(filter, Mapping):
        raise InvalidArgument(f"filter must be a dictionary of values or a function of a document, not {filter!r:.80}")
    wanted = filter.items()
    for name, value in wanted:
        if name.startswith("$") or (isinstance(value, Mapping) and any(str(key).startswith("$") for key in value)):
            raise InvalidArgument(f"the filter on {name!r} has an operator; give values alone, or a function of a document")

    def expression(field_at: Callable[[Sequence[str]], Field]) -> str | None:
        plain = all(isinstance(value, (str, int, float)) for _, value in wanted)
        parts = [field_at(("metadata", name)).among([value]) for name, value in wanted] if plain else [None]
        return None if None in parts else " and ".join(map(str, parts))

    return Condition(
        lambda record: all(name in (metadata := record.fields["metadata"]) and metadata[name] == value for name, value in wanted), expression
    )
