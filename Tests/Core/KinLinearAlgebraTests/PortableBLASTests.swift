import KinCore
import KinTestSupport
import Testing

@testable import KinLinearAlgebra

/// The loops of a build without the trait `SystemBLAS`, compared with the BLAS of this build.
@Suite struct PortableBLASTests {
    private static let shapes = [
        (1, 1, 1), (2, 3, 4), (5, 1, 7), (4, 8, 512), (33, 17, 40), (10, 7, 1100), (130, 70, 3), (3, 5, 0),
    ]

    private func largestDifference(_ a: Matrix<Double>, _ b: Matrix<Double>) -> Double {
        zip(a.elements, b.elements).map { ($0 - $1).magnitude }.max() ?? 0
    }

    @Test func productsAgreeWithTheSystemBLAS() throws {
        var random = TestSeed().generator
        for (m, n, k) in Self.shapes {
            let tolerance = Double(k + 4) * Double.ulpOfOne * 40
            for opA in [MatrixOperation.none, .transposed] {
                for opB in [MatrixOperation.none, .transposed] {
                    for beta in [0.0, 1, -2] {
                        let a: Matrix<Double> = random.gaussianMatrix(
                            rows: opA == .none ? m : k, columns: opA == .none ? k : m)
                        let b: Matrix<Double> = random.gaussianMatrix(
                            rows: opB == .none ? k : n, columns: opB == .none ? n : k)
                        let before =
                            beta == 0
                            ? Matrix<Double>(rows: m, columns: n, repeating: .nan)
                            : random.gaussianMatrix(rows: m, columns: n)
                        var (expected, found) = (before, before)
                        try BLAS.gemm(a, opA: opA, b, opB: opB, beta: beta, into: &expected)
                        guard k > 0 else { continue }
                        a.withOperand(opA) { a in
                            b.withOperand(opB) { b in
                                found.withTarget { PortableBLAS.gemm(a, b, beta: beta, into: $0) }
                            }
                        }
                        #expect(
                            largestDifference(expected, found) <= tolerance,
                            "\(m) × \(n) × \(k) \(opA) \(opB) β \(beta)")
                    }
                }
                guard k > 0 else { continue }
                let a: Matrix<Double> = random.gaussianMatrix(
                    rows: opA == .none ? m : k, columns: opA == .none ? k : m)
                var expected = Matrix<Double>(rows: m, columns: m, repeating: 3)
                var found = expected
                a.withOperand(opA) { a in
                    expected.withTarget { DenseRoutines.syrk(a, beta: 0.5, into: $0) }
                    found.withTarget { PortableBLAS.syrk(a, beta: 0.5, into: $0) }
                }
                unsafe expected.withUnsafeMutableBufferPointer { unsafe mirrorUpperTriangle(of: $0, order: m) }
                unsafe found.withUnsafeMutableBufferPointer { unsafe mirrorUpperTriangle(of: $0, order: m) }
                #expect(largestDifference(expected, found) <= tolerance, "\(m) × \(k) \(opA)")
            }
            let (a, x): (Matrix<Double>, Matrix<Double>) = (
                random.gaussianMatrix(rows: m, columns: n), random.gaussianMatrix(rows: 1, columns: n)
            )
            for beta in [0.0, 3] {
                var expected = Matrix<Double>(rows: 1, columns: m, repeating: beta == 0 ? .nan : 2)
                var found = expected
                try BLAS.gemv(a, vectors: x, beta: beta, into: &expected)
                a.withOperand { a in
                    x.withOperand { x in
                        found.withTarget { unsafe PortableBLAS.gemv(a, x.elements, beta: beta, into: $0.elements) }
                    }
                }
                #expect(
                    largestDifference(expected, found) <= Double(n + 4) * Double.ulpOfOne * 40,
                    "\(m) × \(n) β \(beta)")
            }
        }
    }

    @Test func aTriangleIsReadAboveItsDiagonal() throws {
        var random = TestSeed().generator
        for (m, n) in [(1, 1), (3, 2), (5, 9), (24, 65)] {
            var triangle: Matrix<Double> = random.gaussianMatrix(rows: n, columns: n)
            for i in 0..<n {
                for j in 0..<i { triangle[i, j] = .nan }
            }
            var expected: Matrix<Double> = random.gaussianMatrix(rows: m, columns: n)
            var found = expected
            try BLAS.trmm(upper: triangle, into: &expected)
            triangle.withOperand { u in found.withTarget { PortableBLAS.trmm(upper: u, into: $0) } }
            #expect(largestDifference(expected, found) <= 1e-13 * Double(n), "\(m) × \(n)")
        }
    }

    /// Equal rows give equal numbers in every position of a tile.
    @Test func equalRowsGiveEqualResults() throws {
        var random = TestSeed().generator
        let (row, b): (Matrix<Double>, Matrix<Double>) = (
            random.gaussianMatrix(rows: 1, columns: 600), random.gaussianMatrix(rows: 600, columns: 9)
        )
        let a = try Matrix(rows: (0..<7).map { _ in Array(row.row(0)) })
        var c = Matrix<Double>(rows: 7, columns: 9)
        a.withOperand { a in b.withOperand { b in c.withTarget { PortableBLAS.gemm(a, b, beta: 0, into: $0) } } }
        for i in 1..<7 { #expect(c.row(i) == c.row(0)) }
    }

    private func eigen(_ matrix: Matrix<Double>) -> (isSolved: Bool, values: [Double], vectors: Matrix<Double>) {
        var (vectors, values) = (matrix, [Double](repeating: 0, count: matrix.rows))
        let isSolved = unsafe vectors.withUnsafeMutableBufferPointer { a in
            unsafe values.withUnsafeMutableBufferPointer { values in
                unsafe PortableEigen.decompose(order: matrix.rows, a.baseAddress!, values: values.baseAddress!)
            }
        }
        return (isSolved, values, vectors)
    }

    /// Random matrices, of low rank, graded over many powers of ten, with equal values, split, huge and tiny.
    @Test func eigenvectorsRebuildTheMatrix() throws {
        var random = TestSeed().generator
        for n in [1, 2, 3, 4, 7, 16, 33, 60] {
            let gaussian: Matrix<Double> = random.gaussianMatrix(rows: n, columns: n)
            func made(_ element: (Int, Int) -> Double) -> Matrix<Double> {
                var matrix = Matrix<Double>(rows: n, columns: n)
                for i in 0..<n {
                    for j in 0...i { (matrix[i, j], matrix[j, i]) = (element(i, j), element(i, j)) }
                }
                return matrix
            }
            let matrices = [
                made { gaussian[$0, $1] }, made { gaussian[$0, 0] * gaussian[$1, 0] }, made { $0 == $1 ? 2 : 0 },
                made { Double(sign: .plus, exponent: -3 * ($0 + $1), significand: 1 + gaussian[$0, $1].magnitude) },
                made { $0 / 2 == $1 / 2 ? gaussian[$0, $1] : 0 }, made { gaussian[$0, $1] * 1e300 },
                made { gaussian[$0, $1] * 1e-300 }, made { _, _ in 1 }, made { _, _ in 0 },
            ]
            for (number, matrix) in matrices.enumerated() {
                let (isSolved, values, vectors) = eigen(matrix)
                #expect(isSolved, "matrix \(number) of order \(n)")
                let largest = matrix.elements.map(\.magnitude).max()!
                let unit = largest == 0 ? 1 : largest.binade
                let tolerance = 10 * Double(n) * 0x1p-52 * Double(n)
                #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
                for i in 0..<n {
                    for j in 0..<n {
                        var (rebuilt, product) = (0.0, 0.0)
                        for k in 0..<n {
                            rebuilt += vectors[k, i] * (values[k] / unit) * vectors[k, j]
                            product += vectors[i, k] * vectors[j, k]
                        }
                        #expect(
                            abs(rebuilt - matrix[i, j] / unit) <= tolerance
                                && abs(product - (i == j ? 1 : 0)) <= tolerance,
                            "matrix \(number) of order \(n) at \(i), \(j)")
                    }
                }
                guard largest < 1e300 || largest == 0 else { continue }
                let system = try SymmetricEigen(matrix).values.reversed()
                #expect(
                    zip(values, system).allSatisfy { abs($0 - $1) <= tolerance * max(largest, .leastNormalMagnitude) })
            }
        }
    }
}
