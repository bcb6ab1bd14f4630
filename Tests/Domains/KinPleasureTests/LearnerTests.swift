import Foundation
import KinPleasure
import KinSamples
import KinTestSupport
import Testing

@Suite struct LearnerTests {

    @Test func profileIsTheWeightedMean() throws {
        let life = PersonGenerator(seed: 12).person(0, sessions: 50)
        let since = try Timestamp(microseconds: life.sessions[0].start.microseconds - 1)
        let parameters = ProfileLearner.Parameters(halfLifeDays: 20, startWeight: 3)
        var learner = try ProfileLearner(
            start: life.profile.pleasure, since: since, parameters: parameters)
        var shuffled = life.sessions
        var generator = SeededGenerator(seed: 1)
        shuffled.shuffle(using: &generator)
        for session in shuffled { learner.learn(session) }
        learner.learn(shuffled[7])
        #expect(learner.sessionCount == 50)
        for n in [0, 1, 17, 50] {
            let lived = life.sessions.prefix(n)
            let now = lived.last.map { $0.end ?? $0.start } ?? since
            func weight(_ time: Timestamp) -> Double {
                exp2(Double(time.microseconds - now.microseconds) / 86_400e6 / parameters.halfLifeDays)
            }
            let profile = learner.profile(at: now)
            for dimension in Pleasure.Dimension.allCases {
                var sum = 3 * weight(since) * Double(life.profile.pleasure[dimension])
                var total = 3 * weight(since)
                for session in lived {
                    sum += weight((session.end ?? session.start)) * Double(session.embedding[dimension])
                    total += weight((session.end ?? session.start))
                }
                #expect(abs(Double(profile[dimension]) - sum / total) < 1e-6)
            }
        }
        let history = learner.history
        #expect(history.count == 51 && history[0].pleasure == life.profile.pleasure && history[50].sessionCount == 50)
        for version in history { #expect(learner.profile(at: version.since) == version.pleasure) }
        // The profile does not move between sessions, nor long after them.
        #expect(learner.profile() == learner.profile(at: try Timestamp(parsing: "9000-01-01")))
        let forgotten = (learner.forget(session: "u0-49"), learner.forget(session: "u0-49"))
        #expect(forgotten == (true, false))
        #expect(learner.profile() == history[49].pleasure)
    }

    /// A dimension that a session does not mention teaches nothing; a given intensity of 0 counts as known.
    @Test func unmentionedDimensionsStayUnknown() throws {
        var random = TestSeed().generator
        for round in 0..<40 {
            let start = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            let parameters = ProfileLearner.Parameters(startWeight: Double(random.below(3)))
            let since = try Timestamp(parsing: "2026-01-01")
            var learner = try ProfileLearner(start: start, since: since, parameters: parameters)
            var sums = [Double](repeating: 0, count: 16)
            var weights = [Double](repeating: 0, count: 16)
            func weight(_ day: Int) -> Double { exp2(Double(day) / parameters.halfLifeDays) }
            for dimension in Pleasure.Dimension.allCases {
                sums[dimension.rawValue] = parameters.startWeight * Double(start[dimension])
                weights[dimension.rawValue] = parameters.startWeight
            }
            for number in 0..<random.below(40) {
                let named = Pleasure.Dimension.allCases.shuffled(using: &random).prefix(random.below(7))
                let values = named.map { ($0, random.below(4) == 0 ? 0 : Float(random.uniform())) }
                let marks = try PleasureMarks(primary: [], intensities: Dictionary(uniqueKeysWithValues: values))
                #expect(marks.named == named.sorted())
                let day = random.below(400)
                learner.learn(
                    try PleasureSession(
                        id: "s\(number)", userID: "u",
                        start: since.adding(days: day),
                        pleasure: marks))
                for (dimension, value) in values {
                    sums[dimension.rawValue] += weight(day) * Double(value)
                    weights[dimension.rawValue] += weight(day)
                }
            }
            for dimension in Pleasure.Dimension.allCases {
                let (sum, weight) = (sums[dimension.rawValue], weights[dimension.rawValue])
                let expected = weight > 0 ? sum / weight : 0
                #expect(
                    abs(Double(learner.profile()[dimension]) - expected) < 1e-6, "round \(round), \(dimension)"
                )
            }
        }
    }

    @Test func parametersAreChecked() throws {
        for parameters in [
            ProfileLearner.Parameters(halfLifeDays: 0), .init(halfLifeDays: .infinity), .init(startWeight: -1),
            .init(startWeight: .nan),
        ] {
            #expect(
                errorCode {
                    try ProfileLearner(start: Pleasure(), since: Timestamp(microseconds: 0), parameters: parameters)
                } == .invalidArgument)
        }
    }
}
