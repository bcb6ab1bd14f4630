/// The choices of a policy in one pass over labelled rows. Each row is a round of a bandit with a hidden label.
public struct LabelledRun: Sendable, Hashable {
    /// The arm chosen in each round.
    public let arms: [Int]
    /// The probability of each choice.
    public let propensities: [Double]
    /// Whether each choice was the label: the reward, 1 or 0.
    public let hits: [Bool]

    /// The mean reward of all rounds, including the first ones; 0 without rounds.
    public var progressiveReward: Double {
        hits.isEmpty ? 0 : Double(hits.count { $0 }) / Double(hits.count)
    }
}

extension BanditPolicy {
    /// Plays labelled rows as a bandit: chooses an arm for each row, and learns a reward of 1 if the arm is the label,
    /// otherwise 0.
    ///
    /// - Parameters:
    ///   - contexts: n × ``dimension``.
    ///   - labels: The correct arm of each row.
    ///   - order: The rows in the order of play; nil for 0 ..< n.
    /// - Throws: As ``choose(in:among:)`` and ``learn(reward:for:weight:)``, by row; `.dimensionMismatch` unless every
    ///   row has a label, `.invalidArgument` for a label that is not an arm or a row that does not exist.
    public mutating func play(
        _ contexts: Matrix<Double>, labels: [Int], order: [Int]? = nil
    ) throws(KinError) -> LabelledRun {
        guard contexts.rows == labels.count else {
            throw KinError(.dimensionMismatch, "\(contexts.rows) contexts do not fit \(labels.count) labels")
        }
        try checkArms(nil)
        if let row = labels.firstIndex(where: { !lastObservation.indices.contains($0) }) {
            throw KinError(.invalidArgument, "the label \(labels[row]) is not an arm").within("row", row)
        }
        if let row = order?.first(where: { !labels.indices.contains($0) }) {
            throw KinError(.invalidArgument, "the order has the row \(row); there are \(labels.count)")
        }
        var (arms, propensities, hits) = ([Int](), [Double](), [Bool]())
        let work = LongWork(of: labels.count)
        for row in order ?? Array(labels.indices) {
            try work.step()
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
    /// A random permutation of 0 ..< count, all equally likely (Fisher and Yates).
    package mutating func shuffled(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, below(last + 1)) }
        return order
    }
}
