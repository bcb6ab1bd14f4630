/// The commands that search.
extension ReplSession {
    /// The filter of a search: the conjunction of the list of ids, the search's condition and the condition that was
    /// set; nil if there is none. Notes categories that no vector has.
    func filter(_ among: IDList?, _ condition: FilterExpression?) -> SearchFilter? {
        if let condition { file.noteUnknownCategories(in: condition, on: console) }
        if among == nil && condition == nil { return prepared }
        let conditions = [filter, condition].compactMap { $0 }
        return SearchFilter(
            among: among, where: conditions.isEmpty ? nil : conditions.dropFirst().reduce(conditions[0], &&))
    }

    /// Shows the nearest vectors; for a vector in some dimensions, the nearest in these dimensions.
    ///
    /// - Parameter among: The name of the parameter that has the ids to search among.
    func near(_ target: Target, _ request: MethodRequest, among: String) throws {
        let wanted = try filter(request.ids(among, in: file.index), request.condition)
        let attributes = try request.shownAttributes(of: file.index)
        let projection = try projection(of: target, request.compared)
        let (query, id) = if let projection { (projection.query, VectorID?.none) } else { try query(target) }
        // In a search by groups, the nearest of the others represents the target's own group.
        let (filter, excluded) =
            !request.isGiven("group_by") ? (wanted, id) : (id.map { (wanted ?? .all) && !.ids([$0]) } ?? wanted, nil)
        let index = projection?.index ?? file.index
        lastTarget = target
        let mode = projection == nil ? mode : .exact
        let own = OwnNeighbor(excluded, k: request.optionalInt("k") ?? k, mode: mode, filter: filter)
        let options = request.searchOptions(mode, where: own.filter, threads: threads)
        let start = ContinuousClock.now
        let found = try index.search(query, k: own.wanted, options: options)
        let time = ContinuousClock.now - start
        let report = switches.contains(.explain) ? try index.explain(query, k: own.wanted, options: options) : nil
        lastFound = (own.others(found), projection == nil ? (query, id.map(file.index.text(of:)) ?? "the query") : nil)
        try show(own.others(found), attributes, time: time, report: report)
    }

    /// Shows the vectors within a radius, as ``near(_:_:among:)`` does.
    func within(_ radius: Double, of target: Target, _ request: MethodRequest, among: String) throws {
        let filter = try filter(request.ids(among, in: file.index), request.condition)
        let attributes = try request.shownAttributes(of: file.index)
        let projection = try projection(of: target, request.compared)
        let (query, excluded) = if let projection { (projection.query, VectorID?.none) } else { try query(target) }
        lastTarget = target
        let start = ContinuousClock.now
        let found = try (projection?.index ?? file.index).rangeSearch(
            query, radius: radius, where: filter ?? .all, threads: threads)
        let time = ContinuousClock.now - start
        let neighbors = found.filter { $0.id != excluded }
        lastFound = (neighbors, projection == nil ? (query, excluded.map(file.index.text(of:)) ?? "the query") : nil)
        try show(neighbors, attributes, time: time, report: nil)
        if !neighbors.isEmpty {
            say("\(neighbors.count, "vector") within \(NumberText.short(radius))")
        }
    }

    /// The index and the query in the dimensions that a target names; nil for a target by id or with all dimensions.
    private func projection(
        of target: Target, _ compared: ComparedDimensions
    ) throws(KinError) -> (index: VectorIndex, query: [Float])? {
        guard compared == .named, case .vector(let text) = target, case .named(let values) = text,
            values.count < file.index.dimension
        else { return nil }
        let stored = try file.space.stored(text, field: "target")
        let columns = try file.space.columns(of: values.keys.sorted(), field: "target")
        console.note(
            "compared in \(columns.count) of \(file.index.dimension) dimensions; compare all takes the others as 0 or their mean"
        )
        return (try file.index.projected(to: columns, threads: threads), columns.map { stored[$0] })
    }

    func get(_ id: VectorID) throws(KinError) {
        guard let stored = try file.index.vector(for: id) else { throw unknown(id) }
        let raw = file.space.raw(stored)
        let names = file.space.names
        let values = file.index.attributes.values(for: id) ?? [:]
        let record: Record = [
            "id": file.index.json(of: id), "names": names.isEmpty ? nil : names, "vector": raw,
            "attributes": values.isEmpty ? nil : Record(values),
        ]
        print(record) {
            if names.isEmpty {
                console.print("  [" + raw.map(NumberText.short).joined(separator: ", ") + "]")
            } else {
                let scaling = file.space.scaling
                console.print(scaling == nil ? ["", ""] : ["", "", ""], of: raw.indices) { column in
                    [names[column], NumberText.short(raw[column])]
                        + (scaling == nil ? [] : ["stored as \(NumberText.short(Double(stored[column])))"])
                }
            }
            for attribute in file.index.attributes.schema.attributes {
                if let value = values[attribute.name] { console.print("  \(attribute.name): \(value)") }
            }
        }
    }

