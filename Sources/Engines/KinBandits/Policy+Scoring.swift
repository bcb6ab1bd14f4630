import KinCore
import KinLinearAlgebra

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Probabilities of actions and the mean scores they came from.
struct ScoredShares {
    var shares: ChoiceShares
    let means: [Double]

    /// The highest mean score.
    var best: Double { means.max() ?? 0 }
}

// MARK: - Exploring

extension Policy {
    /// Shares by the algorithm's way to explore, with the part that is chosen uniformly.
    ///
    /// - Parameters:
    ///   - means: The mean score of each action.
    ///   - deviations: How uncertain each of them is.
    ///   - thompson: Shares by draws at a scale, which may have means of their own.
    private func explored<Problem: Error>(
        means: () throws(Problem) -> [Double], deviations: () throws(Problem) -> [Double],
        thompson: (Double) throws(Problem) -> ScoredShares
    ) throws(Problem) -> ScoredShares {
        var scored: ScoredShares
        switch settings.algorithm.exploration {
        case .epsilonGreedy(let share):
            let means = try means()
            scored = ScoredShares(shares: ChoiceShares(best: means), means: means)
            scored.shares.mix(uniform: share)
        case .upperBound(let width):
            let (means, deviations) = (try means(), try deviations())
            let bounds = means.indices.map { means[$0] + width * deviations[$0] }
            scored = ScoredShares(shares: ChoiceShares(best: bounds), means: means)
        case .thompson(let scale):
            scored = try thompson(scale)
        case .inverseGap(let gain):
            let means = try means()
            let expected = means.map { reward(atScore: $0, deviation: 0) }
            let gamma = gain * Double(lessons + 1).squareRoot()
            scored = ScoredShares(shares: ChoiceShares(gaps: expected, gamma: gamma), means: means)
        }
        scored.shares.mix(uniform: settings.algorithm.uniformShare)
        return scored
    }
}

// MARK: - One model for all actions

extension Policy {
    func shares(
        of view: Matrix<Double>, draws: Int? = nil, using generator: inout SeededGenerator
    ) throws(KinError) -> ScoredShares {
        try explored(
            means: { () throws(KinError) in try meanScores(of: view) },
            deviations: { () throws(KinError) in try deviations(of: view) },
            thompson: { scale throws(KinError) in
                try thompsonShares(of: view, scale: scale, draws: draws, using: &generator)
            })
    }

    /// The mean score of every row.
    func meanScores(of view: Matrix<Double>) throws(KinError) -> [Double] {
        let mean = beliefs[0].mean
        return try scores(of: view, weights: Matrix(rows: 1, columns: mean.count, elements: mean))
    }

    /// Scores of every row under several sets of weights, one set after the other: sets × n.
    ///
    /// - Parameter weights: A row for each set, the constant's weight last.
    /// - Throws: `.notFinite`, by row, for a score that is not finite.
    func scores(of view: Matrix<Double>, weights: Matrix<Double>) throws(KinError) -> [Double] {
        let (width, rows) = (view.columns, view.rows)
        let elements = (0..<weights.rows).flatMap { weights.row($0).prefix(width) }
        let factors = try Matrix(rows: weights.rows, columns: width, elements: elements)
        let constants = (0..<weights.rows).flatMap { repeatElement(weights[$0, width], count: rows) }
        var product = try Matrix(rows: weights.rows, columns: rows, elements: constants)
        try BLAS.withOneThread { () throws(KinError) in
            if weights.rows <= Self.fewSets {
                try BLAS.gemv(view, vectors: factors, beta: 1, into: &product)
            } else {
                try BLAS.gemm(factors, view, opB: .transposed, beta: 1, into: &product)
            }
        }
        let scores = product.elements
        // Zero times a number is zero, unless it is none; eight sums, so that none waits for the one before.
        var sums = SIMD8<Double>.zero
        unsafe scores.withUnsafeBufferPointer { scores in
            for i in stride(from: 0, to: scores.count & ~7, by: 8) {
                unsafe sums += UnsafeRawPointer(scores.baseAddress! + i).loadUnaligned(as: SIMD8<Double>.self) * 0
            }
            for i in (scores.count & ~7)..<scores.count { unsafe sums[0] += scores[i] * 0 }
        }
        guard sums.sum() == 0 else {
            let place = scores.firstIndex { !$0.isFinite } ?? 0
            throw KinError(.notFinite, "the features of action \(place % rows) do not give a finite score")
        }
        return scores
    }

    private static let fewSets = 4

