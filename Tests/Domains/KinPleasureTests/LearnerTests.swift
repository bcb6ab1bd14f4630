import Foundation
import KinSamples
import KinTestSupport
import Testing

@Suite struct LearnerTests {

    @Test func profileIsTheWeightedMean() throws {
        let life = PersonGenerator(seed: 12).person(0, sessions: 50)
        let since = try Timestamp(microseconds: life.sessions[0].start.microseconds - 1)
        var history = TasteHistory(declared: [ProfileVersion(since: since, profile: life.profile)])
        var shuffled = life.sessions
        var generator = SeededGenerator(seed: 1)
        shuffled.shuffle(using: &generator)
        for session in shuffled { history.upsert(session) }
        history.upsert(shuffled[7])
        #expect(history.sessionCount == 50)
        for n in [0, 1, 17, 50] {
            let lived = life.sessions.prefix(n)
            let now = lived.last.map { $0.end ?? $0.start } ?? since
            func weight(_ time: Timestamp) -> Double {
                exp2(Double(time.microseconds - now.microseconds) / 86_400e6 / TasteHistory.halfLifeDays)
            }
            let profiles = try #require(history.profiles(at: now))
            #expect(profiles.sessionCount == n)
            for dimension in Pleasure.Dimension.allCases {
                var sum = TasteHistory.startWeight * weight(since) * Double(life.profile.pleasure[dimension])
                var total = TasteHistory.startWeight * weight(since)
                for session in lived {
                    sum += weight((session.end ?? session.start)) * Double(session.embedding[dimension])
                    total += weight((session.end ?? session.start))
                }
                #expect(abs(Double(profiles.learned[dimension]) - sum / total) < 1e-6)
            }
        }
        #expect(history.profiles(at: since)?.learned == life.profile.pleasure)
        // The profile does not move between sessions, nor long after them.
        let ends = life.sessions.map { $0.end ?? $0.start }
        let late = try Timestamp(parsing: "9000-01-01")
        #expect(history.profiles(at: ends[49]) == history.profiles(at: late))
        let forgotten = (history.remove(session: "u0-49"), history.remove(session: "u0-49"))
        #expect(forgotten == (true, false))
        #expect(history.profiles(at: late) == history.profiles(at: ends[48]))
    }

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
