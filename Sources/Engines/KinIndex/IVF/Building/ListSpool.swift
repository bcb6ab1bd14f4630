import KinCore
import KinLinearAlgebra

/// Lists that were built and written to a scratch file, which they are mapped from once all are there.
struct ListSpool {
    /// What is kept of a list in memory: all but rows, ids and codes.
    private struct Entry {
        let count: Int
        let coding: RowCoding?
        let boxes: BoxTable?
        let low: [Float]
        let high: [Float]
    }

    let layout: RowLayout
    private var entries: [Entry?] = []

    init(layout: RowLayout) { self.layout = layout }

    /// Writes a list, unless it has no rows.
    ///
    /// - Throws: `.inputOutput`.
    mutating func put(_ list: InvertedList, at c: Int, to writer: inout SectionFileWriter) throws(KinError) {
        while entries.count <= c { entries.append(nil) }
        guard list.count > 0 else { return }
        try list.chunk.writeCodes(UInt32(c), to: &writer)
        try list.chunk.writeIDs(UInt32(c), to: &writer)
        try list.chunk.writeRows(UInt32(c), to: &writer)
        entries[c] = Entry(
            count: list.count, coding: list.chunk.coding, boxes: list.boxes, low: list.low, high: list.high)
    }

    /// All lists, their rows, ids and codes in the file.
    func lists(in file: SectionFile) throws(KinError) -> [InvertedList] {
        var lists: [InvertedList] = []
        for (c, entry) in entries.enumerated() {
            guard let entry else {
                lists.append(InvertedList(layout: layout))
                continue
            }
            let chunk = try file.chunk(
                UInt32(c), count: entry.count, grid: entry.coding?.grid,
                errors: entry.coding?.errors ?? CodeErrors(eightBits: 0, sixBits: 0), layout: layout)
            lists.append(
                InvertedList(chunk: chunk, boxes: entry.boxes, low: entry.low, high: entry.high, changes: 0))
        }
        return lists
    }
}
