extension SectionFile {
    /// The attributes in a file, mapped; a table without attributes if the file has none.
    ///
    /// Names, kinds and the sizes of all sections are read and checked. The values of the rows are left to
    /// verification: damage there causes wrong values, never an access outside the file.
    ///
    /// - Parameter rows: The number of vectors.
    /// - Throws: `.corruptFile`.
    /// - Complexity: O(chunks + attributes).
    func attributes(rows: Int) throws(KinError) -> AttributeTable {
        guard section(AttributeFile.settings) != nil else { return AttributeTable() }
        let settings = try array(AttributeFile.settings, of: AttributeSettings.self, count: 1)[0]
        guard settings.count == UInt64(rows) else {
            throw .corrupt("there are \(settings.count) rows of attributes for \(rows) vectors")
        }
        let count = rows
        guard count <= RowStore.largestCount, settings.tableCount <= settings.count else {
            throw .corrupt(
                "section ATTR gives \(settings.count) rows and \(settings.tableCount) entries of the id table")
        }
        let (schema, categories) = try attributeSchema()
        let layout = AttributeLayout(schema)
        var dictionaries = layout.columns.map { _ in CategoryDictionary() }
        for (number, strings) in categories.enumerated() where strings > 0 {
            dictionaries[layout.firstColumns[number]] = try self.categories(UInt32(number), count: strings)
        }
        let store = AttributeStore(
            layout: layout, chunks: try attributeChunks(count: count, layout: layout), strays: Int(settings.tableCount),
            idBound: settings.idBound)
        let map = IDMap(base: try sortedIDTable(count: settings.tableCount, as: AttributeFile.table))
        return AttributeTable(schema: schema, store: store, map: map, dictionaries: dictionaries)
    }

    /// The attributes, and the number of strings of each.
    private func attributeSchema() throws(KinError) -> (schema: AttributeSchema, categories: [UInt64]) {
        let entries = try array(AttributeFile.attributes, of: AttributeEntry.self)
        let names = try array(AttributeFile.names, of: UInt8.self)
        var schema = AttributeSchema()
        var start = 0
        for (number, entry) in entries.enumerated() {
            guard entry.kind < AttributeFile.kinds.count else {
                throw .corrupt(
                    "attribute \(number) has the kind \(entry.kind): the section ATTK is damaged, or a newer release wrote it"
                )
            }
            guard entry.nameEnd >= start, entry.nameEnd <= names.count,
                let name = String(validating: names[start..<Int(entry.nameEnd)], as: UTF8.self)
            else { throw .corrupt("entry \(number) of section ATTK is not an attribute") }
            start = Int(entry.nameEnd)
            do throws(KinError) {
                try schema.append(name, AttributeFile.kinds[Int(entry.kind)])
            } catch {
                throw .corrupt("entry \(number) of section ATTK is not an attribute: \(error.message)")
            }
        }
        guard !schema.isEmpty, start == names.count else {
            throw .corrupt("section ATTK describes \(entries.count) attributes whose names do not fill section ATTN")
        }
        return (schema, entries.map(\.categories))
    }

    private func categories(_ number: UInt32, count: UInt64) throws(KinError) -> CategoryDictionary {
        guard count <= UInt64(CategoryDictionary.largestCount) else {
            throw .corrupt("section ATTK gives \(count) categories")
        }
        return CategoryDictionary(sorted: try sortedStrings(AttributeFile.categories, number, count: Int(count)))
    }

    private func attributeChunks(count: Int, layout: AttributeLayout) throws(KinError) -> [AttributeChunk] {
        var chunks: [AttributeChunk] = []
        var rest = count
        while rest > 0 {
            let rows = min(rest, AttributeLayout.chunkRows)
            let capacity = AttributeLayout.blocks(rows)
            let byteCount = layout.offsets(capacity: capacity).byteCount
            let view = try section(AttributeFile.chunks, UInt32(chunks.count), requiring: 64, count: byteCount / 64)
            unsafe chunks.append(
                AttributeChunk(
                    layout: layout, capacity: capacity, count: rows,
                    memory: UnsafeMutableRawPointer(view.start(of: UInt8.self)), mapping: image))
            rest -= rows
        }
        return chunks
    }
}