    /// Shows some of the vectors that the filters allow, with the attributes in `show` or all.
    func list(_ request: MethodRequest, _ choose: (_ ids: [VectorID], _ count: Int) -> [VectorID]) throws {
        let index = file.index
        let given = try request.shownAttributes(of: index)
        let attributes = given.isEmpty ? index.attributes.schema.attributes.map(\.name) : given
        let allowed = try index.ids(where: filter(nil, request.condition) ?? .all)
        let vectors = try choose(allowed, request.int("count")).map { id in
            (id, try file.space.raw(index.vector(for: id) ?? []))
        }
        print([
            "vectors": vectors.map { id, vector -> Record in
                ["id": index.json(of: id), "attributes": index.attributes(attributes, of: id), "vector": vector]
            }
        ]) {
            guard !vectors.isEmpty else { return console.print("  nothing") }
            console.print(
                TextTable([">id"] + attributes + ["vector"], of: vectors) { id, vector in
                    let numbers = vector.prefix(4).map(NumberText.short).joined(separator: ", ")
                    return [index.text(of: id)] + index.texts(attributes, of: id)
                        + ["[\(numbers)\(vector.count > 4 ? ", …" : "")]"]
                })
        }
    }

    func query(_ target: Target) throws(KinError) -> (vector: [Float], excluded: VectorID?) {
        switch target {
        case .vector(let text): return (try file.space.stored(text, field: "target"), nil)
        case .id(let id):
            guard let vector = try file.index.vector(for: id) else { throw unknown(id) }
            return (vector, id)
        }
    }

    private func unknown(_ id: VectorID) -> KinError {
        let range = file.index.ids.min().flatMap { least in
            file.index.ids.max().map { "; ids here run from \(least) to \($0)" }
        }
        return KinError(.unknownID, "there is no vector with id \(id)\(range ?? "")")
    }

    func show(
        _ neighbors: [Neighbor], _ attributes: [String], time: Duration, report: SearchReport?, title: String? = nil
    ) throws(KinError) {
        let isTimed = switches.contains(.timing)
        try print([
            "neighbors": neighbors.map { $0.record(in: file.index, showing: attributes) }, "explain": report?.record,
            "seconds": isTimed ? time.seconds : nil,
        ]) { () throws(KinError) in
            try console.print(neighbors, in: file, showing: attributes, title: title)
            if let report { console.print(report) }
            if isTimed { console.print("  " + console.style.faint("\(NumberText.duration(time))")) }
        }
    }

    // MARK: - The work of searches

    func lists() throws(KinError) {
        try file.index.requireLists(for: "it has no lists")
        guard let report = file.index.listReport else { return }
        print(report.record) {
            console.print(TextTable(["", ""], report.lines))
            console.print(SizeHistogram.table(of: report.sizes))
        }
    }

    /// Searches for a target and reports the plan, the work and the reason.
    func plan(_ target: Target?, k given: Int?) throws(KinError) {
        guard let target = target ?? lastTarget ?? file.index.ids.first.map({ .id($0) }) else {
            throw KinError(.invalidArgument, "the index is empty: put vectors in with `upsert`")
        }
        let k = given ?? self.k
        let (query, excluded) = try query(target)
        let own = OwnNeighbor(excluded, k: k, mode: mode, filter: prepared)
        let report = try file.index.explain(query, k: own.wanted, options: .init(mode: mode, where: own.filter))
        print(["mode": mode.text, "filter": filter.map { "\($0)" }, "explain": report.record]) {
            console.print(
                TextTable(facts: [
                    "query": excluded.map { "vector \(file.index.text(of: $0)), k \(k)" }
                        ?? "a vector of your own, k \(k)",
                    "mode": "\(mode.text): \(reason(k: own.wanted))", "filter": filter.map { "\($0)" } ?? "none",
                ]))
            console.print(report)
        }
    }

    /// The reason for the amount of data that the mode reads.
    private func reason(k: Int) -> String {
        guard !file.index.layout.isFlat else { return "a flat index screens every vector" }
        switch mode {
        case .exact: return "a box is skipped only if it cannot hold a neighbour"
        case .probes: return "the nearest lists, whatever they hold"
        case .recall(let recall):
            guard let row = file.index.measuredRecall(asking: recall, k: k) else {
                return "the index is small, so that every search is exact"
            }
            let found = RecallText.text(row.measured, error: row.standardError)
            let factor = NumberText.threeDigits(row.pruningFactor)
            return "boxes within \(factor) of the radius, which found \(found) when measured"
        }
    }
}
