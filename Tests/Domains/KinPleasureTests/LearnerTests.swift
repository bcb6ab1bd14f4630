import Foundation
import KinSamples
import KinTestSupport
import Testing

@Suite struct LearnerTests {
    /// A dimension that a session does not mention teaches nothing; a given intensity of 0 counts as known.
    @Test func unmentionedDimensionsStayUnknown() throws {
        var random = TestSeed().generator
        for round in 0..<40 {
            let start = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            let startWeight = random.below(2) == 0 ? 0 : TasteHistory.startWeight
            let since = try Timestamp(parsing: "2026-01-01")
            var history = TasteHistory()
            if startWeight > 0 {
                history.declare(
                    ProfileVersion(since: since, profile: try PleasureProfile(userID: "u", pleasure: start)))
            }
            var sums = [Double](repeating: 0, count: 16)
            var weights = [Double](repeating: 0, count: 16)
            func weight(_ day: Int) -> Double { exp2(Double(day) / TasteHistory.halfLifeDays) }
            for dimension in Pleasure.Dimension.allCases {
                sums[dimension.rawValue] = startWeight * Double(start[dimension])
                weights[dimension.rawValue] = startWeight
            }
            for number in 0...random.below(40) {
                let named = Pleasure.Dimension.allCases.shuffled(using: &random).prefix(random.below(7))
                let values = named.map { ($0, random.below(4) == 0 ? 0 : Float(random.uniform())) }
                let marks = try PleasureMarks(primary: [], intensities: Dictionary(uniqueKeysWithValues: values))
                #expect(marks.named == named.sorted())
                let day = random.below(400)
                history.upsert(
                    try PleasureSession(
                        id: "s\(number)", userID: "u",
                        start: since.adding(days: day),
                        pleasure: marks))
                for (dimension, value) in values {
                    sums[dimension.rawValue] += weight(day) * Double(value)
                    weights[dimension.rawValue] += weight(day)
                }
            }
            let learned = try #require(history.profiles(at: since.adding(days: 400))).learned
            for dimension in Pleasure.Dimension.allCases {
                let (sum, weight) = (sums[dimension.rawValue], weights[dimension.rawValue])
                let expected = weight > 0 ? sum / weight : 0
                #expect(abs(Double(learned[dimension]) - expected) < 1e-6, "round \(round), \(dimension)")
            }
        }
    }
}
