"""Finds the ten most similar people of every person with the peers, on vectors of the same people.

    kin generate souls --count 100000 --seed 1 -o souls.jsonl
    python souls.py souls.jsonl --threads 2 [--only faiss sklearn implicit]

Each block of a person has the square root of its weight as its length, and the blocks are concatenated. The peers rank by
inner products in single precision. This is a different score than affinity: missing blocks are zeros, valence is one
coordinate, and synonyms of a goal are different goals. implicit multiplies sparse matrices, with people as the items
of its item-item model. Kin's figure for comparison comes from `affinity-bench --parts everyone`, which is exact.
"""

import argparse
import json
import time

import numpy as np

# The weights of `AffinityWeights.standard`.
TRAITS = {"goals": 0.40, "realms": 0.25, "objects": 0.20}
PATTERNS, VALENCE = 0.10, 0.05


def vectors(path):
    """A row for each soul of a file."""
    with open(path, encoding="utf-8") as lines:
        souls = [json.loads(line) for line in lines]
    blocks = []
    for block, weight in TRAITS.items():
        names = sorted({name for soul in souls for name in soul.get(block, ())})
        amounts = np.log1p([[soul.get(block, {}).get(name, 0) for name in names] for soul in souls])
        if block == "goals":
            amounts *= rarity((amounts > 0).sum(axis=0), len(souls))
        blocks.append((amounts, weight))
    blocks.append((np.array([pattern(soul.get("patterns")) for soul in souls]), PATTERNS))
    lengths = [np.maximum(np.linalg.norm(amounts, axis=1, keepdims=True), np.finfo(float).tiny) for amounts, _ in blocks]
    valence = (VALENCE / 2) ** 0.5 * np.array([[soul.get("valence") or 0] for soul in souls])
    columns = [amounts / length * weight**0.5 for (amounts, weight), length in zip(blocks, lengths)]
    return np.hstack([*columns, valence]).astype(np.float32)


def rarity(having, people):
    """The factors of goals, as `GoalRarity` defines them."""
    return (np.log1p((people - having + 180) / (having + 20)) / np.log1p(9)) ** 1.25


def pattern(found):
    """The coordinates of a pattern of sessions, as `SessionPattern` defines them."""
    if found is None:
        return np.zeros(27)
    hours = np.array(found.get("hours") or [0] * 24)
    amounts = [(found.get("minutes", 0), 20), (found.get("sessions_per_week", 0), 3), (found.get("streak", 0), 7)]
    return np.append(np.sqrt(hours / max(hours.sum(), 1e-300)), [amount / (amount + usual) for amount, usual in amounts])


def timed(name, work):
    start = time.perf_counter()
    work()
    print(f"| {name} | {time.perf_counter() - start:.1f} |", flush=True)


def faiss_flat(x, options):
    import faiss

    faiss.omp_set_num_threads(options.threads)
    index = faiss.IndexFlatIP(x.shape[1])
    index.add(x)
    timed("FAISS IndexFlatIP", lambda: index.search(x, options.k + 1))


def sklearn_brute(x, options):
    from sklearn.neighbors import NearestNeighbors

    brute = NearestNeighbors(n_neighbors=options.k + 1, metric="cosine", algorithm="brute", n_jobs=options.threads)
    brute.fit(x)
    timed("scikit-learn, cosine, brute force", lambda: brute.kneighbors(x))


def implicit_items(x, options):
    from implicit.nearest_neighbours import CosineRecommender
    from scipy.sparse import csr_matrix

    model = CosineRecommender(K=options.k + 1, num_threads=options.threads)
    coordinates = csr_matrix(x.T.astype(np.float64))  # items are columns: people
    timed("implicit, item-item cosine", lambda: model.fit(coordinates, show_progress=False))


PEERS = {"faiss": faiss_flat, "sklearn": sklearn_brute, "implicit": implicit_items}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("souls", help="a file of souls, as made by kin generate")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS))
    options = parser.parse_args()
    x = vectors(options.souls)
    print(f"{len(x)} people, {x.shape[1]} coordinates, {options.threads} threads\n")
    print("| | seconds for all people |\n| --- | ---: |")
    for name in options.only:
        PEERS[name](x, options)


if __name__ == "__main__":
    main()
