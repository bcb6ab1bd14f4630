import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct MomentsTests {
    /// Mean and sum of squared deviations by the definition, in wide precision.
    private func exact(_ numbers: [Double]) -> (mean: Wide, squares: Wide) {
        let mean = numbers.reduce(Wide(0)) { $0 + Wide($1) } / Wide(numbers.count)
        return (mean, numbers.reduce(Wide(0)) { $0 + (Wide($1) - mean) * (Wide($1) - mean) })
    }

    private func expect(_ moments: Moments, describe numbers: [Double]) {
        let (mean, squares) = exact(numbers)
        let scale = numbers.map(\.magnitude).max()!
        #expect(moments.count == numbers.count)
        #expect((Wide(moments.mean) - mean).magnitude <= 1e-14 * Wide(scale))
        // The rounding of each deviation, about 2⁻⁵³ of the numbers, matters relative to their spread.
        let slack = 1e-12 * squares + Wide(numbers.count) * Wide(scale) * 1e-15 * squares.squareRoot()
        #expect((Wide(moments.squaredDeviations) - squares).magnitude <= slack)
    }

    @Test(arguments: [0, 1e3, 1e9])
    func agreesWithTheDefinitionFarFromTheOrigin(offset: Double) {
        var random = TestSeed().generator
        for n in [1, 2, 3, 10, 1000] {
            let numbers = (0..<n).map { _ in offset + random.gaussian() }
            expect(Moments(numbers), describe: numbers)
        }
    }

    @Test func variances() {
        let moments = Moments([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(moments.mean == 5 && moments.populationVariance == 4 && moments.squaredDeviations == 32)
        #expect(Moments([3]).populationVariance == 0)
        let none = Moments()
        #expect(none.count == 0 && none.mean == 0 && none.populationVariance == 0)
    }

    @Test func aNumberThatIsNotFiniteIsNamed() {
        for bad in [Float.nan, .infinity, -.infinity] {
            var data = Matrix<Float>(rows: 30, columns: 5)
            data[17, 3] = bad
            #expect(kinError { try data.checkFinite() }.says("row 17, column 3: ", code: .notFinite))
        }
    }
}
