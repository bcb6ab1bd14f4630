"""Everybody's ten kindred by the peers, on the vectors that `affinity-bench --parts vectors` wrote.

    affinity-bench --people 100000 --parts vectors --output souls
    python souls.py souls.npy --threads 2

Missing blocks are zeros here, so the peers rank by another score than affinity where something is missing, and they rank by inner
products in single precision; Kin's figure beside theirs is that of `affinity-bench --parts everyone`, which is exact.
"""

import argparse
import time

import faiss
import numpy as np
from sklearn.neighbors import NearestNeighbors


def timed(name, work):
    start = time.perf_counter()
    work()
    print(f"| {name} | {time.perf_counter() - start:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vectors")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("-k", type=int, default=10)
    options = parser.parse_args()
    x = np.load(options.vectors)
    faiss.omp_set_num_threads(options.threads)
    index = faiss.IndexFlatIP(x.shape[1])
    index.add(x)
    print(f"{len(x)} people, {x.shape[1]} coordinates, {options.threads} threads\n")
    print("| | seconds for everybody |\n| --- | ---: |")
    timed("FAISS IndexFlatIP", lambda: index.search(x, options.k + 1))
    brute = NearestNeighbors(n_neighbors=options.k + 1, metric="cosine", algorithm="brute", n_jobs=options.threads)
    brute.fit(x)
    timed("scikit-learn, cosine, brute force", lambda: brute.kneighbors(x))


if __name__ == "__main__":
    main()
