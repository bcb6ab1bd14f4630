package import Kin
package import KinSamples

/// Vectors as in `kin generate`, and queries from the same distribution.
package struct Profiles {
    package let vectors: Matrix<Float>
    package let queries: Matrix<Float>

    /// Draws the vectors, and the queries as the last rows of the same data.
    package init(_ shape: ProfileShape, rows: Int, queries: Int = 0, dimension: Int, seed: UInt64) throws {
        let generator = try ProfileGenerator(shape, count: rows + queries, dimension: dimension, seed: seed)
        var elements = generator.elements(threads: 2)
        self.queries = try Matrix(
            rows: queries, columns: dimension, elements: Array(elements.suffix(queries * dimension)))
        elements.removeLast(queries * dimension)
        vectors = try Matrix(rows: rows, columns: dimension, elements: elements)
    }
}

extension Matrix<Float> {
    /// The first rows, at most `count`.
    package func firstRows(_ count: Int) throws -> Matrix<Float> {
        let count = Swift.min(rows, count)
        return try Matrix(rows: count, columns: columns, elements: Array(elements.prefix(count * columns)))
    }

    /// The first rows, at most `count`, as arrays.
    package func arrays(_ count: Int = .max) -> [[Float]] { (0..<Swift.min(rows, count)).map { Array(row($0)) } }
}
