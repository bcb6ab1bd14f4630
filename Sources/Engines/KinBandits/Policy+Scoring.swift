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

// MARK: - One model for all actions

extension Policy {
    func shares(
        of view: Matrix<Double>, draws: Int? = nil, using generator: inout SeededGenerator
    ) throws(KinError) -> ScoredShares {
        var scored: ScoredShares
        switch settings.algorithm.exploration {
        case .epsilonGreedy(let share):
            let means = try scores(of: view, weights: meanColumn, columns: 1)
            scored = ScoredShares(shares: ChoiceShares(best: means), means: means)
            scored.shares.mix(uniform: share)
        case .upperBound(let width):
            let means = try scores(of: view, weights: meanColumn, columns: 1)
            let deviations = try deviations(of: view)
            let bounds = means.indices.map { means[$0] + width * deviations[$0] }
            scored = ScoredShares(shares: ChoiceShares(best: bounds), means: means)
        case .thompson(let scale):
            scored = try thompsonShares(of: view, scale: scale, draws: draws, using: &generator)
        case .inverseGap(let gain):
            let means = try scores(of: view, weights: meanColumn, columns: 1)
            let expected = means.map { reward(atScore: $0, deviation: 0) }
            scored = ScoredShares(shares: ChoiceShares(gaps: expected, gamma: gamma(gain)), means: means)
        }
        scored.shares.mix(uniform: settings.algorithm.uniformShare)
        return scored
    }

    /// μ as a column, the constant's weight last.
    var meanColumn: [Double] { beliefs[0].mean }

    func gamma(_ gain: Double) -> Double { gain * Double(lessons + 1).squareRoot() }

    /// Scores under several sets of weights: n × `columns`, row-major.
    ///
    /// - Parameter weights: (features + 1) × `columns`, row-major, the constant's weights last.
    /// - Throws: `.notFinite`, by row, for a score that is not finite.
    func scores(of view: Matrix<Double>, weights: [Double], columns: Int) throws(KinError) -> [Double] {
        let width = view.columns
        let constants = Array(weights[(width * columns)...])
        let factors = try Matrix(rows: width, columns: columns, elements: Array(weights[..<(width * columns)]))
        var product = Matrix<Double>(rows: view.rows, columns: columns)
        try BLAS.withOneThread { () throws(KinError) in try BLAS.gemm(view, factors, into: &product) }
        var scores = product.elements
        var checksum = 0.0
        for i in 0..<view.rows {
            for j in 0..<columns {
                scores[i * columns + j] += constants[j]
                checksum += scores[i * columns + j] * 0
            }
        }
        guard checksum == 0 else {
            let place = scores.firstIndex { !$0.isFinite } ?? 0
            throw KinError(.notFinite, "the features of action \(place / columns) do not give a finite score")
        }
        return scores
    }

    /// √(xᵀ A⁻¹ x) of every row.
    func deviations(of view: Matrix<Double>) throws(KinError) -> [Double] {
        var result = [Double](repeating: 0, count: view.rows)
        let width = view.columns
        try unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width + 1) { scratch throws(KinError) in
            let x = scratch.baseAddress!
            for i in 0..<view.rows {
                unsafe view.withUnsafeBufferPointer { unsafe x.initialize(from: $0.baseAddress! + i * width, count: width) }
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
        let width = map.width
        let draws = draws ?? Self.draws(numbers: view.rows * width)
        let columns = draws + 1
        var weights = [Double](repeating: 0, count: width * columns)
        for k in 0..<width { weights[k * columns] = beliefs[0].mean[k] }
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { scratch in
            let w = scratch.baseAddress!
            for draw in 1...draws {
                for k in 0..<width { unsafe w[k] = generator.normalDeviate() }
                unsafe beliefs[0].draw(w, scale: scale / beliefs[0].pendingShare.squareRoot())
                for k in 0..<width { unsafe weights[k * columns + draw] = w[k] }
            }
        }
        let scores = try self.scores(of: view, weights: weights, columns: columns)
        var best = Array(scores[0..<columns])
        var winner = [Int](repeating: 0, count: columns)
        for i in 1..<max(1, view.rows) {
            for j in 1..<columns where scores[i * columns + j] > best[j] {
                best[j] = scores[i * columns + j]
                winner[j] = i
            }
        }
        var wins = [Int](repeating: 0, count: view.rows)
        for j in 1..<columns { wins[winner[j]] += 1 }
        let means = (0..<view.rows).map { scores[$0 * columns] }
        return ScoredShares(shares: ChoiceShares(wins: wins, draws: draws), means: means)
    }

    /// How many sets of weights are drawn for a choice: many where they cost little, at least 4.
    static func draws(numbers: Int) -> Int { min(64, max(4, (1 << 18) / max(1, numbers))) }
}

// MARK: - A model per arm

extension Policy {
    func armShares(
        _ features: [Double], among arms: [Int]?, draws: Int = 16, using generator: inout SeededGenerator
    ) -> ScoredShares {
        let arms = arms ?? Array(beliefs.indices)
        let means = arms.map { score(features, belief: $0) }
        var scored: ScoredShares
        switch settings.algorithm.exploration {
        case .epsilonGreedy(let share):
            scored = ScoredShares(shares: ChoiceShares(best: means), means: means)
            scored.shares.mix(uniform: share)
        case .upperBound(let width):
            let bounds = arms.indices.map { means[$0] + width * variance(features, belief: arms[$0]).squareRoot() }
            scored = ScoredShares(shares: ChoiceShares(best: bounds), means: means)
        case .thompson(let scale):
            let deviations = arms.map { scale * variance(features, belief: $0).squareRoot() }
            var wins = [Int](repeating: 0, count: arms.count)
            for _ in 0..<draws {
                var (best, winner) = (-Double.infinity, 0)
                for i in arms.indices {
                    let score = means[i] + deviations[i] * generator.normalDeviate()
                    if score > best { (best, winner) = (score, i) }
                }
                wins[winner] += 1
            }
            scored = ScoredShares(shares: ChoiceShares(wins: wins, draws: draws), means: means)
        case .inverseGap(let gain):
            let expected = means.map { reward(atScore: $0, deviation: 0) }
            scored = ScoredShares(shares: ChoiceShares(gaps: expected, gamma: gamma(gain)), means: means)
        }
        scored.shares.mix(uniform: settings.algorithm.uniformShare)
        return scored
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
