"""kin.langchain: LangChain's standard tests, and searches compared with LangChain's own store. test_documents.py tests the folder."""

import asyncio
import copy
import os
import pickle

import kin
import numpy as np
import pandas as pd
import pytest
from conftest import assert_raises
from kin.langchain import KinVectorStore, _condition
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import VectorStoreIntegrationTests


class TestStandard(VectorStoreIntegrationTests):
    @pytest.fixture(params=["flat", "lists", "saved"])
    def vectorstore(self, request, tmp_path):
        if request.param != "saved":
            return KinVectorStore(self.get_embeddings(), layout=request.param)

        class Saved(KinVectorStore):
            """A store that is saved and loaded after each write."""

            def _again(self):
                self.save(tmp_path)
                self._documents = KinVectorStore.load(tmp_path, self.embeddings)._documents

            def add_texts(self, *arguments, **named):
                ids = super().add_texts(*arguments, **named)
                self._again()
                return ids

            def delete(self, *arguments, **named):
                super().delete(*arguments, **named)
                self._again()

        return Saved(self.get_embeddings())


EMBEDDING = DeterministicFakeEmbedding(size=24)
TEXTS = [f"text {number}" for number in range(300)]
METADATA = [{"page": number % 10, "lang": "de" if number % 3 else "en", "tags": [number % 2]} for number in range(300)]
IDS = [f"id {number}" for number in range(300)]


@pytest.fixture(params=["flat", "lists"])
def store(request):
    return KinVectorStore.from_texts(TEXTS, EMBEDDING, METADATA, ids=IDS, layout=request.param)


@pytest.fixture
def theirs():
    return InMemoryVectorStore.from_texts(TEXTS, EMBEDDING, METADATA, ids=IDS)


FILTERS = {
    "value": ({"page": 3}, lambda document: document.metadata["page"] == 3),
    "values": ({"page": 4, "lang": "en"}, lambda document: document.metadata["page"] == 4 and document.metadata["lang"] == "en"),
    "list": ({"tags": [1]}, lambda document: document.metadata["tags"] == [1]),
    "none": ({}, lambda document: True),
    "nothing": ({"page": 77}, lambda document: False),
    "missing": ({"colour": None}, lambda document: False),
    "function": (lambda document: "7" in document.page_content and document.id != "id 7",) * 2,
}


@pytest.mark.filterwarnings("ignore:Relevance scores must be between 0 and 1")
@pytest.mark.parametrize(("ours", "reference"), FILTERS.values(), ids=FILTERS)
def test_searches_equal_langchains_own_store(store, theirs, ours, reference):
    for query in ("a", "text 5", "something else"):
        found = store.similarity_search_with_score(query, 20, filter=ours)
        expected = theirs.similarity_search_with_score(query, 20, filter=reference)
        assert [document for document, _ in found] == [document for document, _ in expected]
        np.testing.assert_allclose([1 - distance for _, distance in found], [score for _, score in expected], atol=1e-6)
        vector = EMBEDDING.embed_query(query)
        assert store.similarity_search(query, 20, filter=ours) == store.similarity_search_by_vector(vector, 20, filter=ours)
        relevant = store.similarity_search_with_relevance_scores(query, 20, filter=ours, score_threshold=0.2)
        assert relevant == [(document, 1 - distance) for document, distance in found if 1 - distance >= 0.2]


VALUES = [0, 1, 1.0, True, False, 2, "1", "", "two", None, [1], {"a": 1}]


