import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct StandardizationTests {
    @Test func columnsGetMeanZeroAndVarianceOne() throws {
        let seed = TestSeed()
        var random = seed.generator
        var data: Matrix<Float> = random.gaussianMatrix(rows: 500, columns: 4)
        for i in 0..<500 {
            data[i, 1] = data[i, 1] * 1000 + 50_000
            data[i, 2] *= 1e-6
            data[i, 3] *= 1e30
        }
        let fit = try Standardization(fitting: data)
        let standardized = try fit.transform(data)
        for column in try standardized.columnMoments() {
            #expect(abs(column.mean) < 1e-6 && abs(column.populationVariance - 1) < 1e-6, "\(seed)")
        }
        let back = try fit.inverseTransform(standardized)
        for i in 0..<500 {
            for j in 0..<4 {
                let slack = Float(fit.scale[j]) * 4e-7 + abs(data[i, j]) * 2e-7
                #expect(abs(back[i, j] - data[i, j]) <= slack, "\(seed)")
            }
        }
    }

    @Test func meanAndScaleAreThoseOfTheColumns() throws {
        let fit = try Standardization(
            fitting: Matrix(rows: [[2, -1], [4, -1], [4, -1], [4, -1], [5, -1], [5, -1], [7, -1], [9, -1]]))
        #expect(fit.mean == [5, -1])
        #expect(fit.scale == [2, 1])
        #expect(try fit.transform(Matrix(rows: [[9, 0]])).elements == [2, 1])
    }

    @Test func constantColumnsStayFinite() throws {
        // 0.1 has no exact sum to lean on when it is added up carelessly.
        let data = Matrix<Float>(rows: 9_999, columns: 3, repeating: 0.1)
        let fit = try Standardization(fitting: data)
        #expect(fit.scale == [1, 1, 1])
        #expect(try fit.transform(data) == Matrix(rows: 9_999, columns: 3))
    }

    @Test func oneRowAndNoColumns() throws {
        #expect(
            try Standardization(fitting: Matrix(rows: [[3, 4]])).transform(Matrix(rows: [[3, 5]])).elements == [0, 1])
        let none = try Standardization(fitting: Matrix(rows: 2, columns: 0))
        #expect(try none.transform(Matrix(rows: 5, columns: 0)).rows == 5)
    }

    @Test func badInputIsRefused() throws {
        #expect(errorCode { try Standardization(fitting: Matrix(rows: 0, columns: 2)) } == .invalidArgument)
        #expect(errorCode { try Standardization(fitting: Matrix(rows: [[1], [.nan]])) } == .notFinite)
        let fit = try Standardization(fitting: Matrix(rows: [[0], [1e-30]]))
        #expect(errorCode { try fit.transform(Matrix(rows: [[1, 2]])) } == .dimensionMismatch)
        #expect(errorCode { try fit.transform(Matrix(rows: [[.nan]])) } == .notFinite)
        #expect(errorCode { try fit.transform(Matrix(rows: [[1e30]])) } == .notFinite)
        #expect(errorCode { try fit.inverseTransform(Matrix(rows: [[1, 2]])) } == .dimensionMismatch)
    }
}
