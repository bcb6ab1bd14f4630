"""Lost nodes: every batch is answered, and correctly."""

import random as chance

import numpy as np
import pytest
from conftest import assert_same, index_of
from ray_cluster import HEALTH, SETTINGS, clustered, ray

import kin.ray

cluster_utils = pytest.importorskip("ray.cluster_utils")


@pytest.mark.parametrize("replicas", [1, 2])
def test_every_batch_is_answered_while_nodes_are_killed_and_return(tmp_path, random, replicas):
    seed = int(random.integers(1 << 30)) + replicas
    print(f"seed {seed}")
    draw = chance.Random(seed)
    ray.shutdown()  # the one node of the other files
    nodes = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": HEALTH, **SETTINGS})
    try:
        others = [nodes.add_node(num_cpus=1, object_store_memory=SETTINGS["object_store_memory"]) for _ in range(2)]
        ray.init(address=nodes.address, logging_level="error", log_to_driver=False)
        x = clustered(random, 3000)
        index = index_of(x)
        kin.ray.build(x, tmp_path, shards=3)
        with kin.ray.open(tmp_path, replicas=replicas) as session:
            for batch in range(8):
                if batch % 4 == 1:
                    nodes.remove_node(others.pop(draw.randrange(len(others))), allow_graceful=False)
                if batch % 4 == 3:
                    others.append(nodes.add_node(num_cpus=1, object_store_memory=SETTINGS["object_store_memory"]))
                # Answers above about ten thousand bytes are in the object store of the killed node.
                q = x[random.integers(0, len(x), 700)]
                assert_same(session.search(q, 10), index.search(q, 10))
                assert_same(session.search(q[0], 10), index.search(q[0], 10))
            kept = np.flatnonzero(random.random(3000) < 0.5)
            assert_same(session.search(q, 10, filter=kept), index.search(q, 10, filter=kept))
    finally:
        ray.shutdown()
        nodes.shutdown()
