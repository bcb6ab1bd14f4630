"""Writes the requests that post.lua sends, a line each, and the vectors that they are about.

    python3 requests.py ALL.npy PEOPLE.jsonl FOLDER

ALL.npy: what `kin generate clustered` writes; its last 1,000 rows are the queries, and FOLDER/vectors.npy gets the others, for `kin index
build`. PEOPLE.jsonl: what `kin generate people` writes. FOLDER gets nearest.txt (JSON), recall.txt (JSON, recall 0.95), bytes.txt (a query
as floats), batch.txt (100 queries as floats), upsert.txt (other vectors for ids that are there), near.txt (sessions like a session) and
mixed.txt, which has all but batches in turns.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np


def main(vectors, people, folder):
    rows = np.load(vectors, mmap_mode="r")
    np.save(Path(folder, "vectors.npy"), rows[:-1000])
    queries = rows[-1000:].astype("<f4")
    sessions = [record["id"] for record in map(json.loads, open(people)) if "state_history" in record]
    chosen = random.Random(1).choices(sessions, k=len(queries))
    body = [json.dumps([float(str(x)) for x in query], separators=(",", ":")) for query in queries]
    lines = {
        "nearest": [f"POST /index/nearest {text}" for text in body],
        "recall": [f"POST /index/nearest?recall=0.95 {text}" for text in body],
        "bytes": [f"POST /index/nearest hex:{query.tobytes().hex()}" for query in queries],
        "batch": [f"POST /index/nearest hex:{np.roll(queries, i, 0)[:100].tobytes().hex()}" for i in range(0, 1000, 10)],
        "upsert": [f"PUT /index/vectors/{997 * i} {text}" for i, text in enumerate(body)],
        "near": ["POST /near " + json.dumps({"session": session, "k": 10}) for session in chosen],
    }
    turns = zip(*(lines[name] for name in ("nearest", "recall", "bytes", "upsert", "near")))
    lines["mixed"] = [line for turn in turns for line in turn]
    for name, of_name in lines.items():
        Path(folder, f"{name}.txt").write_text("\n".join(of_name) + "\n")


main(*sys.argv[1:])
