"""Finds the ten most similar people of every person with the peers, on the vectors from `affinity-bench --parts vectors`.

    affinity-bench --people 100000 --parts vectors --output souls
    python souls.py souls.npy --threads 2 [--only faiss sklearn implicit]

Missing blocks are zeros here, so for people with missing blocks the peers rank by a different score than affinity. They
rank by inner products in single precision. implicit multiplies sparse matrices, with people as the items of its
item-item model. Kin's figure for comparison comes from `affinity-bench --parts everyone`, which is exact.
"""

import argparse
import time

import numpy as np


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
    parser.add_argument("vectors")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS))
    options = parser.parse_args()
    x = np.load(options.vectors)
    print(f"{len(x)} people, {x.shape[1]} coordinates, {options.threads} threads\n")
    print("| | seconds for all people |\n| --- | ---: |")
    for name in options.only:
        PEERS[name](x, options)


if __name__ == "__main__":
    main()
