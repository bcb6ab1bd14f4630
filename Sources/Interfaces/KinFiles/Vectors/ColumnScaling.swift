/// A scale for each column, so that no column dominates: stored = (raw − shift) · factor.
public struct ColumnScaling: Sendable, Equatable {
    /// The statistics for scaling a column.
    public enum Kind: String, CaseIterable, Sendable {
        /// Mean 0 and standard deviation 1 (of the population, with n in the denominator).
        case standard
        /// Smallest value 0, largest 1.
        case minmax
    }

    /// The statistics for scaling the columns.
    public let kind: Kind
    /// The number subtracted from each column, in units of the data.
    public let shift: [Double]
    /// The factor of each column after the shift, above 0.
    public let factor: [Double]
    /// The columns' means in raw units, which replace columns that a query leaves out.
    public let mean: [Double]

    /// Measures the columns of a table. A constant column is only shifted, to 0.
    ///
    /// Two passes in double precision; O(rows · dimension).
    ///
    /// - Parameters:
    ///   - kind: The statistics to scale by.
    ///   - table: A table with at least one row.
    public init(_ kind: Kind, of table: VectorTable) {
        let d = table.dimension
        var mean = [Double](repeating: 0, count: d)
        var least = [Double](repeating: .infinity, count: d)
        var most = [Double](repeating: -.infinity, count: d)
        for index in table.elements.indices {
            let (column, value) = (index % d, table.exact(index))
            mean[column] += value
            least[column] = min(least[column], value)
            most[column] = max(most[column], value)
        }
        for column in 0..<d { mean[column] /= Double(table.count) }
        var squares = [Double](repeating: 0, count: d)
        for index in table.elements.indices {
            let deviation = table.exact(index) - mean[index % d]
            squares[index % d] += deviation * deviation
        }
        self.kind = kind
        self.mean = mean
        shift = kind == .standard ? mean : least
        factor = (0..<d).map { column in
            guard most[column] > least[column] else { return 1 }
            return kind == .standard
                ? 1 / (squares[column] / Double(table.count)).squareRoot() : 1 / (most[column] - least[column])
        }
    }

    init(kind: Kind, shift: [Double], factor: [Double], mean: [Double]) {
        self.kind = kind
        self.shift = shift
        self.factor = factor
        self.mean = mean
    }

    /// The stored form of a number in a column.
    ///
    /// - Parameters:
    ///   - raw: The number in units of the data.
    ///   - column: The column, from 0.
    public func scaled(_ raw: Double, column: Int) -> Float { Float((raw - shift[column]) * factor[column]) }

    /// The number in units of the data for a stored number.
    ///
    /// - Parameters:
    ///   - stored: The stored number.
    ///   - column: The column, from 0.
    public func raw(_ stored: Float, column: Int) -> Double { Double(stored) / factor[column] + shift[column] }

    /// Scales every row of a table in place.
    ///
    /// - Parameter table: A table of these columns.
    public func apply(to table: inout VectorTable) {
        for index in table.elements.indices {
            table.elements[index] = scaled(table.exact(index), column: index % table.dimension)
        }
        table.remainders = []
    }
}
