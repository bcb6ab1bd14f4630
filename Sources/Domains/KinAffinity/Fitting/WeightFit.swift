import KinLibC

/// Two people, labelled as belonging together or not.
public struct LabelledPair: Sendable, Hashable {
    /// The id of the first person.
    public let first: String
    /// The id of the second person.
    public let second: String
    /// Whether the two belong together.
    public let label: Bool

    /// Creates a pair from two ids and its label.
    public init(_ first: String, _ second: String, label: Bool) {
        self.first = first
        self.second = second
        self.label = label
    }

    /// Adds an equal number of random pairs, labelled as not belonging together.
    ///
    /// Given pairs are not drawn, in either order. Fewer pairs are added if hardly any others exist.
    ///
    /// - Parameters:
    ///   - users: The people to draw from; two or more, else nothing is added.
    ///   - pairs: The given pairs.
    ///   - seed: The seed of the draws.
    /// - Returns: The given pairs, followed by the drawn ones.
    /// - Complexity: O(pairs).
    public static func adding(others users: [String], to pairs: [LabelledPair], seed: UInt64) -> [LabelledPair] {
        guard users.count > 1 else { return pairs }
        let given = Set(pairs.flatMap { [[$0.first, $0.second], [$0.second, $0.first]] })
        var (all, random) = (pairs, SeededGenerator(seed: seed))
        // If all possible pairs are given, none is left to draw.
        for _ in 0..<20 * pairs.count where all.count < 2 * pairs.count {
            let pair = [users[random.below(users.count)], users[random.below(users.count)]]
            if pair[0] != pair[1], !given.contains(pair) { all.append(LabelledPair(pair[0], pair[1], label: false)) }
        }
        return all
    }
}

/// Affinity weights fitted to labelled pairs, with their quality on held-out pairs.
///
/// The probability that two people belong together is modelled as 1 ∕ (1 + e^−(a s + b)) with s their affinity over the
/// blocks that both have. The weights w ≥ 0 with Σ w = 1, a ≥ 0 and b maximize the likelihood, with the same total
/// weight for both kinds of pairs. Projected gradients use the steps of Adam (Kingma and Ba 2015, arXiv:1412.6980). The
/// quality is measured by cross-validation: each fold of the pairs is scored with weights fitted to the other folds.
public struct WeightFit: Sendable, Hashable {
    /// The weights that were fitted to all pairs.
    public let weights: AffinityWeights
    /// The quality of the score on held-out pairs.
    public let heldOut: RankQuality
    /// The quality of the standard weights on the same pairs.
    public let standard: RankQuality
    /// The number of labelled pairs.
    public let pairs: Int
    /// The number of folds, 2 or more.
    public let folds: Int

    /// Fits weights to labelled pairs.
    ///
    /// - Parameters:
    ///   - pairs: The pairs, at least `folds` of each label.
    ///   - matcher: The souls of all people in the pairs; its rarity of goals is used.
    ///   - folds: The number of folds, 2 or more.
    ///   - seed: The seed of the assignment of pairs to folds.
    ///   - steps: The number of gradient steps, 1 or more.
    /// - Throws: `.unknownID` for a person without a soul in the matcher, `.invalidArgument` for fewer pairs than folds
    ///   of either label.
    /// - Complexity: O(folds · steps · pairs).
    public init(
        to pairs: [LabelledPair], of matcher: SoulMatcher, folds: Int = 5, seed: UInt64 = 0, steps: Int = 200
    ) throws(KinError) {
        guard folds >= 2, steps >= 1 else {
            throw KinError(.invalidArgument, "\(folds) folds and \(steps) steps; there are at least 2 and 1")
        }
        let kin = pairs.count { $0.label }
        guard kin >= folds, pairs.count - kin >= folds else {
            throw KinError(
                .invalidArgument,
                "\(kin) of \(pairs.count) pairs belong together; give at least \(folds) that do and \(folds) that do not"
            )
        }
        var table: [PairSimilarity] = []
        table.reserveCapacity(pairs.count)
        for pair in pairs {
            table.append(
                PairSimilarity(try matcher.affinity(between: pair.first, and: pair.second), label: pair.label))
        }
        // Each label's pairs are dealt out in turn, so that every fold has its share of both labels.
        var generator = SeededGenerator(seed: seed)
        var fold = [Int](repeating: 0, count: pairs.count)
        for kind in [true, false] {
            let members = table.indices.filter { table[$0].label == kind }.shuffled(using: &generator)
            for (n, i) in members.enumerated() { fold[i] = n % folds }
        }
        var scores = [Double](repeating: 0, count: pairs.count)
        for held in 0..<folds {
            let weights = try Self.fit(table.indices.filter { fold[$0] != held }.map { table[$0] }, steps: steps)
            for i in table.indices where fold[i] == held { scores[i] = table[i].score(weights).score }
        }
        let labels = table.map(\.label)
        heldOut = try RankQuality(scores: scores, labels: labels)
        let usual = AffinityWeights.standard.values
        standard = try RankQuality(scores: table.map { $0.score(usual).score }, labels: labels)
        weights = try AffinityWeights(Self.fit(table, steps: steps))
        self.pairs = pairs.count
        self.folds = folds
    }

