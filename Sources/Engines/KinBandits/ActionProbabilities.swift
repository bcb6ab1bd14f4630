import KinCore

/// The probability of each of n actions.
struct ActionProbabilities: Sendable, Hashable {
    private(set) var values: [Double]

    /// All on the best score, in equal parts where several are best.
    init(best scores: [Double]) {
        let best = scores.max() ?? 0
        let ties = scores.count { $0 == best }
        values = scores.map { $0 == best ? 1 / Double(ties) : 0 }
    }

    /// The part of the draws that each action has won; a draw that several win counts for each in equal parts.
    init(wins: [Double], draws: Int) {
        values = wins.map { $0 / Double(draws) }
    }

    /// In proportion to numbers that are 0 or more, and not all 0.
    init(inProportionTo numbers: [Double]) {
        let sum = numbers.reduce(0, +)
        values = numbers.map { $0 / sum }
    }

    /// The probability of each of independent normal scores to be the largest.
    init(largestOf means: [Double], deviations: [Double]) {
        values = MaximumProbabilities.of(means: means, deviations: deviations)
    }

    /// Inverse gap weighting: 1 ∕ (n + γ gap), the rest to the best ones.
    init(gaps means: [Double], gamma: Double) {
        let best = means.max() ?? 0
        let ties = Double(means.count { $0 == best })
        values = means.map { $0 == best ? 0 : 1 / (Double(means.count) + gamma * (best - $0)) }
        let rest = max(0, 1 - values.reduce(0, +)) / ties
        for i in values.indices where means[i] == best { values[i] = rest }
    }

    /// Gives a share of all choices to other probabilities.
    mutating func mix(_ weight: Double, of other: ActionProbabilities) {
        for i in values.indices { values[i] = (1 - weight) * values[i] + weight * other.values[i] }
    }

    /// Gives every action its part of a share that is chosen uniformly.
    mutating func mix(uniform epsilon: Double) {
        guard epsilon > 0 else { return }
        let each = epsilon / Double(values.count)
        for i in values.indices { values[i] = (1 - epsilon) * values[i] + each }
    }

    /// An action, each with its probability.
    func draw(using generator: inout SeededGenerator) -> Int {
        var rest = generator.uniform()
        var last = 0
        for i in values.indices where values[i] > 0 {
            last = i
            rest -= values[i]
            if rest < 0 { break }
        }
        return last
    }
}
