import Foundation
import KinAffinity

/// Souls for tests.
enum Souls {
    /// A soul with random traits and some blocks missing.
    static func random(_ id: String, _ random: inout SeededGenerator, missing: Int = 4, names: Int = 12) throws -> Soul
    {
        func traits(_ prefix: String, _ random: inout SeededGenerator) throws -> SoulTraits {
            if missing > 0 && random.below(missing) == 0 { return SoulTraits() }
            var amounts: [String: Double] = [:]
            for _ in 0..<1 + random.below(6) {
                amounts["\(prefix)\(random.below(names))"] =
                    random.below(3) == 0 ? random.uniform() : Double(random.below(40))
            }
            return try SoulTraits(amounts)
        }
        func isThere(_ random: inout SeededGenerator) -> Bool { missing == 0 || random.below(missing) > 0 }
        let goals = try traits("g", &random)
        let realms = try traits("r", &random)
        let objects = try traits("o", &random)
        let hours = (0..<24).map { _ in Double(random.below(5)) }
        let pattern =
            isThere(&random) && hours.contains { $0 > 0 }
            ? try SessionPattern(
                hours: hours, minutes: random.uniform() * 60, sessionsPerWeek: random.uniform() * 7,
                streak: Double(random.below(30)))
            : nil
        // Quarters, so that ties and boundaries occur.
        let valence = isThere(&random) ? Double(random.below(9)) / 4 - 1 : nil
        return try Soul(userID: id, goals: goals, realms: realms, objects: objects, pattern: pattern, valence: valence)
    }
}

/// The formula of the specification, written plainly on dictionaries.
enum PlainFormula {
    static func score(_ a: Soul, _ b: Soul, weights: [Double], rarity: GoalRarity? = nil) -> (
        score: Double, coverage: Double
    ) {
        var (sum, total) = (0.0, 0.0)
        func add(_ weight: Double, _ similarity: Double?) {
            guard let similarity else { return }
            sum += weight * similarity
            total += weight
        }
        add(weights[0], cosine(damped(a.goals, rarity), damped(b.goals, rarity)))
        add(weights[1], cosine(damped(a.realms), damped(b.realms)))
        add(weights[2], cosine(damped(a.objects), damped(b.objects)))
        add(weights[3], cosine(pattern(a.pattern), pattern(b.pattern)))
        if let v = a.valence, let w = b.valence { add(weights[4], 1 - abs(v - w) / 2) }
        return total > 0 ? (sum / total, total / weights.reduce(0, +)) : (0, 0)
    }

    private static func damped(_ traits: SoulTraits, _ rarity: GoalRarity? = nil) -> [String: Double] {
        var result: [String: Double] = [:]
        for trait in traits.list { result[trait.name] = log(1 + trait.amount) * (rarity?.factor(trait.name) ?? 1) }
        return result
    }

    private static func pattern(_ pattern: SessionPattern?) -> [String: Double] {
        guard let pattern else { return [:] }
        var result: [String: Double] = [:]
        let total = pattern.hours.reduce(0, +)
        for (hour, count) in pattern.hours.enumerated() where count > 0 { result["h\(hour)"] = sqrt(count / total) }
        result["minutes"] = pattern.minutes / (pattern.minutes + 20)
        result["perWeek"] = pattern.sessionsPerWeek / (pattern.sessionsPerWeek + 3)
        result["streak"] = pattern.streak / (pattern.streak + 7)
        return result
    }

    private static func cosine(_ a: [String: Double], _ b: [String: Double]) -> Double? {
        guard !a.isEmpty, !b.isEmpty else { return nil }
        let product = a.reduce(0) { $0 + $1.value * (b[$1.key] ?? 0) }
        func length(_ a: [String: Double]) -> Double { sqrt(a.values.reduce(0) { $0 + $1 * $1 }) }
        return product / (length(a) * length(b))
    }
}
