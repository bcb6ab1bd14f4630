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
                        unsafe found.withUnsafeMutableBufferPointer { c in
                            unsafe a.withUnsafeBufferPointer { a in
                                unsafe b.withUnsafeBufferPointer { b in
                                    unsafe PortableBLAS.gemm(
                                        MatrixOperand(
                                            opA, a.baseAddress!, rows: m, columns: k, stride: opA == .none ? k : m),
                                        MatrixOperand(
                                            opB, b.baseAddress!, rows: k, columns: n, stride: opB == .none ? n : k),
                                        beta: beta, into: MatrixTarget(c.baseAddress!, rows: m, columns: n, stride: n))
                                }
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
                unsafe a.withUnsafeBufferPointer { a in
                    let a = unsafe MatrixOperand(
                        opA, a.baseAddress!, rows: m, columns: k, stride: opA == .none ? k : m)
                    unsafe expected.withUnsafeMutableBufferPointer {
                        unsafe DenseRoutines.syrk(
                            a, beta: 0.5, into: MatrixTarget($0.baseAddress!, rows: m, columns: m, stride: m))
                        unsafe mirrorUpperTriangle(of: $0, order: m)
                    }
                    unsafe found.withUnsafeMutableBufferPointer {
                        unsafe PortableBLAS.syrk(
                            a, beta: 0.5, into: MatrixTarget($0.baseAddress!, rows: m, columns: m, stride: m))
                        unsafe mirrorUpperTriangle(of: $0, order: m)
                    }
                }
                #expect(largestDifference(expected, found) <= tolerance, "\(m) × \(k) \(opA)")
            }
            let (a, x): (Matrix<Double>, Matrix<Double>) = (
                random.gaussianMatrix(rows: m, columns: n), random.gaussianMatrix(rows: 1, columns: n)
            )
            for beta in [0.0, 3] {
                var expected = Matrix<Double>(rows: 1, columns: m, repeating: beta == 0 ? .nan : 2)
                var found = expected
                try BLAS.gemv(a, vectors: x, beta: beta, into: &expected)
                unsafe found.withUnsafeMutableBufferPointer { y in
                    unsafe a.withUnsafeBufferPointer { a in
                        unsafe x.withUnsafeBufferPointer { x in
                            unsafe PortableBLAS.gemv(
                                MatrixOperand(.none, a.baseAddress!, rows: m, columns: n, stride: n), x.baseAddress!,
                                beta: beta, into: y.baseAddress!)
                        }
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
            unsafe found.withUnsafeMutableBufferPointer { b in
                unsafe triangle.withUnsafeBufferPointer { u in
                    unsafe PortableBLAS.trmm(
                        upper: MatrixOperand(.none, u.baseAddress!, rows: n, columns: n, stride: n),
                        into: MatrixTarget(b.baseAddress!, rows: m, columns: n, stride: n))
                }
            }
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
        unsafe c.withUnsafeMutableBufferPointer { c in
            unsafe a.withUnsafeBufferPointer { a in
                unsafe b.withUnsafeBufferPointer { b in
                    unsafe PortableBLAS.gemm(
                        MatrixOperand(.none, a.baseAddress!, rows: 7, columns: 600, stride: 600),
                        MatrixOperand(.none, b.baseAddress!, rows: 600, columns: 9, stride: 9), beta: 0,
                        into: MatrixTarget(c.baseAddress!, rows: 7, columns: 9, stride: 9))
                }
            }
        }
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
