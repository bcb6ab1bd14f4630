/// Up to ``AttributeLayout/chunkRows`` rows of attributes, in owned memory or in a mapped file.
///
/// A table and its snapshots share a chunk. Only a table that holds the sole reference changes it (``AttributeStore``
/// copies it first otherwise). This makes `@unchecked Sendable` true: a chunk that two threads can see is never
/// written. As in ``Chunk``, the exclusivity checks on `count` are off: they would cost a call per block.
@safe
final class AttributeChunk: BlockedRows, @unchecked Sendable {
    let layout: AttributeLayout
    /// A multiple of 64.
    let capacity: Int
    var count: Int {
        get { unsafe uncheckedCount }
        set { unsafe uncheckedCount = newValue }
    }
    @exclusivity(unchecked) private var uncheckedCount: Int

    /// The memory of the chunk, in the layout of ``AttributeLayout``, 64-byte aligned.
    let memory: UnsafeMutableRawPointer
    let byteCount: Int
    let ids: UnsafeMutablePointer<VectorID>
    /// For each column, one presence bit per row, `capacity` bits.
    private let presenceWords: [UnsafeMutablePointer<UInt64>]
    private let valueBytes: [UnsafeMutableRawPointer]
    /// Retains the mapped file; nil if the chunk owns its memory.
    private let mapping: (any AnyObject & Sendable)?

    var isMapped: Bool { mapping != nil }

    /// Creates a chunk without rows.
    convenience init(layout: AttributeLayout, minimumCapacity: Int) {
        let capacity = min(AttributeLayout.blocks(max(minimumCapacity, 1)), AttributeLayout.chunkRows)
        let byteCount = layout.offsets(capacity: capacity).byteCount
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        unsafe self.init(layout: layout, capacity: capacity, count: 0, memory: memory, mapping: nil)
        unsafe ids.update(repeating: .none, count: capacity)
    }

    /// Creates a chunk in memory that already has the layout.
    init(
        layout: AttributeLayout, capacity: Int, count: Int, memory: UnsafeMutableRawPointer,
        mapping: (any AnyObject & Sendable)?
    ) {
        let offsets = layout.offsets(capacity: capacity)
        self.layout = layout
        self.capacity = capacity
        unsafe uncheckedCount = count
        unsafe self.memory = memory
        byteCount = offsets.byteCount
        unsafe ids = memory.bindMemory(to: VectorID.self, capacity: capacity)
        unsafe presenceWords = offsets.presence.map {
            unsafe (memory + $0).bindMemory(to: UInt64.self, capacity: capacity / 64)
        }
        unsafe valueBytes = offsets.values.map { unsafe memory + $0 }
        self.mapping = mapping
    }

    deinit {
        if mapping == nil { unsafe memory.deallocate() }
    }

    // MARK: Reading

    func presence(_ column: Int) -> UnsafeMutablePointer<UInt64> { unsafe presenceWords[column] }

    /// The values of a column of words, as their bits.
    func words(_ column: Int) -> UnsafeMutablePointer<UInt64> {
        unsafe valueBytes[column].assumingMemoryBound(to: UInt64.self)
    }

    /// The values of a column of codes.
    func codes(_ column: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe valueBytes[column].assumingMemoryBound(to: UInt32.self)
    }

    /// The value of one row as bits (an integer, a double, a code, 0 or 1); nil if it is missing.
    func value(_ column: Int, row: Int) -> UInt64? {
        let bit: UInt64 = 1 << UInt64(row & 63)
        return unsafe presenceWords[column][row >> 6] & bit == 0 ? nil : bits(column, row: row)
    }

    /// The stored bits of one row, regardless of presence.
    func bits(_ column: Int, row: Int) -> UInt64 {
        switch layout.columns[column] {
        case .word: unsafe words(column)[row]
        case .code: unsafe UInt64(codes(column)[row])
        case .bit: unsafe words(column)[row >> 6] >> UInt64(row & 63) & 1
        }
    }

    // MARK: Writing

    /// Sets the value of one row, or removes it.
    func set(_ column: Int, row: Int, to value: UInt64?) {
        let bit: UInt64 = 1 << UInt64(row & 63)
        let bits = value ?? 0
        if value == nil {
            unsafe presenceWords[column][row >> 6] &= ~bit
        } else {
            unsafe presenceWords[column][row >> 6] |= bit
        }
        switch layout.columns[column] {
        case .word: unsafe words(column)[row] = bits
        case .code: unsafe codes(column)[row] = UInt32(truncatingIfNeeded: bits)
        case .bit:
            if bits != 0 { unsafe words(column)[row >> 6] |= bit } else { unsafe words(column)[row >> 6] &= ~bit }
        }
    }

    /// Removes the last row and zeroes it.
    func dropLast() {
        count -= 1
        unsafe ids[count] = .none
        for column in layout.columns.indices { set(column, row: count, to: nil) }
    }

    /// Replaces the codes of a column by `new[code]`. Codes beyond the array, possible only in a damaged file, become
    /// 0.
    func renumber(_ column: Int, _ new: [UInt32]) {
        let codes = unsafe codes(column)
        for row in 0..<count {
            let code = unsafe Int(codes[row])
            unsafe codes[row] = code < new.count ? new[code] : 0
        }
    }

    /// A copy of the rows in owned memory, with room for more.
    ///
    /// - Parameter other: A layout that begins with this layout's columns; values of further columns are missing in
    ///   every row. Default: nil for the same layout.
    func copy(minimumCapacity: Int, layout other: AttributeLayout? = nil) -> AttributeChunk {
        let copy = AttributeChunk(layout: other ?? layout, minimumCapacity: max(minimumCapacity, count))
        copy.count = count
        unsafe copy.ids.update(from: ids, count: count)
        let rows = AttributeLayout.blocks(count)
        for (column, type) in layout.columns.enumerated() {
            unsafe copy.presenceWords[column].update(from: presenceWords[column], count: rows / 64)
            unsafe copy.valueBytes[column].copyMemory(
                from: valueBytes[column], byteCount: AttributeLayout.byteCount(of: type, rows: rows))
        }
        return copy
    }
}
