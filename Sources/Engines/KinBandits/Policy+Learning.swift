public import KinCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Policy {
    /// Learns what a choice has brought, in O(D²) for D features with pairs.
    ///
    /// Rewards may come in any order and late; each is learned as it comes. What was learned before fades by
    /// 1 ∕ ``PolicySettings/memory`` first.
    ///
    /// - Parameters:
    ///   - reward: Any number of magnitude up to 10⁹; for a logistic model 0…1.
    ///   - event: Of ``Choice/event``, perhaps from storage; also one that another policy has logged.
    ///   - weight: How many such rewards this one counts for, above 0 and up to 10⁹.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.invalidArgument` for what does not fit, and
    ///   `.numericalFailure` when evidence of magnitudes too far apart cannot fade; nothing is learned then.
    public mutating func learn(reward: Double, for event: Event, weight: Double = 1) throws(KinError) {
        let belief = try checkedBelief(of: event)
        try check(reward: reward, weight: weight)
        let features = try expanded(event.features)
        observe(features)
        try beliefs[belief].fade(by: retention(since: lastLesson[belief]) * retentionOfOneLesson, prior: prior)
        let observation = observation(of: reward, weight: weight, features: features, belief: beliefs[belief])
        // In place: nothing from here on can fail, since what was let in is far from the ends of a double's range.
        unsafe features.withUnsafeBufferPointer {
            unsafe beliefs[belief].add($0.baseAddress!, weight: observation.weight, pull: observation.pull)
        }
        lessons += 1
        lastLesson[belief] = lessons
    }

    /// Lets all evidence fade to a share: for time that has passed, whatever the number of lessons.
    ///
    /// Half of a half-life of 30 days after 15 days is `fade(keeping: pow(0.5, 15.0 / 30))`.
    ///
    /// - Parameter share: 0…1; 0 leaves the prior.
    public mutating func fade(keeping share: Double) throws(KinError) {
        guard share >= 0, share <= 1 else {
            throw KinError(.invalidArgument, "the share of the evidence to keep is \(share); it is 0 to 1")
        }
        for belief in beliefs.indices {
            if share == 0 {
                beliefs[belief] = Belief(prior: prior)
            } else {
                try beliefs[belief].fade(by: share, prior: prior)
            }
        }
    }

    private var retentionOfOneLesson: Double { settings.memory.isFinite ? 1 - 1 / settings.memory : 1 }

    func checkedBelief(of event: Event) throws(KinError) -> Int {
        guard let arms else {
            guard event.arm == nil else {
                throw KinError(.invalidArgument, "the event is of an arm, and this policy has none")
            }
            return 0
        }
        guard let arm = event.arm, (0..<arms).contains(arm) else {
            throw KinError(.invalidArgument, "the event's arm is not one of 0 to \(arms - 1)")
        }
        return arm
    }

    private func check(reward: Double, weight: Double) throws(KinError) {
        guard abs(reward) <= Self.largest else {
            throw KinError(.notFinite, "the reward is \(reward); it is finite and at most \(Self.largest) in magnitude")
        }
        guard settings.algorithm.model == .linear || (0...1).contains(reward) else {
            throw KinError(.invalidArgument, "the reward is \(reward); a logistic model takes 0 to 1")
        }
        guard weight > 0, weight <= Self.largest else {
            throw KinError(.invalidArgument, "the weight of a reward is \(weight); it is above 0 and at most 1e9")
        }
    }

    private func observation(of reward: Double, weight: Double, features: [Double], belief: Belief) -> Observation {
        switch settings.algorithm.model {
        case .linear: Observation(linear: reward, weight: weight)
        case .logistic:
            unsafe features.withUnsafeBufferPointer { x in
                unsafe Observation(
                    logistic: reward, weight: weight, score: belief.score(x.baseAddress!),
                    variance: belief.variance(x.baseAddress!) / belief.pendingShare)
            }
        }
    }
}
