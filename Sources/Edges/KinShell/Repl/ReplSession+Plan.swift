import Kin

/// The commands that tell how searches go.
extension ReplSession {
    func lists() throws(KinError) {
        let report = try file.index.invertedFile(for: "it has no lists").listReport
        let record = ListRecord(report)
        if switches.contains(.json) { return console.print(JSONText.line(record)) }
        var table = TextTable([("", .left), ("", .left)])
        for line in record.lines { table.append(line) }
        console.print(table)
        console.print(SizeHistogram.table(of: report.sizes))
    }

    /// Searches for a target and tells what that took, and why.
    func plan(_ target: Command.Target?, k: Int) throws(KinError) {
        guard let target = target ?? lastTarget ?? file.index.ids.first.map({ .id($0) }) else {
            throw KinError(.invalidArgument, "the index is empty: put vectors in with `upsert`")
        }
        let (query, excluded) = try query(target)
        let own = OwnNeighbor(excluded, k: k, mode: mode, filter: prepared)
        let report = try file.index.explain(query, k: own.wanted, mode: mode, where: own.filter)
        if switches.contains(.json) {
            return console.print(
                JSONText.line(
                    PlanRecord(mode: mode.text, filter: filter.map { "\($0)" }, explain: ExplainRecord(report))))
        }
        var table = TextTable([("", .left), ("", .left)])
        table.append(["query", excluded.map { "vector \($0), k \(k)" } ?? "a vector of your own, k \(k)"])
        table.append(["mode", "\(mode.text): \(reason(k: own.wanted))"])
        table.append(["filter", filter.map { "\($0)" } ?? "none"])
        console.print(table)
        console.print(report)
    }

    /// Why the mode looks at as much as it does.
    private func reason(k: Int) -> String {
        guard let index = file.index as? IVFIndex else { return "a flat index screens every vector" }
        switch mode {
        case .exact: return "a box is passed over only when it cannot hold a neighbour"
        case .probes: return "the nearest lists, whatever they hold"
        case .recall(let recall):
            guard let row = index.measuredRecall(asking: recall, k: k) else {
                return "the index is small, so that every search is exact"
            }
            let found = RecallText.text(row.measured, error: row.standardError)
            return
                "boxes within \(NumberText.threeDigits(row.pruningFactor)) of the radius, which found \(found) when measured"
        }
    }
}

/// The plan of a search, in JSON.
struct PlanRecord: Encodable {
    let mode: String
    let filter: String?
    let explain: ExplainRecord
}
