/// A table of souls' rows, in chunks that copies share until one of them changes.
struct SoulTable: Sendable {
    /// The binary logarithm of the number of rows in a chunk.
    static let chunkShift = 10

    private var chunks: [SoulChunk] = []
    /// The number of rows, empty ones included.
    private(set) var count = 0

    /// The row of a slot, valid while the table exists unchanged.
    @inline(__always)
    subscript(slot: Int) -> SoulRow { chunks[slot >> Self.chunkShift].row(slot & (1 << Self.chunkShift - 1)) }

    /// Appends rows to the table.
    mutating func append(_ rows: [[UInt64]]) {
        var rows = rows[...]
        while let first = rows.first {
            _ = first
            let used = count & (1 << Self.chunkShift - 1)
            let taken = rows.prefix(1 << Self.chunkShift - used)
            if used == 0 {
                chunks.append(SoulChunk(Array(taken)))
            } else {
                chunks[chunks.count - 1] = SoulChunk(chunks[chunks.count - 1].rows + taken)
            }
            count += taken.count
            rows = rows.dropFirst(taken.count)
        }
    }

    /// Replaces the row of a slot, in O(rows in a chunk).
    mutating func replace(_ slot: Int, by words: [UInt64]) {
        var rows = chunks[slot >> Self.chunkShift].rows
        rows[slot & (1 << Self.chunkShift - 1)] = words
        chunks[slot >> Self.chunkShift] = SoulChunk(rows)
    }

    /// The size of the rows, in bytes.
    var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }
}

/// A chunk of rows, which never change.
@safe
final class SoulChunk: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    private let starts: UnsafeMutablePointer<UInt32>
    private let count: Int

    init(_ rows: [[UInt64]]) {
        count = rows.count
        unsafe words = .allocate(capacity: rows.reduce(0) { $0 + $1.count })
        unsafe starts = .allocate(capacity: rows.count + 1)
        var start = 0
        for (r, row) in rows.enumerated() {
            unsafe starts[r] = UInt32(start)
            unsafe (words + start).update(from: row, count: row.count)
            start += row.count
        }
        unsafe starts[rows.count] = UInt32(start)
    }

    deinit {
        unsafe words.deallocate()
        unsafe starts.deallocate()
    }

    @inline(__always)
    func row(_ r: Int) -> SoulRow { unsafe SoulRow(words + Int(starts[r])) }

    var rows: [[UInt64]] {
        (0..<count).map { r in
            unsafe Array(UnsafeBufferPointer(start: words + Int(starts[r]), count: Int(starts[r + 1] - starts[r])))
        }
    }

    var byteCount: Int { unsafe Int(starts[count]) * 8 + (count + 1) * 4 }
}
