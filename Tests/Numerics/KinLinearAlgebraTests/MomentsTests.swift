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

    private func expect(_ moments: Moments, describe numbers: [Double], _ seed: TestSeed) {
        let (mean, squares) = exact(numbers)
        let scale = numbers.map(\.magnitude).max()!
        #expect(moments.count == numbers.count, "\(seed)")
        #expect((Wide(moments.mean) - mean).magnitude <= 1e-14 * Wide(scale), "\(seed)")
        // The rounding of each deviation, about 2⁻⁵³ of the numbers, counts against their spread.
        let slack = 1e-12 * squares + Wide(numbers.count) * Wide(scale) * 1e-15 * squares.squareRoot()
        #expect((Wide(moments.squaredDeviations) - squares).magnitude <= slack, "\(seed)")
        #expect(moments.minimum == numbers.min() && moments.maximum == numbers.max(), "\(seed)")
    }

    @Test(arguments: [0, 1e3, 1e9])
    func agreesWithTheDefinitionFarFromTheOrigin(offset: Double) {
        let seed = TestSeed()
        var random = seed.generator
        for n in [1, 2, 3, 10, 1000] {
            let numbers = (0..<n).map { _ in offset + random.gaussian() }
            expect(Moments(numbers), describe: numbers, seed)
        }
    }

    @Test func mergingPartsEqualsOneStream() {
        let seed = TestSeed()
        var random = seed.generator
        let numbers = (0..<1000).map { 1e6 + Double($0) + random.gaussian() }
        for split in [0, 1, 10, 500, 999, 1000] {
            var merged = Moments(numbers[..<split])
            merged.merge(Moments(numbers[split...]))
            expect(merged, describe: numbers, seed)
        }
    }

    @Test func variances() {
        let moments = Moments([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(moments.mean == 5 && moments.populationVariance == 4 && moments.sampleVariance == 32.0 / 7)
        #expect(Moments([3]).sampleVariance == nil && Moments([3]).populationVariance == 0)
        let none = Moments()
        #expect(none.count == 0 && none.mean == 0 && none.populationVariance == 0 && none.sampleVariance == nil)
        #expect(none.minimum == .infinity && none.maximum == -.infinity)
    }

    @Test func columnMomentsAgreeWithTheDefinition() throws {
        let seed = TestSeed()
        var random = seed.generator
        // Several blocks at one width, one block at another; the last block is short.
        for (n, d) in [(1, 1), (2, 3), (700, 70), (17_000, 1), (40, 700)] {
            let data: Matrix<Float> = random.uniformMatrix(rows: n, columns: d, in: 100...101)
            let columns = try data.columnMoments()
            #expect(columns.count == d)
            for j in [0, d / 2, d - 1] {
                expect(columns[j], describe: (0..<n).map { Double(data[$0, j]) }, seed)
            }
        }
    }

    @Test func columnMomentsOfNoRowsOrColumns() throws {
        #expect(try Matrix<Float>(rows: 0, columns: 3).columnMoments() == [Moments(), Moments(), Moments()])
        #expect(try Matrix<Float>(rows: 3, columns: 0).columnMoments().isEmpty)
    }

    @Test func constantColumnsHaveNoVarianceAtAll() throws {
        let columns = try Matrix<Float>(rows: 20_000, columns: 2, repeating: 0.1).columnMoments()
        #expect(columns.allSatisfy { $0.squaredDeviations == 0 && $0.mean == Double(Float(0.1)) })
    }

    @Test func aNumberThatIsNotFiniteIsNamed() {
        for bad in [Float.nan, .infinity, -.infinity] {
            var data = Matrix<Float>(rows: 30, columns: 5)
            data[17, 3] = bad
            let error = #expect(throws: KinError.self) { try data.columnMoments() }
            #expect(error?.code == .notFinite)
            #expect(error?.description.hasPrefix("row 17, column 3: ") == true)
        }
    }
}
