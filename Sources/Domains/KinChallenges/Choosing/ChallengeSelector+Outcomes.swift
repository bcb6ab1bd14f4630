extension ChallengeSelector {
    /// Today's challenge, or the reason why there is no challenge.
    public enum Today: Sendable, Hashable {
        /// The assignment of today, with its state, and its challenge; the challenge is nil if the catalogue lacks it.
        case given(UserChallenge, Challenge?)
        /// No challenge is allowed; the report has the limits that exclude all.
        case nothing(ChallengeLimitReport)
    }

    /// Finds or assigns today's challenge: the one assigned today unless it was skipped, else the first of the queue.
    ///
    /// Pending assignments of earlier days count as ignored until they get an outcome.
    ///
    /// - Parameter now: The instant, which determines the date in the selector's zone. After travel to an earlier date,
    ///   the date reached before stays, with its assignment.
    /// - Throws: `.numericalFailure` if the policy's numbers leave their range.
    public mutating func today(at now: Timestamp) throws(KinError) -> Today {
        let today = date(at: now)
        if let last = givenToday(at: now).first(where: { $0.status != .skipped }) {
            return .given(last, catalog.challenge(last.challengeID))
        }
        try noteIgnored(before: today, now: now)
        try fillQueue(at: now)
        guard let next = state.queue.first else { return .nothing(limitReport(at: now)) }
        state.queue.removeFirst()
        let given = try UserChallenge(
            userID: state.userID, challengeID: next.challengeID, assigned: now, date: today)
        history.insert(given, at: (history.lastIndex { $0.assigned <= now } ?? -1) + 1)
        changes.given.append(given)
        try fillQueue(at: now)
        return .given(given, catalog.challenge(next.challengeID))
    }

    /// Completes an assignment, and learns its reward.
    ///
    /// For an assignment that counted as ignored, the log replaces that reward by the new one. The policy cannot
    /// unlearn, so it learns the new reward in addition (``learnLate(from:)``).
    ///
    /// - Parameters:
    ///   - challengeID: The challenge, assigned at any time; nil for the one of ``today(at:)``, which is assigned first
    ///     if necessary.
    ///   - rating: The rating, 1 to 5.
    ///   - minutes: The time it took, 0 or more.
    ///   - now: The instant of the completion.
    /// - Throws: `.unknownID` if no such assignment is pending, `.invalidArgument` or `.notFinite` for a rating or
    ///   minutes out of range; the selector is then unchanged.
    @discardableResult
    public mutating func complete(
        _ challengeID: String? = nil, rating: Int? = nil, minutes: Double? = nil, at now: Timestamp
    ) throws(KinError) -> UserChallenge {
        try settle(challengeID, at: now) { given throws(KinError) in
            (try given.completed(at: now, rating: rating, minutes: minutes), .completed(rating: rating))
        }
    }

    /// Skips an assignment, and learns this; ``today(at:)`` then assigns the next challenge.
    ///
    /// - Parameters:
    ///   - challengeID: As for ``complete(_:rating:minutes:at:)``.
    ///   - now: The instant.
    /// - Throws: `.unknownID` if no such assignment is pending, or without a name if today's last assignment was skipped;
    ///   the selector is then unchanged.
    @discardableResult
    public mutating func skip(_ challengeID: String? = nil, at now: Timestamp) throws(KinError) -> UserChallenge {
        if challengeID == nil { try requireUnskipped(at: now) }
        return try settle(challengeID, at: now) { given throws(KinError) in (try given.skipped(), .skipped) }
    }

    /// Settles a pending assignment: the named one or, without a name or if it was not assigned before, today's.
    private mutating func settle(
        _ challengeID: String?, at now: Timestamp,
        _ outcome: (UserChallenge) throws(KinError) -> (UserChallenge, ChallengeReward.Outcome)
    ) throws(KinError) -> UserChallenge {
        if let challengeID, let index = lastPending(challengeID) {
            let (settled, outcome) = try outcome(history[index])
            try settle(index, settled, outcome)
            return settled
        }
        var copy = self
        let today = try copy.today(at: now)
        guard case .given(let given, _) = today, given.status == .pending,
            challengeID == nil || challengeID == given.challengeID, let index = copy.history.lastIndex(of: given)
        else { throw nothingWaits(challengeID, today) }
        let (settled, outcome) = try outcome(given)
        try copy.settle(index, settled, outcome)
        self = copy
        return settled
    }

    /// The index in the history of the last pending assignment of a challenge.
    private func lastPending(_ challengeID: String) -> Int? {
        history.lastIndex { $0.status == .pending && $0.challengeID == challengeID }
    }

    /// Requires that today's last assignment was not skipped: a repeated call must not skip the next challenge, which may
    /// not have been shown.
    private func requireUnskipped(at now: Timestamp) throws(KinError) {
        guard let last = givenToday(at: now).first, last.status == .skipped else { return }
        throw KinError(
            .unknownID,
            "today's challenge, \(last.challengeID), was skipped already; to skip the next one too, name it")
    }

    private func nothingWaits(_ challengeID: String?, _ today: Today) -> KinError {
        if let challengeID, let last = history.last(where: { $0.challengeID == challengeID }) {
            let when = last.completed.map { ", at \($0)" } ?? ""
            return KinError(
                .unknownID,
                "challenge \(challengeID) was \(last.status.rawValue) already\(when); to correct this, put the assignment with its true outcome"
            )
        }
        switch (challengeID, today) {
        case (let challengeID?, .given(let given, _)):
            return KinError(
                .unknownID,
                "\(state.userID) was not given a challenge \(challengeID); today's is \(given.challengeID)")
        case (nil, .given(let given, _)):
            return KinError(
                .unknownID,
                "no challenge waits for an answer: today's, \(given.challengeID), was \(given.status.rawValue) already")
        case (_, .nothing(let report)):
            return KinError(.unknownID, "no challenge waits for an answer: \(report.explanation)")
        }
    }

    /// Settles the assignment at an index of the history. Its outcome is learned now or, if its decision is unknown, by
    /// ``learnLate(from:)``.
    private mutating func settle(
        _ index: Int, _ given: UserChallenge, _ outcome: ChallengeReward.Outcome
    ) throws(KinError) {
        if try !learn(outcome, of: given.challengeID) {
            // The selector has all decisions since its own assignments.
            let isKnown = changes.given.contains {
                $0.assigned == given.assigned && $0.challengeID == given.challengeID
            }
            if isKnown { try learnLate(outcome, of: given, from: []) } else { changes.late.append(given) }
        }
        history[index] = given
        changes.given.append(given)
    }

    /// Learns that pending assignments of earlier dates were ignored.
    private mutating func noteIgnored(before today: LocalDay, now: Timestamp) throws(KinError) {
        for given in given(until: now).reversed().prefix(8)
        where given.status == .pending && given.date(in: zone) < today {
            try learn(.ignored, of: given.challengeID)
        }
    }

    /// Learns an outcome by the open decision behind it.
    ///
    /// - Returns: Whether there was such a decision.
    @discardableResult
    private mutating func learn(_ outcome: ChallengeReward.Outcome, of challengeID: String) throws(KinError) -> Bool {
        let waiting = Set(state.queue.map(\.decision))
        let numbers = open.values.filter { $0.challengeID == challengeID && !waiting.contains($0.number) }.map(\.number)
        guard let number = numbers.max(), let decision = open[number] else { return false }
        try learn(outcome, by: decision)
        open[number] = nil
        // Earlier decisions for the challenge that left the queue have no outcome (release 0.1.0 left them open).
        for other in numbers where other < number { withdraw(other) }
        return true
    }

    /// Learns the outcomes of ``ChallengeChanges/late``: of assignments that counted as ignored before this selector
    /// was created.
    ///
    /// The log then has the outcome's reward instead of the reward for being ignored. The policy cannot unlearn the
    /// latter, which has half the weight, and learns the outcome's reward in addition, with full weight.
    /// ``ChallengeDecision/ignored`` stores when it learned the first reward, so that a replay of the log does the
    /// same.
    ///
    /// - Parameter log: Decisions of the person, at least all decisions of the assigned challenges; a store reads them.
    /// - Throws: `.numericalFailure` if the policy's numbers leave their range.
    public mutating func learnLate(from log: [ChallengeDecision]) throws(KinError) {
        for given in changes.late { try learnLate(given.outcome, of: given, from: log) }
        changes.late = []
    }

    /// Learns outcomes that an app reports or corrects, of settled assignments in the history.
    ///
    /// An assignment that the app chose has no decision. Its outcome is learned with the features of the challenge at that
    /// time. The log replaces the reward of a corrected outcome. The policy cannot unlearn it, and learns the true reward
    /// in addition.
    ///
    /// - Parameters:
    ///   - reported: The assignments, each reported once.
    ///   - log: As for ``learnLate(from:)``.
    /// - Throws: `.numericalFailure` if the policy's numbers leave their range.
    package mutating func learn(
        reported: [UserChallenge], from log: [ChallengeDecision]
    ) throws(KinError) {
        for given in reported.sorted(by: { ($0.assigned, $0.challengeID) < ($1.assigned, $1.challengeID) }) {
            // The open decision of a challenge belongs to its pending assignment.
            if lastPending(given.challengeID) == nil, try learn(given.outcome, of: given.challengeID) { continue }
            if try learnLate(given.outcome, of: given, from: log) { continue }
            guard let place = catalog.place(of: given.challengeID) else { continue }
            var then = self
            then.history.removeAll { $0.assigned >= given.assigned }
            let features = ChallengeFeatures(preferences: preferences, context: then.context(at: given.assigned))
            let row = try features.rows(of: [place], in: catalog).row(0)
            try state.policy.learn(
                reward: ChallengeReward.reward(given.outcome),
                for: BanditPolicy.Event(features: Array(row), propensity: 1))
        }
    }

    /// Learns an outcome by the decision behind it, if that decision counts as ignored or has a different reward.
    ///
    /// - Returns: Whether there was a decision.
    @discardableResult
    private mutating func learnLate(
        _ outcome: ChallengeReward.Outcome, of given: UserChallenge, from log: [ChallengeDecision]
    ) throws(KinError) -> Bool {
        var known = Dictionary(log.map { ($0.number, $0) }) { $1 }
        known.merge(open) { $1 }
        known.merge(changes.decisions) { $1 }
        let waiting = Set(state.queue.map(\.decision))
        // A challenge was assigned in the order of its decisions.
        let assigned = known.values.filter {
            $0.challengeID == given.challengeID && !$0.isWithdrawn && !waiting.contains($0.number)
        }.sorted { $0.number < $1.number }
        let later = history.count { $0.challengeID == given.challengeID && $0.assigned > given.assigned }
        guard later < assigned.count else { return false }
        var decision = assigned[assigned.count - 1 - later]
        if decision.countsAsIgnored {
            decision.ignored = decision.learned
        } else {
            // With an assignment for each decision, the decision is certainly that of the assignment.
            let isCertain = history.count { $0.challengeID == given.challengeID } == assigned.count
            guard isCertain, let known = decision.reward, known != ChallengeReward.reward(outcome) else { return true }
        }
        try learn(outcome, by: decision)
        return true
    }

    /// Teaches the policy an outcome, and logs it.
    private mutating func learn(
        _ outcome: ChallengeReward.Outcome, by decision: ChallengeDecision
    ) throws(KinError) {
        var decision = decision
        (decision.reward, decision.weight) = (ChallengeReward.reward(outcome), ChallengeReward.weight(outcome))
        try state.policy.learn(
            reward: ChallengeReward.reward(outcome), for: decision.event, weight: ChallengeReward.weight(outcome))
        decision.learned = Int(state.policy.observations)
        changes.decisions[decision.number] = decision
    }

    /// Closes a decision that has no outcome.
    mutating func withdraw(_ number: Int) {
        guard var decision = open.removeValue(forKey: number) else { return }
        decision.isWithdrawn = true
        changes.decisions[number] = decision
    }
}

extension UserChallenge {
    /// The outcome of a settled assignment.
    fileprivate var outcome: ChallengeReward.Outcome { status == .skipped ? .skipped : .completed(rating: rating) }

    /// The reward of the assignment's outcome, 0…1; nil while it is pending.
    package var reward: Double? { status == .pending ? nil : ChallengeReward.reward(outcome) }
}
