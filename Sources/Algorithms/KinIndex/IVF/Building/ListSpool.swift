/// Lists that were built and written to a scratch file. They are mapped from the file when all are written.
struct ListSpool {
    /// The part of a list that stays in memory: everything except rows, ids and codes.
    private struct Entry {
        let count: Int
        let coding: RowCoding?
        let boxes: BoxTable?
        let low: [Float]
        let high: [Float]
    }

    private let layout: RowLayout
    private var entries: [Entry?] = []

    init(layout: RowLayout) { self.layout = layout }

    /// Writes lists, with each section type together: later, all ids are read in one pass that reads nothing else.
    ///
    /// - Throws: `.inputOutput`.
    mutating func put(_ lists: [(number: Int, list: InvertedList)], to writer: inout SectionFileWriter) throws(KinError)
    {
        for (c, list) in lists {
            while entries.count <= c { entries.append(nil) }
            guard list.count > 0 else { continue }
            try list.chunk.writeCodes(UInt32(c), to: &writer)
            entries[c] = Entry(
                count: list.count, coding: list.chunk.coding, boxes: list.boxes, low: list.low, high: list.high)
        }
        for (c, list) in lists where list.count > 0 { try list.chunk.writeIDs(UInt32(c), to: &writer) }
        for (c, list) in lists where list.count > 0 { try list.chunk.writeRows(UInt32(c), to: &writer) }
    }

    /// All lists, with rows, ids and codes mapped from the file.
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
