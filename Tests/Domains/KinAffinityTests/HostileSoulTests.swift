import KinAffinity
import KinTestSupport
import Testing

/// Hostile values in one soul are refused or change no results of other people.
@Suite struct HostileSoulTests {
    static let amounts = [
        .leastNonzeroMagnitude, 0x1p-1070, 0x1p-1022, 1e-200, 1e-160, 1e-100, 1e-20, 1, 1e9, 1e100, 1e155, 1e200, 1e308,
        .greatestFiniteMagnitude,
    ]

    private func hostile(_ id: String, like plain: Soul, _ random: inout SeededGenerator) throws -> Soul {
        func amount(_ random: inout SeededGenerator) -> Double { Self.amounts[random.below(Self.amounts.count)] }
        func traits(_ plain: SoulTraits, _ random: inout SeededGenerator) throws -> SoulTraits {
            var amounts: [String: Double] = [:]
            let same = random.below(2) == 0 ? amount(&random) : nil
            for trait in plain.list { amounts[trait.name] = same ?? amount(&random) }
            return try SoulTraits(amounts)
        }
        let goals = try traits(plain.goals, &random)
        let realms = try traits(plain.realms, &random)
        let objects = try traits(plain.objects, &random)
        let hours = (0..<24).map { _ in random.below(3) == 0 ? 0 : amount(&random) / 32 }
        let numbers = (0..<3).map { _ in random.below(3) == 0 ? 0 : amount(&random) }
        let hasHours = random.below(2) == 0 && hours.contains { $0 > 0 }
        let pattern =
            hasHours || numbers.contains { $0 > 0 }
            ? try SessionPattern(
                hours: hasHours ? hours : [], minutes: numbers[0], sessionsPerWeek: numbers[1], streak: numbers[2])
            : nil
        let valences = [-1, 1, -0.0, .leastNonzeroMagnitude, -1e-300, 0.1]
        return try Soul(
            userID: id, goals: goals, realms: realms, objects: objects, pattern: plain.pattern == nil ? nil : pattern,
            valence: plain.valence == nil ? nil : valences[random.below(valences.count)])
    }

    @Test func aHostileSoulChangesNoOtherAnswers() throws {
        var random = TestSeed().generator
        let people = try (0..<40).map { try Souls.random("u\($0)", &random, missing: 6) }
        for round in 0..<24 {
            let plain = try Souls.random("z", &random, missing: 8)
            let strange = try hostile("z", like: plain, &random)
            let calm = try SoulMatcher(people + [plain])
            var troubled = try SoulMatcher(people + [strange])
            if round % 2 == 1 {
                troubled = calm
                try troubled.upsert([strange])
            }
            #expect(calm.model == troubled.model)
            for user in people.prefix(12).map(\.userID) {
                let before = try calm.mostSimilar(to: user, k: 40).filter { $0.userID != "z" }
                let after = try troubled.mostSimilar(to: user, k: 40)
                #expect(after.filter { $0.userID != "z" } == before, "round \(round) \(user)")
                // With the stranger, the score is the formula's: a number from 0 to 1.
                let soul = try #require(people.first { $0.userID == user })
                let affinity = troubled.model.affinity(between: soul, and: strange)
                #expect(affinity.score >= 0 && affinity.score <= 1, "round \(round): \(affinity)")
                if let found = after.first(where: { $0.userID == "z" }) {
                    #expect(found == ScoredSoul(userID: "z", affinity))
                }
                #expect(try troubled.affinity(between: user, and: "z") == affinity)
            }
            let itself = troubled.model.affinity(between: strange, and: strange)
            #expect(itself.score == 1 || itself.coverage == 0, "round \(round): \(itself)")
            #expect(try Soul(json: strange.json) == strange)
        }
    }

    /// Cosines do not depend on the unit of amounts too small to be damped.
    @Test func smallAmountsAreComparedLikeLargeOnes() throws {
        func soul(_ id: String, _ unit: Double) throws -> Soul {
            try Soul(userID: id, goals: SoulTraits(["a": 3 * unit, "b": unit, "c": 2 * unit]))
        }
        let other = try Soul(userID: "o", goals: SoulTraits(["a": 1e-12, "b": 5e-12]))
        let expected = AffinityModel.standard.affinity(between: try soul("s", 0x1p-60), and: other).score
        #expect(expected > 0.3 && expected < 0.9)
        for exponent in [-80, -400, -600, -1000] {
            let small = try soul("s", Double(sign: .plus, exponent: exponent, significand: 1))
            #expect(AffinityModel.standard.affinity(between: small, and: other).score == expected)
        }
    }

    @Test func errorsNameFieldAndRange() throws {
        func message(_ json: String) -> String? { kinError { try Soul(json: json) }?.description }
        for value in ["1e400", "-1e400", "-1", "-1e-200", "-1e308"] {
            for (json, field) in [
                (#"{"uid":"u","goals":{"x":\#(value)}}"#, "goals"),
                (#"{"uid":"u","realms":{"x":\#(value)}}"#, "realms"),
                (#"{"uid":"u","objects":{"x":\#(value)}}"#, "objects"),
                (#"{"uid":"u","patterns":{"minutes":\#(value)}}"#, "minutes"),
                (#"{"uid":"u","patterns":{"sessions_per_week":\#(value)}}"#, "sessions_per_week"),
                (#"{"uid":"u","patterns":{"streak":\#(value)}}"#, "streak"),
                (
                    #"{"uid":"u","patterns":{"minutes":1,"hours":[\#(value)\#(String(repeating: ",1", count: 23))]}}"#,
                    "hours"
                ),
            ] {
                #expect(message(json)?.contains(field) == true, "\(json): \(message(json) ?? "accepted")")
            }
        }
        for value in ["1.0000001", "-2", "1e308", "1e400"] {
            #expect(message(#"{"uid":"u","valence":\#(value)}"#)?.contains("valence") == true)
        }
        let full = String(repeating: "1e308,", count: 23) + "1e308"
        #expect(message(#"{"uid":"u","patterns":{"hours":[\#(full)]}}"#)?.contains("1e308") == true)
        let many = Dictionary(uniqueKeysWithValues: (0..<65_536).map { ("t\($0)", 1.0) })
        #expect(errorCode { try SoulTraits(many) } == .capacityExceeded)
    }
}
