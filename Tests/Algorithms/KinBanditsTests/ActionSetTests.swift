import KinBandits
import KinTestSupport
import Testing

@Suite("Action sets as bytes")
struct ActionSetTests {
    /// Rows whose columns are constant, binary, of few values, multiples of one another, or all different.
    private func features(_ random: inout SeededGenerator) throws -> Matrix<Double> {
        let rows = 1 + random.below(70)
        let factor = random.uniform()
        let elements = (0..<rows).flatMap { _ -> [Double] in
            let trait = Double(random.below(5)) / 4
            return [
                1, random.uniform() < 0.3 ? 1 : 0, trait, factor * trait, trait, random.uniform() - 0.5, -0.0,
                Double(random.below(3)) * Double.leastNonzeroMagnitude, -0.5,
            ]
        }
        return try Matrix(rows: rows, columns: 9, elements: elements)
    }

    @Test("decoding restores every bit of the features")
    func areExact() throws {
        var random = TestSeed().generator
        for _ in 0..<100 {
            let features = try features(&random)
            let kept = try #require(ActionSet(features))
            #expect(kept.count == features.rows && kept.dimension == 9)
            let again = try ActionSet(decoding: kept.bytes)
            #expect(again == kept)
            for row in 0..<features.rows {
                #expect(try again.features.row(row).map(\.bitPattern) == features.row(row).map(\.bitPattern))
            }
        }
    }

    @Test("columns equal or proportional to an earlier one add few bytes")
    func areSmall() throws {
        let trait = (0..<200).map { Double($0 % 4) / 3 }
        let one = try Matrix(rows: 200, columns: 1, elements: trait)
        let three = try Matrix(rows: 200, columns: 3, elements: trait.flatMap { [$0, 0.3 * $0, $0] })
        let (alone, products) = try (#require(ActionSet(one)), #require(ActionSet(three)))
        // Two bits per action and four values of at most nine bytes.
        #expect(alone.bytes.count <= 4 + 3 + 4 * 9 + 50)
        #expect(products.bytes.count <= alone.bytes.count + 5 + 4 * 9 + 3)
        for value in [Double.nan, .infinity] { #expect(ActionSet(try Matrix(rows: [[0], [value]])) == nil) }
    }

    @Test("truncated bytes are refused, and damaged bytes never trap")
    func damageIsFound() throws {
        var random = TestSeed().generator
        let bytes = try #require(ActionSet(try features(&random))).bytes
        for count in 0..<bytes.count {
            #expect(throws: KinError.self) { try ActionSet(decoding: Array(bytes[..<count])) }
        }
        #expect(throws: KinError.self) { try ActionSet(decoding: bytes + [0]) }
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= UInt8(1 + random.below(255))
            guard let other = try? ActionSet(decoding: damaged) else { continue }
            #expect(try other.features.rows == other.count)
        }
    }

    @Test("an action set is nil for no actions and for more than 4,096")
    func limits() throws {
        #expect(ActionSet(try Matrix(rows: 4097, columns: 1, elements: [Double](repeating: 1, count: 4097))) == nil)
        #expect(ActionSet(try Matrix(rows: 4096, columns: 1, elements: (0..<4096).map(Double.init)))?.count == 4096)
        #expect(ActionSet(try Matrix(rows: 0, columns: 1, elements: [])) == nil)
    }
}
