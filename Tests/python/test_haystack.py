"""kin.haystack: Haystack's standard tests, and searches compared with Haystack's own store. test_documents.py tests the folder.

Not among the standard tests are those of count_unique_metadata_by_filter, get_metadata_fields_info, get_metadata_field_min_max and
get_metadata_field_unique_values: Haystack's protocol does not ask a store for these methods, and KinDocumentStore does not have them. The two
tests of deleting all documents with a new index skip themselves, as there is no such parameter.
"""

import asyncio
import os
from dataclasses import replace

import kin
import numpy as np
import pytest
from conftest import assert_raises
from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy, FilterPolicy
from haystack.errors import FilterError
from haystack.testing import document_store as standard
from haystack.testing import document_store_async as standard_async
from kin.haystack import KinDocumentStore, KinEmbeddingRetriever


def stored(document):
    """A document as the store returns it: its embedding is float32."""
    return document if document.embedding is None else replace(document, embedding=np.float32(document.embedding).tolist())


class Ours:
    """The fixture and the comparison that the standard tests need."""

    @pytest.fixture(params=["flat", "lists", "saved"])
    def document_store(self, request, tmp_path):
        if request.param != "saved":
            return KinDocumentStore(layout=request.param)

        class Saved(KinDocumentStore):
            """A store that is saved and opened after each write."""

            def write_documents(self, documents, policy=DuplicatePolicy.NONE):
                try:
                    return super().write_documents(documents, policy)
                finally:
                    self.save()
                    self._documents = KinDocumentStore(tmp_path)._documents

        return Saved(tmp_path)

    @staticmethod
    def assert_documents_are_equal(received, expected):
        assert received == [stored(document) for document in expected]


class TestStandard(Ours, standard.DocumentStoreBaseExtendedTests, standard.CountDocumentsByFilterTest):
    def test_write_documents(self, document_store):
        """By default a document with an id that exists is an error."""
        documents = [Document(content="a"), Document(content="b", embedding=[1.0, 2.0])]
        assert document_store.write_documents(documents) == 2 and document_store.filter_documents() == documents
        assert_raises(DuplicateDocumentError, None, document_store.write_documents, documents[:1])


class TestStandardAsync(
    Ours, standard_async.CountDocumentsAsyncTest, standard_async.CountDocumentsByFilterAsyncTest, standard_async.DeleteAllAsyncTest,
    standard_async.DeleteByFilterAsyncTest, standard_async.DeleteDocumentsAsyncTest, standard_async.FilterDocumentsAsyncTest,
    standard_async.UpdateByFilterAsyncTest, standard_async.WriteDocumentsAsyncTest,
):
    async def test_write_documents_async(self, document_store):
        """By default a document with an id that exists is an error."""
        documents = [Document(content="a"), Document(content="b", embedding=[1.0, 2.0])]
        assert await document_store.write_documents_async(documents) == 2 and await document_store.filter_documents_async() == documents
        with pytest.raises(DuplicateDocumentError):
            await document_store.write_documents_async(documents[:1])


def test_every_standard_test_is_run_or_listed():
    """A release of Haystack with more of them is noticed."""
    named = {"CountUniqueMetadataByFilter", "GetMetadataFieldsInfo", "GetMetadataFieldMinMax", "GetMetadataFieldUniqueValues"}
    for module, ours in ((standard, TestStandard), (standard_async, TestStandardAsync)):
        kinds = {name: kind for name, kind in vars(module).items() if isinstance(kind, type) and name.endswith("Test")}
        assert {name.removesuffix("Test").removesuffix("Async") for name, kind in kinds.items() if not issubclass(ours, kind)} == named


DOCUMENTS = [
    Document(
        id=f"id {number}", content=f"text {number}", meta={"page": number % 10, "deep": {"lang": "de" if number % 3 else "en"}},
        embedding=None if number % 11 == 5 else np.random.default_rng(number).standard_normal(16).tolist(),
    )
    for number in range(200)
]
QUERY = np.random.default_rng(1000).standard_normal(16).tolist()
PAGE = {"field": "meta.page", "operator": ">=", "value": 4}
BOTH = {"operator": "AND", "conditions": [PAGE, {"field": "meta.deep.lang", "operator": "==", "value": "en"}]}


@pytest.fixture(params=["flat", "lists"])
def store(request):
    made = KinDocumentStore(layout=request.param)
    made.write_documents(DOCUMENTS)
    return made


