import KinCore

/// Up to ``AttributeLayout/chunkRows`` rows of attributes, in memory of its own or in a mapped file.
///
/// A chunk is shared between a table and its snapshots, and changed only by a table that holds the only reference
/// (``AttributeStore`` copies it first otherwise). That makes `@unchecked Sendable` true: a chunk that two threads can see is
/// never written. As in ``Chunk`` the checks for overlapping access to `count` are off: they would cost a call a block.
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

    /// The memory of the chunk in the layout of ``AttributeLayout``; 64-byte aligned.
    let memory: UnsafeMutableRawPointer
    let byteCount: Int
    let ids: UnsafeMutablePointer<VectorID>
    /// For each column, capacity bits.
    private let presenceWords: [UnsafeMutablePointer<UInt64>]
    private let valueBytes: [UnsafeMutableRawPointer]
    /// Keeps the mapped file alive; nil when the chunk owns its memory.
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

    /// A chunk in memory that is laid out already.
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

    /// The value of one row as bits (an integer, a double, a code, 0 or 1); nil when it is missing.
    func value(_ column: Int, row: Int) -> UInt64? {
        let bit: UInt64 = 1 << UInt64(row & 63)
        return unsafe presenceWords[column][row >> 6] & bit == 0 ? nil : bits(column, row: row)
    }

    /// The bits stored for one row, whether the value is present or not.
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

    /// Replaces the codes of a column: `codes[code]` is the new one, and 0 that of codes beyond, which only a damaged file has.
    func renumber(_ column: Int, _ new: [UInt32]) {
        let codes = unsafe codes(column)
        for row in 0..<count {
            let code = unsafe Int(codes[row])
            unsafe codes[row] = code < new.count ? new[code] : 0
        }
    }

    /// The same rows with room for more, in memory of their own.
    ///
    /// - Parameter other: A layout that begins with this one's columns; further ones are missing for every row.
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
