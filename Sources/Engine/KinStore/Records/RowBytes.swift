/// Rows of tables in sequence, each as the bytes that its checksum covers. A value is its type and its number or
/// length, eight bytes each in little-endian order, followed by its bytes if it is a text or blob.
///
/// A row begins with its row number; for a record with an owner, the person's number follows. Both are 0 until known. A
/// row is encoded once: the checksum covers the same bytes whose addresses SQLite receives.
struct RowBytes: Sendable {
    private var bytes: [UInt8] = []

    /// The number of bytes of all rows.
    var count: Int { bytes.count }

    /// Removes all rows and retains the memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends a record's row.
    mutating func append<Record: StoredRecord>(_ record: Record) {
        append(0)
        if Record.kind.isOwned { append(0) }
        Record.table.write(record, to: &self)
    }

    /// Appends a whole number.
    mutating func append(_ number: Int64) { append(.integer, UInt64(bitPattern: number)) }

    /// Appends a text, null for nil.
    mutating func append(_ text: String?) {
        guard var text else { return append(.null, 0) }
        text.withUTF8 { text in
            append(.text, UInt64(text.count))
            unsafe bytes.append(contentsOf: text)
        }
    }

    /// Appends the numbers of a vector in little-endian order, as a blob.
    mutating func append(_ vector: SIMD16<Float>) {
        append(.blob, UInt64(MemoryLayout<SIMD16<Float>>.size))
        for index in 0..<16 {
            unsafe withUnsafeBytes(of: vector[index].bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Appends a text of JSON.
    mutating func append(_ value: (inout JSONWriter) -> Void) {
        append(.text, 0)
        let first = bytes.count
        JSONWriter.append(to: &bytes, value)
        let length = UInt64(bytes.count - first).littleEndian
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: length, toByteOffset: first - 8, as: UInt64.self)
        }
    }

    private mutating func append(_ type: ValueType, _ number: UInt64) {
        unsafe withUnsafeBytes(of: (type.rawValue.littleEndian, number.littleEndian)) {
            unsafe bytes.append(contentsOf: $0)
        }
    }

    /// Calls a body with the row at a range of bytes.
    mutating func withRow<Result>(at range: Range<Int>, _ body: (RowView) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeMutableBytes {
            try unsafe body(RowView(bytes: UnsafeMutableRawBufferPointer(rebasing: $0[range])))
        }
    }
}

extension StoredRecord {
    /// The values of the kind's columns without the person.
    var values: [SQLValue] {
        var rows = RowBytes()
        rows.append(self)
        return rows.withRow(at: 0..<rows.count) { Array($0.values.dropFirst(Self.kind.isOwned ? 2 : 1)) }
    }

    /// The stored record with the same key, in the log that the record's user shares; nil if nothing is stored.
    func stored(in transaction: WriteTransaction) throws -> Self? {
        let kind = Self.kind
        let columns = Dictionary(uniqueKeysWithValues: zip(kind.columns.drop { $0 == "person" }, values))
        var owner = owner
        if let user = owner, let baby = kind.babyColumn.flatMap({ columns[$0]?.text }) {
            owner = try transaction.keeper(of: user, baby: baby) ?? user
        }
        let person = try owner.flatMap { try People.number(of: $0, in: transaction.database) }
        return try RecordQuery<Self>(
            "WHERE " + kind.key.map { "\($0) = ?" }.joined(separator: " AND "),
            kind.key.map { columns[$0] ?? person.map { .integer($0) } ?? .null }
        ).first(in: transaction.database)
    }
}

/// A row of a ``RowBytes``.
@safe
struct RowView {
    /// A value of the row, in the row's memory.
    @safe
    enum Value {
        case integer(Int64)
        case text(UnsafeRawBufferPointer)
        case blob(UnsafeRawBufferPointer)
        case null
    }

    private let bytes: UnsafeMutableRawBufferPointer

    fileprivate init(bytes: UnsafeMutableRawBufferPointer) { unsafe self.bytes = unsafe bytes }

    /// Sets the number of the row.
    func set(number: Int64) { unsafe bytes.storeBytes(of: number.littleEndian, toByteOffset: 8, as: Int64.self) }

    /// Sets the number of the person who owns the row.
    func set(person: Int64) { unsafe bytes.storeBytes(of: person.littleEndian, toByteOffset: 24, as: Int64.self) }

    /// The checksum of the row, with its number.
    var checksum: UInt32 { unsafe CRC32C.of(UnsafeRawBufferPointer(bytes).bytes) }

    /// Calls a body with the values in order, the row number first, and their positions, counted from 0.
    func forEach(_ body: (Int, Value) throws -> Void) rethrows {
        var (offset, position) = (0, 0)
        while unsafe offset < bytes.count {
            let type = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let number = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            offset += 16
            var value = Value.null
            switch ValueType(rawValue: type)! {
            case .integer: value = .integer(Int64(bitPattern: number))
            case .null: break
            case .text:
                unsafe value = .text(take(Int(number), at: &offset))
            case .blob:
                unsafe value = .blob(take(Int(number), at: &offset))
            }
            try body(position, value)
            position += 1
        }
    }

    private func take(_ count: Int, at offset: inout Int) -> UnsafeRawBufferPointer {
        defer { offset += count }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Copies of the values, the row number first.
    var values: [SQLValue] {
        var values: [SQLValue] = []
        forEach { _, value in values.append(SQLValue(value)) }
        return values
    }
}

extension SQLValue {
    /// Copies a value of a row.
    fileprivate init(_ value: RowView.Value) {
        self =
            switch value {
            case .integer(let number): .integer(number)
            case .text(let bytes): unsafe .utf8(Array(bytes))
            case .blob(let bytes): unsafe .bytes(Array(bytes))
            case .null: .null
            }
    }
}
