/// A compact encoding of the features of a choice's actions, exact to the bit. A log that stores it can evaluate other
/// policies.
///
///     let stored = ActionSet(features)!                  // a row for each action
///     let probabilities = try other.probabilities(of: stored.features, seed: 1)
///
/// A column is stored as a list of its distinct values and, for each action, the index of its value in the list, in as
/// few bits as the indexes need. Columns with the same indexes share them, and equal columns are stored once. So the
/// products of a trait and a context feature cost little.
public struct ActionSet: Sendable, Hashable {
    /// The largest number of actions in a set.
    public static let mostActions = 4096

    /// The number of actions.
    public let count: Int
    /// The number of features of an action.
    public let dimension: Int
    /// The actions as bytes, which ``init(decoding:)`` reads.
    public let bytes: [UInt8]

    /// Encodes the features of actions.
    ///
    /// - Parameter features: n × d finite numbers, a row for each action.
    /// - Returns: nil for no actions or more than ``mostActions``, for no features or more than 65,535, and for a feature
    ///   that is not finite.
    /// - Complexity: O(n d) for columns of few distinct values, at most O(n² d).
    public init?(_ features: Matrix<Double>) {
        guard 1...Self.mostActions ~= features.rows, 1...65_535 ~= features.columns,
            features.elements.allSatisfy(\.isFinite)
        else { return nil }
        (count, dimension) = (features.rows, features.columns)
        var columns: [Column] = []
        columns.reserveCapacity(dimension)
        for feature in 0..<dimension { columns.append(Column((0..<features.rows).map { features[$0, feature] })) }
        var writer = LittleEndianWriter()
        writer.write(UInt16(count))
        writer.write(UInt16(dimension))
        for (number, column) in columns.enumerated() {
            let earlier = columns[..<number]
            if let equal = earlier.firstIndex(of: column) {
                writer.write(ColumnKind.copy.rawValue)
                writer.write(UInt16(equal))
            } else if column.values.count > 1, let like = earlier.firstIndex(where: { $0.places == column.places }) {
                writer.write(ColumnKind.samePlaces.rawValue)
                writer.write(UInt16(like))
                column.writeValues(to: &writer)
            } else {
                writer.write(ColumnKind.own.rawValue)
                column.writeValues(to: &writer)
                writer.write(bytes: column.packedPlaces)
            }
        }
        bytes = writer.bytes
    }

    /// Reads actions from ``bytes``.
    ///
    /// - Throws: `.corruptFile` for other bytes.
    public init(decoding bytes: [UInt8]) throws(KinError) {
        let columns = try Self.columns(of: bytes)
        (count, dimension, self.bytes) = (columns[0].places.count, columns.count, bytes)
    }

    /// The features, a row for each action.
    ///
    /// - Complexity: O(n d).
    public var features: Matrix<Double> {
        get throws(KinError) {
            let columns = try Self.columns(of: bytes)
            let elements = (0..<count).flatMap { row in columns.map { $0.value(of: row) } }
            return try Matrix(rows: count, columns: dimension, elements: elements)
        }
    }

    private static func columns(of bytes: [UInt8]) throws(KinError) -> [Column] {
        var reader = LittleEndianReader(bytes, of: "a set of actions")
        let (count, dimension): (UInt16, UInt16) = (try reader.read(), try reader.read())
        guard 1...mostActions ~= Int(count), dimension > 0 else { throw reader.damaged("it has no rows or columns") }
        var columns: [Column] = []
        for _ in 0..<dimension {
            guard let kind = ColumnKind(rawValue: try reader.read()) else {
                throw reader.damaged("a column has an unknown kind")
            }
            var earlier: Column?
            if kind != .own {
                let place: UInt16 = try reader.read()
                guard place < columns.count else { throw reader.damaged("a column is like a later one") }
                earlier = columns[Int(place)]
            }
            switch (kind, earlier) {
            case (.copy, let earlier?): columns.append(earlier)
            case (_, let earlier): columns.append(try Column(from: &reader, places: earlier?.places, count: Int(count)))
            }
        }
        guard reader.rest == 0 else { throw reader.damaged("it has bytes after its end") }
        return columns
    }
}

/// The three ways to store a column.
private enum ColumnKind: UInt8 {
    /// Values, then the index of the value of each row.
    case own = 0
    /// Values, with the indexes of an earlier column.
    case samePlaces = 1
    /// The number of an earlier, equal column.
    case copy = 2
}

/// A column as its distinct values, in order of first appearance, and an index for each row.
private struct Column: Equatable {
    /// The bit patterns of the values, so that equal columns are equal to the bit.
    var values: [UInt64] = []
    /// The index of each row's value in ``values``.
    var places: [UInt16] = []

    init(_ numbers: [Double]) {
        places.reserveCapacity(numbers.count)
        for number in numbers {
            let bits = number.bitPattern
            if let place = values.firstIndex(of: bits) {
                places.append(UInt16(place))
            } else {
                places.append(UInt16(values.count))
                values.append(bits)
            }
        }
    }

    func value(of row: Int) -> Double { Double(bitPattern: values[Int(places[row])]) }

    /// The number of bits of an index.
    private var width: Int { Int.bitWidth - (values.count - 1).leadingZeroBitCount }

    func writeValues(to writer: inout LittleEndianWriter) {
        writer.write(UInt16(values.count))
        for value in values.map(Double.init(bitPattern:)) {
            let float = Float(value)
            if value.bitPattern == 0 || value == 1 {
                writer.write(UInt8(value))
            } else if Double(float).bitPattern == value.bitPattern {
                writer.write(Self.float)
                writer.write(float)
            } else {
                writer.write(Self.double)
                writer.write(value)
            }
        }
    }

    /// The indexes, packed one after another, lowest bit first.
    var packedPlaces: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (places.count * width).dividedRoundingUp(by: 8))
        for (row, place) in places.enumerated() {
            for bit in 0..<width where place >> bit & 1 == 1 {
                let position = row * width + bit
                bytes[position / 8] |= 1 << (position % 8)
            }
        }
        return bytes
    }

    init(from reader: inout LittleEndianReader, places known: [UInt16]?, count: Int) throws(KinError) {
        let distinct: UInt16 = try reader.read()
        guard 1...count ~= Int(distinct) else { throw reader.damaged("a column has \(distinct) values") }
        for _ in 0..<distinct {
            let kind: UInt8 = try reader.read()
            let value: Double
            switch kind {
            case 0, 1: value = Double(kind)
            case Self.float: value = Double(try reader.read(Float.self))
            case Self.double: value = try reader.read()
            default: throw reader.damaged("a value has an unknown kind")
            }
            guard value.isFinite else { throw reader.damaged("a value is not finite") }
            values.append(value.bitPattern)
        }
        if let known {
            places = known
        } else {
            let bytes = Array(try reader.readBytes(count: (count * width).dividedRoundingUp(by: 8)))
            places = (0..<count).map { row in
                (0..<width).reduce(0) { place, bit in
                    let position = row * width + bit
                    return place | UInt16(bytes[position / 8] >> (position % 8) & 1) << bit
                }
            }
        }
        guard places.allSatisfy({ $0 < distinct }) else { throw reader.damaged("a row has no value of its column") }
    }

    /// The tags of a 32-bit and a 64-bit value; the tags 0 and 1 are the values 0 and 1 themselves.
    private static let float: UInt8 = 2
    private static let double: UInt8 = 3
}
