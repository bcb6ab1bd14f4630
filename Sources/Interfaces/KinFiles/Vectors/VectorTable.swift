/// Vectors as read from a file, before they become an index.
///
///     let table = try VectorTable(reading: "profiles.csv", threads: 2)
///     var index = VectorIndex(dimension: table.dimension)
///     try index.upsert(table.matrix(), ids: table.allIDs)
public struct VectorTable: Sendable {
    /// The number of numbers in each row.
    public var dimension: Int
    /// Row after row, `dimension` numbers each; every one is finite.
    public var elements: [Float] = []
    /// For each element what a float lost of the number in the file; empty unless the selection asks for it.
    var remainders: [Float] = []
    /// One id per row; nil if the file has none, and row numbers are the ids.
    public var ids: [VectorID]?
    /// One text per row that serves as its id, in place of ``ids``; nil if ids are numbers.
    public var names: [String]?
    /// One label per row, if a label column was requested.
    public var labels: [String]?
    /// Attributes of the rows, in addition to their vectors.
    public var attributes = AttributeFields()
    /// The names of the dimensions, if the file has them.
    public var columns: [String]?
    /// Notes for the user on how the file was read.
    public var notes: [String] = []

    /// Creates a table of numbers.
    ///
    /// - Parameters:
    ///   - dimension: The number of numbers in each row.
    ///   - elements: Row after row, finite.
    public init(dimension: Int, elements: [Float] = []) {
        self.dimension = dimension
        self.elements = elements
    }

    /// The number of rows of the table.
    public var count: Int { dimension == 0 ? 0 : elements.count / dimension }

    /// The id of a row: the file's own, or the row number from 0.
    public func id(ofRow row: Int) -> VectorID { ids?[row] ?? VectorID(UInt64(row)) }

    /// The id of a row in words.
    public func idText(ofRow row: Int) -> String { names?[row] ?? "\(id(ofRow: row))" }

    /// All ids in row order.
    public var allIDs: [VectorID] { ids ?? (0..<count).map { VectorID(UInt64($0)) } }

    /// A copy of the `dimension` numbers of a row below ``count``.
    public func row(_ row: Int) -> [Float] { Array(elements[row * dimension..<(row + 1) * dimension]) }

    /// The rows as a matrix of ``count`` × `dimension`, which shares the table's memory until one of the two changes.
    ///
    /// - Throws: `.dimensionMismatch` if the table does not hold whole rows.
    public func matrix() throws(KinError) -> Matrix<Float> {
        try Matrix(rows: count, columns: dimension, elements: elements)
    }

    /// An element in the precision of the file.
    func exact(_ index: Int) -> Double {
        Double(elements[index]) + (remainders.isEmpty ? 0 : Double(remainders[index]))
    }

    /// Removes all rows and notes; the columns and the schema stay.
    mutating func removeRows() {
        elements.removeAll(keepingCapacity: true)
        remainders.removeAll(keepingCapacity: true)
        ids?.removeAll(keepingCapacity: true)
        names?.removeAll(keepingCapacity: true)
        labels?.removeAll(keepingCapacity: true)
        for index in attributes.values.indices { attributes.values[index].removeAll(keepingCapacity: true) }
        notes = []
    }

    /// Some of the rows, with their ids, labels and attributes.
    ///
    /// - Precondition: The table has the rows.
    public func rows(_ range: Range<Int>) -> VectorTable {
        var part = self
        part.elements = Array(elements[range.lowerBound * dimension..<range.upperBound * dimension])
        if !remainders.isEmpty {
            part.remainders = Array(remainders[range.lowerBound * dimension..<range.upperBound * dimension])
        }
        part.ids = names == nil ? range.map { id(ofRow: $0) } : nil
        part.names = names.map { Array($0[range]) }
        part.labels = labels.map { Array($0[range]) }
        part.attributes.values = attributes.values.map { Array($0[range]) }
        return part
    }
}
