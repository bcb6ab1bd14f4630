import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

/// Data that make lists, boxes or frames difficult, each in a different way.
enum DataShape: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case uniform, clustered, correlated, allEqual, manyDuplicates, oneOutlier, huge, tiny, offset, wholeRange, denormal
    case largest, nearlyZero, signs, units, ties, halfSteps, descending, growing, twoBalls, oneAxis, heavyTails
    case fewOutliers, farOutliers, manyOutliers, opposite, sparse, bits

    var testDescription: String { rawValue }

    /// Rows of this shape; never all zero, so that cosine accepts them.
    func matrix(rows n: Int, dimension d: Int, random: inout SeededGenerator) -> Matrix<Float> {
        let centres: Matrix<Float> = random.gaussianMatrix(rows: 12, columns: d)
        let mixing: Matrix<Float> = random.gaussianMatrix(rows: 2, columns: d)
        var matrix = Matrix<Float>(rows: n, columns: d)
        for i in 0..<n {
            let (u, v) = (Float(random.gaussian()), Float(random.gaussian()))
            for j in 0..<d {
                let noise = Float(random.gaussian())
                matrix[i, j] =
                    switch self {
                    case .uniform: Float(random.uniform())
                    case .clustered: centres[i % 12, j] + 0.05 * noise
                    case .correlated: u * mixing[0, j] + v * mixing[1, j] + 0.02 * noise
                    case .allEqual: 0.25
                    case .manyDuplicates: Float((i % 7) * (j + 1) + 1)
                    case .oneOutlier: i == n / 2 ? 1e12 : noise
                    case .huge: noise * (Float.greatestFiniteMagnitude / 64)
                    case .tiny: noise * 1e-30
                    case .offset: 1e6 + noise
                    case .wholeRange:
                        Float(
                            sign: random.below(2) == 0 ? .plus : .minus, exponent: random.below(254) - 126,
                            significand: 1)
                    case .denormal: Float.leastNonzeroMagnitude * Float(random.below(100) + 1)
                    case .largest: Float.greatestFiniteMagnitude * (random.below(2) == 0 ? 1 : -1)
                    case .nearlyZero: i == n / 2 ? 1 : j == 0 ? .leastNonzeroMagnitude : 0
                    case .signs: random.below(2) == 0 ? 1 : -1
                    case .units: i % d == j ? 1 : 0
                    case .ties: Float(random.below(3) + 1)
                    // In steps of half a cell of a grid.
                    case .halfSteps: Float(random.below(509) + 1) / 2
                    case .descending: Float(n - i)
                    case .growing: noise * Float(i + 1) * Float(i + 1)
                    case .twoBalls: Float(i % 2 == 0 ? 0 : 1_000) + noise * 1e-3
                    case .oneAxis: noise * (j == 3 ? 1e7 : 1)
                    case .heavyTails: Float(1 / (random.uniform() - 0.5))
                    case .fewOutliers: noise * (i % 150 == 7 ? 1e3 : 1)
                    case .farOutliers: noise * (i % 300 == 7 ? 1e30 : 1)
                    case .manyOutliers: i % 20 == 7 ? 1e12 : noise
                    case .sparse: i % d == j || random.below(20) == 0 ? noise * noise : 0
                    case .bits: i % d == j || random.below(3) == 0 ? 1 : 0
                    case .opposite: i < 2 ? Float(1 - 2 * i) * 1e4 : centres[i % 12, j] + 0.05 * noise
                    }
            }
        }
        return matrix
    }

    /// Rows themselves, points between rows, and points outside the data at small, large and very large distances.
    static func queries(for vectors: Matrix<Float>, random: inout SeededGenerator) -> Matrix<Float> {
        let (n, d) = (vectors.rows, vectors.columns)
        var queries = [Array(vectors.row(0)), Array(vectors.row(n - 1)), Array(vectors.row(n / 2))]
        queries.append(zip(vectors.row(n / 3), vectors.row(n / 4)).map { $0 / 2 + $1 / 2 })
        let base = Array(vectors.row(random.below(n)))
        for radius: Float in [1e-32, 1e-6, 1, 1e20] {
            queries.append(base.map { min(max($0 + radius * Float(random.gaussian()), -3e38), 3e38) })
        }
        queries.append(Array(repeating: -3e38, count: d))
        queries.append(Array(repeating: .leastNonzeroMagnitude, count: d))
        return Matrix(rows: queries.filter { $0.contains { $0 != 0 } }, columns: d)
    }
}

extension Matrix where Scalar == Float {
    /// Rows of the same length.
    init(rows: [[Float]], columns: Int) {
        self.init(rows: rows.count, columns: columns)
        for (i, row) in rows.enumerated() {
            for j in 0..<columns { self[i, j] = row[j] }
        }
    }
}