@pytest.mark.parametrize("filters", [None, {}, PAGE, BOTH, {"field": "id", "operator": "==", "value": "nobody"}])
@pytest.mark.parametrize(("metric", "function"), [("cosine", "cosine"), ("ip", "dot_product")])
def test_searches_equal_haystacks_own_store(filters, metric, function):
    ours, theirs = KinDocumentStore(metric=metric), InMemoryDocumentStore(embedding_similarity_function=function, shared=False)
    for each in (ours, theirs):
        each.write_documents(DOCUMENTS)
    found, expected = (each.embedding_retrieval(QUERY, filters, top_k=30) for each in (ours, theirs))
    assert [replace(document, score=None) for document in found] == [replace(document, score=None) for document in expected]
    np.testing.assert_allclose([document.score for document in found], [document.score for document in expected], atol=1e-6)
    with_embeddings = ours.embedding_retrieval(QUERY, filters, top_k=30, return_embedding=True)
    assert with_embeddings == [replace(stored(DOCUMENTS[int(document.id[3:])]), score=document.score) for document in found]
    assert asyncio.run(ours.embedding_retrieval_async(QUERY, filters, top_k=30)) == found


VALUES = [
    0, 1, 1.5, True, "1", "en", None, "2024-03-01", "2025-06-01T10:00:00", [1], "2024-03-01T00:00:00", "2024-03-01T02:00:00+02:00", "20240301", "2024",
]
OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "in", "not in"]
FIELDS = ["meta.a", "meta.b", "meta.deep.c", "a", "id", "meta.none"]


def filters_at_random(random, depth=0):
    if depth < 3 and random.random() < 0.5:
        parts = [filters_at_random(random, depth + 1) for _ in range(random.integers(1, 4))]
        return {"operator": ["AND", "OR", "NOT"][random.integers(3)], "conditions": parts}
    operator = OPERATORS[random.integers(8)]
    value = [VALUES[n] for n in random.integers(len(VALUES), size=2)] if "in" in operator else VALUES[random.integers(len(VALUES))]
    return {"field": FIELDS[random.integers(len(FIELDS))], "operator": operator, "value": value}


def ids_of(store, filters):
    """The ids of the documents that fulfil filters, or None if this is an error."""
    try:
        found = sorted(document.id for document in store.filter_documents(filters))
    except (FilterError, TypeError):
        return None
    assert store.count_documents_by_filter(filters) == len(found)
    return found


@pytest.mark.parametrize("kinds", [4, 7, 10, 14])
def test_filters_at_random_equal_haystacks_own_store(kinds):
    """Also in their errors, which depend on the values of documents."""
    seed = int.from_bytes(os.urandom(4))
    print("seed", seed)
    random = np.random.default_rng(seed)
    ours, theirs = KinDocumentStore(), InMemoryDocumentStore(embedding_similarity_function="cosine", shared=False)
    tried = {"found": 0, "error": 0}
    for first in (0, 60, 120):
        documents = []
        for number in range(first, first + 60):
            meta = {name: VALUES[random.integers(kinds)] for name in "ab" if random.random() < 0.8}
            meta["deep"] = {"c": VALUES[random.integers(kinds)]} if random.random() < 0.8 else [None, "c"][random.integers(2)]
            documents.append(Document(id=f"{number}", meta=meta, embedding=random.standard_normal(4).tolist()))
        # Some documents replace others, and some are deleted. Equal embeddings would have no common order.
        for n, m in random.integers([60, first + 1], size=(10, 2)):
            documents.append(replace(documents[n], id=f"{m}", embedding=random.standard_normal(4).tolist()))
        for each in (ours, theirs):
            each.write_documents(documents, DuplicatePolicy.OVERWRITE)
            each.delete_documents([f"{first + n}" for n in range(0, 60, 7)])
        for _ in range(80):
            filters = filters_at_random(random)
            assert ids_of(ours, filters) == ids_of(theirs, filters), filters
            try:
                expected = [document.id for document in theirs.embedding_retrieval([1.0, 0, 0, 0], filters, 500)]
                tried["found"] += 1
            except (FilterError, TypeError):
                # Which of the two depends on the order of documents, and theirs puts an overwritten one at the end.
                tried["error"] += 1
                assert_raises((FilterError, TypeError), None, ours.embedding_retrieval, [1.0, 0, 0, 0], filters, 500)
                continue
            assert [document.id for document in ours.embedding_retrieval([1.0, 0, 0, 0], filters, 500)] == expected, filters
    assert tried["found"] > 50 and (kinds == 4 or tried["error"] > 5)


