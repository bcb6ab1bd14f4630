import KinLibC

/// The probabilities of actions and their mean scores.
struct ScoredActions {
    var probabilities: ActionProbabilities
    let means: [Double]

    /// The highest mean score.
    var best: Double { means.max() ?? 0 }
}

// MARK: - Exploring

extension BanditPolicy {
    /// Mixes in the algorithm's epsilon.
    ///
    /// - Throws: `.notFinite` for a mean or a probability that is not finite, which an edited state can cause.
    private func finished(_ explored: ScoredActions) throws(KinError) -> ScoredActions {
        var scored = explored
        scored.probabilities.mix(uniform: settings.algorithm.epsilon)
        let values = zip(scored.means, scored.probabilities.values)
        if let i = values.enumerated().first(where: { !($1.0 * 0 + $1.1 * 0 == 0) })?.offset {
            throw Self.notFinite("action \(i)")
        }
        return scored
    }
}

// MARK: - One model for all actions

extension BanditPolicy {
    /// Computes the probabilities of actions. Thompson sampling draws from the generator, `draws` times or, if nil,
    /// ``draws(numbers:)`` times.
    func actionProbabilities(
        of view: Matrix<Double>, draws: Int? = nil, using generator: inout SeededGenerator
    ) throws(KinError) -> ScoredActions {
        let exploration = settings.algorithm.exploration
        guard case .thompson(let scale) = exploration else {
            let deviations = exploration.comparesDeviations ? try deviations(of: view) : []
            return try finished(explored(meanScores(of: view), deviations: deviations))
        }
        var scored = try thompsonProbabilities(of: view, scale: scale, draws: draws, using: &generator)
        if scale > 0, settings.algorithm.epsilon < Self.drawShare / 2 {
            let exceeding = try exceedingProbabilities(of: view, scored.means, scale: scale)
            scored.probabilities.mix(Self.drawShare, of: exceeding)
        }
        return try finished(scored)
    }

    /// The score ⟨μ, x⟩ of each action under the mean of the posterior.
    ///
    /// - Throws: `.notFinite`, by row.
    func meanScores(of view: Matrix<Double>) throws(KinError) -> [Double] {
        let mean = posteriors[0].mean
        return try scores(of: view, weights: Matrix(rows: 1, columns: mean.count, elements: mean))
    }

    /// The scores of all actions under several sets of weights, one set after another: sets × n.
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
        // Zero times a finite number is zero. There are eight sums, so that no addition waits for the previous one.
        var sums = SIMD8<Double>.zero
        unsafe scores.withUnsafeBufferPointer { scores in
            for i in stride(from: 0, to: scores.count & ~7, by: 8) {
                unsafe sums += UnsafeRawPointer(scores.baseAddress! + i).loadUnaligned(as: SIMD8<Double>.self) * 0
            }
            for i in (scores.count & ~7)..<scores.count { unsafe sums[0] += scores[i] * 0 }
        }
        guard sums.sum() == 0 else {
            let index = scores.firstIndex { !$0.isFinite } ?? 0
            throw Self.notFinite("action \(index % rows)")
        }
        return scores
    }

    private static let fewSets = 4

    /// The standard deviation of each action's score, √(xᵀ A⁻¹ x).
    func deviations(of view: Matrix<Double>) throws(KinError) -> [Double] {
        try ActionDeviations(of: view, constant: 1, under: self).all()
    }

    /// The share of choices that are made by the chance of exceeding the action with the best mean, in Thompson sampling
    /// with a small epsilon and in ``PolicyAlgorithm/Exploration/upperBoundOrDraw(width:)``.
    static let drawShare = 1.0 / 64

    /// The chance of each action's score, drawn from the posterior, to exceed that of the action with the best mean.
    /// O(n D²).
    private func exceedingProbabilities(
        of view: Matrix<Double>, _ means: [Double], scale: Double
    ) throws(KinError) -> ActionProbabilities {
        let best = means.indices.max { means[$0] < means[$1] } ?? 0
        var differences = view
        let (width, top) = (view.columns, Array(view.row(best)))
        unsafe differences.withUnsafeMutableBufferPointer { places in
            for i in 0..<view.rows {
                for k in 0..<width { unsafe places[i * width + k] -= top[k] }
            }
        }
        let deviations = try ActionDeviations(of: differences, constant: 0, under: self).all()
        return ActionProbabilities(exceedingBestOf: means, deviations: deviations.map { scale * $0 })
    }

    /// Computes the share of draws that each action wins. The mean scores come from the same product.
    private func thompsonProbabilities(
        of view: Matrix<Double>, scale: Double, draws: Int?, using generator: inout SeededGenerator
    ) throws(KinError) -> ScoredActions {
        let (width, rows) = (map.width, view.rows)
        let work = draws.map { LongWork(of: $0) }
        let draws = draws ?? Self.draws(numbers: rows * width)
        var weights = Matrix<Double>(rows: draws + 1, columns: width)
        let posterior = posteriors[0]
        unsafe weights.withUnsafeMutableBufferPointer { places in
            let first = places.baseAddress!
            for k in 0..<width { unsafe first[k] = posterior.mean[k] }
            for draw in 1...draws where work?.advance() ?? true {
                let w = unsafe first + draw * width
                for k in 0..<width { unsafe w[k] = generator.normalDeviate() }
                unsafe posterior.draw(w, scale: scale / posterior.pendingDiscount.squareRoot())
            }
        }
        try work?.check()
        let scores = try self.scores(of: view, weights: weights)
        var wins = [Double](repeating: 0, count: rows)
        for draw in 1...draws {
            var (best, winner, ties) = (-Double.infinity, 0, 1)
            for i in 0..<rows where scores[draw * rows + i] >= best {
                let score = scores[draw * rows + i]
                ties = score == best ? ties + 1 : 1
                (best, winner) = (score, i)
            }
            if ties == 1 {
                wins[winner] += 1
            } else {
                for i in 0..<rows where scores[draw * rows + i] == best { wins[i] += 1 / Double(ties) }
            }
        }
        return ScoredActions(
            probabilities: ActionProbabilities(wins: wins, draws: draws), means: Array(scores[..<rows]))
    }

    /// The number of sets of weights drawn for a choice: 2 to 64, and fewer if each set is multiplied with
    /// more numbers.
    static func draws(numbers: Int) -> Int { min(64, max(2, (1 << 17) / max(1, numbers))) }
}

