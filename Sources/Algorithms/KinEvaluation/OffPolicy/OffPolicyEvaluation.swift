/// Estimates the mean reward of a policy from the log of a different policy.
///
///     let evaluation = try OffPolicyEvaluation(rounds, groups: people)    // the number of each round's person
///     let mean = try evaluation.estimate(.doublyRobust)
///     print(mean.value, mean.effectiveRounds)
///     if let interval = mean.interval { print(interval) }                 // nil with too little evidence
///
/// With importance wᵢ = π(aᵢ) ∕ pᵢ, rewards rᵢ, a model's q and vᵢ = Σ π(a) q(a), over n rounds:
///
/// | estimator | formula | requires |
/// | --- | --- | --- |
/// | `.inversePropensity` | 1∕n Σ wᵢ rᵢ | true propensities |
/// | `.selfNormalized` | Σ wᵢ rᵢ ∕ Σ wᵢ | true propensities; less variance, some bias |
/// | `.directMethod` | 1∕n Σ vᵢ | a correct model |
/// | `.doublyRobust` | 1∕n Σ (vᵢ + wᵢ (rᵢ − qᵢ)) | true propensities or a correct model |
/// | `.switchDoublyRobust` | the same if wᵢ ≤ λ, else vᵢ | as `.doublyRobust`; less variance, some bias |
/// | `.shrunkDoublyRobust` | with λ wᵢ ∕ (wᵢ² + λ) for wᵢ | the same |
/// | `.subGaussianDoublyRobust` | with wᵢ ∕ (1 − λ + λ wᵢ) for wᵢ | the same |
///
/// ``parameter(of:)`` chooses λ from the log. Limited importance is mixed with wᵢ, so that the estimate stays near
/// `.doublyRobust`.
///
/// Sources: Horvitz and Thompson 1952. Swaminathan and Joachims 2015, "The self-normalized estimator for counterfactual
/// learning". Dudík, Langford and Li 2011, "Doubly robust policy evaluation and learning", arXiv 1103.4601. Wang,
/// Agarwal and Dudík 2017, "Optimal and adaptive off-policy evaluation in contextual bandits", arXiv 1612.01205. Su,
/// Dimakopoulou, Krishnamurthy and Dudík 2020, "Doubly robust off-policy evaluation with shrinkage", arXiv 1907.09623.
/// Metelli, Russo and Restelli 2021, "Subgaussian and differentiable importance sampling for off-policy evaluation and
/// learning".
public struct OffPolicyEvaluation: Sendable {
    /// An estimator of the mean reward.
    public enum Estimator: String, Sendable, Hashable, CaseIterable {
        /// Rewards weighted by importance (IPS).
        case inversePropensity = "ips"
        /// Rewards weighted by importance, over the sum of the weights (SNIPS).
        case selfNormalized = "snips"
        /// The model's expected reward of the policy's actions (DM).
        case directMethod = "dm"
        /// The model's expected reward, corrected by its weighted errors on the log (DR).
        case doublyRobust = "dr"
        /// Doubly robust, with the model alone if importance exceeds a limit (Switch-DR).
        case switchDoublyRobust = "switch-dr"
        /// Doubly robust, with importance shrunk towards 0; larger importance is shrunk more (DRos).
        case shrunkDoublyRobust = "dros"
        /// Doubly robust, with bounded importance, so that an estimate's errors are sub-Gaussian.
        case subGaussianDoublyRobust = "sg-dr"

        /// Whether the estimator uses a model's estimates.
        public var needsModel: Bool { self != .inversePropensity && self != .selfNormalized }
    }

    /// An estimate with its interval.
    public struct Estimate: Sendable, Hashable {
        /// The estimated mean reward of a round.
        public let value: Double
        /// The confidence interval of the value. With fewer than ``OffPolicyEvaluation/leastEffectiveRounds`` effective
        /// rounds, with a mean importance below ``OffPolicyEvaluation/leastMeanImportance``, and if all rounds or all
        /// rewards agree, it is the range of rewards passed by the caller, or nil.
        public internal(set) var interval: ClosedRange<Double>?
        /// The effective number of rounds, or of groups, behind the estimate: (Σ w)² ∕ Σ w², as in
        /// ``OffPolicyEvaluation/effectiveRounds``.
        public let effectiveRounds: Double
        /// Whether propensities were estimated (``EstimatedPropensities``). If so, the value is valid only if the
        /// propensity model is, and the interval does not include its error.
        public var hasEstimatedPropensities = false
        /// Whether the value is a number: `.selfNormalized` divides 0 by 0 if the evaluated policy takes no logged action.
        /// The value is then 0 here, NaN in C and Python, and null in JSON.
        public var isDefined = true
    }