def test_filters_and_groups_equal_a_test_of_each_document(tmp_path):
    """Metadata of changing kinds. The attributes of the index follow writes, deletions and a folder."""
    seed = int.from_bytes(os.urandom(4))
    print("seed", seed)
    random = np.random.default_rng(seed)
    store = KinVectorStore(EMBEDDING, layout=["flat", "lists"][seed % 2])
    # Lists and dictionaries, which no attribute has, come in the last rounds.
    for version, kinds in enumerate((6, 9, 10, 10, 12, 12)):
        drawn = [{name: VALUES[random.integers(kinds)] for name in "abc" if random.random() < 0.8} for _ in range(80)]
        store.add_texts([f"{version}: {n}" for n in range(80)], drawn, ids=[f"id {n}" for n in random.permutation(150)[:80]])
        store.delete([f"id {n}" for n in random.permutation(150)[:30]])
        if kinds == 9:
            store.save(tmp_path)
            store = KinVectorStore.load(tmp_path, EMBEDDING)
        # Again in a store that made its attributes after the writes.
        fresh = KinVectorStore.from_documents(store.get_by_ids([record.id for record in store._documents]), EMBEDDING)
        ranked = fresh.similarity_search_with_score("query", 500)
        for _ in range(20):
            wanted = {str(name): VALUES[random.integers(12)] for name in random.permutation(list("abcd"))[: random.integers(3)]}
            matching = [pair for pair in ranked if all(n in pair[0].metadata and pair[0].metadata[n] == v for n, v in wanted.items())]
            assert store.similarity_search_with_score("query", 500, filter=wanted) == matching
            if kinds < 12:
                for name in "abc":
                    seen = []
                    for document, _ in matching:
                        value = document.metadata.get(name)
                        if value is None or value not in [other.metadata.get(name) for other in seen]:
                            seen.append(document)
                    for k in (1, 3, 500):
                        assert store.similarity_search("query", k, filter=wanted, group_by=name) == seen[:k]


def test_passages_are_found_once_for_each_source():
    texts = [f"passage {number}" for number in range(60)]
    store = KinVectorStore.from_texts(texts, EMBEDDING, [{"source": f"{n % 3}.pdf"} for n in range(60)], ids=texts)
    best = store.similarity_search("a", 9, group_by="source")
    assert len(best) == 3 and best[0] == store.similarity_search("a", 1)[0]
    assert store.as_retriever(search_kwargs={"k": 2, "group_by": "source"}).invoke("a") == best[:2]
    diverse = store.max_marginal_relevance_search("a", 9, group_by="source")
    assert sorted(document.id for document in diverse) == sorted(document.id for document in best)
    with pytest.raises(kin.InvalidArgument, match="no document has a value in 'metadata.sorce'"):
        store.similarity_search("a", group_by="sorce")
    store.add_texts(["more"], [{"source": ["0.pdf", "1.pdf"]}])
    with pytest.raises(kin.InvalidArgument, match="a document has a list or a dictionary in 'metadata.source'"):
        store.similarity_search("a", group_by="source")
    assert KinVectorStore(EMBEDDING).similarity_search("a", group_by="source") == []
    # After the document is replaced or deleted, each source is found once again.
    for change in (lambda id: store.add_texts(["more"], [{"source": "0.pdf"}], ids=[id]), lambda id: store.delete([id])):
        store.add_texts(["more"], [{"source": {"pdf": 0}}], ids=["nested"])
        store.delete([document.id for document in store.similarity_search("a", 99) if document.metadata["source"] == ["0.pdf", "1.pdf"]])
        change("nested")
        assert len(store.similarity_search("a", 9, group_by="source")) == 3


def test_a_filter_of_values_tests_what_it_finds_alone(store):
    """A filter of plain values is an expression on the index, so its time does not grow with the texts."""
    for wanted, tests in (({"page": 3, "lang": "en"}, 10), ({"tags": [1]}, 300)):
        condition, tested = _condition(wanted), []
        counted = condition._replace(test=lambda record: (tested.append(record.id), condition.test(record))[1])
        store._documents.search(EMBEDDING.embed_query("a"), 300, counted)
        assert len(tested) == tests


