/// Search results as readable text.
extension Console {
    /// The neighbours of one query as a table.
    ///
    /// - Parameter title: The title of the distances; nil: the metric's title.
    /// - Throws: `.cancelled`. There may be as many neighbours as vectors.
    func print(
        _ neighbors: some Collection<Neighbor>, in file: IndexFile, showing attributes: [String], title: String? = nil
    ) throws(KinError) {
        guard !neighbors.isEmpty else { return print("  nothing") }
        let isProfile = file.space.isProfile
        var table = TextTable(
            [">rank", ">id", title ?? file.index.metric.distanceName] + (isProfile ? ["strongest"] : [])
                + attributes)
        let work = neighbors.count < 1 << 12 ? nil : LongWork(of: neighbors.count)
        for (rank, neighbor) in neighbors.enumerated() {
            var row = [
                NumberText.count(rank + 1), file.index.text(of: neighbor.id), NumberText.short(neighbor.distance),
            ]
            if isProfile { row.append(file.space.strongest(try file.index.vector(for: neighbor.id) ?? [])) }
            table.append(row + file.index.texts(attributes, of: neighbor.id))
            try work?.step()
        }
        print(table)
    }

    /// Prints the counts of one search's work.
    func print(_ report: SearchReport) {
        print("  " + style.strong("how") + "  " + report.plan)
        var rows = [["vectors", NumberText.count(report.rows), ""]]
        if let lists = report.lists {
            rows.append(["lists visited", NumberText.count(lists.visited), "of \(NumberText.count(lists.all))"])
        }
        rows += [
            [
                "blocks screened", NumberText.count(report.blocksScreened),
                "of 64 vectors, \(report.codeBits)-bit codes",
            ],
            ["survivors", NumberText.count(report.survivors), "the codes could not rule out"],
            ["compared exactly", NumberText.count(report.exactDistances), "in double precision"],
            ["memory read", NumberText.bytes(report.bytesRead), "with \(report.simdLevel) instructions"],
        ]
        print(TextTable(["", ">", ""], rows))
    }
}

extension SearchReport {
    /// The counts of a search's work, as JSON.
    var record: Record {
        [
            "rows": rows, "lists": lists?.all, "lists_visited": lists?.visited, "blocks_screened": blocksScreened,
            "survivors": survivors, "exact_distances": exactDistances, "bytes_read": bytesRead, "simd_level": simdLevel,
            "code_bits": codeBits, "plan": plan,
        ]
    }
}

extension Neighbor {
    /// The neighbour in JSON.
    func record(in index: VectorIndex, showing attributes: [String]) -> Record {
        ["id": index.json(of: id), "distance": distance, "attributes": index.attributes(attributes, of: id)]
    }
}

extension VectorIndex {
    /// Some attributes of a vector as texts; empty for a missing value.
    func texts(_ names: [String], of id: VectorID) -> [String] {
        guard !names.isEmpty, let values = attributes.values(for: id) else { return names.map { _ in "" } }
        return names.map { values[$0]?.description ?? "" }
    }

    /// Some attributes of a vector in JSON, without missing values; nil if no names are given.
    func attributes(_ names: [String], of id: VectorID) -> Record? {
        guard !names.isEmpty, let values = attributes.values(for: id) else { return nil }
        return Record(names.compactMap { name in values[name].map { (name, $0) } })
    }
}

extension [VectorID] {
    /// Some of the ids, drawn at random without repetition; all if there are no more than `count`.
    func sample(_ count: Int, seed: UInt64) -> [VectorID] {
        var (ids, random) = (self, SeededGenerator(seed: seed))
        let drawn = Swift.min(count, ids.count)
        for i in 0..<drawn { ids.swapAt(i, i + random.below(ids.count - i)) }
        return Array(ids.prefix(drawn))
    }
}

extension AttributeValue: JSONWritable {
    /// Writes numbers and Booleans as such, times as text, a time range as its two ends, and tags as an array.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let value): writer.integer(value)
        case .number(let value): writer.number(value)
        case .category(let value): writer.string(value)
        case .time(let value): writer.string(value.description)
        case .boolean(let value): writer.boolean(value)
        case .timeRange(let value): writer.array([value.start.description, value.end.description])
        case .tags(let value): writer.array(value.tags)
        }
    }
}
