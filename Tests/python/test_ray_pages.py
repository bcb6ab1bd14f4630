"""Every piece of Python about Ray on the pages runs, and a deployment answers over HTTP while replicas are lost."""

import json
import threading
import time
import urllib.error
import urllib.request

import kin
import numpy as np
import pytest
from ray_cluster import cluster, clustered, ray  # noqa: F401
from test_pages import ROOT, blocks, follow, run_block

serve = pytest.importorskip("ray.serve")
pytestmark = pytest.mark.usefixtures("cluster")


def answer(vector):
    """The deployment's answer to one request; retries while a replica is being replaced."""
    body = json.dumps([float(number) for number in vector]).encode()
    for _ in range(100):
        try:
            with urllib.request.urlopen("http://127.0.0.1:8000/nearest", body, timeout=20) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as failure:
            if failure.code < 500:
                return failure.code
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("no answer")


def start_serving():
    """Ray waits one minute for its proxy to start, which a busy machine may exceed. Each retry waits for the same
    proxy."""
    for _ in range(4):
        try:
            return serve.start()
        except ray.exceptions.GetTimeoutError:
            pass
    return serve.start()


def test_the_page_runs_and_serves(random, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    x = clustered(random, 2000)
    names = {"__name__": "page", "np": np, "kin": kin, "x": x, "q": x[:20] + np.float32(0.01), "ids": np.arange(5000, 7000)}
    try:
        start_serving()
        found = list(blocks("RAY.md"))
        assert len(found) >= 5
        for heading, text in found:
            exec(compile(text, f"RAY.md: {heading}", "exec"), names)
        served(x, names["index"])
    finally:
        serve.shutdown()
        if "index" in names:
            names["index"].close()


def test_the_block_of_the_first_page_runs(random, monkeypatch, tmp_path):
    """In a folder of this machine instead of a bucket, with fewer shards."""
    monkeypatch.chdir(tmp_path)
    x = clustered(random, 2000)
    text, = (text for _, text in blocks("README.md", ROOT) if "kin.ray" in text)
    for shown, here in (("s3://bucket/souls", "souls"), ("shards=64", "shards=3")):
        assert shown in text
        text = text.replace(shown, here)
    run_block(text, "README.md", {"kin": kin, "files": x, "q": x[:20]})


def test_the_tutorial_prints_what_it_shows(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    follow("RAY_TUTORIAL.md", {})


def served(x, session):
    """A thousand requests from several clients, with replicas killed in between."""
    assert answer(x[0, :3]) == answer(np.full(16, np.nan)) == 400
    expected = session.search(x[:500], 10)
    wrong = []

    def client(rows):
        for row in rows:
            got = answer(x[row])
            if got["ids"] != expected[1][row].tolist() or got["distances"] != expected[0][row].tolist():
                wrong.append(row)

    for half in range(2):
        clients = [threading.Thread(target=client, args=(range(first, 500, 10),)) for first in range(10)]
        for thread in clients:
            thread.start()
        if half == 1:
            actors = [actor for actor in ray.util.list_named_actors(all_namespaces=True) if "REPLICA" in actor["name"]]
            ray.kill(ray.get_actor(**actors[0]))
        for thread in clients:
            thread.join()
    assert not wrong