def test_many_fields_and_values_fall_back_to_a_test_of_each_document():
    rows = range(1200)
    store = KinVectorStore.from_texts(TEXTS[:1] * 1200, EMBEDDING, [{"n": n, f"field {n}": n} for n in rows], ids=[str(n) for n in rows])
    for number in (*rows[::40], 1199):
        found = store.similarity_search("a", 5, filter={f"field {number}": number, "n": number})
        assert [document.id for document in found] == [str(number)]


@pytest.mark.parametrize("weight", [0, 0.1, 0.5, 0.9, 1])
def test_mmr_equals_langchain(store, theirs, weight):
    # Not a text of the store: at a weight of ½ all others would tie behind it.
    for query in ("a", "b", "question"):
        for k, fetch_k, chosen in ((1, 20, None), (4, 20, None), (25, 20, None), (10, 300, {"lang": "en"})):
            allowed = None if chosen is None else lambda document: document.metadata["lang"] == "en"
            expected = theirs.max_marginal_relevance_search(query, k, fetch_k, weight, filter=allowed)
            assert store.max_marginal_relevance_search(query, k, fetch_k, weight, filter=chosen) == expected
    assert KinVectorStore(EMBEDDING).max_marginal_relevance_search("a") == []
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(kin.InvalidArgument, match="lambda_mult must be 0…1"):
            store.max_marginal_relevance_search("a", lambda_mult=wrong)


@pytest.mark.parametrize("metric", ["l2", "ip"])
def test_every_metric_orders_by_similarity(metric):
    store = KinVectorStore.from_texts(TEXTS, EMBEDDING, metric=metric)
    x, query = np.float32(EMBEDDING.embed_documents(TEXTS)).astype(float), np.float32(EMBEDDING.embed_query("a")).astype(float)
    distances = ((x - query) ** 2).sum(axis=1) if metric == "l2" else -(x @ query)
    found = store.similarity_search_with_score("a", 10)
    assert [document.page_content for document, _ in found] == [TEXTS[row] for row in np.argsort(distances)[:10]]
    np.testing.assert_allclose([distance for _, distance in found], np.sort(distances)[:10], rtol=1e-6)
    store._documents.write([("zero", {"text": "", "metadata": {}}, np.zeros(24))])
    chosen = store.max_marginal_relevance_search("a", 300, fetch_k=301)
    assert sorted(document.page_content for document in chosen) == sorted(TEXTS), "zeros have no cosine"


def test_options_of_a_search_are_passed_on(store):
    assert store.similarity_search("a", 5, threads=2, recall=1.0) == store.similarity_search("a", 5)
    assert_raises(TypeError, "no option 'where'", store.similarity_search, "a", 5, where={"page": 1})
    assert_raises(kin.KinError, None, store.similarity_search, "a", -1)


@pytest.mark.parametrize("wrong", [{"$or": [{"page": 1}]}, {"page": {"$gt": 1}}])
def test_operators_in_a_filter_are_refused(store, wrong):
    assert_raises(kin.InvalidArgument, "has an operator", store.similarity_search, "a", filter=wrong)


def test_returned_documents_are_copies(store):
    for find in (lambda: store.get_by_ids(["id 1"])[0], lambda: store.similarity_search("text 1", 1)[0]):
        find().metadata["tags"].append("later")
        assert find().metadata["tags"] == [1]


def test_invalid_arguments_are_refused_and_change_nothing(store):
    for call in (
        lambda: store.add_texts(["a", "b"], ids=["x"]),
        lambda: store.add_texts(["a", "b"], [{}]),
        lambda: store.add_texts("text"),
        lambda: store.add_texts(["a"], [{"when": object()}], ids=["id 1"]),
        lambda: store.add_documents([Document("a", id="id 1", metadata={"pair": (1, 2)})]),
        lambda: store.add_texts(["a", "b"], [{}, None]),
        lambda: store.add_texts(["a"], [[1]]),
        lambda: store.add_texts(["a", None]),
        lambda: store.add_texts(["a", 5], [{}, {}]),
        lambda: store.add_texts(["a", "b"], ids="ab"),
        lambda: store.delete("id 1"),
        lambda: store.get_by_ids("id 1"),
        lambda: store.similarity_search("a", filter="page"),
        lambda: store.similarity_search("a", filter=["page"]),
        lambda: store.similarity_search("a", filter=""),
    ):
        assert_raises(kin.InvalidArgument, None, call)
    assert_raises(TypeError, "no parameter 'metadata'", store.add_texts, ["a"], metadata=[{}])
    assert store.add_texts([]) == [] and store.add_documents([]) == []
    assert [document.page_content for document in store.get_by_ids(IDS)] == TEXTS


