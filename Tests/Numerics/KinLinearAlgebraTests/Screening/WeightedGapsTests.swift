import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite("Weighted gaps of boxes")
struct WeightedGapsTests {
    @Test("no box within a distance exceeds the limit at the largest factor", arguments: [1, 5, 16, 70])
    func largestFactor(dimension: Int) throws {
        let seed = TestSeed()
        var random = seed.generator
        let stride = (dimension + 7) & ~7
        func corners() -> (low: [Float], high: [Float]) {
            let low = (0..<stride).map { $0 < dimension ? Float(random.uniform()) : 0 }
            return (low, low.map { $0 + Float(0.2 * random.uniform()) })
        }
        let boxes = (0..<64).map { _ in corners() }
        let grid = BoxGrid(
            low: [Float](repeating: 0, count: dimension), high: [Float](repeating: 1.3, count: dimension))
        let table = BoxTable(dimension: dimension, grid: grid, minimumCapacity: 64)
        for (i, box) in boxes.enumerated() { #expect(unsafe table.put(i, low: box.low, high: box.high)) }
        var codes = [UInt8](repeating: 0, count: 2 * stride)
        var (bounds, sums) = ([Int32](repeating: 0, count: 64), [Int32](repeating: 0, count: 64))
        for spread in [1.0, 1.5] {
            let query = (0..<stride).map { $0 < dimension ? Float(spread * random.uniform() - (spread - 1) / 2) : 0 }
            let coded = unsafe BoxQuery(squared: query, uncertainty: 0, on: table.view, codes: &codes)
            unsafe coded.bound(table.view, codes: codes, into: &bounds)
            let distances = bounds.map { coded.distance($0) }
            let nearest = distances.min()!
            var last = [Int32](repeating: .min, count: 64)
            for radius in distances.sorted() {
                let weight = coded.gapWeight(distance: radius, of: table.view)
                unsafe coded.weighGaps(of: table.view, codes: codes, weight: weight, into: &sums)
                #expect(zip(sums, last).allSatisfy { $0 >= $1 }, "\(seed) the weight grows with the radius")
                last = sums
                let limits = [0, 0.3, 1].map {
                    coded.gapLimit(
                        factor: $0, distance: radius, nearest: nearest, weight: weight, dimension: dimension)
                }
                #expect(limits[0] <= limits[1] && limits[1] <= limits[2], "\(seed)")
                for i in 0..<64 where distances[i] <= radius {
                    #expect(sums[i] <= limits[2] + 1, "\(seed) box \(i)")
                }
            }
        }
    }

    @Test("a weight is limited so that sums fit, and there is no limit within an infinite distance")
    func extremes() throws {
        let grid = BoxGrid(low: [0, 0], high: [1, 1])
        let table = BoxTable(dimension: 2, grid: grid, minimumCapacity: 64)
        #expect(unsafe table.put(0, low: [0.9, 0.9, 0, 0, 0, 0, 0, 0], high: [1, 1, 0, 0, 0, 0, 0, 0]))
        var codes = [UInt8](repeating: 0, count: 16)
        let query = [Float](repeating: 0, count: 8)
        let coded = unsafe BoxQuery(squared: query, uncertainty: 0, on: table.view, codes: &codes)
        for distance in [1e30, .infinity] {
            #expect(coded.gapWeight(distance: distance, of: table.view) == 32_767)
            #expect(coded.gapLimit(factor: 0.5, distance: distance, nearest: 0, weight: 9, dimension: 2) == .max)
        }
        #expect(coded.gapWeight(distance: 0, of: table.view) == 0)
        #expect(coded.gapWeight(distance: .nan, of: table.view) == 0)
        let wide = BoxTable(
            dimension: 4_096,
            grid: BoxGrid(low: [Float](repeating: 0, count: 4_096), high: [Float](repeating: 1, count: 4_096)),
            minimumCapacity: 64)
        #expect(coded.gapWeight(distance: .infinity, of: wide.view) == 4_001)
    }
}
