extension FlatRows {
    /// Writes the sections of the vectors. O(n · dimension), plus O(n log n) for ids that are not simply 0, 1, 2 ….
    func write(nextID: UInt64, to writer: inout SectionFileWriter) throws(KinError) {
        let table = SortedIDTable(store: store)
        try writeSettings(nextID: nextID, tableCount: table.count, to: &writer)
        try writeGrids(to: &writer)
        for (number, chunk) in store.chunks.enumerated() {
            try chunk.writeRows(UInt32(number), to: &writer)
            try chunk.writeIDs(UInt32(number), to: &writer)
            try chunk.writeCodes(UInt32(number), to: &writer)
        }
        try table.write(to: &writer)
    }

    private func writeSettings(nextID: UInt64, tableCount: Int, to writer: inout SectionFileWriter) throws(KinError) {
        let settings = FlatSettings(
            dimension: UInt64(store.layout.dimension), metric: UInt64(store.layout.metric.number),
            chunkShift: UInt64(store.layout.chunkShift),
            count: UInt64(count), nextID: nextID, tableCount: UInt64(tableCount))
        try writer.write([settings].span, to: IndexSections.settings)
    }

    /// Writes the table of chunks, and each grid once even if several chunks share it.
    private func writeGrids(to writer: inout SectionFileWriter) throws(KinError) {
        var grids: [CodeGrid] = []
        var numbers: [ObjectIdentifier: UInt64] = [:]
        let entries = store.chunks.map { chunk in
            guard let coding = chunk.coding else {
                return FlatChunkEntry(
                    rows: UInt64(chunk.count), grid: FlatChunkEntry.uncoded, eightBitError: 0, sixBitError: 0)
            }
            let number = numbers[ObjectIdentifier(coding.grid)] ?? UInt64(grids.count)
            if number == grids.count {
                numbers[ObjectIdentifier(coding.grid)] = number
                grids.append(coding.grid)
            }
            return FlatChunkEntry(
                rows: UInt64(chunk.count), grid: number, eightBitError: coding.errors.eightBits,
                sixBitError: coding.errors.sixBits)
        }
        try writer.write(entries.span, to: FlatFile.chunks)
        for (number, grid) in grids.enumerated() {
            try writer.write(grid.numbers.span, to: FlatFile.grid, UInt32(number))
        }
    }
}