    /// The weights of the greatest likelihood for a table of pairs.
    private static func fit(_ table: [PairSimilarity], steps: Int) throws(KinError) -> [Double] {
        let blocks = SoulBlock.allCases.count
        // The weights, a and b, and Adam's averages of their gradients.
        var point = AffinityWeights.standard.values + [8, -4]
        var (mean, square) = ([Double](repeating: 0, count: blocks + 2), [Double](repeating: 0, count: blocks + 2))
        let kin = Double(table.count { $0.label })
        let share = (kin: 0.5 / kin, other: 0.5 / (Double(table.count) - kin))
        let work = LongWork(of: steps)
        for step in 1...steps {
            try work.step()
            var gradient = [Double](repeating: 0, count: blocks + 2)
            for pair in table {
                let (score, total) = pair.score(point)
                guard total > 0 else { continue }
                let chance = 1 / (1 + exp(-(point[blocks] * score + point[blocks + 1])))
                let error = (chance - (pair.label ? 1 : 0)) * (pair.label ? share.kin : share.other)
                let slope = error * point[blocks] / total
                for b in 0..<blocks where pair.isThere[b] { gradient[b] += slope * (pair.similarities[b] - score) }
                gradient[blocks] += error * score
                gradient[blocks + 1] += error
            }
            // The bias correction of Adam's averages.
            let (meanShare, squareShare) = (1 - power(0.9, step), 1 - power(0.99, step))
            for i in point.indices {
                mean[i] = 0.9 * mean[i] + 0.1 * gradient[i]
                square[i] = 0.99 * square[i] + 0.01 * gradient[i] * gradient[i]
                let (m, v) = (mean[i] / meanShare, square[i] / squareShare)
                // The slope and the offset are larger than the weights.
                let rate = (i < blocks ? 0.02 : 0.3) * (1 - Double(step) / Double(steps + 1))
                point[i] -= rate * m / (v.squareRoot() + 1e-12)
            }
            for b in 0..<blocks { point[b] = max(0, point[b]) }
            point[blocks] = max(0, point[blocks])
            let sum = point[..<blocks].reduce(0, +)
            for b in 0..<blocks { point[b] = sum > 0 ? point[b] / sum : 1 / Double(blocks) }
        }
        return Array(point[..<blocks])
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        exp(Double(exponent) * log(base))
    }
}

/// The similarities of a labelled pair, by block.
private struct PairSimilarity {
    var similarities = [Double](repeating: 0, count: SoulBlock.allCases.count)
    var isThere = [Bool](repeating: false, count: SoulBlock.allCases.count)
    let label: Bool

    init(_ affinity: Affinity, label: Bool) {
        self.label = label
        for block in affinity.blocks {
            similarities[block.block.rawValue] = block.similarity
            isThere[block.block.rawValue] = true
        }
    }

    /// The weighted mean of the similarities, and the weight of the blocks that both have.
    func score(_ weights: [Double]) -> (score: Double, total: Double) {
        var (sum, total) = (0.0, 0.0)
        for b in isThere.indices where isThere[b] {
            sum += weights[b] * similarities[b]
            total += weights[b]
        }
        return (total > 0 ? sum / total : 0, total)
    }
}