// MARK: - A model per arm

extension BanditPolicy {
    /// Computes the probability of each arm in a context that is within the observed scales (``observing(_:)``).
    ///
    /// Nothing is drawn: the arms' scores are independent, so the probability that each is the largest can be computed.
    ///
    /// - Throws: `.notFinite` for a score that is not finite.
    func armProbabilities(_ features: [Double], among arms: [Int]?) throws(KinError) -> ScoredActions {
        let arms = arms ?? Array(lastObservation.indices)
        let context = adaptive?.context(features.dropLast())
        let compared = settings.algorithm.exploration.comparesDeviations ? arms : []
        return try finished(
            explored(
                arms.map { score(features, context, model: $0) },
                deviations: compared.map { variance(features, context, model: $0).squareRoot() }))
    }

    /// The mean score of an arm for features of the model.
    ///
    /// - Parameter context: The features in the form of adaptive models; nil to compute them if necessary.
    func score(_ features: [Double], _ context: AdaptiveModels.Context? = nil, model: Int) -> Double {
        if let adaptive { return adaptive.score(context ?? adaptive.context(features.dropLast()), arm: model) }
        return unsafe features.withUnsafeBufferPointer { unsafe posteriors[model].score($0.baseAddress!) }
    }

    /// The variance of an arm's score for features of the model with all discounts, at most the prior's.
    ///
    /// - Parameter context: The features in the form of adaptive models; nil to compute them if necessary.
    func variance(_ features: [Double], _ context: AdaptiveModels.Context? = nil, model: Int) -> Double {
        if let adaptive {
            return adaptive.variance(
                context ?? adaptive.context(features.dropLast()), arm: model,
                remaining: discount(since: lastObservation[model]))
        }
        return unsafe features.withUnsafeBufferPointer { x in
            unsafe posteriors[model].variance(
                x.baseAddress!, remaining: discount(since: lastObservation[model]), prior: prior)
        }
    }

    /// The remaining weight of a past observation, given the observation count at that time.
    func discount(since observation: UInt64) -> Double {
        guard settings.effectiveWindow.isFinite, observations > observation else { return 1 }
        return pow(1 - 1 / settings.effectiveWindow, Double(observations - observation))
    }

    /// Widens the observed scales, and with them the prior, to features of the model or to the largest magnitudes of
    /// several rows.
    ///
    /// The prior precision of a weight is λ times the square of its feature's scale, so a feature's unit changes no
    /// score. If x becomes s x, the factor of the precision is multiplied by s, and the weight and its deviation are
    /// divided by s. Factors, solutions and sums of products are the same up to a factor of s and rounding.
    ///
    /// - Complexity: O(D) if no scale grows. Otherwise O(D²) for all arms without observations together and, for each
    ///   other arm, O(D²) per growing scale.
    mutating func observe(_ features: [Double]) {
        guard settings.scaling == .observed else { return }
        var growth: [Double] = []
        for k in features.indices.dropLast() {
            let precision = settings.priorPrecision * features[k] * features[k]
            guard precision > prior.precision[k] else { continue }
            if growth.isEmpty { growth = [Double](repeating: 0, count: features.count) }
            growth[k] = precision - prior.precision[k]
            prior.precision[k] = precision
        }
        guard !growth.isEmpty else { return }
        let fresh = Posterior(prior: prior)
        for model in posteriors.indices {
            if lastObservation[model] == 0 {
                posteriors[model] = fresh
            } else {
                posteriors[model].addPriorPrecision(growth, mean: prior.mean)
            }
        }
    }

    /// A copy of the policy with its scales widened to a context, as in ``choose(in:among:)``.
    func observing(_ features: [Double]) -> BanditPolicy {
        var policy = self
        policy.observe(features)
        return policy
    }
}

// MARK: - Rewards

extension BanditPolicy {
    /// The expected reward at a mean score with a standard deviation.
    ///
    /// For a logistic model, it is the mean of σ over a normal distribution, by MacKay's approximation σ(m ∕ √(1 + π s²
    /// ∕ 8)).
    func reward(atScore score: Double, deviation: Double) -> Double {
        guard settings.algorithm.model.isLogistic else { return score }
        return logistic(score / (1 + Double.pi * deviation * deviation / 8).squareRoot())
    }

    /// The expected reward at a mean score, for features of the model.
    func reward(atScore score: Double, model: Int, expanded features: @autoclosure () -> [Double]) -> Double {
        guard settings.algorithm.model.isLogistic else { return score }
        return reward(atScore: score, deviation: variance(features(), model: model).squareRoot())
    }
}
