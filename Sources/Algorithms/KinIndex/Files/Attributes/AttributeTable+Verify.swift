extension AttributeTable {
    /// Readable facts about the attributes in a file.
    var facts: [FileReport.Fact] {
        guard !schema.isEmpty else { return [] }
        let described = zip(schema.attributes, store.layout.firstColumns).map { attribute, column in
            let strings = attribute.kind.isCoded ? " (\(dictionaries[column].count) values)" : ""
            return "\(attribute.name) \(attribute.kind.rawValue)\(strings)"
        }
        return [FileReport.Fact(name: "attributes", value: described.joined(separator: ", "))]
    }

    /// The first contradiction in an opened table, within itself or with the ids of its index.
    ///
    /// - Parameter ids: The ids of the index.
    func firstContradiction(ids: [VectorID]) -> Contradiction? {
        guard !schema.isEmpty else { return nil }
        for (number, chunk) in store.chunks.enumerated() {
            if let description = firstContradiction(chunk) {
                return (Section.Name(AttributeFile.chunks, UInt32(number)), description)
            }
        }
        for (number, column) in store.layout.firstColumns.enumerated() {
            guard let strings = dictionaries[column].sorted else { continue }
            let isSets = schema.attributes[number].kind == .tags
            if let description = strings.firstContradiction ?? (isSets ? strings.firstWrongSet : nil) {
                return (Section.Name(AttributeFile.categories.ends, UInt32(number)), description)
            }
        }
        if let id = ids.first(where: { !contains($0) }) {
            return (Section.Name(AttributeFile.table.ids), "the vector \(id) has no row of attributes")
        }
        // If the numbers of rows and vectors are equal and each vector has a row, no row has an unknown or repeated id.
        guard ids.count == count else {
            return (Section.Name(AttributeFile.settings), "there are \(count) rows for \(ids.count) vectors")
        }
        let strays = (0..<count).count { store.id(at: $0).rawValue != UInt64($0) }
        guard strays == store.strays, store.largestID == store.idBound else {
            return (Section.Name(AttributeFile.settings), "the number of ids in the table or the largest id is wrong")
        }
        return nil
    }

    private func firstContradiction(_ chunk: AttributeChunk) -> String? {
        for row in 0..<chunk.capacity where unsafe (row < chunk.count) != (chunk.ids[row] != .none) {
            return "row \(row) has the id that stands for \"no vector\", or is past the last and has another"
        }
        for (attribute, column) in zip(schema.attributes, store.layout.firstColumns) {
            for row in 0..<chunk.capacity {
                guard let wrong = firstContradiction(attribute.kind, chunk, column, row: row) else { continue }
                return "\(attribute.name) of row \(row) \(wrong)"
            }
        }
        return nil
    }

    private func firstContradiction(
        _ kind: AttributeKind, _ chunk: AttributeChunk, _ column: Int, row: Int
    ) -> String? {
        guard let bits = chunk.value(column, row: row) else {
            let isRange = kind == .timeRange
            guard chunk.bits(column, row: row) == 0, !isRange || chunk.bits(column + 1, row: row) == 0,
                !isRange || chunk.value(column + 1, row: row) == nil
            else { return "is missing, but not zero" }
            return nil
        }
        guard row < chunk.count else { return "is past the last row" }
        switch kind {
        case .integer, .boolean: return nil
        case .number:
            return Double(bitPattern: bits).isFinite && bits != (-0.0).bitPattern
                ? nil : "is not a number that can be stored"
        case .category, .tags:
            return bits >= 1 && bits <= UInt64(dictionaries[column].count)
                ? nil : "is a category or a set of tags that is not listed"
        case .time: return Timestamp.range.contains(Int64(bitPattern: bits)) ? nil : "is no time"
        case .timeRange:
            guard let end = chunk.value(column + 1, row: row), Int64(bitPattern: bits) <= Int64(bitPattern: end),
                Timestamp.range.contains(Int64(bitPattern: bits)), Timestamp.range.contains(Int64(bitPattern: end))
            else { return "is not a range of time" }
            return nil
        }
    }
}

extension SortedStrings {
    /// The first string that is not the stored form of a ``TagSet``; nil if all are sets.
    fileprivate var firstWrongSet: String? {
        for index in 0..<count {
            let set = try? TagSet(separated: self[index])
            if set?.joined.utf8.elementsEqual(self[index].utf8) != true {
                return "string \(index) is not a set of tags"
            }
        }
        return nil
    }
}