    /// The smallest effective number of rounds, or of groups, for an interval: 20.
    ///
    /// For shares of 0.1 to 0.5, the coverage of 95 % score intervals is 21 to 79 % with 2 to 4 effective rounds, 68 to
    /// 97 % with 10, and 89 to 94 % with 20 or more (`ScoreIntervalTests`). Intervals of rarer rewards hold less: 82 % for
    /// a share of 0.02 and 87 % for 0.05, in random logs of 100 to 3,000 rounds. If the log also seldom takes the policy's
    /// actions, intervals of `.selfNormalized` hold 79 % for a share of 0.01 and 65 % for 0.003.
    public static let leastEffectiveRounds = 20.0

    /// The smallest mean importance for an interval: 0.5.
    ///
    /// The mean is 1 in expectation. With 20 effective rounds its standard deviation is at most 0.22, so a mean below 0.5
    /// shows that the log lacks actions that the evaluated policy often takes.
    public static let leastMeanImportance = 0.5

    /// The rounds of the log, checked.
    public let rounds: [LoggedRound]
    /// The index of each round's group, 0 ..< ``groupCount``; nil if each round is its own group.
    private let groups: [Int]?
    /// The number of groups, the units of an interval.
    private let groupCount: Int
    /// Whether propensities were estimated rather than logged.
    public let hasEstimatedPropensities: Bool

    /// Creates an evaluation on the rounds of a log.
    ///
    /// - Parameters:
    ///   - rounds: One round or more, in any order.
    ///   - groups: The number of each round's group, such as its person; nil for independent rounds. Rounds of a group
    ///     are not independent, so whole groups are the units of intervals (Field and Welsh 2007, "Bootstrapping
    ///     clustered data").
    ///   - hasEstimatedPropensities: Whether propensities come from ``EstimatedPropensities``; every estimate carries
    ///     this flag.
    /// - Throws: `.invalidArgument`, by round, for a propensity outside 0 < p ≤ 1 or a probability outside 0…1, and for
    ///   an empty log; `.notFinite` for other numbers that are not finite; `.dimensionMismatch` unless every round has
    ///   a group.
    public init(
        _ rounds: [LoggedRound], groups: [Int]? = nil, hasEstimatedPropensities: Bool = false
    ) throws(KinError) {
        guard !rounds.isEmpty else { throw KinError(.invalidArgument, "the log has no rounds to evaluate on") }
        guard groups == nil || groups?.count == rounds.count else {
            throw KinError(.dimensionMismatch, "\(groups?.count ?? 0) groups do not fit \(rounds.count) rounds")
        }
        for (index, round) in rounds.enumerated() {
            try round.check(index, named: "round")
        }
        self.rounds = rounds
        self.hasEstimatedPropensities = hasEstimatedPropensities
        self.groups = groups?.numbered()
        groupCount = groups.map { Set($0).count } ?? rounds.count
    }

    /// The effective sample size (Σ wᵢ)² ∕ Σ wᵢ² (Kish 1965): the number of unweighted rounds with the same precision.
    ///
    /// If it is far below the number of rounds, the log has little evidence about the policy.
    public var effectiveRounds: Double { Self.effectiveCount(rounds.lazy.map(\.importance)) }

    /// (Σ w)² ∕ Σ w² of non-negative weights; 0 if all are 0. Weights are first divided by the largest, to avoid
    /// overflow.
    static func effectiveCount(_ weights: some Sequence<Double>) -> Double {
        guard let largest = weights.max(), largest > 0 else { return 0 }
        let (sum, squares) = weights.reduce(into: (0.0, 0.0)) { sums, weight in
            let share = weight / largest
            sums.0 += share
            sums.1 += share * share
        }
        return sum * sum / squares
    }

    /// Estimates the mean reward of a round under the evaluated policy. For `.selfNormalized`, 0 ∕ 0 is 0.
    ///
    /// The result is not finite if terms or their sum exceed the range of a double;
    /// ``estimate(_:confidence:resamples:seed:range:)`` throws then.
    ///
    /// - Parameters:
    ///   - estimator: The estimator of the mean reward.
    ///   - parameter: λ without mixing, for an estimator that has it: 0 or more, at most 1 for
    ///     `.subGaussianDoublyRobust`. Default: nil, which chooses λ.
    public func value(_ estimator: Estimator, parameter: Double? = nil) -> Double {
        Self.value(terms(estimator, parameter))
    }

    static func value(_ terms: some Sequence<RatioTerms>) -> Double {
        terms.reduce(into: RatioTerms()) { $0.add($1) }.ratio
    }

