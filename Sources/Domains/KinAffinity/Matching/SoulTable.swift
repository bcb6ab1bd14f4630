/// A table of souls' rows, in chunks that copies share until one of them changes.
struct SoulTable: Sendable {
    /// The binary logarithm of the number of rows in a chunk.
    static let chunkShift = 10

    private var chunks: [SoulChunk] = []
    /// The addresses of each chunk's rows, read without reference counting.
    private var places: [SoulChunk.Rows] = []
    /// The number of rows, empty ones included.
    private(set) var count = 0

    /// The row of a slot, valid while the table exists unchanged.
    @inline(__always)
    subscript(slot: Int) -> SoulRow { places[slot >> Self.chunkShift].row(slot & (1 << Self.chunkShift - 1)) }

    /// Appends rows to the table.
    mutating func append(_ rows: [[UInt64]]) {
        var rows = rows[...]
        while !rows.isEmpty {
            let used = count & (1 << Self.chunkShift - 1)
            let taken = rows.prefix(1 << Self.chunkShift - used)
            if used == 0 {
                append(SoulChunk(Array(taken)))
            } else {
                set(chunks.count - 1, SoulChunk(chunks[chunks.count - 1].copies + taken))
            }
            count += taken.count
            rows = rows.dropFirst(taken.count)
        }
    }

    /// Replaces the row of a slot, in O(rows in a chunk).
    mutating func replace(_ slot: Int, by words: [UInt64]) {
        var rows = chunks[slot >> Self.chunkShift].copies
        rows[slot & (1 << Self.chunkShift - 1)] = words
        set(slot >> Self.chunkShift, SoulChunk(rows))
    }

    private mutating func append(_ chunk: SoulChunk) {
        chunks.append(chunk)
        places.append(chunk.rows)
    }

    private mutating func set(_ number: Int, _ chunk: SoulChunk) {
        chunks[number] = chunk
        places[number] = chunk.rows
    }

    /// The tags of a chunk's rows and of their start offsets in a file.
    private static let tags: (words: FourCharacterCode, starts: FourCharacterCode) = ("ROWS", "RBEG")

    /// Writes the rows to a file: for each chunk a section of words and one of start offsets.
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        for (number, chunk) in chunks.enumerated() {
            try chunk.write(UInt32(number), as: Self.tags, to: &writer)
        }
    }

    /// Opens the rows of a file in place; rows that change are copied to memory first.
    ///
    /// - Throws: `.corruptFile` for rows that are not contiguous; their contents are not checked.
    init(file: SectionFile, count: Int) throws(KinError) {
        self.count = count
        for first in stride(from: 0, to: count, by: 1 << Self.chunkShift) {
            let number = UInt32(first >> Self.chunkShift)
            let rows = min(count - first, 1 << Self.chunkShift)
            append(
                try SoulChunk(
                    words: file.section(Self.tags.words, number, requiring: 8),
                    starts: file.section(Self.tags.starts, number, requiring: 4, count: rows + 1)))
        }
    }

    init() {}

    /// The size of the rows, in bytes.
    var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }
}

/// A chunk of rows, which never change.
@safe
final class SoulChunk: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    private let starts: UnsafeMutablePointer<UInt32>
    private let count: Int
    /// The file that contains the rows; nil if the chunk owns its memory.
    private let image: FileImage?

    init(_ rows: [[UInt64]]) {
        count = rows.count
        image = nil
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

    /// Opens rows in the memory of a file.
    ///
    /// - Throws: `.corruptFile` for a row that is shorter than an empty one, or not within the words.
    init(words: SectionView, starts: SectionView) throws(KinError) {
        count = starts.count - 1
        image = words.image
        unsafe self.words = words.start(of: UInt64.self)
        unsafe self.starts = starts.start(of: UInt32.self)
        let ends = unsafe UnsafeBufferPointer(start: self.starts, count: starts.count)
        let isAscending = unsafe zip(ends, ends.dropFirst()).allSatisfy { $1 >= $0 + UInt32(SoulRow.emptyWords.count) }
        guard isAscending, unsafe ends[0] == 0, unsafe Int(ends[count]) == words.count else {
            throw .corrupt("section \(starts.name) does not divide section \(words.name) into rows")
        }
    }

    /// Writes the rows to a file: all words, then the start of each row and the end of the last one.
    func write(
        _ number: UInt32, as tags: (words: FourCharacterCode, starts: FourCharacterCode),
        to writer: inout SectionFileWriter
    ) throws(KinError) {
        try unsafe writer.write(Span(_unsafeStart: words, count: Int(starts[count])), to: tags.words, number)
        try unsafe writer.write(Span(_unsafeStart: starts, count: count + 1), to: tags.starts, number)
    }

    deinit {
        guard image == nil else { return }
        unsafe words.deallocate()
        unsafe starts.deallocate()
    }

    /// The addresses of a chunk's rows, valid as long as the chunk is.
    @safe
    struct Rows: @unchecked Sendable {
        fileprivate let words: UnsafePointer<UInt64>
        fileprivate let starts: UnsafePointer<UInt32>

        @inline(__always)
        func row(_ r: Int) -> SoulRow { unsafe SoulRow(words + Int(starts[r])) }
    }

    var rows: Rows { unsafe Rows(words: words, starts: starts) }

    /// Copies of all rows.
    var copies: [[UInt64]] {
        (0..<count).map { r in
            unsafe Array(UnsafeBufferPointer(start: words + Int(starts[r]), count: Int(starts[r + 1] - starts[r])))
        }
    }

    var byteCount: Int { unsafe Int(starts[count]) * 8 + (count + 1) * 4 }
}
