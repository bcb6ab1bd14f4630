public import KinCore
import KinLinearAlgebra

extension FlatIndex {
    /// Opens a saved index without reading it: the file is mapped, and pages come in when a search touches them.
    ///
    /// Many processes may open one file; they share its pages. The index is a value like any other: what is changed after
    /// opening is copied to memory first, the file stays as it is until ``save(to:)``.
    ///
    /// Header and tables are checked here, the rest by ``verify(_:)``: a damaged section gives wrong neighbours, never an
    /// access outside the file.
    ///
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile`, with the path and what to do.
    /// - Complexity: O(chunks): under a millisecond for a million vectors.
    public init(mapping path: String) throws(KinError) {
        try self.init(opening: path)
    }

    /// Opens a saved index, mapped or read into memory.
    ///
    /// A mapped file that another program shortens or overwrites in place (`cp new.kin old.kin`, `truncate`) ends the process with
    /// SIGBUS. Deploy a new file by renaming it over the old one, or open without mapping: then nothing that happens to the
    /// file matters any more, the memory is not shared with other processes, and opening takes O(bytes).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isMapped: Whether the file is mapped, as ``init(mapping:)`` does, and not read into memory.
    /// - Throws: As ``init(mapping:)``; `.corruptFile` when the file is shortened while it is read.
    public init(opening path: String, mapped isMapped: Bool) throws(KinError) {
        try self.init(opening: path, isMapped: isMapped)
    }

    package init(file: SectionFile) throws(KinError) {
        try file.require(FlatFile.kind, version: FlatFile.version, name: FlatFile.name)
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
        let attributes = try file.attributes(rows: store.count)
        self.init(store: store, map: map, nextID: settings.nextID, attributes: attributes)
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
        guard let number = UInt32(exactly: number) else { throw .corrupt("a chunk lies on grid \(number)") }
        let values = try array(FlatFile.grid, number, of: Double.self, count: 1 + layout.groups * 4)
        guard let grid = CodeGrid(numbers: values) else {
            throw .corrupt("section GRID \(number) is not a grid: its scale is positive and all numbers are finite")
        }
        return grid
    }
}