    /// The terms of all groups, with `given` or else the chosen parameter.
    private func terms(_ estimator: Estimator, _ given: Double? = nil) -> [RatioTerms] {
        let limit = given.map { ImportanceLimit(parameter: $0, share: 1) } ?? limit(of: estimator)
        guard let groups else { return rounds.map { $0.terms(estimator, limit) } }
        var sums = [RatioTerms](repeating: RatioTerms(), count: groupCount)
        for (round, group) in zip(rounds, groups) { sums[group].add(round.terms(estimator, limit)) }
        return sums
    }

    /// Estimates the mean reward with an interval.
    ///
    /// An estimator with a parameter has the interval of `.doublyRobust`, moved to its value. The two values differ by at
    /// most a fifth of a standard error, so their errors are about equally large, while the terms of limited importance
    /// alone vary much less.
    ///
    /// The score interval (0 resamples) meets its confidence more closely than the percentile interval of a bootstrap
    /// (Efron and Tibshirani 1993, chapter 13), above all with few rounds or large weights. If a few weights are very
    /// large, no interval of `.inversePropensity` meets its confidence; use `.selfNormalized`.
    ///
    /// - Parameters:
    ///   - estimator: The estimator of the mean reward.
    ///   - confidence: The coverage probability of the interval, between 0 and 1.
    ///   - resamples: 0 for the score interval, or 2 to 10,000,000 resamples of a bootstrap.
    ///   - seed: The seed of the resamples; the same seed gives the same interval.
    ///   - range: The range of all possible rewards, returned as the interval if the log has too little evidence for a
    ///     narrower one.
    /// - Throws: `.invalidArgument` for a confidence, a number of resamples or a reward out of range;
    ///   `.numericalFailure` if rewards or importances are so large that the estimate or its interval exceed the range
    ///   of a double.
    /// - Complexity: O(rounds), or O(rounds × resamples) for a bootstrap. A parameter is chosen once, on the whole log.
    public func estimate(
        _ estimator: Estimator, confidence: Double = 0.95, resamples: Int = 0, seed: UInt64 = 0,
        range: ClosedRange<Double>? = nil
    ) throws(KinError) -> Estimate {
        if let range, let round = rounds.firstIndex(where: { !range.contains($0.reward) }) {
            throw KinError(
                .invalidArgument,
                "the reward is \(rounds[round].reward), outside the range \(range.lowerBound)...\(range.upperBound)"
            ).within("round", round)
        }
        var found = try Self.estimate(
            of: terms(estimator.unlimited), value: estimator.hasParameter ? value(estimator) : nil,
            confidence: confidence, resamples: resamples, seed: seed, range: range)
        found.hasEstimatedPropensities = hasEstimatedPropensities
        if !hasOverlap(for: estimator) { found.interval = range }
        return found
    }

    /// Whether the log can show how an estimator's value varies: its rewards differ, and its mean importance is large
    /// enough.
    private func hasOverlap(for estimator: Estimator) -> Bool {
        guard estimator != .directMethod else { return true }
        let sum = rounds.reduce(0) { $0 + $1.importance }
        return sum >= Self.leastMeanImportance * Double(rounds.count)
            && rounds.contains { $0.reward != rounds[0].reward }
    }

    /// A value near a ratio of sums of terms, by default the ratio, with the ratio's score interval or percentile interval
    /// over resamples of the terms, moved to the value.
    static func estimate(
        of terms: [RatioTerms], value given: Double? = nil, confidence: Double, resamples: Int, seed: UInt64,
        range: ClosedRange<Double>? = nil
    ) throws(KinError) -> Estimate {
        let ratio = try finite(value(terms))
        let value = try finite(given ?? ratio)
        let interval =
            resamples == 0
            ? try scoreInterval(terms, confidence: confidence)
            : try interval(count: terms.count, confidence: confidence, resamples: resamples, seed: seed) { sample in
                var sums = RatioTerms()
                for index in sample { sums.add(terms[index]) }
                return sums.ratio
            }
        var found = Estimate(
            value, try moved(interval, by: value - ratio), effectiveRounds: effectiveCount(terms.lazy.map(\.weight)),
            range: range)
        found.isDefined = terms.contains { $0.denominator != 0 }
        return found
    }

