"""The actors of a session: starting them, calling them, and replacing lost ones."""

import hashlib
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ray
from ray import exceptions as lost

from kin.ray.errors import TimedOut, Unavailable, failures
from kin.ray.folder import Folder
from kin.ray.manifest import Manifest
from kin.ray.shard import Shard

NAMESPACE = "kin"
"""Ray's namespace for the names of actors."""

Call = tuple[int, str, tuple[Any, ...]]
"""Shard, method and arguments."""

Waiting = dict[Any, tuple[int, Any]]
"""The number of each call and its actor, by the reference to the answer."""

# The interval in which a thread that waits for actors checks whether its search is over, in seconds.
_LOOK = 0.2
# The time for which a lost replica is called only if there is no other, and the pause before a repeated call, in
# seconds.
_DOWN, _PAUSE = 5.0, 0.05
_OWN = ("_lock", "_busy", "_lost")


def pin(folder: Folder, version: int | str) -> str:
    """The prefix of the names of actors that hold a version of a folder."""
    return f"{hashlib.sha256(folder.path.encode()).hexdigest()[:16]}:{version}:"


class Actors:
    """The actors that hold the shards of one version, `replicas` for each shard.

    Ray itself restarts an actor whose process or node is lost, on a different node if necessary. This class adds the
    rest. A lost call goes to a different replica at once, or to the same actor until it is back; a search only reads,
    so it may be repeated. Calls have a time limit. If there is no restart, the error has the reason. An actor that was
    killed permanently is replaced.
    """

    def __init__(self, folder: Folder, manifest: Manifest, replicas: int, threads: int, *, num_cpus: float, verify: bool) -> None:
        self.replicas = replicas
        self._folder, self._manifest = folder, manifest
        self._threads, self._num_cpus, self._verify = threads, num_cpus, verify
        self._name = pin(folder, manifest.version) + uuid.uuid4().hex[:12]
        self._started = 0
        self._is_owner = True
        self._handles: dict[int, list[Any]] = {}
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        # The calls in progress, and the time when a replica was last lost, by shard and replica.
        self._busy = {shard: [0] * self.replicas for shard in self._handles}
        self._lost = {shard: [-_DOWN] * self.replicas for shard in self._handles}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _OWN} | {"_is_owner": False}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def start(self, shards: Sequence[int], until: float) -> None:
        """Starts the actors of some shards and waits until each has opened its file."""
        for shard in shards:
            self._handles[shard] = [self._start_actor(shard) for _ in range(self.replicas)]
        self._begin()
        replicas = [(shard, replica) for shard in shards for replica in range(self.replicas)]
        self._gather([(shard, "load", ()) for shard, _ in replicas], [replica for _, replica in replicas], until, threading.Event())

    def close(self) -> None:
        """Ends the actors; does nothing in a copy."""
        with self._lock:
            handles, self._handles = self._handles, {}
        if self._is_owner and ray.is_initialized():
            for handle in (handle for replicas in handles.values() for handle in replicas):
                ray.kill(handle)

    def ask(self, calls: Sequence[Call], until: float, is_over: threading.Event) -> list[Any]:
        """The answers of all calls, or an error. A call without an answer by the deadline is cancelled."""
        return self._gather(calls, [self._least_busy(shard) for shard, _, _ in calls], until, is_over)

    def _gather(self, calls: Sequence[Call], replicas: list[int], until: float, is_over: threading.Event) -> list[Any]:
        answers: list[Any] = [None] * len(calls)
        waiting: Waiting = {}
        with self._occupied(calls, replicas, waiting):
            for number, call in enumerate(calls):
                self._send(number, call, replicas[number], waiting)
            while waiting:
                for reference in _ready(waiting, until):
                    number, handle = waiting.pop(reference)
                    answers[number], failure = _receive(reference, until)
                    if failure is not None:
                        replicas[number] = self._next_replica(calls[number][0], replicas[number], handle, failure)
                        self._send(number, calls[number], replicas[number], waiting)
                if is_over.is_set():
                    raise Unavailable("the search was given up")
                if waiting and time.monotonic() >= until:
                    shards = sorted({calls[number][0] for number, _ in waiting.values()})
                    raise TimedOut(f"no answer in time from {self._described(shards)}; {_free_resources()}")
        return answers

    @contextmanager
    def _occupied(self, calls: Sequence[Call], replicas: list[int], waiting: Waiting) -> Iterator[None]:
        """Counts calls as work of their replicas until the block ends, and then cancels calls that still wait."""
        for (shard, _, _), replica in zip(calls, replicas):
            self._count(shard, replica, 1)
        try:
            yield
        finally:
            for (shard, _, _), replica in zip(calls, replicas):
                self._count(shard, replica, -1)
            for reference in waiting:
                ray.cancel(reference)

    def _send(self, number: int, call: Call, replica: int, waiting: Waiting) -> None:
        shard, method, arguments = call
        with self._lock:
            handles = self._handles.get(shard)
        if handles is None:
            raise Unavailable("the session is closed; open another one")
        waiting[getattr(handles[replica], method).remote(*arguments)] = number, handles[replica]

    def _next_replica(self, shard: int, replica: int, handle: Any, failure: Exception) -> int:
        """The replica to retry with; raises errors that a retry cannot fix."""
        where = self._described([shard])
        if isinstance(failure, (lost.RayTaskError, lost.TaskCancelledError, lost.RuntimeEnvSetupError, lost.OutOfDiskError)):
            with failures(where, "has no answer"):
                raise failure
        if isinstance(failure, lost.ActorDiedError):
            if failure.actor_init_failed:
                raise Unavailable(f"{where} cannot be started: {failure}") from failure
            with self._lock:
                handles = self._handles.get(shard)
                if not self._is_owner or handles is None:
                    raise Unavailable(f"{where} has ended, and with it the session: {failure}") from failure
                if handles[replica] is handle:
                    handles[replica] = self._start_actor(shard)
        self._count(shard, replica, -1)
        self._lost[shard][replica] = time.monotonic()
        other = self._least_busy(shard)
        self._count(shard, other, 1)
        if other == replica:
            time.sleep(_PAUSE)
        return other

    def _start_actor(self, shard: int) -> Any:
        self._started += 1
        actor = ray.remote(Shard).options(
            name=f"{self._name}:{shard}:{self._started}",
            namespace=NAMESPACE,
            num_cpus=self._num_cpus,
            max_restarts=-1,
            max_task_retries=0,
            scheduling_strategy="SPREAD",
        )
        return actor.remote(self._folder, self._manifest.shards[shard], self._threads, self._verify)

    def _least_busy(self, shard: int) -> int:
        """The replica with the fewest calls, among those not lost recently, or among all if there are none."""
        since = time.monotonic() - _DOWN
        with self._lock:
            lost_at, busy = self._lost.get(shard, [0.0]), self._busy.get(shard, [0])
            return min(range(len(busy)), key=lambda replica: (max(lost_at[replica] - since, 0), busy[replica]))

    def _count(self, shard: int, replica: int, change: int) -> None:
        with self._lock:
            if shard in self._busy:
                self._busy[shard][replica] += change

    def _described(self, shards: Sequence[int]) -> str:
        names = ", ".join(str(shard) for shard in shards)
        return f"shard{'s' * (len(shards) > 1)} {names} of version {self._manifest.version} of {self._folder.path}"


def _ready(waiting: Waiting, until: float) -> list[Any]:
    """The references to finished answers, after a short wait if there are none."""
    ready, _ = ray.wait(list(waiting), timeout=min(max(0.0, until - time.monotonic()), _LOOK))
    return list(ready)


def _receive(reference: Any, until: float) -> tuple[Any, lost.RayError | None]:
    """The answer of a call, or the failure."""
    try:
        return ray.get(reference, timeout=max(_PAUSE, until - time.monotonic())), None
    except lost.RayError as failure:
        return None, failure


def _free_resources() -> str:
    """The resources of the cluster, for the text of an error."""
    nodes = sum(node["Alive"] for node in ray.nodes())
    return f"the cluster has {nodes} node{'s' * (nodes != 1)} and {ray.available_resources().get('CPU', 0):g} CPUs free"
