import KinCore
import KinLinearAlgebra

/// Rows on their way to lists that do not fit into memory together: a scratch file has them by groups of neighbouring lists, each of
/// which does fit.
///
/// Groups grow side by side. Each has a buffer; a full one goes to the end of the file, as one extent of the group.
@safe
struct ListSpill: ~Copyable {
    /// The lists of one group, consecutive numbers.
    let groupLists: Int
    private let layout: RowLayout
    private let file: ScratchFile
    private let extentBytes: Int
    /// One buffer of an extent a group.
    private let buffers: UnsafeMutableRawBufferPointer
    /// The bytes of each group's buffer that are in use.
    private var used: [Int]
    /// The offsets of the extents of each group in the file.
    private var extents: [[Int]]
    private var end = 0
    /// Whether rows came in the order of their numbers.
    private var isOrdered = true
    private var lastNumber: UInt32 = 0

    /// The number of groups.
    var groups: Int { used.count }

    /// The part of a row's record behind its numbers.
    private struct Tail: BitwiseCopyable {
        let id: VectorID
        let list: UInt32
        let number: UInt32
    }

    private static func recordBytes(_ layout: RowLayout) -> Int {
        layout.stride * MemoryLayout<Float>.stride + MemoryLayout<Tail>.stride
    }

    /// Creates a spill whose buffers take a quarter of some memory, and whose groups are expected to take as much.
    ///
    /// - Parameters:
    ///   - path: The file beside which the scratch file is made.
    ///   - rows: The number of rows that will come.
    ///   - lists: The number of lists.
    ///   - memory: Bytes.
    init(
        beside path: String, rows: Int, lists: Int, layout: RowLayout, memory: Int, files: some FileOperations
    ) throws(KinError) {
        let record = Self.recordBytes(layout)
        let quarter = max(memory / 4, 1)
        // More groups than this would have buffers too small to write well.
        let most = max(1, min(lists, quarter / (64 << 10)))
        let wanted = (rows * record + quarter - 1) / quarter
        groupLists = (lists + min(most, wanted) - 1) / max(1, min(most, wanted))
        let groups = (lists + groupLists - 1) / groupLists
        file = try ScratchFile(beside: path, files: files)
        extentBytes = max(1, min(8 << 20, quarter / groups) / record) * record
        unsafe buffers = .allocate(byteCount: groups * extentBytes, alignment: 64)
        used = [Int](repeating: 0, count: groups)
        extents = [[Int]](repeating: [], count: groups)
        self.layout = layout
    }

    deinit { unsafe buffers.deallocate() }

    /// Adds a row to the group of its list.
    ///
    /// - Parameters:
    ///   - list: The list that it belongs to.
    ///   - number: Its number among all rows, by which those of a list are ordered.
    mutating func append(
        _ row: UnsafePointer<Float>, id: VectorID, list: UInt32, number: UInt32
    ) throws(KinError) {
        let group = Int(list) / groupLists
        if used[group] == extentBytes { try flush(group) }
        let place = unsafe buffers.baseAddress! + group * extentBytes + used[group]
        let bytes = layout.stride * MemoryLayout<Float>.stride
        unsafe place.copyMemory(from: row, byteCount: bytes)
        unsafe (place + bytes).storeBytes(of: Tail(id: id, list: list, number: number), as: Tail.self)
        used[group] += Self.recordBytes(layout)
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

    /// Rows of a group, in the order of their numbers.
    struct Group {
        /// The number of the first list.
        let firstList: Int
        let lists: Int
        let rows: RowBuffer
        /// The list of each row, counted from the group's first.
        let labels: [UInt32]
    }

    /// Reads a group back.
    ///
    /// - Throws: `.inputOutput`.
    func group(_ group: Int, of lists: Int) throws(KinError) -> Group {
        let record = Self.recordBytes(layout)
        let count = (extents[group].count * extentBytes + used[group]) / record
        var rows = RowBuffer(capacity: count, stride: layout.stride)
        var places: [(label: UInt32, number: UInt32)] = []
        places.reserveCapacity(count)
        let first = group * groupLists
        let take = { (bytes: UnsafeRawBufferPointer) in
            for start in stride(from: 0, to: bytes.count, by: record) {
                let row = unsafe (bytes.baseAddress! + start).assumingMemoryBound(to: Float.self)
                let tail = unsafe bytes.loadUnaligned(fromByteOffset: start + record - 16, as: Tail.self)
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
