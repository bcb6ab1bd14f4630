import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

struct PCARestoreTests {
    @Test func restoredComponentsMapAsBefore() throws {
        var random = TestSeed().generator
        let data: Matrix<Float> = random.gaussianMatrix(rows: 50, columns: 4)
        let fitted = try PCA(fitting: data, components: 3)
        let restored = try PCA(
            mean: fitted.mean, components: fitted.components, explainedVariance: fitted.explainedVariance,
            totalVariance: fitted.totalVariance)
        #expect(restored == fitted)
        #expect(try restored.transform(data) == fitted.transform(data))
    }

    @Test func whatNoFitGivesIsRefused() throws {
        func code(
            mean: [Double] = [0, 0], components: [[Double]] = [[1, 0]], variance: [Double] = [2], total: Double = 3
        ) -> KinError.Code? {
            errorCode {
                try PCA(
                    mean: mean, components: Matrix(rows: components), explainedVariance: variance, totalVariance: total)
            }
        }
        #expect(code() == nil)
        #expect(code(mean: [0]) == .dimensionMismatch)
        #expect(code(components: []) == .dimensionMismatch)
        #expect(code(components: [[1, 0], [0, 1], [1, 1]], variance: [3, 2, 1]) == .dimensionMismatch)
        #expect(code(variance: [2, 1]) == .dimensionMismatch)
        #expect(code(mean: [0, .infinity]) == .notFinite)
        #expect(code(components: [[.nan, 0]]) == .notFinite)
        #expect(code(variance: [.nan]) == .notFinite)
        #expect(code(total: .infinity) == .notFinite)
        #expect(code(variance: [-1]) == .invalidArgument)
        #expect(code(components: [[1, 0], [0, 1]], variance: [1, 2]) == .invalidArgument)
        #expect(code(total: -1) == .invalidArgument)
        #expect(code(total: 1.99) == .invalidArgument)
        #expect(code(components: [[1, 0], [0, 1]], variance: [2, 1.5], total: 3) == .invalidArgument)
        #expect(code(components: [[1, 0], [0, 1]], variance: [0.1, 0.2].reversed(), total: 0.3) == nil)
    }
}
