"""k-means of points on several nodes, bit-identical to one machine."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

import ray

from kin import _arrays
from kin._arrays import Doubles, Floats
from kin.errors import DuplicateID, InvalidArgument
from kin.kmeans import KMeans, cluster_count
from kin.ray.build import cpus, remote_in_order
from kin.ray.errors import failures
from kin.ray.generator import SeededGenerator
from kin.ray.points import Points, nearest, sequential_sum
from kin.ray.source import Block, Source, source_of


def kmeans(
    source: Any,
    k: int,
    *,
    shards: int | None = None,
    ids: str | None = None,
    column: str = "vector",
    metric: Literal["l2"] = "l2",
    init: str | ArrayLike = "k-means++",
    restarts: int = 1,
    max_iterations: int = 100,
    tolerance: float = 1e-4,
    seed: int = 0,
    threads: int = 1,
) -> KMeans:
    """Clusters points by squared distances, like ``kin.KMeans(k, swaps=False)`` with the same parameters.

    The result is bit-identical for any number of shards. Points stay on the nodes. Files are read by the nodes; other
    points pass through this process, one piece at a time. An iteration sends only the centroids and the sums of at most
    64 blocks. A few times per run points move to a different node, as they move to a different position on one machine.
    Points are narrowed to float32 without centring, unlike in :class:`kin.KMeans`. For cosine distance and weights of
    points use :class:`kin.KMeans`.

    Parameters
    ----------
    source : array, list of paths, or Ray Dataset
        As for :func:`kin.ray.build`.
    k, init, restarts, max_iterations, tolerance, seed
        As for :class:`kin.KMeans`.
    metric : {"l2"}
        Squared distances. For directions, ``kin.KMeans(k, metric="cosine")`` on one machine.
    shards : int, optional
        The number of actors, at most 64. Default: the number of CPUs of the cluster.
    ids : str, optional
        For a dataset: the column whose ascending order is the order of the points. The points are gathered in that
        order, because rows of a dataset have no order of their own.
    threads : int
        The most threads of an actor.

    Returns
    -------
    kin.KMeans
        Fitted, with all attributes.

    Raises
    ------
    InvalidArgument, NotFinite, Unavailable
    """
    if metric != "l2":
        raise InvalidArgument(
            f"kin.ray.kmeans has the metric 'l2' alone, not {metric!r}; for cosine use kin.KMeans(k, metric='cosine') on one machine"
        )
    k, restarts, seed, threads = _arrays.count(k, "k"), _arrays.count(restarts, "restarts"), _arrays.count(seed, "seed"), _arrays.threads(threads)
    if isinstance(init, str) and init != "k-means++":
        raise InvalidArgument(f"init must be 'k-means++' or an array of centroids, not {init!r}: kin.ray.kmeans has no other start")
    estimator = KMeans(
        k, init=init, swaps=False, restarts=restarts, max_iterations=max_iterations, tolerance=tolerance, seed=seed, threads=threads
    )
    if hasattr(source, "iter_batches"):
        if ids is None:
            raise InvalidArgument("the rows of a dataset have no fixed order: name the column of their ids")
        source = source.sort(ids)
        source.context.execution_options.preserve_order = True
    points = source_of(source, ids, column, {})
    # A run with discarded results reports invalid parameters.
    trial = np.zeros((1, points.dimension), dtype=np.float32)
    start = init if isinstance(init, str) else "k-means++"
    KMeans(min(k, 1), init=start, restarts=restarts, max_iterations=max_iterations, tolerance=tolerance, seed=seed).fit(trial)
    if restarts > 1 and not isinstance(init, str):
        raise InvalidArgument(f"restarts is {restarts}, but every run from given centroids is the same; use 1")
    with failures("k-means", "lost a process or node, and points with it; start again"):
        run = _Run(points, k, _arrays.count(shards, "shards", default=cpus(), least=1), threads)
        try:
            return run.fit(estimator)
        finally:
            run.close()


class _Totals:
    """Sums, sizes and inertia of the clusters, from blocks added in order (ClusterTotals)."""

    def __init__(self, blocks: list[tuple[Doubles, NDArray[np.int64], float]]) -> None:
        self.sums, self.sizes = blocks[0][0].copy(), blocks[0][1].copy()
        for sums, sizes, _ in blocks[1:]:
            self.sums += sums
            self.sizes += sizes
        self.inertia = sequential_sum(np.array([inertia for _, _, inertia in blocks]))

    @property
    def empty(self) -> list[int]:
        return np.flatnonzero(self.sizes == 0).tolist()

    def centroids(self, last: Floats) -> Floats:
        found, filled = last.copy(), self.sizes > 0
        found[filled] = (self.sums[filled] / self.sizes[filled, np.newaxis]).astype(np.float32)
        return found


class _Run:
    """Actors with the points, and the driver's part of Lloyd's iteration (KinClustering's `Lloyd`, step by step)."""

    def __init__(self, source: Source, k: int, shards: int, threads: int) -> None:
        n = source.count()
        self._source, self.n, self.k = source, n, cluster_count(k, n)
        self._blocks = _blocks(n, k, 64)
        self.draws = _blocks(n, 1, 1024)
        shards = min(shards, len(self._blocks))
        own = [self._blocks[len(self._blocks) * s // shards : len(self._blocks) * (s + 1) // shards] for s in range(shards)]
        self._own = own
        self._bounds = [blocks[0][0] for blocks in own] + [n]
        ranges = list(zip(self._bounds, self._bounds[1:]))
        # The actors that have positions of each block of draws.
        self.holders = [[part for part, (first, last) in enumerate(ranges) if start < last and stop > first] for start, stop in self.draws]
        actor = ray.remote(Points).options(num_cpus=0, scheduling_strategy="SPREAD")
        self.actors = [actor.remote(first, last, source.dimension, threads) for first, last in ranges]
        self._load()

    def close(self) -> None:
        for actor in self.actors:
            ray.kill(actor)

    def _load(self) -> None:
        def calls() -> Any:
            first, least = 0, None
            for number, piece in self._source.pieces():
                if number is None and isinstance(piece, Block):
                    steps = np.diff(piece.ids) if least is None else np.diff(piece.ids, prepend=least)
                    if (steps <= 0).any():
                        raise DuplicateID("an id comes twice; the order of points goes by different ids")
                    least = piece.ids[-1:]
                last = first + piece.count
                for actor, start, stop in zip(self.actors, self._bounds, self._bounds[1:]):
                    if first < stop and last > start:
                        yield lambda actor=actor, first=first, piece=piece: actor.load.remote(first, piece)
                first = last

        for _ in remote_in_order(calls(), 2 * len(self.actors)):
            pass

    def fit(self, estimator: KMeans) -> KMeans:
        best: dict[str, Any] | None = None
        for restart in range(estimator.restarts):
            if restart:
                # Points return to their original positions.
                self._all("reset")
                self._load()
            found = self._run(estimator, restart)
            if best is None or found["inertia_"] < best["inertia_"]:
                best = found
        assert best is not None
        estimator.__dict__.update(best)
        return estimator

    def _run(self, estimator: KMeans, restart: int) -> dict[str, Any]:
        n, k, limit = self.n, self.k, estimator.max_iterations
        if isinstance(estimator.init, str):
            centroids = _Sample(self, restart, estimator.seed).centroids()
            totals = _Totals([block for part in self._each("totals", k) for block in part])
        else:
            centroids = np.ascontiguousarray(_arrays.numbers(estimator.init, "init"))
            if centroids.shape != (k, self._source.dimension):
                raise InvalidArgument(f"init must have the shape {(k, self._source.dimension)}, not {centroids.shape}")
            totals, _ = self._assign(centroids)
        iterations, is_converged, since_sort = 0, False, n
        while iterations < limit and not is_converged:
            empty, inertia = totals.empty, totals.inertia
            if empty and self._repair(empty):
                totals = _Totals([block for part in self._each("totals", k) for block in part])
            centroids = totals.centroids(centroids)
            # Lloyd of KinClustering sorts under this condition.
            stride = (self._source.dimension + 7) & ~7
            if since_sort > n // 4 and limit - iterations > 2 and k >= 64 and n >= 1 << 14 and stride <= 64 and n < 1 << 32:
                self._sort()
                since_sort = 0
            totals, changes = self._assign(centroids)
            iterations += 1
            since_sort += changes
            left = len(totals.empty)
            is_repaired = left == 0 or (bool(empty) and left >= len(empty))
            has_settled = inertia - totals.inertia <= estimator.tolerance * inertia
            is_converged = changes == 0 or (has_settled and is_repaired)
        labels = np.empty(n, dtype=np.int64)
        for points, clusters in self._all("labels"):
            labels[points] = clusters
        return {
            "cluster_centers_": centroids,
            "labels_": labels,
            "sizes_": totals.sizes,
            "inertia_": totals.inertia,
            "n_iter_": iterations,
            "converged_": is_converged,
            "n_features_in_": self._source.dimension,
        }

    def _assign(self, centroids: Floats) -> tuple[_Totals, int]:
        answers = self._each("assign", ray.put(centroids))
        return _Totals([block for blocks, _ in answers for block in blocks]), sum(changes for _, changes in answers)

    def _repair(self, empty: Sequence[int]) -> int:
        """Moves the points farthest from their centroids to empty clusters, each from a cluster that keeps a different one."""
        uniform: set[int] = set()
        taken: set[bytes] = set()
        moved: list[int] = []
        size, seen = 8 * len(empty), 0
        while True:
            parts = self._all("worst", size)
            distances, points, positions, labels, rows = (np.concatenate(part) for part in zip(*parts))
            order = np.lexsort((points, -distances))[:size]
            for at in order[seen:]:
                donor = int(labels[at])
                if len(moved) == len(empty) or donor in uniform:
                    continue
                if not any(self._all("has_other", donor, rows[at])):
                    uniform.add(donor)
                    continue
                # Zeros of both signs are equal.
                vector = (rows[at] + np.float32(0)).tobytes()
                if vector in taken:
                    continue
                taken.add(vector)
                self._all("move", int(positions[at]), empty[len(moved)])
                moved.append(int(positions[at]))
            if len(moved) == len(empty) or len(order) < size:
                self._all("settle", moved)
                return len(moved)
            seen, size = len(order), 8 * size

    def _sort(self) -> None:
        """Sorts the positions by cluster, stably: points go to the actor that has their new position."""
        sizes = np.stack(self._all("sizes", self.k))
        starts = (np.cumsum(sizes.T) - sizes.T.ravel()).reshape(sizes.T.shape).T
        count = len(self.actors)
        parts = [
            actor.outgoing.options(num_returns=count).remote(starts[part], self._bounds) for part, actor in enumerate(self.actors)
        ]
        parts = [part if isinstance(part, list) else [part] for part in parts]
        ray.get([actor.incoming.remote(*(part[number] for part in parts)) for number, actor in enumerate(self.actors)])

    def _all(self, method: str, *arguments: Any) -> list[Any]:
        """The answers of all actors."""
        return ray.get([getattr(actor, method).remote(*arguments) for actor in self.actors])  # type: ignore[no-any-return]

    def _each(self, method: str, argument: Any) -> list[Any]:
        """The answers of all actors, each for its own blocks."""
        calls = [getattr(actor, method).remote(argument, own) for actor, own in zip(self.actors, self._own)]
        return ray.get(calls)  # type: ignore[no-any-return]


class _Sample:
    """Points sampled as centroids by k-means++ (SampledCentroids)."""

    def __init__(self, run: _Run, restart: int, seed: int) -> None:
        self._run, self._random = run, SeededGenerator(restart, seed)
        self._picks: list[Floats] = []
        self._assigned = 0
        self._masses = [float(stop - start) for start, stop in run.draws]

    def centroids(self) -> Floats:
        k, limit = self._run.k, max(16, self._run.n // 1024)
        while len(self._picks) < k:
            self._update()
            batch, rejections = min(k, max(1, 2 * len(self._picks))), 0
            while len(self._picks) < batch and rejections < limit:
                if sequential_sum(np.array(self._masses)) <= 0:
                    first = self._picks[0]
                    self._picks += [first] * (k - len(self._picks))
                    break
                row, distance = self._draw()
                if self._accepts(row, distance):
                    self._picks.append(row)
                else:
                    rejections += 1
        self._update()
        return np.stack(self._picks)

    def _accepts(self, row: Floats, distance: float) -> bool:
        if not 0 < self._assigned < len(self._picks):
            return True
        least = min(distance, float(nearest(np.stack(self._picks[self._assigned :]), row[np.newaxis].copy(), 1)[1][0]))
        return self._random.uniform() * distance < least

    def _draw(self) -> tuple[Floats, float]:
        """The row and the distance of a random point. The probability of a point is in proportion to its distance, at first equal."""
        run, rest = self._run, self._random.uniform() * sequential_sum(np.array(self._masses))
        heavy = [block for block, mass in enumerate(self._masses) if mass > 0]
        for block in heavy[:-1]:
            if rest < self._masses[block]:
                break
            rest -= self._masses[block]
        else:
            block = heavy[-1]
        found: tuple[Floats, float] | None = None
        # Parts of a block are processed in order: the remainder after one part is the remainder before the next.
        for part in run.holders[block]:
            rest, row, distance = ray.get(run.actors[part].scan.remote(rest, *run.draws[block], self._assigned == 0))
            found = found if row is None else (row, distance)
            if rest < 0:
                break
        assert found is not None, "the block has a point with a mass"
        return found

    def _update(self) -> None:
        if self._assigned == len(self._picks):
            return
        run = self._run
        rows = ray.put(np.stack(self._picks[self._assigned :]))
        held = [[block for block, holders in enumerate(run.holders) if part in holders] for part in range(len(run.actors))]
        answers = ray.get([
            actor.add_centroids.remote(rows, self._assigned, [run.draws[block] for block in own])
            for actor, own in zip(run.actors, held)
        ])
        shares: dict[int, list[float | Doubles]] = {}
        for own, masses in zip(held, answers):
            for block, mass in zip(own, masses):
                shares.setdefault(block, []).append(mass)
        for block, parts in shares.items():
            self._masses[block] = parts[0] if isinstance(parts[0], float) else sequential_sum(np.concatenate(parts))
        self._assigned = len(self._picks)


def _blocks(n: int, clusters: int, most: int) -> list[tuple[int, int]]:
    """Positions in at most `most` blocks with KinClustering's sizes (PointBlocks), since sums depend on the blocks."""
    rows = max(4096, 16 * clusters, -(-n // most))
    return [(first, min(first + rows, n)) for first in range(0, n, rows)]
