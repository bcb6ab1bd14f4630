/// The probabilities of n actions, which sum to 1.
struct ActionProbabilities: Sendable, Hashable {
    private(set) var values: [Double]

    /// Gives the best score probability 1, divided evenly among ties.
    init(best scores: [Double]) {
        let best = scores.max() ?? 0
        let ties = scores.count { $0 == best }
        values = scores.map { $0 == best ? 1 / Double(ties) : 0 }
    }

    /// Creates the share of draws won by each action; ties count in equal parts.
    init(wins: [Double], draws: Int) {
        values = wins.map { $0 / Double(draws) }
    }

    /// Creates probabilities in proportion to the chance that each action's score exceeds the score of the action with
    /// the best mean. Each is above 0.
    ///
    /// - Parameters:
    ///   - means: The mean score of each action.
    ///   - deviations: The standard deviation of each score's difference from that of the best mean.
    init(exceedingBestOf means: [Double], deviations: [Double]) {
        let best = means.max() ?? 0
        let odds = zip(means, deviations).map { mean, deviation in
            let gap = best - mean
            guard gap > 0 || deviation > 0 else { return 0.5 }
            return max(MaximumProbabilities.normalCDF(-gap / deviation), .leastNormalMagnitude)
        }
        let sum = odds.reduce(0, +)
        values = odds.map { $0 / sum }
    }

    /// Creates the probability that each of several independent normal scores is the largest, by
    /// ``MaximumProbabilities``.
    init(largestOf means: [Double], deviations: [Double]) {
        values = MaximumProbabilities.of(means: means, deviations: deviations)
    }

    /// Creates probabilities by inverse gap weighting: 1 ∕ (n + γ gap), with the remainder for the best actions.
    init(gaps means: [Double], gamma: Double) {
        let best = means.max() ?? 0
        let ties = Double(means.count { $0 == best })
        values = means.map { $0 == best ? 0 : 1 / (Double(means.count) + gamma * (best - $0)) }
        let rest = max(0, 1 - values.reduce(0, +)) / ties
        for i in values.indices where means[i] == best { values[i] = rest }
    }

    /// Gives equal probabilities to the chosen actions, at least one, and 0 to the others.
    init(equalAmong chosen: [Bool]) {
        let count = Double(chosen.count { $0 })
        values = chosen.map { $0 ? 1 / count : 0 }
    }

    /// Whether the upper bound of each action is at least the largest lower bound.
    static func plausible(_ means: [Double], deviations: [Double]) -> [Bool] {
        let bar = zip(means, deviations).map(-).max() ?? 0
        return zip(means, deviations).map { $0 + $1 >= bar }
    }

    /// Mixes in a second distribution with a weight, 0…1.
    mutating func mix(_ weight: Double, of other: ActionProbabilities) {
        for i in values.indices { values[i] = (1 - weight) * values[i] + weight * other.values[i] }
    }

    /// Mixes in the uniform distribution with the weight `epsilon`, 0…1.
    mutating func mix(uniform epsilon: Double) {
        guard epsilon > 0 else { return }
        let each = epsilon / Double(values.count)
        for i in values.indices { values[i] = (1 - epsilon) * values[i] + each }
    }

    /// Draws an action from the distribution.
    func draw(using generator: inout SeededGenerator) -> Int {
        generator.index(weights: values, total: 1)
    }
}

extension BanditPolicy {
    /// Computes probabilities by the algorithm's exploration, for actions with independent normal scores.
    ///
    /// - Parameters:
    ///   - means: The mean score of each action.
    ///   - deviations: The standard deviation of each action's score; empty if the exploration compares none.
    func explored(_ means: [Double], deviations: [Double]) -> ScoredActions {
        func widths(_ factor: Double) -> [Double] { deviations.map { factor * $0 } }
        var probabilities: ActionProbabilities
        switch settings.algorithm.exploration {
        case .epsilonGreedy(let epsilon):
            probabilities = ActionProbabilities(best: means)
            probabilities.mix(uniform: epsilon)
        case .upperBound(let width):
            probabilities = ActionProbabilities(best: zip(means, widths(width)).map(+))
        case .upperBoundOrDraw(let width):
            probabilities = ActionProbabilities(best: zip(means, widths(width)).map(+))
            let best = means.indices.max { means[$0] < means[$1] } ?? 0
            probabilities.mix(
                Self.drawShare,
                of: ActionProbabilities(
                    exceedingBestOf: means,
                    deviations: deviations.map { width * ($0 * $0 + deviations[best] * deviations[best]).squareRoot() })
            )
        case .thompson(let scale):
            probabilities = ActionProbabilities(largestOf: means, deviations: widths(scale))
        case .elimination(let width):
            let plausible = ActionProbabilities.plausible(means, deviations: widths(width))
            probabilities = ActionProbabilities(equalAmong: plausible)
        case .inverseGap(let gain):
            let expected = means.map { reward(atScore: $0, deviation: 0) }
            let gamma = gain * Double(observations + 1).squareRoot()
            probabilities = ActionProbabilities(gaps: expected, gamma: gamma)
        }
        return ScoredActions(probabilities: probabilities, means: means)
    }
}
