import KinCore
import KinTestSupport
import Testing

@testable import KinLinearAlgebra

/// The bounds on lengths of rows times a triangle, against the widest numbers and against what is computed in double precision.
@Suite("The screen by a triangle in 16 bits bounds every length")
struct TriangleScreenTests {
    /// A way in which the numbers of a triangle are distributed.
    enum Shape: CaseIterable { case identity, near, dense, unbalanced, cancelling, zeroRows }

    private func triangle(_ shape: Shape, _ n: Int, _ random: inout SeededGenerator) -> Matrix<Double> {
        var u = Matrix<Double>(rows: n, columns: n)
        for k in 0..<n {
            let unit = shape == .unbalanced ? [1e-9, 1e-3, 1, 1e8][random.below(4)] : 1
            for j in k..<n {
                switch shape {
                case .identity: u[k, j] = k == j ? 1 : 0
                case .near: u[k, j] = (k == j ? 1 : 0) + 0.05 * random.gaussian()
                case .dense, .unbalanced: u[k, j] = unit * random.gaussian()
                // All rows alike: rows of features whose sum is 0 nearly vanish.
                case .cancelling: u[k, j] = 1 + 1e-6 * random.gaussian()
                case .zeroRows: u[k, j] = k == j ? 1e-12 : 0
                }
            }
        }
        return u
    }

    @Test(arguments: Shape.allCases)
    func boundsHold(shape: Shape) throws {
        let seed = TestSeed()
        var random = seed.generator
        for n in [1, 2, 15, 16, 17, 33, 65, 120] {
            let u = triangle(shape, n, &random)
            let screen = try #require(TriangleScreen(upper: u))
            let last = [1, 0, -2][random.below(3)]
            let rows: Matrix<Double> = random.matrix(rows: 30, columns: n - 1) { random in
                random.gaussian() * [1, 1, 1e-6, 1e6, 0][random.below(5)]
            }
            var low = [Double](repeating: .nan, count: 30)
            var high = low
            for range in [0..<7, 7..<30] { screen.bound(rows, range, last: Double(last), low: &low, high: &high) }
            var product = Matrix<Double>(rows: 30, columns: n)
            for i in 0..<30 { for j in 0..<n { product[i, j] = j < n - 1 ? rows[i, j] : Double(last) } }
            let features = product
            try BLAS.trmm(upper: u, into: &product)
            for i in 0..<30 {
                var square = Wide(0)
                for j in 0..<n {
                    var y = Wide(0)
                    for k in 0...j { y += Wide(features[i, k]) * Wide(u[k, j]) }
                    square += y * y
                }
                let note = "row \(i) of \(n), \(seed)"
                let exact = Double(square.squareRoot())
                let computed = product.row(i).reduce(0) { $0 + $1 * $1 }.squareRoot()
                #expect(low[i] >= 0 && low[i] <= min(exact, computed), "\(note)")
                #expect(high[i] >= max(exact, computed), "\(note)")
                // A screen that says nothing would be as true.
                if shape == .near && exact > 0 { #expect(high[i] - low[i] < 0.02 * exact, "\(note)") }
            }
        }
    }

    @Test func whatMayOverflowOrVanishIsLeftOpen() throws {
        var u = Matrix<Double>(rows: 3, columns: 3)
        for k in 0..<3 { u[k, k] = 1 }
        let screen = try #require(TriangleScreen(upper: u))
        let rows = try Matrix(rows: [[1e300, 0], [1e-300, 0], [0, 0], [1e120, -1e120], [1, 1], [.infinity, 0]])
        var (low, high) = ([Double](repeating: .nan, count: 6), [Double](repeating: .nan, count: 6))
        screen.bound(rows, 0..<6, last: 0, low: &low, high: &high)
        for i in [0, 1, 2, 3, 5] { #expect(low[i] == 0 && high[i] == .infinity, "row \(i)") }
        #expect(high[4] < 1.415 && low[4] > 1.413)
    }

    @Test func someTrianglesHaveNone() {
        for element in [0, Double.infinity, .nan, 1e-160, 1e160] {
            var u = Matrix<Double>(rows: 2, columns: 2)
            u[0, 0] = element
            u[1, 1] = 1
            #expect(TriangleScreen(upper: u) == nil, "\(element)")
        }
        #expect(TriangleScreen(upper: Matrix(rows: 0, columns: 0)) == nil)
        let large = TriangleScreen.largestOrder + 1
        #expect(TriangleScreen(upper: Matrix(rows: large, columns: large)) == nil)
    }
}