    /// √(xᵀ A⁻¹ x) of every row.
    func deviations(of view: Matrix<Double>) throws(KinError) -> [Double] {
        var result = [Double](repeating: 0, count: view.rows)
        let width = view.columns
        try unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width + 1) { scratch throws(KinError) in
            let x = scratch.baseAddress!
            for i in 0..<view.rows {
                unsafe view.withUnsafeBufferPointer {
                    unsafe x.initialize(from: $0.baseAddress! + i * width, count: width)
                }
                unsafe x[width] = 1
                result[i] = unsafe (beliefs[0].variance(x) / beliefs[0].pendingShare).squareRoot()
                guard result[i].isFinite else {
                    throw KinError(.notFinite, "the features of action \(i) do not give a finite score")
                }
            }
        }
        return result
    }

    /// One winner a draw; the mean scores are reckoned in the same product as the draws'.
    private func thompsonShares(
        of view: Matrix<Double>, scale: Double, draws: Int?, using generator: inout SeededGenerator
    ) throws(KinError) -> ScoredShares {
        let (width, rows) = (map.width, view.rows)
        let draws = draws ?? Self.draws(numbers: rows * width)
        var weights = Matrix<Double>(rows: draws + 1, columns: width)
        let belief = beliefs[0]
        unsafe weights.withUnsafeMutableBufferPointer { places in
            let first = places.baseAddress!
            for k in 0..<width { unsafe first[k] = belief.mean[k] }
            for draw in 1...draws {
                let w = unsafe first + draw * width
                for k in 0..<width { unsafe w[k] = generator.normalDeviate() }
                unsafe belief.draw(w, scale: scale / belief.pendingShare.squareRoot())
            }
        }
        let scores = try self.scores(of: view, weights: weights)
        var wins = [Int](repeating: 0, count: rows)
        for draw in 1...draws {
            var (best, winner) = (-Double.infinity, 0)
            for i in 0..<rows where scores[draw * rows + i] > best { (best, winner) = (scores[draw * rows + i], i) }
            wins[winner] += 1
        }
        return ScoredShares(shares: ChoiceShares(wins: wins, draws: draws), means: Array(scores[..<rows]))
    }

    /// How many sets of weights are drawn for a choice: many where they cost little, at least 2.
    static func draws(numbers: Int) -> Int { min(64, max(2, (1 << 17) / max(1, numbers))) }
}

// MARK: - A model per arm

extension Policy {
    func armShares(
        _ features: [Double], among arms: [Int]?, draws: Int = 16, using generator: inout SeededGenerator
    ) -> ScoredShares {
        let arms = arms ?? Array(beliefs.indices)
        let means = arms.map { score(features, belief: $0) }
        func deviations() -> [Double] { arms.map { variance(features, belief: $0).squareRoot() } }
        return explored(means: { means }, deviations: deviations) { scale in
            let deviations = deviations().map { scale * $0 }
            var wins = [Int](repeating: 0, count: arms.count)
            for _ in 0..<draws {
                var (best, winner) = (-Double.infinity, 0)
                for i in arms.indices {
                    let score = means[i] + deviations[i] * generator.normalDeviate()
                    if score > best { (best, winner) = (score, i) }
                }
                wins[winner] += 1
            }
            return ScoredShares(shares: ChoiceShares(wins: wins, draws: draws), means: means)
        }
    }

    /// ⟨μ, x⟩ for features of the model.
    func score(_ features: [Double], belief: Int) -> Double {
        unsafe features.withUnsafeBufferPointer { unsafe beliefs[belief].score($0.baseAddress!) }
    }

    /// xᵀ A⁻¹ x for features of the model, as it is now: what the other arms' lessons have let fade included.
    func variance(_ features: [Double], belief: Int) -> Double {
        unsafe features.withUnsafeBufferPointer { buffer in
            let x = buffer.baseAddress!
            let kept = beliefs[belief].pendingShare * retention(since: lastLesson[belief])
            let known = unsafe beliefs[belief].variance(x)
            guard kept < 1 else { return known }
            var unknown = 0.0
            for k in features.indices { unknown += features[k] * features[k] / prior.precision[k] }
            return min(known / kept, max(known, unknown))
        }
    }

    /// What is left of the evidence of a lesson so many lessons ago.
    func retention(since lesson: UInt64) -> Double {
        guard settings.memory.isFinite, lessons > lesson else { return 1 }
        return pow(1 - 1 / settings.memory, Double(lessons - lesson))
    }

    /// Widens the observed scales to features of the model, and with them the prior.
    mutating func observe(_ features: [Double]) {
        guard settings.scaling == .observed else { return }
        for k in features.indices.dropLast() {
            let precision = settings.priorPrecision * features[k] * features[k]
            let more = precision - prior.precision[k]
            guard more > 0 else { continue }
            prior.precision[k] = precision
            for belief in beliefs.indices { beliefs[belief].firm(k, by: more, toward: prior.mean[k]) }
        }
    }
}

// MARK: - Rewards

extension Policy {
    /// The expected reward at a score that is uncertain by a standard deviation.
    ///
    /// For a logistic model the mean of σ over a normal distribution, by MacKay's approximation σ(m ∕ √(1 + π s² ∕ 8)).
    func reward(atScore score: Double, deviation: Double) -> Double {
        guard settings.algorithm.model == .logistic else { return score }
        return logistic(score / (1 + Double.pi * deviation * deviation / 8).squareRoot())
    }

    func reward(atScore score: Double, belief: Int, expanded features: [Double]) -> Double {
        guard settings.algorithm.model == .logistic else { return score }
        return reward(atScore: score, deviation: variance(features, belief: belief).squareRoot())
    }

    func reward(atScore score: Double, belief: Int, features: [Double]) -> Double {
        guard settings.algorithm.model == .logistic else { return score }
        return reward(atScore: score, belief: belief, expanded: expand(features))
    }
}
