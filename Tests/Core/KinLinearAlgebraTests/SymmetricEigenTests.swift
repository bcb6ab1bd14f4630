import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct SymmetricEigenTests {
    /// A random symmetric matrix.
    private func symmetric(_ n: Int, _ random: inout SeededGenerator) throws -> Matrix<Double> {
        let a: Matrix<Double> = random.gaussianMatrix(rows: n, columns: n)
        var sum = a
        for i in 0..<n {
            for j in 0..<n { sum[i, j] = a[i, j] + a[j, i] }
        }
        return sum
    }

    @Test(arguments: [1, 2, 3, 10, 25, 50])
    func rebuildsTheMatrixFromOrthonormalVectors(n: Int) throws {
        var random = TestSeed().generator
        let a = try symmetric(n, &random)
        let eigen = try SymmetricEigen(a)
        let v = WideMatrix(eigen.vectors)
        var scaled = v
        for i in 0..<n {
            for j in 0..<n { scaled[i, j] *= Wide(eigen.values[i]) }
        }
        let tolerance = 10 * Wide(n) * 0x1p-52
        #expect((v.transposed * scaled).distance(to: a) <= tolerance * WideMatrix(a).largest)
        var identity = Matrix<Double>(rows: n, columns: n)
        for i in 0..<n { identity[i, i] = 1 }
        #expect((v * v.transposed).distance(to: identity) <= tolerance)
        #expect(zip(eigen.values, eigen.values.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func theLargestComponentIsPositive() throws {
        var random = TestSeed().generator
        for n in [1, 2, 5, 16] {
            let eigen = try SymmetricEigen(symmetric(n, &random))
            for i in 0..<n {
                let row = Array(eigen.vectors.row(i))
                let largest = row.map(\.magnitude).max()!
                #expect(row.first { $0.magnitude == largest }! > 0)
            }
        }
    }

    @Test func eigenpairsEqualKnownValues() throws {
        // 2 ± 1 along the diagonals of the square.
        let eigen = try SymmetricEigen(Matrix(rows: [[2, -1], [-1, 2]]))
        #expect(abs(eigen.values[0] - 3) < 1e-15 && abs(eigen.values[1] - 1) < 1e-15)
        let half = 0.5.squareRoot()
        #expect(eigen.vectors.elements.map(\.magnitude).allSatisfy { abs($0 - half) < 1e-15 })
        #expect(eigen.vectors[1, 0] > 0 && eigen.vectors[1, 1] > 0)
    }

    @Test func onlyTheLowerTriangleIsRead() throws {
        let eigen = try SymmetricEigen(Matrix(rows: [[2, .nan], [-1, 2]]))
        #expect(abs(eigen.values[0] - 3) < 1e-15)
    }

    @Test func aDiagonalMatrixIsSorted() throws {
        let eigen = try SymmetricEigen(Matrix(rows: [[-4, 0, 0], [0, 9, 0], [0, 0, 0]]))
        #expect(eigen.values == [9, 0, -4])
        #expect(eigen.vectors.elements == [0, 1, 0, 0, 0, 1, 1, 0, 0])
    }

    @Test func zeroAndEmptyMatricesAreAccepted() throws {
        #expect(try SymmetricEigen(Matrix(rows: 3, columns: 3)).values == [0, 0, 0])
        #expect(try SymmetricEigen(Matrix(rows: 0, columns: 0)).values.isEmpty)
        #expect(try SymmetricEigen(Matrix(rows: [[-7]])).vectors.elements == [1])
    }

    @Test func badInputIsRefused() {
        #expect(errorCode { try SymmetricEigen(Matrix(rows: 2, columns: 3)) } == .dimensionMismatch)
        let error = kinError { try SymmetricEigen(Matrix(rows: [[1, 0], [.nan, 1]])) }
        #expect(error.says("row 1, column 0: ", code: .notFinite))
    }
}