def test_ids_and_metadata_may_be_arrays_series_and_generators():
    store = KinVectorStore(EMBEDDING)
    for sequence in (np.array, pd.Series, list, tuple, iter):
        assert list(store.add_texts(["a", "b"], sequence([{"n": 1}, {"n": 2}]), ids=sequence(["x", "y"]))) == ["x", "y"]
        assert [document.metadata for document in store.get_by_ids(sequence(["x", "y"]))] == [{"n": 1}, {"n": 2}]
        assert store.delete(sequence(["x", "z"])) and [document.id for document in store.similarity_search("a")] == ["y"]


def test_stores_are_copied_and_pickled(store):
    store.similarity_search("a", filter={"page": 3})
    for made in (copy.deepcopy(store), pickle.loads(pickle.dumps(store))):
        assert made.similarity_search("a", 30, filter={"page": 3}) == store.similarity_search("a", 30, filter={"page": 3})
        made.add_texts(["new"], [{"page": 3}], ids=["new"])
        assert len(made.similarity_search("a", 400, filter={"page": 3})) == 31 and store.get_by_ids(["new"]) == []
        made.delete()
    assert len(store.similarity_search("a", 400)) == 300


def test_too_few_vectors_of_an_embedding_are_refused():
    class Short(DeterministicFakeEmbedding):
        def embed_documents(self, texts):
            return super().embed_documents(texts[1:])

    with pytest.raises(kin.InvalidArgument, match="2 texts need as many vectors, but there are 1"):
        KinVectorStore.from_texts(["a", "b"], Short(size=3))


def test_deleting_without_ids_deletes_all(store):
    assert store.delete([]) is True and len(store.similarity_search("a", 400)) == 300
    assert store.delete() is True and store.similarity_search("a") == [] and store.get_by_ids(IDS) == []
    store.add_texts(["a"], ids=["id 1"])
    assert [document.id for document in store.similarity_search("a")] == ["id 1"]


def test_langchains_index_and_retriever_work(store):
    manager = InMemoryRecordManager("kin")
    manager.create_schema()
    documents = [Document(text, metadata={"source": "a"}) for text in ("one", "two")]
    options = {"cleanup": "full", "source_id_key": "source", "key_encoder": "sha256"}
    empty = KinVectorStore(EMBEDDING)
    assert index(documents, manager, empty, **options)["num_added"] == 2
    assert index(documents[:1], manager, empty, **options)["num_deleted"] == 1
    assert [document.page_content for document in empty.similarity_search("one")] == ["one"]
    for kind in ("similarity", "mmr"):
        retriever = store.as_retriever(search_type=kind, search_kwargs={"k": 3, "filter": {"lang": "en"}})
        assert [document.metadata["lang"] for document in retriever.invoke("text 5")] == ["en"] * 3
        assert asyncio.run(retriever.ainvoke("text 5")) == retriever.invoke("text 5")


def test_concurrent_coroutines_find_their_own_documents(store):
    async def many():
        await asyncio.gather(*(store.aadd_texts([f"later {number}"], ids=[f"later {number}"]) for number in range(50)))
        return await asyncio.gather(*(store.asimilarity_search(f"later {number}", 1) for number in range(50)))

    assert [documents[0].id for documents in asyncio.run(many())] == [f"later {number}" for number in range(50)]
