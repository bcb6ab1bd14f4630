/// Assembles the lists of a file from the sections with their parts.
struct ListReader {
    private let file: SectionFile
    private let layout: RowLayout
    private let entries: [IVFListEntry]
    private let corners: [Float]
    private let grids: [Double]
    private let boxGrids: [Float]
    private let boxes: SectionView
    /// The grids read so far, by their numbers, and the number of lists on each. Each list of a file has its own grid;
    /// equal grids are merged again.
    private var rowGrids: [[Double]: (grid: CodeGrid, lists: Int)] = [:]
    private var tableGrids: [[Float]: (grid: BoxGrid, lists: Int)] = [:]

    init(file: SectionFile, layout: RowLayout, lists: UInt64) throws(KinError) {
        // Slots are 32-bit numbers, and the last number is reserved for "none".
        guard lists > 0, lists < 1 << (32 - UInt64(layout.chunkShift)) else {
            throw .corrupt("section META gives \(lists) lists")
        }
        self.file = file
        self.layout = layout
        let n = Int(lists)
        entries = try file.array(IVFFile.lists, of: IVFListEntry.self, count: n)
        corners = try file.section(IVFFile.listBoxes, requiring: 8 * layout.stride, count: n).array(of: Float.self)
        let grids = try file.section(IVFFile.grids, requiring: 8 * (1 + 4 * layout.groups))
        let boxGrids = try file.section(IVFFile.boxGrids, requiring: 4 * (1 + layout.dimension))
        guard grids.count <= n, boxGrids.count <= n else {
            throw .corrupt("there are more grids in section GRID or BGRD than lists")
        }
        self.grids = grids.array(of: Double.self)
        self.boxGrids = boxGrids.array(of: Float.self)
        boxes = try file.section(IVFFile.boxes, requiring: 2 * layout.blockBytes, count: boxGrids.count)
    }

    /// The grids shared by most lists, if any; valid once the lists are read.
    var commonGrids: CommonGrids {
        CommonGrids(
            rows: rowGrids.values.first { 2 * $0.lists > entries.count }?.grid,
            boxes: tableGrids.values.first { 2 * $0.lists > entries.count }?.grid)
    }

    mutating func lists() throws(KinError) -> [InvertedList] {
        var lists: [InvertedList] = []
        lists.reserveCapacity(entries.count)
        for c in entries.indices { lists.append(try list(c)) }
        return lists
    }

    private mutating func list(_ c: Int) throws(KinError) -> InvertedList {
        let entry = entries[c]
        guard entry.rows <= UInt64(layout.chunkRows), entry.changes <= UInt64(UInt32.max) else {
            throw .corrupt(
                "list \(c) has \(entry.rows) vectors and \(entry.changes) changes; a list holds \(layout.chunkRows)")
        }
        guard entry.rows > 0 else { return InvertedList(layout: layout) }
        let chunk = try file.chunk(
            UInt32(c), count: Int(entry.rows), grid: try grid(entry.grid),
            errors: CodeErrors(eightBits: entry.eightBitError, sixBits: entry.sixBitError), layout: layout)
        let stride = layout.stride
        let low = Array(corners[2 * c * stride..<(2 * c + 1) * stride])
        let high = Array(corners[(2 * c + 1) * stride..<(2 * c + 2) * stride])
        // Also rejects NaN: boxes are coded on grids when they change, and must be intervals.
        guard zip(low, high).allSatisfy({ $0 <= $1 }) else {
            throw .corrupt("the box around list \(c) in section CBOX ends before it begins")
        }
        return InvertedList(
            chunk: chunk, boxes: try table(entry.boxes, blocks: chunk.blocks), low: low, high: high,
            changes: Int(entry.changes))
    }

    private mutating func grid(_ number: UInt64) throws(KinError) -> CodeGrid? {
        guard number != IVFListEntry.none else { return nil }
        let width = 1 + 4 * layout.groups
        guard number < UInt64(grids.count / width) else { throw .corrupt("a list is coded on grid \(number) of GRID") }
        let i = Int(number)
        let numbers = Array(grids[i * width..<(i + 1) * width])
        guard let grid = rowGrids[numbers]?.grid ?? CodeGrid(numbers: numbers) else {
            throw .notAGrid(IVFFile.grids, i)
        }
        rowGrids[numbers, default: (grid, 0)].lists += 1
        return grid
    }

    private mutating func table(_ number: UInt64, blocks: Int) throws(KinError) -> BoxTable? {
        guard number != IVFListEntry.none else { return nil }
        guard number < UInt64(boxes.count) else { throw .corrupt("a list has the boxes \(number) of BOXS") }
        let i = Int(number)
        let width = 1 + layout.dimension
        let numbers = Array(boxGrids[i * width..<(i + 1) * width])
        guard let grid = tableGrids[numbers]?.grid ?? BoxGrid(numbers: numbers) else {
            throw .notAGrid(IVFFile.boxGrids, i)
        }
        tableGrids[numbers, default: (grid, 0)].lists += 1
        let lows = unsafe boxes.start(of: UInt8.self) + 2 * i * layout.blockBytes
        return unsafe BoxTable(
            dimension: layout.dimension, grid: grid, count: blocks, lows: lows, highs: lows + layout.blockBytes,
            mapping: file.image)
    }
}

extension BoxGrid {
    /// Creates the grid from the numbers in a file; nil if they are not valid for a grid of boxes.
    convenience init?(numbers: [Float]) {
        guard numbers.allSatisfy(\.isFinite), numbers[0] >= BoxGrid.smallestStep else { return nil }
        self.init(offsets: Array(numbers.dropFirst()), step: numbers[0])
    }
}

extension KinError {
    static func notAGrid(_ tag: FourCharacterCode, _ element: Int) -> KinError {
        .corrupt("element \(element) of section \(tag) is not a grid: its width is positive and all numbers are finite")
    }
}
