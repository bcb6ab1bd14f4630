"""All measurements on one set."""

import numpy as np

import ann_report
import contenders
import indexes
import kin_process
import truth
import ways as timing
from served import Served

PARTS = ("exact", "curves", "filters")
RECALLS = ("recall 0.8", "recall 0.9", "recall 0.95", "recall 0.98", "recall 0.99", "recall 0.995", "recall 0.999")
PROBES = tuple(f"probes {n}" for n in (1, 2, 4, 8, 16, 32, 64, 128))
SHARES = (1, 0.5, 0.1, 0.01, 0.001)
EXACT_PEERS = ("FAISS", "ScaNN", "scikit-learn-intelex", "scipy", "pykdtree", "pynear")
# Complete scans and filters with callbacks are too slow for thousands of queries, and vary little between queries.
FEW = 200


class Run:
    """Kin and its peers on one set; `wrong` names Kin's exact searches with a wrong id."""

    filter_recall = 0.99

    def __init__(self, options, data, keys, library):
        self.options, self.data = options, data
        self.vectors, self.queries = np.asarray(data.vectors), data.queries
        self.modes = [(False, options.threads[0]), *((True, threads) for threads in options.threads)]
        self.truth = truth.kept_l2(data, options.checked, options.k)
        self.wrong = []
        self.measured = {}
        threads = max(options.threads)
        self.flat, self.cells = kin_process.process(library), kin_process.process(library)
        self.flat.call("build", str(data.vectors_path), "l2", "flat", threads)
        _, seconds, size = self.cells.call("build", str(data.vectors_path), "l2", "ivf", threads)
        self.builds = [("Kin IVF", seconds, size)]
        self.served = []
        for key in indexes.meant_for(len(self.vectors), keys):
            self.served.append(Served(key, data, threads, options.rebuild))
            self.builds.append((self.served[-1].name, self.served[-1].build_seconds, self.served[-1].bytes))

    def report(self, charts):
        """Measures and returns the Markdown; the charts go into a folder."""
        lines = [f"## {self.data.title}", "", *ann_report.builds(self.builds, len(self.vectors))]
        for part in self.options.parts:
            lines += getattr(self, part)(charts)
        return lines

    def exact(self, charts):
        """Exact search in all libraries: whole scans, trees, and Kin's lists."""
        chosen = self._kin("IVF exact") + kin_process.ways(self.flat, "flat", self.options.k, self.modes)
        peers = contenders.Contenders(EXACT_PEERS, self.data.vectors_path, "l2", self.options.k, self.options.threads)
        chosen += [way for way in peers.ways if (way.batch, way.threads) in self.modes]
        self._measure("exact", chosen, self.truth, FEW)
        peers.close()
        return ann_report.exact(chosen, "IVF exact", self.modes)

    def curves(self, charts):
        """Rates over recall."""
        chosen = self._kin("IVF exact") + self._kin("IVF recall", RECALLS) + self._kin("IVF probes", PROBES)
        for served in self.served:
            chosen += served.ways(self.options.k, self.modes)
        self._measure("curves", chosen, self.truth, len(self.truth))
        image = self._chart(charts, "recall", ann_report.curve_chart(
            f"{self.data.title}: rate at a recall", self._subtitle(), chosen, self.modes))
        return [*ann_report.curves(chosen, self.modes), image, "", *ann_report.asked(chosen)]

    def filters(self, charts):
        """Rates with filters that allow a random share of the vectors."""
        found = {}
        generator = np.random.default_rng(self.options.seed)
        for share in SHARES:
            mask = generator.random(len(self.vectors)) < share
            if mask.sum() >= self.options.k:
                found[share] = self._filtered(share, mask)
        image = self._chart(charts, "filters", ann_report.filter_chart(
            f"{self.data.title}: rate under a filter, recall at least {self.filter_recall:g}", self._subtitle(), found,
            self.filter_recall, self.modes))
        return [*ann_report.filters(found, self.filter_recall, self.modes), image, ""]

    def _filtered(self, share, mask):
        path = self.data.folder / "mask.npy"
        np.save(path, mask)
        allowed = np.flatnonzero(mask)
        nearest = allowed[truth.nearest_l2(self.vectors[mask], self.queries[:FEW], self.options.k)]
        chosen = self._kin("IVF exact") + self._kin("IVF recall", RECALLS[4:])
        filtering = [served for served in self.served if served.can_filter]
        for served in filtering:
            chosen += served.filtered_ways(self.options.k, self.modes)
        # If every vector is allowed, libraries search without a filter.
        allow = None if mask.all() else path
        for worker in (self.cells, *(served.worker for served in filtering)):
            worker.call("allow", allow)
        self._measure(f"filter {100 * share:g} %", chosen, nearest, FEW)
        for worker in (self.cells, *(served.worker for served in filtering)):
            worker.call("allow", None)
        return chosen

    def _kin(self, setting, values=("exact",)):
        return kin_process.ways(self.cells, setting, self.options.k, self.modes, values)

    def _measure(self, name, chosen, nearest, checked):
        o = self.options
        judge = truth.Recall(self.vectors, self.queries, nearest)
        timing.measure(chosen, self.queries, judge, min(checked, len(nearest)), o.seconds, o.rounds)
        self.measured[name] = chosen
        for way in chosen:
            if way.library == "Kin" and way.value == "exact":
                ids, _ = way.search(self.queries[:checked])
                if truth.equal(nearest)(ids) < 1:
                    mode = ann_report.title_of((way.batch, way.threads))
                    self.wrong.append(f"{self.data.title}, {name}: Kin {way.setting}, {mode}")

    def _subtitle(self):
        return f"queries a second, k = {self.options.k}; the upper right is better"

    def _chart(self, folder, name, text):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.data.folder.name}-{name}.svg"
        path.write_text(text, encoding="utf-8")
        return f"![{name}]({folder.name}/{path.name})"

    def close(self):
        for worker in (self.flat, self.cells, *self.served):
            worker.close()