@pytest.mark.parametrize(("operator", "value"), [
    ("==", "u77"), ("!=", "u77"), ("in", ["u5", "u77", None]), ("not in", [3, "x"]), (">=", 5), ("<", 0.5), (">", "2026-03-01"), ("<=", "2026-01-01T10:00"),
])
def test_common_comparisons_do_not_call_haystacks_test(operator, value, monkeypatch):
    """That is the slowest part of a filter on many values."""
    documents, condition = [], {"field": "meta.value", "operator": operator, "value": value}
    kinds = {"str": lambda n: f"u{n}", "int": lambda n: n, "time": lambda n: f"2026-{n % 12 + 1:02}-01"}
    kind = "time" if str(value).startswith("2026") else "int" if isinstance(value, (int, float)) else "str"
    for n in range(3000):
        documents.append(Document(id=f"{n}", meta={"value": kinds[kind](n)}, embedding=[1.0, float(n)]))
    theirs = InMemoryDocumentStore(embedding_similarity_function="dot_product", shared=False)
    ours = KinDocumentStore(metric="ip")
    for each in (ours, theirs):
        each.write_documents(documents)
    expected = [document.id for document in theirs.embedding_retrieval([1.0, 1.0], condition, 3000)]
    monkeypatch.setattr("kin.haystack.document_matches_filter", lambda filters, document: document.meta["value"] is not None and 1 / 0)
    assert [document.id for document in ours.embedding_retrieval([1.0, 1.0], condition, 3000)] == expected


def test_a_retriever_merges_filters_and_returns_embeddings(store):
    english = BOTH["conditions"][1]
    for policy, expected in (("replace", PAGE), ("merge", BOTH), (FilterPolicy.MERGE, BOTH)):
        made = KinEmbeddingRetriever(store, english, 200, filter_policy=policy, return_embedding=True)
        pipeline = Pipeline()
        pipeline.add_component("retriever", KinEmbeddingRetriever(store, english, filter_policy=policy, return_embedding=True))
        described = pipeline.to_dict()["components"]["retriever"]["init_parameters"]
        assert (described["filter_policy"], described["return_embedding"]) == (str(policy), True)
        assert made.run(QUERY, PAGE)["documents"] == store.embedding_retrieval(QUERY, expected, 200, True)
        assert made.run(QUERY, PAGE, return_embedding=False)["documents"] == store.embedding_retrieval(QUERY, expected, 200)
        assert made.run(QUERY)["documents"] == store.embedding_retrieval(QUERY, english, 200, True)
    assert_raises(ValueError, "Unknown FilterPolicy", KinEmbeddingRetriever, store, filter_policy="both")


def test_a_single_text_and_other_metadata_than_dictionaries_are_refused(store):
    for ids in ("id 1", "1"):
        assert_raises(kin.InvalidArgument, "document_ids must be a list of texts", store.delete_documents, ids)
    assert_raises(kin.InvalidArgument, "document 'x': meta must be a dictionary", store.write_documents, [Document(id="x", meta=[1])])
    assert store.filter_documents() == [stored(document) for document in DOCUMENTS]
    store.write_documents([Document(id="x", meta=None)])
    assert store.update_by_filter({"field": "id", "operator": "==", "value": "x"}, {"a": 1}) == 1
    assert store.filter_documents({"field": "meta.a", "operator": "==", "value": 1}) == [Document(id="x", meta={"a": 1})]


def test_a_retriever_finds_each_source_once(store):
    everything = store.embedding_retrieval(QUERY, top_k=200)
    best = [next(document for document in everything if document.meta["page"] == page) for page in range(10)]
    best.sort(key=lambda document: -document.score)
    assert store.embedding_retrieval(QUERY, top_k=20, group_by="meta.page") == best
    retriever = KinEmbeddingRetriever(store, top_k=3, group_by="meta.page")
    assert retriever.run(QUERY)["documents"] == best[:3]
    assert KinEmbeddingRetriever(store).run(QUERY, group_by="meta.page")["documents"] == best
    english = [document for document in everything if document.meta["deep"]["lang"] == "en"]
    two = [next(document for document in english if document.meta["page"] == page) for page in (4, 5)]
    within = {"operator": "AND", "conditions": [BOTH, {"field": "meta.page", "operator": "<", "value": 6}]}
    found = retriever.run(QUERY, within, group_by="meta.page")["documents"]
    assert {document.id for document in found} == {document.id for document in two}
    assert len(retriever.run(QUERY, group_by="meta.deep.lang")["documents"]) == 2
    for field in ("page", "meta.pag", "meta.deep"):
        assert_raises(kin.InvalidArgument, "group_by: ", store.embedding_retrieval, QUERY, group_by=field)


