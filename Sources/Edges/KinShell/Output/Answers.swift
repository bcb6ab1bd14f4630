import Kin

/// Search results for people.
extension Console {
    /// The neighbours of one query as a table.
    func print(_ neighbors: some Collection<Neighbor>, in file: IndexFile) {
        guard !neighbors.isEmpty else { return print("  nothing") }
        let isProfile = file.space.isProfile
        var table = TextTable(
            [("rank", .right), ("id", .right), (file.index.metric.distanceTitle, .left)]
                + (isProfile ? [("strongest", .left)] : [])
        )
        for (rank, neighbor) in neighbors.enumerated() {
            var row = [NumberText.count(rank + 1), "\(neighbor.id)", NumberText.short(neighbor.distance)]
            if isProfile { row.append(file.space.strongest(file.index.vector(for: neighbor.id) ?? [])) }
            table.append(row)
        }
        print(table)
    }

    /// Counts of the work that one search did.
    func print(_ report: SearchReport) {
        print("  " + style.strong("how") + "  " + report.plan)
        var table = TextTable([("", .left), ("", .right), ("", .left)])
        table.append(["vectors", NumberText.count(report.rows), ""])
        if let lists = report.lists {
            table.append(["lists visited", NumberText.count(lists.visited), "of \(NumberText.count(lists.all))"])
        }
        table.append([
            "blocks screened", NumberText.count(report.blocksScreened), "of 64 vectors, \(report.codeBits)-bit codes",
        ])
        table.append(["survivors", NumberText.count(report.survivors), "the codes could not rule out"])
        table.append(["compared exactly", NumberText.count(report.exactDistances), "in double precision"])
        table.append(["memory read", NumberText.bytes(report.bytesRead), "with \(report.simdLevel) instructions"])
        print(table)
    }
}

extension Metric {
    /// The title of a column of distances.
    var distanceTitle: String {
        switch self {
        case .squaredL2: "squared distance"
        case .innerProduct: "-inner product"
        case .cosine: "cosine distance"
        }
    }

    /// The metric in words.
    var inWords: String {
        switch self {
        case .squaredL2: "l2 (squared Euclidean distance)"
        case .innerProduct: "ip (negated inner product)"
        case .cosine: "cosine (1 - cosine of the angle)"
        }
    }
}
