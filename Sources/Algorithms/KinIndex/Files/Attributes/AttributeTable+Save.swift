extension AttributeTable {
    /// Writes the attributes' sections; none if no attribute is declared.
    ///
    /// Only categories in use are written, sorted. So nothing of a removed row is in the file, and a file that is
    /// opened and saved again has the same bytes.
    ///
    /// - Complexity: O(n), or O(n log n) for ids that are not simply 0, 1, 2 ….
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        guard !schema.isEmpty else { return }
        let dictionaries = compactedDictionaries
        let table = SortedIDTable(store: store)
        let settings = AttributeSettings(
            count: UInt64(store.count), idBound: store.largestID, tableCount: UInt64(table.count))
        try writer.write([settings].span, to: AttributeFile.settings)
        try writeSchema(dictionaries.map { $0?.dictionary.sorted }, to: &writer)
        for (number, chunk) in store.chunks.enumerated() {
            try chunk.write(UInt32(number), codes: dictionaries.map { $0?.codes }, to: &writer)
        }
        try table.write(to: &writer, as: AttributeFile.table)
    }

    /// Writes names and kinds, and the strings of each category.
    ///
    /// - Parameter strings: The strings of each column; nil for columns without categories.
    private func writeSchema(_ strings: [SortedStrings?], to writer: inout SectionFileWriter) throws(KinError) {
        let strings = store.layout.firstColumns.map { strings[$0] }
        var names: [UInt8] = []
        var entries: [AttributeEntry] = []
        for (attribute, strings) in zip(schema.attributes, strings) {
            names += attribute.name.utf8
            entries.append(
                AttributeEntry(
                    kind: UInt32(AttributeFile.kinds.firstIndex(of: attribute.kind)!), nameEnd: UInt32(names.count),
                    categories: UInt64(strings?.count ?? 0)))
        }
        try writer.write(entries.span, to: AttributeFile.attributes)
        try writer.write(names.span, to: AttributeFile.names)
        for (number, strings) in strings.enumerated() {
            guard let strings, strings.count > 0 else { continue }
            try strings.write(to: &writer, AttributeFile.categories, UInt32(number))
        }
    }
}

extension AttributeChunk {
    /// Writes the chunk with new codes and without room for growth.
    ///
    /// - Parameter codes: For each column of codes, the new code for every old one; nil for other columns.
    fileprivate func write(_ number: UInt32, codes: [[UInt32]?], to writer: inout SectionFileWriter) throws(KinError) {
        let packed = copy(minimumCapacity: count)
        for (column, codes) in codes.enumerated() {
            if let codes { packed.renumber(column, codes) }
        }
        try writer.begin(AttributeFile.chunks, number, stride: 64)
        try writer.append(unsafe RawSpan(_unsafeStart: packed.memory, byteCount: packed.byteCount))
    }
}
