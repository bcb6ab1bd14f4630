extension FlatRows {
    /// Reads the vectors of a flat index's file.
    ///
    /// - Returns: The vectors and the next new id.
    /// - Throws: `.corruptFile`.
    static func read(_ file: SectionFile) throws(KinError) -> (rows: FlatRows, nextID: UInt64) {
        let settings = try file.array(IndexSections.settings, of: FlatSettings.self, count: 1)[0]
        let layout = try RowLayout(
            dimension: settings.dimension, metric: settings.metric, chunkShift: settings.chunkShift,
            allowing: RowLayout.chunkShifts)
        let chunks = try file.chunks(layout: layout)
        let store = RowStore(layout: layout, chunks: chunks)
        guard UInt64(store.count) == settings.count, store.count <= RowStore.largestCount else {
            throw .corrupt("the chunks hold \(store.count) vectors where section META says \(settings.count)")
        }
        let map = IDMap(base: try file.sortedIDTable(count: settings.tableCount))
        return (FlatRows(store: store, map: map), settings.nextID)
    }
}

extension SectionFile {
    fileprivate func chunks(layout: RowLayout) throws(KinError) -> [Chunk] {
        let entries = try array(FlatFile.chunks, of: FlatChunkEntry.self)
        var grids: [UInt64: CodeGrid] = [:]
        var chunks: [Chunk] = []
        chunks.reserveCapacity(entries.count)
        for (number, entry) in entries.enumerated() {
            let isLast = number == entries.count - 1
            guard entry.rows == layout.chunkRows || (isLast && entry.rows > 0 && entry.rows < layout.chunkRows) else {
                throw .corrupt("chunk \(number) has \(entry.rows) vectors; all but the last have \(layout.chunkRows)")
            }
            if entry.grid != FlatChunkEntry.uncoded, grids[entry.grid] == nil {
                grids[entry.grid] = try codeGrid(entry.grid, layout: layout)
            }
            chunks.append(
                try chunk(
                    UInt32(number), count: Int(entry.rows), grid: grids[entry.grid],
                    errors: CodeErrors(eightBits: entry.eightBitError, sixBits: entry.sixBitError), layout: layout))
        }
        return chunks
    }

    private func codeGrid(_ number: UInt64, layout: RowLayout) throws(KinError) -> CodeGrid {
        guard let number = UInt32(exactly: number) else { throw .corrupt("a chunk is on grid \(number)") }
        let values = try array(FlatFile.grid, number, of: Double.self, count: 1 + layout.groups * 4)
        guard let grid = CodeGrid(numbers: values) else {
            throw .corrupt("section GRID \(number) is not a grid: its scale is positive and all numbers are finite")
        }
        return grid
    }
}