    /// Estimates how much this policy's mean reward exceeds a second policy's on the same log.
    ///
    /// Both policies are evaluated on the same resamples, so their common variation cancels and the interval is tighter
    /// than either policy's own.
    ///
    /// - Throws: `.dimensionMismatch` unless both evaluations have the same number of rounds and groups; otherwise as
    ///   ``estimate(_:confidence:resamples:seed:range:)``.
    public func gain(
        over other: OffPolicyEvaluation, _ estimator: Estimator, confidence: Double = 0.95, resamples: Int = 1000,
        seed: UInt64
    ) throws(KinError) -> Estimate {
        guard rounds.count == other.rounds.count, groupCount == other.groupCount else {
            throw KinError(
                .dimensionMismatch,
                "\(rounds.count) rounds cannot be compared with \(other.rounds.count); evaluate both on the same log")
        }
        let value = try Self.finite(value(estimator) - other.value(estimator))
        let (own, others) = (terms(estimator.unlimited), other.terms(estimator.unlimited))
        let interval = try Self.interval(
            count: own.count, confidence: confidence, resamples: resamples, seed: seed
        ) { sample in
            var (left, right) = (RatioTerms(), RatioTerms())
            for index in sample {
                left.add(own[index])
                right.add(others[index])
            }
            return left.ratio - right.ratio
        }
        let effective = min(Self.effectiveCount(own.lazy.map(\.weight)), Self.effectiveCount(others.lazy.map(\.weight)))
        let shift = try Self.finite(value - (Self.value(own) - Self.value(others)))
        var gain = Estimate(
            value, try Self.moved(interval, by: shift), effectiveRounds: effective, range: nil)
        gain.isDefined = [own, others].allSatisfy { $0.contains { $0.denominator != 0 } }
        gain.hasEstimatedPropensities = hasEstimatedPropensities || other.hasEstimatedPropensities
        if !(hasOverlap(for: estimator) && other.hasOverlap(for: estimator)) { gain.interval = nil }
        return gain
    }

    private static func moved(
        _ interval: ClosedRange<Double>, by shift: Double
    ) throws(KinError) -> ClosedRange<Double> {
        try finite(interval.lowerBound + shift)...finite(interval.upperBound + shift)
    }
}

extension OffPolicyEvaluation.Estimate {
    /// Creates an estimate, with the interval if there is evidence for one: enough effective rounds, and rounds that
    /// differ.
    fileprivate init(
        _ value: Double, _ interval: ClosedRange<Double>, effectiveRounds: Double, range: ClosedRange<Double>?
    ) {
        // Rounds that agree still differ by rounding.
        let differs = interval.upperBound - interval.lowerBound > 1e-12 * abs(value)
        let hasEvidence = effectiveRounds >= OffPolicyEvaluation.leastEffectiveRounds && differs
        self.init(value: value, interval: hasEvidence ? interval : range, effectiveRounds: effectiveRounds)
    }
}

extension Array where Element: Hashable {
    /// The number of each element among the distinct elements, in order of first appearance.
    func numbered() -> [Int] {
        var numbers: [Element: Int] = [:]
        return map { element in
            let number = numbers[element] ?? numbers.count
            numbers[element] = number
            return number
        }
    }
}

/// The numerator and the denominator of an estimate, for one round or several.
struct RatioTerms {
    var numerator = 0.0
    var denominator = 0.0
    /// The weight of the rewards in the numerator.
    var weight = 0.0

    mutating func add(_ terms: RatioTerms) {
        numerator += terms.numerator
        denominator += terms.denominator
        weight += terms.weight
    }

    var ratio: Double { denominator == 0 ? 0 : numerator / denominator }
}

extension LoggedRound {
    /// A round's terms in the estimate's numerator and denominator.
    ///
    /// - Parameters:
    ///   - estimator: The estimator of the mean reward.
    ///   - limit: The limit of importance, for estimators that have one.
    func terms(_ estimator: OffPolicyEvaluation.Estimator, _ limit: ImportanceLimit) -> RatioTerms {
        switch estimator {
        case .inversePropensity: RatioTerms(numerator: importance * reward, denominator: 1, weight: importance)
        case .selfNormalized:
            RatioTerms(numerator: importance * reward, denominator: importance, weight: importance)
        case .directMethod: RatioTerms(numerator: value, denominator: 1, weight: 1)
        case .doublyRobust, .switchDoublyRobust, .shrunkDoublyRobust, .subGaussianDoublyRobust:
            RatioTerms(
                numerator: value + limit.weight(importance, estimator) * (reward - estimate), denominator: 1,
                weight: importance)
        }
    }

    /// The largest accepted probability: a sum of probabilities may exceed 1 by rounding.
    static let largestProbability = 1 + 1e-9
    /// The smallest accepted propensity of a logged action. Importances then reach at most 10¹⁰⁰, and their squares are
    /// finite.
    static let leastPropensity = 1e-100

    func check(_ index: Int, named name: String) throws(KinError) {
        guard propensity >= Self.leastPropensity, propensity <= Self.largestProbability else {
            throw KinError(
                .invalidArgument, "the propensity must be from \(Self.leastPropensity) to 1, not \(propensity)"
            )
            .within(name, index)
        }
        guard probability >= 0, probability <= Self.largestProbability else {
            throw KinError(.invalidArgument, "the probability must be 0 to 1, not \(probability)").within(name, index)
        }
        guard reward.isFinite, estimate.isFinite, value.isFinite else {
            throw KinError(.notFinite, "a reward or an estimate is not finite").within(name, index)
        }
    }
}
