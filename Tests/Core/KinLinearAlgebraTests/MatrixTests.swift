import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct MatrixTests {
    @Test func elementsAreStoredRowByRow() throws {
        let matrix = try Matrix<Float>(rows: [[1, 2, 3], [4, 5, 6]])
        #expect(matrix.rows == 2 && matrix.columns == 3)
        #expect(matrix.elements == [1, 2, 3, 4, 5, 6])
        #expect(matrix[1, 0] == 4 && matrix[0, 2] == 3)
        #expect(Array(matrix.row(1)) == [4, 5, 6])
        #expect(try matrix == Matrix(rows: 2, columns: 3, elements: [1, 2, 3, 4, 5, 6]))
        #expect(try matrix != Matrix(rows: 3, columns: 2, elements: [1, 2, 3, 4, 5, 6]))
    }

    @Test func aCopyIsIndependent() throws {
        let original = try Matrix<Float>(rows: [[1, 2], [3, 4]])
        var copy = original
        copy[0, 1] = 9
        unsafe copy.withUnsafeMutableBufferPointer { unsafe $0[3] = 8 }
        #expect(original.elements == [1, 2, 3, 4])
        #expect(copy.elements == [1, 9, 3, 8])
    }

    @Test func eitherSizeMayBeZero() throws {
        for (rows, columns) in [(0, 0), (0, 5), (5, 0)] {
            let matrix = Matrix<Float>(rows: rows, columns: columns)
            #expect(matrix.isEmpty && matrix.rows == rows && matrix.columns == columns)
            #expect(try matrix == Matrix(rows: rows, columns: columns, elements: []))
        }
        #expect(Matrix<Float>(rows: 5, columns: 0).row(4).isEmpty)
        #expect(try Matrix<Float>(rows: []).rows == 0)
        #expect(try Matrix<Float>(rows: [[], []]).rows == 2)
    }

    @Test func wrongSizesAreRefused() {
        #expect(errorCode { try Matrix<Float>(rows: 2, columns: 2, elements: [1, 2, 3]) } == .dimensionMismatch)
        #expect(errorCode { try Matrix<Float>(rows: .max, columns: 2, elements: []) } == .dimensionMismatch)
        #expect(errorCode { try Matrix<Float>(rows: -1, columns: -1, elements: [1]) } == .invalidArgument)
    }

    @Test func aRaggedRowIsNamed() {
        let error = kinError { try Matrix<Float>(rows: [[1, 2], [3, 4], [5]]) }
        #expect(error.says("row 2 has 1 elements", code: .dimensionMismatch))
    }
}

@Suite struct MatrixDescriptionTests {
    @Test func descriptionIsShort() throws {
        #expect("\(try Matrix<Float>(rows: [[1, 2], [3, 4]]))" == "2 × 2 [[1.0, 2.0], [3.0, 4.0]]")
        let large = Matrix<Double>(rows: 1000, columns: 16, repeating: 0.5)
        #expect("\(large)" == "1000 × 16 [[0.5, 0.5, 0.5, …], [0.5, 0.5, 0.5, …], [0.5, 0.5, 0.5, …], …]")
        #expect("\(Matrix<Float>(rows: 0, columns: 3))" == "0 × 3 []")
        #expect("\(Matrix<Float>(rows: 1, columns: 0))" == "1 × 0 [[]]")
    }
}
