"""Predicts the gain from more machines, with a model of the costs that measure.py has measured. The model is checked
against measurements that it was not fitted to.

    python Benchmarks/scale-out/model.py measured.json

A batch of b queries to S shards on machines of c cores each takes

    T = trip(S) b ∕ 10,000 + b (shard(rows) + (S − 1) within(rows)) ∕ cores.

- trip(S) is the transfer of 10,000 queries to S shards and back, with merging: a line through the measurements with 1,
  2 and 4 nearly empty shards.
- shard(rows) is the cost per thread of a batch query in its first shard.
- within(rows) is the cost in each further shard, whose search is limited by the k-th distance of the first.

The last two are power laws between the measured sizes and beyond the last one. Every query goes to every shard, as in a
hash partition; a range partition sends a query to fewer shards. Batches overlap, so throughput is limited by the driver (bounds and
merge per query and shard) or by the cores, whichever is slower. More drivers (replicas of a service) divide the
driver's part. The model is fitted to single shards and to empty ones; batches over shards of a million vectors are held
out.
"""

import json
import sys

import numpy as np

CORES, DRIVERS, BATCH = 16, 8, 10_000


class Model:
    """The costs, by kind of data."""

    def __init__(self, measured, data):
        costs = measured["costs"]
        self.shards = [facts for facts in costs["shard"] if facts["data"] == data]
        trips = {facts["shards"]: facts["p50"] for facts in costs["calls"]}
        self.each = max(trips[2] - trips[1], 0)
        self.fixed = trips[1] - self.each
        # The fixed part and the part per shard, by least squares.
        self.trip = np.polynomial.Polynomial.fit([t["shards"] for t in costs["trips"]], [t["seconds"] for t in costs["trips"]], 1)
        self.p99_over_p50 = np.median([facts["p99"] / facts["p50"] for facts in costs["calls"]])
        # For many shards, with the highest cost.
        self.merge = costs["merge"][-1]["seconds_a_query"] / costs["merge"][-1]["shards"]
        self.bounds = costs["bounds"][-1]["seconds_a_query"] / costs["bounds"][-1]["shards"]
        self.bytes_a_row = self.shards[-1]["bytes"] / self.shards[-1]["rows"]

    def shard(self, rows, cost="seconds_a_query_10000"):
        """Seconds of a thread for a query to this number of rows, by the power law through the neighbouring sizes."""
        sizes = np.log([facts["rows"] for facts in self.shards])
        seconds = np.log([facts[cost] for facts in self.shards])
        at = int(np.clip(np.searchsorted(sizes, np.log(rows)) - 1, 0, len(sizes) - 2))
        slope = (seconds[at + 1] - seconds[at]) / (sizes[at + 1] - sizes[at])
        return float(np.exp(seconds[at] + slope * (np.log(rows) - sizes[at])))

    def query(self, rows, shards, cost="seconds_a_query_10000"):
        """Thread seconds of a batch query in all shards: its first shard, and the other shards within the radius from
        the first."""
        first = self.shard(rows / shards, cost)
        return first + (shards - 1) * min(first, self.shard(rows / shards, "seconds_a_query_within"))

    def batch(self, rows, shards, cores, queries=BATCH):
        """Seconds of one batch from beginning to end."""
        return float(self.trip(shards)) * queries / BATCH + queries * self.query(rows, shards) / min(cores, shards)

    def plan(self, rows, machines, cost="seconds_a_query_10000"):
        """Throughput, latency and memory with one shard per machine, whose actor uses all cores for a batch and one for
        a single query."""
        by_cores = CORES * machines / self.query(rows, machines, cost)
        by_drivers = DRIVERS / (machines * (self.bounds + self.merge))
        # Each shard is as late as a call of this machine was, independently; the slowest decides.
        random, late = np.random.default_rng(1), np.log(self.p99_over_p50) / 2.326
        one = self.shard(rows / machines, "seconds_a_query_1" if cost.endswith("10000") else cost)
        slowest = np.exp(late * random.normal(size=(4000, machines)).max(axis=1))
        latency = self.each * machines + (self.fixed + one) * slowest
        return {
            "machines": machines,
            "throughput": min(by_cores, by_drivers),
            "bound": "cores" if by_cores < by_drivers else "drivers",
            "p50": float(np.percentile(latency, 50)),
            "p99": float(np.percentile(latency, 99)),
            "gib": rows * self.bytes_a_row / 2**30 / machines,
        }


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("| " + " | ".join("---" if i == 0 else "---:" for i in range(len(header))) + " |")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def main():
    measured = json.loads(open(sys.argv[1]).read())
    print("Held out from the fit: a batch of 10,000 queries on a million vectors in a hash partition, predicted and measured on 2 cores:\n")
    rows = []
    for facts in measured["batches"]:
        if facts["partition"] == "hash" and facts["shards"] > 1:
            predicted = Model(measured, facts["data"]).batch(1_000_000, facts["shards"], 2)
            error = predicted / facts["together"] - 1
            rows.append([facts["data"], facts["shards"], f"{1e3 * predicted:.0f} ms", f"{1e3 * facts['together']:.0f} ms", f"{error:+.0%}"])
    table(["data", "shards", "predicted", "measured", "error"], rows)
    print(f"Machines of {CORES} cores, with one shard each, and {DRIVERS} drivers. \"Opened again\" is the time to check a lost machine's shard on a")
    print("different machine, after Ray has noticed the loss:\n")
    rows = []
    for vectors, machines in ((10**9, (4, 16, 64)), (10**10, (16, 64, 256))):
        for data in ("clustered", "uniform"):
            for cost, name in (("seconds_a_query_10000", "exact"), ("seconds_a_query_at_0.95", ".95")):
                for count in machines:
                    plan = Model(measured, data).plan(vectors, count, cost)
                    reload = plan["gib"] * 2**30 / measured["jobs"]["checksum_bytes_a_second"]
                    rows.append(
                        [f"{vectors:.0e}".replace("e+", "e"), data, name, count, f"{plan['throughput']:,.0f}", plan["bound"],
                         f"{1e3 * plan['p50']:.0f} / {1e3 * plan['p99']:.0f} ms", f"{plan['gib']:.0f}", f"{reload:.0f} s"]
                    )  # fmt: skip
    table(["vectors", "data", "recall", "machines", "queries a second", "limited by", "p50 / p99", "GiB each", "opened again"], rows)
    jobs = measured["jobs"]
    sizes = np.log([facts["souls"] for facts in jobs["souls"]])
    slope, offset = np.polyfit(sizes, np.log([facts["seconds_a_soul"] for facts in jobs["souls"]]), 1)
    each = np.exp(offset + slope * np.log(1e8))
    rows = [[f"{m}", f"{1e8 * each / (m * CORES) / 3600:,.1f} h", f"{1e7 * jobs['seconds_a_log'] / (m * CORES) / 60:.1f} min"] for m in (4, 16, 64)]
    print(f"The time per soul grows as the number of souls to the power {slope:.2f}. A log of {jobs['log_events']} events takes {1e3 * jobs['seconds_a_log']:.1f} ms.\n")
    table(["machines", "ten most similar of each of 100 million souls", "forecasts of 10 million logs"], rows)


if __name__ == "__main__":
    main()
