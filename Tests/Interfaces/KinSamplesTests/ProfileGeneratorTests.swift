import Foundation
import KinTestSupport
import Testing

@testable import KinSamples

@Suite("Synthetic profiles")
struct ProfileGeneratorTests {
    private static let kinds: [ProfileShape] = [
        .uniform, .clustered(clusters: 20), .correlated(factors: 4, noise: 0.02),
    ]

    @Test("CSV, NPY and fvecs hold the same floats", arguments: kinds)
    func formats(shape: ProfileShape) throws {
        let folder = TemporaryFolder()
        let generator = try ProfileGenerator(shape, count: 5000, dimension: 16, seed: 3)
        let expected = generator.elements(threads: 1)
        #expect(expected.count == 80_000)
        for format in [VectorFormat.csv, .npy, .fvecs] {
            let path = folder.path("x." + format.rawValue)
            try generator.write(to: path, format: format, threads: 2)
            #expect(try VectorTable(reading: path).elements == expected, "\(format)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3, "no part is left behind")
    }

    @Test("threads do not change the profiles, and seeds do", arguments: kinds)
    func determinism(shape: ProfileShape) throws {
        let one = try ProfileGenerator(shape, count: 9000, dimension: 5, seed: 1)
        #expect(one.elements(threads: 1) == one.elements(threads: 7))
        let other = try ProfileGenerator(shape, count: 9000, dimension: 5, seed: 2)
        #expect(one.elements(threads: 1) != other.elements(threads: 1))
    }

    @Test("all million six-digit decimals equal their floats")
    func decimals() {
        var wrong = 0
        for millionths in stride(from: UInt32(0), through: 1_000_000, by: 1) {
            let digits = String(millionths % 1_000_000)
            let text = "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
            if Float(text) != ProfileGenerator.coordinate(millionths) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("normal deviates have the moments and quantiles of the normal distribution")
    func normal() {
        var generator = SeededGenerator(seed: 5)
        let n = 400_000
        let draws = (0..<n).map { _ in generator.normalDeviate() }
        func moment(_ power: Int) -> Double {
            draws.reduce(0) { sum, x in sum + (0..<power).reduce(1.0) { product, _ in product * x } } / Double(n)
        }
        // Four standard errors of each estimate.
        #expect(abs(moment(1)) < 4 * (1 / Double(n)).squareRoot())
        #expect(abs(moment(2) - 1) < 4 * (2 / Double(n)).squareRoot())
        #expect(abs(moment(3)) < 4 * (15 / Double(n)).squareRoot())
        #expect(abs(moment(4) - 3) < 4 * (96 / Double(n)).squareRoot())
        for (x, share) in [(-1.959964, 0.025), (-0.674490, 0.25), (0, 0.5), (1.281552, 0.9), (2.326348, 0.99)] {
            let below = Double(draws.count { $0 < x }) / Double(n)
            #expect(abs(below - share) < 4 * (share * (1 - share) / Double(n)).squareRoot(), "below \(x)")
        }
    }

    @Test("the first deviates have the same bits on every machine")
    func bits() {
        var generator = SeededGenerator(seed: 7)
        let draws = (0..<3).map { _ in generator.normalDeviate().bitPattern }
        #expect(draws == [13_828_090_052_228_192_397, 13_818_103_314_840_695_354, 4_604_715_966_275_271_734])
    }

    @Test("each kind of profile has its expected variance")
    func shapes() throws {
        func eigenShare(_ shape: ProfileShape, top: Int) throws -> Double {
            let generator = try ProfileGenerator(shape, count: 4000, dimension: 16, seed: 9)
            let rows = try Matrix(rows: 4000, columns: 16, elements: generator.elements(threads: 1))
            return try PCA(fitting: rows).explainedVarianceRatio.prefix(top).reduce(0, +)
        }
        #expect(try eigenShare(.uniform, top: 4) < 0.3)
        #expect(try eigenShare(.correlated(factors: 4, noise: 0.02), top: 4) > 0.95)
        #expect(try eigenShare(.correlated(factors: 4, noise: 0.02), top: 3) < 0.95)
    }

    @Test("coordinates are reflected at the bounds")
    func folding() {
        for (value, folded) in [(-0.2, 0.2), (0.3, 0.3), (1.25, 0.75), (5.0, 0.0), (-3, 0)] {
            #expect(abs(ProfileSampler.folded(value) - folded) < 1e-12, "\(value)")
        }
    }

    @Test("invalid parameters are refused")
    func refusals() {
        func code(_ shape: ProfileShape, count: Int = 10, dimension: Int = 4) -> KinError.Code? {
            do throws(KinError) {
                _ = try ProfileGenerator(shape, count: count, dimension: dimension, seed: 0)
                return nil
            } catch { return error.code }
        }
        #expect(code(.uniform, count: 0) == .invalidArgument)
        #expect(code(.uniform, dimension: 0) == .invalidArgument)
        #expect(code(.clustered(clusters: 0)) == .invalidArgument)
        #expect(code(.correlated(factors: 5, noise: 0)) == .invalidArgument)
        #expect(code(.correlated(factors: 2, noise: -1)) == .invalidArgument)
        #expect(code(.correlated(factors: 2, noise: .nan)) == .invalidArgument)
        #expect(code(.clustered(clusters: 3), count: 1) == nil)
    }
}
