import KinCore
import KinLibC
import Testing

@testable import KinForecasting

@Suite("Kernels and quantiles")
struct KernelTests {
    @Test("both exponentials match the standard library to their precision")
    func exponentials() {
        for step in 0...4000 {
            let x = -Double(step) / 200
            #expect(abs(decayed(x) / exp(x) - 1) < 1e-11, "\(x)")
            #expect(abs(Double(weightDecayed(Float(x))) / exp(Double(Float(x))) - 1) < 1e-6, "\(x)")
        }
        #expect(decayed(-81) == 0)
        #expect(weightDecayed(-1000) == weightDecayed(-20))
    }

    @Test("column operations match their formulas", arguments: [0, 1, 7, 64])
    func columns(length: Int) {
        var generator = SeededGenerator(seed: UInt64(length))
        var columns = KernelColumns(4, length: length)
        for row in 0..<length {
            columns[0, row] = Float(generator.uniform() * 10)
            columns[1, row] = row % 5 == 2 ? .nan : Float(generator.uniform() * 8 - 4)
        }
        let given = columns
        columns.decay(0, by: 3, into: 2)
        columns.near(1, width: 2, limit: 1, into: 3)
        for row in 0..<length {
            #expect(abs(columns[2, row] - exp(-given[0, row] / 3)) < 1e-6)
            let z = given[1, row] / 2
            let expected: Float = z.isNaN ? 1 : exp(-0.5 * min(1, z * z))
            #expect(abs(columns[3, row] - expected) < 1e-6)
        }
        columns.multiply(2, 3, into: 2)
        columns.add(0, times: 2, to: 3)
        columns.scale(0, by: 0.5, into: 1)
        columns.squareRoot(1, into: 1)
        let total = columns.accumulate(0, into: 2)
        var sum: Float = 0
        for row in 0..<length {
            sum += given[0, row]
            #expect(columns[2, row] == sum)
            #expect(abs(columns[1, row] - (given[0, row] / 2).squareRoot()) < 1e-6)
        }
        #expect(total == sum)
    }

    @Test("weighted quantiles match a linear scan of the weights")
    func quantiles() {
        for seed in 0..<50 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let numbers = (0..<(1 + generator.below(30))).map { _ in Float(generator.below(100)) }.sorted()
            let weights = numbers.map { _ in Float(generator.uniform()) + 0.01 }
            var sum: Float = 0
            let sums = weights.map { weight -> Float in
                sum += weight
                return sum
            }
            for level in [Float(0), 0.1, 0.5, 0.54, 0.9, 1] {
                let found = unsafe numbers.withUnsafeBufferPointer { numbers in
                    unsafe weights.withUnsafeBufferPointer { weights in
                        unsafe sums.withUnsafeBufferPointer { sums in
                            unsafe WeightedQuantiles.value(level, of: numbers, weights: weights, sums: sums)
                        }
                    }
                }
                let expected = Self.walk(level, numbers, weights)
                #expect(abs(found - expected) < 1e-2, "seed \(seed), level \(level)")
            }
        }
    }

    private static func walk(_ level: Float, _ numbers: [Float], _ weights: [Float]) -> Float {
        let wanted = Double(level) * weights.reduce(0) { $0 + Double($1) }
        var before: (number: Float, middle: Double)?
        var sum = 0.0
        for (number, weight) in zip(numbers, weights) {
            let middle = sum + 0.5 * Double(weight)
            if middle >= wanted {
                guard let before else { return number }
                let share = (wanted - before.middle) / (middle - before.middle)
                return before.number + (number - before.number) * Float(share)
            }
            before = (number, middle)
            sum += Double(weight)
        }
        return numbers[numbers.count - 1]
    }
}
