import Kin

/// The command that draws.
extension ReplSession {
    /// Draws the index with the neighbours of what was last searched for.
    func plot(to path: String) throws {
        var target: (vector: [Float], name: String)?
        var found: [Neighbor] = []
        if let lastTarget {
            let (query, excluded) = try query(lastTarget)
            let own = OwnNeighbor(excluded, k: k, mode: mode, filter: filter(nil, nil))
            found = own.others(
                try file.index.search(query, k: own.wanted, mode: mode, where: own.filter, threads: threads))
            target = (query, excluded.map { "\($0)" } ?? "the wish")
        }
        let title = "\(NumberText.count(file.index.count, "vector")) of \(self.path)"
        try NeighborhoodPlot(file.index, title: title, target: target, found: found).drawing.write(to: path)
        say("drawn: \(path)" + (target == nil ? "; search for something first to see its neighbours" : ""))
    }
}
