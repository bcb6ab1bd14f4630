import Kin

/// The commands that ask.
extension ReplSession {
    /// The filter of a search: the list of ids, its own condition and the one that was set, all of them; nil for none.
    func filter(_ among: IDList?, _ condition: FilterExpression?) -> SearchFilter? {
        if among == nil && condition == nil { return prepared }
        let conditions = [filter, condition].compactMap { $0 }
        return SearchFilter(
            among: among, where: conditions.isEmpty ? nil : conditions.dropFirst().reduce(conditions[0], &&))
    }

    func near(_ target: Command.Target, k: Int, where filter: SearchFilter?) throws(KinError) {
        let (query, excluded) = try query(target)
        lastTarget = target
        let own = OwnNeighbor(excluded, k: k, mode: mode, filter: filter)
        var report: SearchReport?
        let clock = ContinuousClock()
        let start = clock.now
        let found = try file.index.search(query, k: own.wanted, mode: mode, where: own.filter, threads: threads)
        let time = clock.now - start
        if switches.contains(.explain) {
            report = try file.index.explain(query, k: own.wanted, mode: mode, where: own.filter)
        }
        show(own.others(found), time: time, report: report)
    }

    func within(_ radius: Double, of target: Command.Target, where filter: SearchFilter?) throws(KinError) {
        let (query, excluded) = try query(target)
        lastTarget = target
        let clock = ContinuousClock()
        let start = clock.now
        let found = try file.index.rangeSearch(query, radius: radius, where: filter ?? .all, threads: threads)
        let time = clock.now - start
        let neighbors = found.filter { $0.id != excluded }
        show(neighbors, time: time, report: nil)
        if !neighbors.isEmpty {
            say("\(NumberText.count(neighbors.count, "vector")) within \(NumberText.short(radius))")
        }
    }

    func get(_ id: VectorID) throws(KinError) {
        guard let stored = file.index.vector(for: id) else { throw unknown(id) }
        let raw = file.space.raw(stored)
        if switches.contains(.json) {
            let names = file.space.names.isEmpty ? nil : file.space.names
            let attributes = file.index.attributes.values(for: id).flatMap { $0.isEmpty ? nil : $0 }
            let record = VectorRecord(
                id: id.rawValue, names: names, vector: raw,
                attributes: attributes?.mapValues(AttributeRecord.Value.init))
            return console.print(JSONText.line(record))
        }
        defer { showAttributes(of: id) }
        guard !file.space.names.isEmpty else {
            return console.print("  [" + raw.map(NumberText.short).joined(separator: ", ") + "]")
        }
        var table = TextTable([("", .left), ("", .left)] + (file.space.scaling == nil ? [] : [("", .left)]))
        for (column, value) in raw.enumerated() {
            let scaled = file.space.scaling == nil ? [] : ["stored as \(NumberText.short(Double(stored[column])))"]
            table.append([file.space.names[column], NumberText.short(value)] + scaled)
        }
        console.print(table)
    }

    private func showAttributes(of id: VectorID) {
        let attributes = file.index.attributes
        for attribute in attributes.schema.attributes {
            if let value = attributes.values(for: id)?[attribute.name] {
                console.print("  \(attribute.name): \(value)")
            }
        }
    }

    func query(_ target: Command.Target) throws(KinError) -> (vector: [Float], excluded: VectorID?) {
        switch target {
        case .vector(let text): return (file.space.stored(text), nil)
        case .id(let id):
            guard let vector = file.index.vector(for: id) else { throw unknown(id) }
            return (vector, id)
        }
    }

    private func unknown(_ id: VectorID) -> KinError {
        let range = file.index.ids.min().flatMap { least in
            file.index.ids.max().map { "; ids here run from \(least) to \($0)" }
        }
        return KinError(.unknownID, "there is no vector with id \(id)\(range ?? "")")
    }

    private func show(_ neighbors: [Neighbor], time: Duration, report: SearchReport?) {
        let isTimed = switches.contains(.timing)
        guard !switches.contains(.json) else {
            let answer = AnswerRecord(
                neighbors: neighbors.map(NeighborRecord.init),
                explain: report.map(ExplainRecord.init),
                seconds: isTimed ? time.seconds : nil
            )
            return console.print(JSONText.line(answer))
        }
        console.print(neighbors, in: file)
        if let report { console.print(report) }
        if isTimed { console.print("  " + console.style.faint("\(NumberText.duration(time))")) }
    }
}

/// One vector in JSON.
struct VectorRecord: Encodable {
    let id: UInt64
    let names: [String]?
    let vector: [Double]
    let attributes: [String: AttributeRecord.Value]?
}
