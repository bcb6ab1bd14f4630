import ArgumentParser
package import Kin
import KinFiles
package import KinSamples

/// Vectors, and queries from the same distribution.
package struct Profiles {
    package let vectors: Matrix<Float>
    package let queries: Matrix<Float>

    /// Draws vectors as in `kin generate`; the queries are the last rows of the same data.
    package init(_ shape: ProfileShape, rows: Int, queries: Int = 0, dimension: Int, seed: UInt64) throws {
        let generator = try ProfileGenerator(shape, count: rows + queries, dimension: dimension, seed: seed)
        try self.init(VectorTable(dimension: dimension, elements: generator.elements(threads: 2)), queries: queries)
    }

    /// Reads vectors from a file, such as one of `kin generate`; the queries are its last rows.
    package init(reading path: String, queries: Int = 0) throws {
        try self.init(VectorTable(reading: path), queries: queries)
    }

    private init(_ table: consuming VectorTable, queries count: Int) throws {
        guard count < table.count else {
            throw ValidationError("The queries must be fewer than \(table.count), the number of rows, not \(count).")
        }
        let size = count * table.dimension
        queries = try Matrix(rows: count, columns: table.dimension, elements: Array(table.elements.suffix(size)))
        table.elements.removeLast(size)
        vectors = try table.matrix()
    }
}

extension Matrix<Float> {
    /// The rows of a range, as far as they exist.
    package func slice(_ range: Range<Int>) throws -> Matrix<Float> {
        let range = range.clamped(to: 0..<rows)
        let elements = Array(elements[range.lowerBound * columns..<range.upperBound * columns])
        return try Matrix(rows: range.count, columns: columns, elements: elements)
    }

    /// The first rows, at most `count`, as arrays.
    package func arrays(_ count: Int = .max) -> [[Float]] { (0..<Swift.min(rows, count)).map { Array(row($0)) } }
}
