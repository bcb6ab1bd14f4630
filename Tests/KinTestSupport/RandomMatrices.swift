import Foundation
package import KinCore
package import KinLinearAlgebra

extension SeededGenerator {
    /// One draw from the standard normal distribution (Box and Muller 1958, doi:10.1214/aoms/1177706645).
    package mutating func gaussian() -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return radius * cos(2 * .pi * uniform())
    }

    /// A matrix of independent draws, row after row.
    package mutating func matrix<Scalar>(
        rows: Int,
        columns: Int,
        of draw: (inout SeededGenerator) -> Double
    ) -> Matrix<Scalar> {
        var matrix = Matrix<Scalar>(rows: rows, columns: columns)
        for i in 0..<rows {
            for j in 0..<columns { matrix[i, j] = Scalar(draw(&self)) }
        }
        return matrix
    }

    /// Independent and uniform in `range`.
    package mutating func uniformMatrix<Scalar>(
        rows: Int,
        columns: Int,
        in range: ClosedRange<Double> = 0...1
    ) -> Matrix<Scalar> {
        matrix(rows: rows, columns: columns) { range.lowerBound + (range.upperBound - range.lowerBound) * $0.uniform() }
    }

    /// Independent and standard normal.
    package mutating func gaussianMatrix<Scalar>(rows: Int, columns: Int) -> Matrix<Scalar> {
        matrix(rows: rows, columns: columns) { $0.gaussian() }
    }

    /// Integers 0 ..< `bound`: every distance between rows is exact, and many of them tie.
    package mutating func integerMatrix<Scalar>(rows: Int, columns: Int, below bound: Int) -> Matrix<Scalar> {
        matrix(rows: rows, columns: columns) { Double($0.below(bound)) }
    }
}
