extension AttributeTable {
    /// Inserts rows for new ids and replaces values in existing rows.
    ///
    /// - Parameters:
    ///   - columns: The values by attribute name: one for each id, nil for a missing value. Other attributes keep their
    ///     values in existing rows, and are missing in new ones.
    ///   - ids: Different ids, not `VectorID.none`.
    /// - Throws: `.invalidArgument` (an unknown name, a wrong kind or a wrong number of values), `.duplicateID`,
    ///   `.notFinite` or `.capacityExceeded`, with the attribute and the row; the table is unchanged then.
    /// - Complexity: O(values), or O(n log n) for ids out of order.
    public mutating func upsert(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError) {
        try check(columns, rows: ids.count)
        try ids.requireDistinct()
        guard count + ids.count <= RowStore.largestCount else {
            throw KinError(.capacityExceeded, "a table holds at most \(RowStore.largestCount) rows")
        }
        addRows(ids)
        write(columns, ids: ids)
    }

    /// Sets one attribute of an existing row; nil makes the value missing.
    ///
    /// - Throws: `.unknownID` if no row has the id; otherwise as ``upsert(_:ids:)``.
    public mutating func set(_ name: String, to value: AttributeValue?, for id: VectorID) throws(KinError) {
        let kind = schema.attributes[try index(of: name)].kind
        let column = AttributeColumn(value?.kind ?? kind, [value])
        try check([name: column], rows: 1)
        guard contains(id) else { throw KinError(.unknownID, "there is no row with id \(id)") }
        write([name: column], ids: [id])
    }

    /// Removes a row and zeroes its values.
    ///
    /// An unused category stays in the dictionary until ``compact()``; files never include it.
    ///
    /// - Returns: Whether the table had a row with this id.
    /// - Complexity: O(attributes + log n).
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool {
        guard let slot = map.slot(of: id, in: store) else { return false }
        update { store, map, _ in
            let moved = store.remove(slot)
            map.remove(id)
            if let moved { map.put(moved, in: slot) }
        }
        return true
    }

    /// Drops unused categories, frees memory reserved for growth and sorts the id table.
    ///
    /// - Complexity: O(n log n).
    public mutating func compact() {
        let dictionaries = compactedDictionaries
        update { store, map, current in
            store.trim()
            map.rebuild(from: store)
            for (column, dictionary) in dictionaries.enumerated() {
                guard let (dictionary, codes) = dictionary else { continue }
                if !codes.enumerated().allSatisfy({ $0 == Int($1) }) { store.renumber(column, codes) }
                current[column] = dictionary
            }
        }
    }

    /// The dictionary of each category column, reduced to the strings in use and sorted, with the new code for each old
    /// one.
    var compactedDictionaries: [(dictionary: CategoryDictionary, codes: [UInt32])?] {
        store.layout.columns.indices.map { column in
            guard store.layout.columns[column] == .code else { return nil }
            var isUsed = [Bool](repeating: false, count: dictionaries[column].count + 1)
            for chunk in store.chunks {
                let codes = unsafe chunk.codes(column)
                for row in 0..<chunk.count {
                    let code = unsafe Int(codes[row])
                    if code < isUsed.count { isUsed[code] = true }
                }
            }
            return dictionaries[column].compacted(keeping: isUsed)
        }
    }
}

// MARK: - Parts, which an index calls one by one

extension AttributeTable {
    /// Checks values against the schema.
    func check(_ columns: [String: AttributeColumn], rows: Int) throws(KinError) {
        for name in columns.keys.sorted() {
            guard let column = columns[name] else { continue }
            do throws(KinError) {
                let index = try index(of: name)
                let kind = schema.attributes[index].kind
                guard column.kind == kind else {
                    throw KinError(
                        .invalidArgument, "it is \(kind.inWords), the values are of kind \(column.kind.rawValue)")
                }
                guard column.count == rows else {
                    throw KinError(.invalidArgument, "\(rows) ids need as many values, but \(column.count) were given")
                }
                try check(column, dictionaries[store.layout.firstColumns[index]])
            } catch {
                throw error.within("attribute", name)
            }
        }
    }

    private func check(_ column: AttributeColumn, _ dictionary: CategoryDictionary) throws(KinError) {
        switch column {
        case .numbers(let values):
            for (row, value) in values.enumerated() {
                guard let value, !value.isFinite else { continue }
                throw KinError(.notFinite, "the number is \(value); leave the value out instead").within("row", row)
            }
        case .categories, .tags:
            guard column.count <= CategoryDictionary.largestCount - dictionary.count else {
                throw KinError(
                    .capacityExceeded,
                    "a column holds at most \(CategoryDictionary.largestCount) categories or sets of tags")
            }
        case .integers, .times, .booleans, .timeRanges: break
        }
    }

    /// Adds rows without values for ids that have no row yet.
    mutating func addRows(_ ids: some RandomAccessCollection<VectorID>) {
        guard ids.contains(where: { contains($0) }) else { return append(ids) }
        let fresh = ids.filter { !contains($0) }
        if !fresh.isEmpty { append(fresh) }
    }

    /// Adds rows without values for new ids.
    private mutating func append(_ ids: some RandomAccessCollection<VectorID>) {
        update { store, map, _ in
            let first = store.count
            store.append(ids)
            map.append(ids, from: first, store: store)
        }
    }

    /// Writes checked values into the rows of ids. A row can be missing only in a damaged file, and is skipped.
    mutating func write(_ columns: [String: AttributeColumn], ids: [VectorID]) {
        guard !columns.isEmpty else { return }
        let slots = ids.map { map.slot(of: $0, in: store) }
        let columnsByIndex = columns.map { (schema.index(of: $0.key)!, $0.value) }
        update { store, _, dictionaries in
            for (index, values) in columnsByIndex {
                let column = store.layout.firstColumns[index]
                store.write(values, to: column, slots: slots, dictionary: &dictionaries[column])
            }
        }
    }
}

extension AttributeStore {
    fileprivate mutating func write(
        _ values: AttributeColumn, to column: Int, slots: [Int?], dictionary: inout CategoryDictionary
    ) {
        switch values {
        case .integers(let values): write(values, to: column, slots) { UInt64(bitPattern: $0) }
        // −0 is 0, so that equal numbers have equal bits.
        case .numbers(let values): write(values, to: column, slots) { ($0 + 0).bitPattern }
        case .categories(let values): write(values, to: column, slots) { UInt64(dictionary.insert($0)) }
        case .tags(let values): write(values, to: column, slots) { UInt64(dictionary.insert($0)) }
        case .times(let values): write(values, to: column, slots) { UInt64(bitPattern: $0.microseconds) }
        case .booleans(let values): write(values, to: column, slots) { $0 ? 1 : 0 }
        case .timeRanges(let values):
            write(values, to: column, slots) { UInt64(bitPattern: $0.start.microseconds) }
            write(values, to: column + 1, slots) { UInt64(bitPattern: $0.end.microseconds) }
        }
    }

    private mutating func write<Value>(
        _ values: [Value?], to column: Int, _ slots: [Int?], _ bits: (Value) -> UInt64
    ) {
        for (value, slot) in zip(values, slots) {
            if let slot { set(column, slot: slot, to: value.map(bits)) }
        }
    }
}
