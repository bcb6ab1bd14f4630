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
        do throws(KinError) {
            try self.init(file: SectionFile(mapping: path))
        } catch {
            // Errors of the container carry the path already.
            throw error.context.contains { $0.name == "file" } ? error : error.within("file", path)
        }
    }

    package init(file: SectionFile) throws(KinError) {
        try file.require(FlatFile.kind, version: FlatFile.version, name: FlatFile.name)
        let settings = try file.settings()
        let layout = try settings.layout()
        let chunks = try file.chunks(layout: layout)
        let store = RowStore(layout: layout, chunks: chunks)
        guard UInt64(store.count) == settings.count, store.count <= RowStore.largestCount else {
            throw .corrupt("the chunks hold \(store.count) vectors where section META says \(settings.count)")
        }
        let map = IDMap(base: try file.idTable(count: settings.tableCount))
        let attributes = try file.attributes()
        guard attributes.schema.isEmpty || attributes.count == store.count else {
            throw .corrupt("there are \(attributes.count) rows of attributes for \(store.count) vectors")
        }
        self.init(store: store, map: map, nextID: settings.nextID, attributes: attributes)
    }
}

extension FlatSettings {
    fileprivate func layout() throws(KinError) -> RowLayout {
        guard (1...UInt64(RowLayout.largestDimension)).contains(dimension) else {
            throw .corrupt("section META gives \(dimension) dimensions; there are 1 to \(RowLayout.largestDimension)")
        }
        guard metric < UInt64(Self.metrics.count) else {
            throw .corrupt("section META gives the metric \(metric), which is not known")
        }
        guard let shift = Int(exactly: chunkShift), RowLayout.chunkShifts.contains(shift) else {
            throw .corrupt("section META gives chunks of 2^\(chunkShift) vectors")
        }
        return RowLayout(dimension: Int(dimension), metric: Self.metrics[Int(metric)], chunkShift: shift)
    }
}

extension SectionFile {
    fileprivate func settings() throws(KinError) -> FlatSettings {
        try section(FlatFile.settings, requiring: MemoryLayout<FlatSettings>.size, count: 1)
            .withElements(of: FlatSettings.self) { $0[0] }
    }

    fileprivate func chunks(layout: RowLayout) throws(KinError) -> [Chunk] {
        let entries = try section(FlatFile.chunks, requiring: MemoryLayout<FlatChunkEntry>.size)
            .withElements(of: FlatChunkEntry.self) { span in span.indices.map { span[$0] } }
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
            chunks.append(try chunk(UInt32(number), entry, grid: grids[entry.grid], layout: layout))
        }
        return chunks
    }

    private func codeGrid(_ number: UInt64, layout: RowLayout) throws(KinError) -> CodeGrid {
        guard let number = UInt32(exactly: number) else { throw .corrupt("a chunk lies on grid \(number)") }
        let values = try section(FlatFile.grid, number, requiring: 8, count: 1 + layout.groups * 4)
            .withElements(of: Double.self) { span in span.indices.map { span[$0] } }
        guard values.allSatisfy(\.isFinite), values[0] > 0 else {
            throw .corrupt("section GRID \(number) is not a grid: its scale is positive and all numbers are finite")
        }
        return CodeGrid(offsets: Array(values.dropFirst()), scale: values[0])
    }

    private func chunk(
        _ number: UInt32, _ entry: FlatChunkEntry, grid: CodeGrid?, layout: RowLayout
    ) throws(KinError) -> Chunk {
        let count = Int(entry.rows)
        let rows = try section(FlatFile.rows, number, requiring: layout.stride * 4, count: count)
        let ids = try section(FlatFile.ids, number, requiring: 8, count: count)
        var coding: RowCoding?
        var codes: UnsafeMutablePointer<UInt8>?
        if let grid {
            let errors = CodeErrors(eightBits: entry.eightBitError, sixBits: entry.sixBitError)
            guard errors.eightBits >= 0, errors.sixBits >= 0, errors.eightBits.isFinite, errors.sixBits.isFinite else {
                throw .corrupt("chunk \(number) has code errors that are not numbers from 0 on")
            }
            coding = RowCoding(
                grid: grid, errors: errors, exceptions: try exceptions(number, count: count))
            let blocks = (count + Kernels.blockRows - 1) / Kernels.blockRows
            let section = try section(FlatFile.codes, number, requiring: layout.blockBytes, count: blocks)
            unsafe codes = section.start(of: UInt8.self)
        }
        return unsafe Chunk(
            layout: layout, capacity: count, count: count, coding: coding, rows: rows.start(of: Float.self),
            codes: codes, ids: ids.start(of: VectorID.self), mapping: image)
    }

    private func exceptions(_ number: UInt32, count: Int) throws(KinError) -> [UInt32] {
        guard section(FlatFile.exceptions, number) != nil else { return [] }
        let rows = try section(FlatFile.exceptions, number, requiring: 4)
            .withElements(of: UInt32.self) { span in span.indices.map { span[$0] } }
        guard zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }), rows.allSatisfy({ $0 < count }) else {
            throw .corrupt("section EXCP \(number) does not list rows of the chunk in ascending order")
        }
        return rows
    }

    fileprivate func idTable(count: UInt64) throws(KinError) -> SortedIDTable? {
        guard count > 0 else { return nil }
        guard let count = Int(exactly: count) else { throw .corrupt("section META gives \(count) ids") }
        let ids = try section(FlatFile.tableIDs, requiring: 8, count: count)
        let slots = try section(FlatFile.tableSlots, requiring: 4, count: count)
        return unsafe SortedIDTable(
            count: count, ids: UnsafePointer(ids.start(of: VectorID.self)),
            slots: UnsafePointer(slots.start(of: UInt32.self)), mapping: image)
    }
}
