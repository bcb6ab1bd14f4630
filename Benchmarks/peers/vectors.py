"""The arrays that every library gets: seeded, float32, row-major."""

import numpy as np

DISTRIBUTIONS = ("uniform", "clustered")
CLUSTERS = 2_000


def draw(distribution, rows, dimension, seed, stream):
    """`rows` vectors; another stream of the same seed gives other vectors of the same distribution.

    uniform: every coordinate in [0, 1). clustered: 2,000 Gaussians with centres uniform in the unit cube, a spread of
    its own for every centre and dimension, and sizes that fall as a power of the rank.
    """
    generator = np.random.default_rng([seed, stream])
    if distribution == "uniform":
        return generator.random((rows, dimension), dtype=np.float32)
    mixture = np.random.default_rng([seed, 1_000_000])
    centers = mixture.random((CLUSTERS, dimension), dtype=np.float32)
    spreads = mixture.uniform(0.01, 0.08, (CLUSTERS, dimension)).astype(np.float32)
    sizes = np.arange(1, CLUSTERS + 1) ** -0.7
    member = generator.choice(CLUSTERS, rows, p=sizes / sizes.sum())
    noise = generator.standard_normal((rows, dimension), dtype=np.float32)
    return np.ascontiguousarray(centers[member] + spreads[member] * noise)
