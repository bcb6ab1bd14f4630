import Foundation
import KinChallenges
import KinJSON
import KinTestSupport
import Testing

@Suite("Prior of notification times") struct NotificationPriorTests {

    /// Notifications at minutes of January days, answered with a probability that depends on the minute.
    private func past(
        _ count: Int, _ random: inout SeededGenerator, _ probability: (Int) -> Double
    ) throws -> [NotificationRecord] {
        try (0..<count).map { day in
            let minute = 480 + random.below(780)
            let start = try Timestamp(parsing: "2026-01-01T00:00:00Z").microseconds
            let sent = try Timestamp(microseconds: start + Int64(day * 1440 + minute) * 60_000_000)
            return try NotificationRecord(
                userID: "u", sent: sent, in: .utc, wasAnswered: random.uniform() < probability(minute))
        }
    }

    @Test("one person's counts sum to one, and counts of people add up")
    func counts() throws {
        var random = TestSeed().generator
        let few = try past(NotificationPrior.leastAnswers - 1, &random) { _ in 0.5 }
        #expect(NotificationPrior.uniform.counting(few) == .uniform)
        let one = NotificationPrior.uniform.counting(try past(40, &random) { $0 > 1000 ? 0.8 : 0.05 })
        #expect(one.people == 1)
        #expect(abs(one.centres.reduce(0, +) - 1) < 1e-9 && abs(one.shapes.reduce(0, +) - 1) < 1e-9)
        // Most of the weight is after 16:40, when this person answers.
        #expect(one.centres[33...].reduce(0, +) > 0.8, "\(one.centres)")
        let two = one.adding(NotificationPrior.uniform.counting(try past(40, &random) { $0 < 600 ? 0.8 : 0.05 }))
        #expect(two.people == 2 && abs(two.centres.reduce(0, +) - 2) < 1e-9)
        #expect(try NotificationPrior(parsing: two.json) == two)
    }

    @Test("invalid counts are refused by field name")
    func refused() throws {
        let (centres, shapes) = (NotificationPrior.uniform.centres, NotificationPrior.uniform.shapes)
        func field(_ people: Double, _ centres: [Double], _ shapes: [Double]) -> String? {
            kinError { try NotificationPrior(people: people, centres: centres, shapes: shapes) }?.description
        }
        #expect(field(0, centres, shapes) == nil)
        for people in [-1, .nan, .infinity] { #expect(field(people, centres, shapes)?.contains("people") == true) }
        var negative = centres
        (negative[0], negative[1]) = (-1, 1)
        for wrong in [[], Array(centres.dropLast()), negative, centres.map { _ in .nan }] {
            #expect(field(0, wrong, shapes)?.contains("centres") == true)
        }
        #expect(field(1, centres, shapes)?.contains("centres") == true)
        #expect(field(0, centres, shapes + [0])?.contains("shapes") == true)
    }

    /// The oracle: the likelihood of every curve of the documented grid, multiplied one answer at a time.
    @Test("counts are the posterior probabilities of the curves")
    func posterior() throws {
        var random = TestSeed().generator
        let answers = try past(30, &random) { _ in 0.4 }
        let before = NotificationPrior.uniform.counting(try past(50, &random) { $0 > 900 ? 0.7 : 0.1 })
        let levels = [0.02, 0.06, 0.12, 0.22, 0.35, 0.5].flatMap { base in
            [0.08, 0.2, 0.35, 0.5, 0.65].map { (base, $0) }
        }.filter { $0.0 + $0.1 <= 0.97 }
        var (centres, shapes) = ([Double](repeating: 0, count: 48), [Double]())
        for width in [40.0, 80, 150, 300] {
            for level in levels {
                var sum = 0.0
                for centre in 0..<48 {
                    var weight = (before.centres[centre] + 4.0 / 48) * (before.shapes[shapes.count] + 4.0 / 108)
                    for answer in answers {
                        let steps = abs(answer.time.minute / 15 * 15 + 7 - (30 * centre + 15)) / 15
                        let distance = 15 * Double(min(steps, 96 - steps)) / width
                        let p = level.0 + level.1 * exp(-distance * distance / 2)
                        weight *= answer.wasAnswered == true ? p : 1 - p
                    }
                    sum += weight
                    centres[centre] += weight
                }
                shapes.append(sum)
            }
        }
        let (total, found) = (shapes.reduce(0, +), before.counting(answers))
        for (mine, other) in zip(centres + shapes, found.centres + found.shapes) {
            #expect(abs(mine / total - other) < 1e-9)
        }
    }

    @Test("the number of passes is checked", arguments: [.min, 0, 1001, .max])
    func passes(rounds: Int) {
        #expect(errorCode { try NotificationPrior.learned(from: [[], []], rounds: rounds) } == .invalidArgument)
    }

    @Test("similar people teach when a new person answers")
    func learns() throws {
        var random = TestSeed().generator
        let evening = { (minute: Int) in minute > 1110 && minute < 1200 ? 0.7 : 0.03 }
        let prior = try NotificationPrior.learned(from: (0..<25).map { _ in try past(40, &random, evening) })
        #expect(abs(prior.people - 25) < 1e-9)
        let rules = NotificationRules(window: try DailyWindow(parsing: "08:00-21:00"))
        let now = try Timestamp(parsing: "2026-03-01T00:00:00Z")
        let planner = try NotificationPlanner(prior: prior, seed: 1)
        let hits = (0..<100).count { number in
            let outcome = planner.next(for: "new\(number)", after: now, in: .utc, rules: rules, past: [])
            guard case .planned(let plan) = outcome else { return false }
            return (1080...1230).contains(plan.time.minute)
        }
        // 2.5 of 13 hours, which chance hits 19 times of 100.
        #expect(hits > 60, "\(hits) of 100")
    }
}
