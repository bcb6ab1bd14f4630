import KinLibC

extension BanditPolicy {
    /// Learns the reward of a choice.
    ///
    /// Rewards may arrive late and in any order. Earlier observations are first discounted by 1 − 1 ∕
    /// ``PolicySettings/effectiveWindow``.
    ///
    /// - Parameters:
    ///   - reward: A number of magnitude up to 10⁹; 0…1 for a logistic model.
    ///   - event: The ``Choice/event`` of a choice by this policy, or by a policy with the same features.
    ///   - weight: The number of equal rewards that this reward counts for, above 0 and up to 10⁹.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.invalidArgument` for invalid arguments, and
    ///   `.numericalFailure` if observations of too different magnitudes cannot be discounted; nothing is learned then.
    /// - Complexity: O(D²) for D features of the model. With an ``PolicySettings/effectiveWindow`` of w observations,
    ///   O(D³) once in w ∕ 20 observations, when discounts are factored in.
    public mutating func learn(reward: Double, for event: Event, weight: Double = 1) throws(KinError) {
        let model = try modelIndex(of: event)
        try check(reward: reward, weight: weight)
        let features = try expanded(event.features)
        let discount = discountPerObservation
        let remaining = self.discount(since: lastObservation[model]) * discount
        if adaptive != nil {
            let observation = AdaptiveModels.Observation(
                context: event.features, arm: model, reward: reward, weight: weight)
            let isRenewed = try adaptive?.learn(observation, remaining: remaining, discount: discount) ?? false
            observations += 1
            if isRenewed {
                for arm in lastObservation.indices { lastObservation[arm] = observations }
            } else {
                lastObservation[model] = observations
            }
            return
        }
        observe(features)
        try posteriors[model].discount(by: remaining, prior: prior)
        let update = update(for: reward, weight: weight, features: features, posterior: posteriors[model])
        // In place: nothing can fail after this line, since the checked numbers are far from the limits of a double.
        unsafe features.withUnsafeBufferPointer {
            unsafe posteriors[model].add($0.baseAddress!, precision: update.precision, information: update.information)
        }
        observations += 1
        lastObservation[model] = observations
    }

    /// Discounts all observations by a factor, for elapsed time.
    ///
    /// With a half-life of 30 days, 15 days are `discount(by: pow(0.5, 15.0 / 30))`.
    ///
    /// - Parameter factor: The remaining weight of past observations, 0…1; 0 resets the policy to its prior.
    /// - Throws: `.invalidArgument` for a factor out of range, `.numericalFailure` as ``learn(reward:for:weight:)``;
    ///   nothing has changed then.
    public mutating func discount(by factor: Double) throws(KinError) {
        guard factor >= 0, factor <= 1 else {
            throw KinError(.invalidArgument, "the discount factor must be 0 to 1, not \(factor)")
        }
        var changed = self
        if factor == 0 {
            if adaptive != nil { changed.adaptive = AdaptiveModels(settings) }
            changed.posteriors = posteriors.map { _ in Posterior(prior: prior) }
        } else {
            try changed.adaptive?.discount(by: factor)
            for model in posteriors.indices { try changed.posteriors[model].discount(by: factor, prior: prior) }
        }
        self = changed
    }

    /// The discount of past observations for each new observation.
    private var discountPerObservation: Double {
        settings.effectiveWindow.isFinite ? 1 - 1 / settings.effectiveWindow : 1
    }

    /// The index of an event's model: its arm, or 0 for a shared model.
    func modelIndex(of event: Event) throws(KinError) -> Int {
        guard let arms else {
            guard event.arm == nil else {
                throw KinError(.invalidArgument, "the event belongs to an arm, but this policy has no arms")
            }
            return 0
        }
        guard let arm = event.arm, (0..<arms).contains(arm) else {
            throw KinError(.invalidArgument, "the event's arm is not one of 0 to \(arms - 1)")
        }
        return arm
    }

    private func check(reward: Double, weight: Double) throws(KinError) {
        guard abs(reward) <= Self.maximumMagnitude else {
            throw KinError(
                .notFinite, "a reward must be finite and at most \(Self.maximumMagnitude) in magnitude, not \(reward)")
        }
        guard settings.algorithm.model == .linear || (0...1).contains(reward) else {
            throw KinError(.invalidArgument, "the reward of a logistic model must be 0 to 1, not \(reward)")
        }
        guard weight > 0, weight <= Self.maximumMagnitude else {
            throw KinError(.invalidArgument, "the weight of a reward must be above 0 and at most 1e9, not \(weight)")
        }
    }

    private func update(for reward: Double, weight: Double, features: [Double], posterior: Posterior) -> PosteriorUpdate
    {
        switch settings.algorithm.model {
        case .linear: PosteriorUpdate(linear: reward, weight: weight)
        case .logistic, .adaptive:
            unsafe features.withUnsafeBufferPointer { x in
                unsafe PosteriorUpdate(
                    logistic: reward, weight: weight, score: posterior.score(x.baseAddress!),
                    variance: posterior.variance(x.baseAddress!) / posterior.pendingDiscount)
            }
        }
    }
}