def test_documents_are_restored_completely(tmp_path):
    document = Document(
        id="a", content=None, blob=ByteStream(bytes(range(256)), {"name": "x"}, "image/png"), meta={"content": "in meta", "n": [1, {"k": None}]},
        score=0.25, embedding=[0.5, -1.0], sparse_embedding=SparseEmbedding([3, 9], [0.5, 1.5]),
    )
    store = KinDocumentStore(tmp_path)
    store.write_documents([document, Document(id="b", content="")])
    store.save()
    for each in (store, KinDocumentStore(tmp_path)):
        assert each.filter_documents() == [document, Document(id="b", content="")]
        each.filter_documents()[0].meta["n"].append(2)
        assert each.filter_documents()[0] == document


@pytest.mark.parametrize("policy", DuplicatePolicy)
def test_policies_treat_equal_ids_of_one_call_alike(policy):
    store = KinDocumentStore()
    documents = [Document(id="a", content="1"), Document(id="b", content="2"), Document(id="a", content="3")]
    if policy in (DuplicatePolicy.NONE, DuplicatePolicy.FAIL):
        assert_raises(DuplicateDocumentError, "nothing was written", store.write_documents, documents, policy)
        assert store.count_documents() == 0
    else:
        assert store.write_documents(documents, policy) == (3 if policy == DuplicatePolicy.OVERWRITE else 2)
        assert store.filter_documents()[0].content == ("3" if policy == DuplicatePolicy.OVERWRITE else "1")


def test_an_update_keeps_the_embedding(store):
    assert store.update_by_filter(BOTH, {"page": 77, "new": [1]}) > 0
    wanted = {"field": "meta.page", "operator": "==", "value": 77}
    changed = [document for document in DOCUMENTS if document.meta["page"] >= 4 and document.meta["deep"]["lang"] == "en"]
    found = store.filter_documents(wanted)
    assert found == [stored(replace(document, meta=document.meta | {"page": 77, "new": [1]})) for document in changed]
    near = store.embedding_retrieval(QUERY, wanted, top_k=200)
    assert {document.id for document in near} == {document.id for document in changed if document.embedding}
    assert_raises(kin.InvalidArgument, None, store.update_by_filter, wanted, {"page": {1, 2}})
    assert store.filter_documents(wanted) == found


def test_malformed_filters_are_errors_in_an_empty_store():
    for call in (KinDocumentStore().filter_documents, KinDocumentStore().delete_by_filter):
        assert_raises(FilterError, None, call, {"field": "meta.page", "operator": "=", "value": 1})


def test_a_pipeline_retrieves_and_is_described(tmp_path):
    store = KinDocumentStore(tmp_path, metric="ip", layout="lists")
    store.write_documents(DOCUMENTS)
    store.save()
    pipeline = Pipeline()
    pipeline.add_component("retriever", KinEmbeddingRetriever(store, filters=PAGE, top_k=3))
    question = {"retriever": {"query_embedding": QUERY}}
    expected = {"retriever": {"documents": store.embedding_retrieval(QUERY, PAGE, 3)}}
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["kin.haystack"])
    for each in (pipeline, again):
        assert each.run(question) == expected
        asked = {"retriever": {"query_embedding": QUERY, "filters": BOTH, "top_k": 2}}
        assert each.run(asked)["retriever"]["documents"] == store.embedding_retrieval(QUERY, BOTH, 2)
    described = again.get_component("retriever").document_store.to_dict()
    assert described["init_parameters"] == {"path": str(tmp_path), "metric": "ip", "layout": "lists"}
    assert asyncio.run(pipeline.run_async(question)) == expected


def test_settings_that_differ_from_the_saved_store_are_refused(tmp_path):
    KinDocumentStore(tmp_path, metric="l2").save()
    assert KinDocumentStore(tmp_path).to_dict()["init_parameters"]["metric"] == "l2"
    assert KinDocumentStore(tmp_path, metric="l2", layout="flat").count_documents() == 0
    with pytest.raises(kin.InvalidArgument, match="metric is 'cosine', but .* holds a store whose metric is 'l2'"):
        KinDocumentStore(tmp_path, metric="cosine")
    assert_raises(kin.InvalidArgument, "layout is 'lists'", KinDocumentStore, tmp_path, layout="lists")
    assert_raises(kin.InvalidArgument, "has no path", KinDocumentStore().save)
