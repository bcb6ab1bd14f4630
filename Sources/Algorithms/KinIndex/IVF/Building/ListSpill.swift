/// Distributes rows to lists that do not fit in memory together. A scratch file stores them in groups of neighbouring
/// lists, and each group fits in memory.
///
/// All groups grow at the same time. Each has a buffer, and a full buffer is appended to the file as one extent of the
/// group.
@safe
struct ListSpill: ~Copyable {
    /// The rows of the list of outliers, which follows the other lists, in memory; nil if there is no such list.
    var outliers: RowBuffer?
    private let lists: Int
    /// The number of lists in a group, with consecutive numbers.
    private let groupLists: Int
    private let layout: RowLayout
    private let file: ScratchFile
    private let extentBytes: Int
    /// The buffers of all groups, one extent each.
    private let buffers: UnsafeMutableRawBufferPointer
    /// The number of bytes in use in each group's buffer.
    private var used: [Int]
    /// The offsets of the extents of each group in the file.
    private var extents: [[Int]]
    private var end = 0
    /// Whether rows arrived in the order of their numbers.
    private var isOrdered = true
    private var lastNumber: UInt32 = 0

    /// The number of groups; the group of outliers is the last.
    var groups: Int { used.count + (outliers == nil ? 0 : 1) }

    /// The part of a row's record after its coordinates.
    private struct Tail: BitwiseCopyable {
        let id: VectorID
        let list: UInt32
        let number: UInt32
    }

    /// The number of bytes of a row's coordinates; ``recordBytes`` is the size of its whole record.
    private let rowBytes: Int
    private var recordBytes: Int { rowBytes + MemoryLayout<Tail>.stride }

    /// Creates a spill whose buffers take a quarter of the memory, and whose groups are expected to take a quarter
    /// each.
    ///
    /// - Parameters:
    ///   - path: The path whose directory receives the scratch file.
    ///   - rows: The number of rows that will be added.
    ///   - lists: The number of lists.
    ///   - memory: The number of bytes of memory.
    init(
        beside path: String, rows: Int, lists: Int, layout: RowLayout, memory: Int, files: some FileOperations
    ) throws(KinError) {
        rowBytes = layout.stride * MemoryLayout<Float>.stride
        let record = rowBytes + MemoryLayout<Tail>.stride
        let quarter = max(memory / 4, 1)
        // With more groups, buffers would be too small for efficient writes.
        let most = max(1, min(lists, quarter / (64 << 10)))
        let wanted = max(1, min(most, (rows * record + quarter - 1) / quarter))
        groupLists = (lists + wanted - 1) / wanted
        let groups = (lists + groupLists - 1) / groupLists
        file = try ScratchFile(beside: path, files: files)
        extentBytes = max(1, min(8 << 20, quarter / groups) / record) * record
        unsafe buffers = .allocate(byteCount: groups * extentBytes, alignment: 64)
        used = [Int](repeating: 0, count: groups)
        extents = [[Int]](repeating: [], count: groups)
        self.layout = layout
        self.lists = lists
    }

    deinit { unsafe buffers.deallocate() }

    /// Adds a row to the group of its list.
    ///
    /// - Parameters:
    ///   - list: The list of the row.
    ///   - number: The row's number among all rows, which orders the rows of a list.
    mutating func append(
        _ row: UnsafePointer<Float>, id: VectorID, list: UInt32, number: UInt32
    ) throws(KinError) {
        let group = Int(list) / groupLists
        if used[group] == extentBytes { try flush(group) }
        let place = unsafe buffers.baseAddress! + group * extentBytes + used[group]
        unsafe place.copyMemory(from: row, byteCount: rowBytes)
        unsafe (place + rowBytes).storeBytes(of: Tail(id: id, list: list, number: number), as: Tail.self)
        used[group] += recordBytes
        isOrdered = isOrdered && number >= lastNumber
        lastNumber = number
    }

    private mutating func flush(_ group: Int) throws(KinError) {
        let buffer = unsafe UnsafeRawBufferPointer(
            rebasing: buffers[group * extentBytes..<(group + 1) * extentBytes])
        try file.output.write(unsafe RawSpan(_unsafeBytes: buffer), at: end)
        extents[group].append(end)
        end += extentBytes
        used[group] = 0
    }

    /// The rows of a group, in the order of their numbers.
    struct Group {
        /// The number of the first list.
        let firstList: Int
        let lists: Int
        let rows: RowBuffer
        /// The list of each row, relative to the group's first list.
        let labels: [UInt32]
    }

    /// Reads a group from the file and its buffer.
    ///
    /// - Throws: `.inputOutput`.
    func group(_ group: Int) throws(KinError) -> Group {
        if let outliers = outliers, group == used.count {
            return Group(
                firstList: lists, lists: 1, rows: outliers, labels: [UInt32](repeating: 0, count: outliers.count))
        }
        let (record, rowBytes) = (recordBytes, rowBytes)
        let count = (extents[group].count * extentBytes + used[group]) / record
        var rows = RowBuffer(capacity: count, stride: layout.stride)
        var places: [(label: UInt32, number: UInt32)] = []
        places.reserveCapacity(count)
        let first = group * groupLists
        let take = { (bytes: UnsafeRawBufferPointer) in
            for start in stride(from: 0, to: bytes.count, by: record) {
                let row = unsafe (bytes.baseAddress! + start).assumingMemoryBound(to: Float.self)
                let tail = unsafe bytes.loadUnaligned(fromByteOffset: start + rowBytes, as: Tail.self)
                unsafe rows.append(row, id: tail.id)
                places.append((tail.list - UInt32(first), tail.number))
            }
        }
        let extent = UnsafeMutableRawBufferPointer.allocate(byteCount: extentBytes, alignment: 64)
        defer { unsafe extent.deallocate() }
        for offset in extents[group] {
            try unsafe file.read(at: offset, into: extent)
            unsafe take(UnsafeRawBufferPointer(extent))
        }
        let begun = group * extentBytes
        unsafe take(UnsafeRawBufferPointer(rebasing: buffers[begun..<begun + used[group]]))
        var labels = places.map(\.label)
        if !isOrdered {
            let order = places.indices.sorted { places[$0].number < places[$1].number }
            var sorted = RowBuffer(capacity: count, stride: layout.stride)
            for r in order { unsafe sorted.append(rows.rows + r * layout.stride, id: rows.ids[r]) }
            (rows, labels) = (sorted, order.map { places[$0].label })
        }
        return Group(firstList: first, lists: min(groupLists, lists - first), rows: rows, labels: labels)
    }
}

extension ListSpill.Group {
    /// Builds the lists of the group. A list that is too large is divided.
    ///
    /// - Returns: As ``RowSource/lists(_:from:dividing:frame:threads:)``.
    /// - Throws: `.cancelled`.
    func build(
        dividing partition: inout Partition, layout: RowLayout, frame: PruningFrame, grids: CommonGrids, threads: Int,
        work: LongWork
    ) throws(KinError) -> [(number: Int, list: InvertedList)] {
        var source = unsafe RowSource(rows: rows.rows, ids: rows.ids, count: rows.count, layout: layout)
        source.work = work
        return try source.lists(
            ListAssignment(labels: labels, lists: lists, threads: threads), from: firstList, dividing: &partition,
            frame: frame, grids: grids, threads: threads)
    }
}
