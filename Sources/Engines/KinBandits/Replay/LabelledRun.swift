public import KinCore
public import KinLinearAlgebra

/// One pass of a policy over labelled rows, each a round of a bandit that hides the label.
public struct LabelledRun: Sendable, Hashable {
    /// The arm chosen in each round.
    public let arms: [Int]
    /// The probability of each choice.
    public let propensities: [Double]
    /// Whether each choice was the label: the reward, 1 or 0.
    public let hits: [Bool]

    /// The mean reward of all rounds, those of learning included; 0 without rounds.
    public var progressiveReward: Double {
        hits.isEmpty ? 0 : Double(hits.count { $0 }) / Double(hits.count)
    }
}

extension BanditPolicy {
    /// Plays labelled rows as a bandit, in their order: choose an arm, see whether it is the label, learn just that.
    ///
    /// What the other arms would have brought is never looked at.
    ///
    /// - Parameters:
    ///   - contexts: n × `dimension`.
    ///   - labels: n arms.
    ///   - order: The rows in the order of play; as they are when left out.
    /// - Throws: As ``choose(in:among:)`` and ``learn(reward:for:weight:)``, by row; `.dimensionMismatch` unless every row
    ///   has a label, `.invalidArgument` for a label that is no arm.
    public mutating func play(
        _ contexts: Matrix<Double>, labels: [Int], order: [Int]? = nil
    ) throws(KinError) -> LabelledRun {
        guard contexts.rows == labels.count else {
            throw KinError(.dimensionMismatch, "\(contexts.rows) contexts do not fit \(labels.count) labels")
        }
        try checkArms(nil)
        if let row = labels.firstIndex(where: { !posteriors.indices.contains($0) }) {
            throw KinError(.invalidArgument, "the label is \(labels[row]), which is no arm").within("row", row)
        }
        var (arms, propensities, hits) = ([Int](), [Double](), [Bool]())
        for row in order ?? Array(labels.indices) {
            do throws(KinError) {
                let choice = try choose(in: Array(contexts.row(row)))
                let isHit = choice.action == labels[row]
                try learn(reward: isHit ? 1 : 0, for: choice.event)
                arms.append(choice.action)
                propensities.append(choice.propensity)
                hits.append(isHit)
            } catch {
                throw error.within("row", row)
            }
        }
        return LabelledRun(arms: arms, propensities: propensities, hits: hits)
    }
}

extension SeededGenerator {
    /// 0 ..< count in an order in which every one is equally likely (Fisher and Yates).
    package mutating func shuffled(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, below(last + 1)) }
        return order
    }
}
