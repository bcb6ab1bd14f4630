/// The ids of records by row number, to identify the record or the person of a deleted row.
///
/// The ids of a saved value stay in its file; changes are stored in memory.
struct RowIDs: Sendable {
    private struct Saved: Sendable {
        let numbers: SectionView
        let ids: SavedTexts

        /// The row number at an index, ascending.
        func number(_ index: Int) -> Int64 {
            numbers.withBytes { bytes in
                unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 8 * index, as: Int64.self)
            }
        }
    }

    private static let numberTag: FourCharacterCode = "RNUM"
    private static let idTags: SavedTexts.Tags = ("RIDB", "RIDE")

    private var saved: Saved?
    /// The ids that changed since the value was saved; nil for removed rows.
    private var changed: [Int64: String?] = [:]
    /// The number of rows.
    private(set) var count: Int

    /// Creates the table of rows, each number once.
    init(_ rows: [(number: Int64, id: String)]) {
        changed = Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0.id) })
        count = rows.count
    }

    /// Reads the table of a file.
    ///
    /// - Throws: `.corruptFile`.
    init(file: SectionFile) throws(KinError) {
        let numbers = try file.section(Self.numberTag, requiring: 8)
        saved = Saved(numbers: numbers, ids: try SavedTexts(file, Self.idTags, count: numbers.count))
        count = numbers.count
    }

    /// Writes the table by ascending row number.
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        var rows = changed.compactMap { number, id in id.map { (number, $0) } }
        if let saved {
            for index in 0..<saved.numbers.count where changed[saved.number(index)] == nil {
                rows.append((saved.number(index), saved.ids[index]))
            }
        }
        rows.sort { $0.0 < $1.0 }
        let numbers = rows.map(\.0)
        try writer.write(numbers.span, to: Self.numberTag)
        try writer.write(texts: rows.lazy.map { Array($0.1.utf8) }, to: Self.idTags)
    }

    /// The id of a row; nil if there is no such row.
    subscript(number: Int64) -> String? {
        get {
            if let change = changed[number] { return change }
            guard let saved else { return nil }
            var rows = 0..<saved.numbers.count
            while !rows.isEmpty {
                let middle = (rows.lowerBound + rows.upperBound) / 2
                let found = saved.number(middle)
                if found == number { return saved.ids[middle] }
                rows = found < number ? middle + 1..<rows.upperBound : rows.lowerBound..<middle
            }
            return nil
        }
        set {
            count += (newValue == nil ? 0 : 1) - (self[number] == nil ? 0 : 1)
            changed[number] = .some(newValue)
        }
    }

    /// Removes a row, and returns its id.
    mutating func remove(_ number: Int64) -> String? {
        let id = self[number]
        if id != nil { self[number] = nil }
        return id
    }

    /// An estimate of the table's memory, in bytes.
    var byteCount: Int { changed.count * 64 + (saved.map { $0.ids.byteCount + 8 * $0.numbers.count } ?? 0) }
}
