import KinBandits
public import KinCore

extension ChallengeSelector {
    /// Today's challenge, or the reason for none.
    public enum Today: Sendable, Hashable {
        /// The assignment of today, with its state, and its challenge, which is nil when the catalogue lacks it.
        case given(UserChallenge, Challenge?)
        /// No challenge is allowed, with the limits that exclude all.
        case nothing(ChallengeLimitReport)
    }

    /// Finds or assigns today's challenge: the one that was assigned today unless it was skipped, else the first of the queue.
    ///
    /// Pending assignments of earlier days count as ignored from now on.
    ///
    /// - Parameter now: The instant, which decides the date in the selector's zone.
    /// - Throws: `.numericalFailure` when the policy's numbers leave their range.
    public mutating func today(at now: Timestamp) throws(KinError) -> Today {
        let today = zone.day(at: now)
        let days = 2 * CivilDate.microsecondsPerDay
        let recent = given(until: now).reversed().prefix { now.microseconds - $0.assigned.microseconds < days }
        if let last = recent.first(where: { $0.status != .skipped && zone.day(at: $0.assigned) == today }) {
            return .given(last, catalog.challenge(last.challengeID))
        }
        try noteIgnored(before: today, now: now)
        try fillQueue(at: now)
        guard let next = state.queue.first else { return .nothing(limitReport(at: now)) }
        state.queue.removeFirst()
        let given = try UserChallenge(userID: state.userID, challengeID: next.challengeID, assigned: now)
        history.insert(given, at: (history.lastIndex { $0.assigned <= now } ?? -1) + 1)
        changes.given.append(given)
        try fillQueue(at: now)
        return .given(given, catalog.challenge(next.challengeID))
    }

    /// Completes an assignment, and learns its reward.
    ///
    /// - Parameters:
    ///   - challengeID: The challenge; nil for the last pending one or, when there is none, for today's, which is assigned first.
    ///   - rating: The rating, 1 to 5.
    ///   - minutes: The time it took, 0 or more.
    ///   - now: The instant of the completion.
    /// - Throws: `.unknownID` when no such assignment is pending, `.invalidArgument` or `.notFinite` for a rating or minutes out of range;
    ///   nothing has changed then.
    @discardableResult
    public mutating func complete(
        _ challengeID: String? = nil, rating: Int? = nil, minutes: Double? = nil, at now: Timestamp
    ) throws(KinError) -> UserChallenge {
        try settle(challengeID, at: now) { given throws(KinError) in
            (try given.completed(at: now, rating: rating, minutes: minutes), .completed(rating: rating))
        }
    }

    /// Skips an assignment, and learns that; ``today(at:)`` assigns the next challenge at once.
    ///
    /// - Parameters:
    ///   - challengeID: As for ``complete(_:rating:minutes:at:)``.
    ///   - now: The instant.
    /// - Throws: `.unknownID` when no such assignment is pending; nothing has changed then.
    @discardableResult
    public mutating func skip(_ challengeID: String? = nil, at now: Timestamp) throws(KinError) -> UserChallenge {
        try settle(challengeID, at: now) { given throws(KinError) in (try given.skipped(), .skipped) }
    }

    /// Settles a pending assignment, or today's when there is none.
    private mutating func settle(
        _ challengeID: String?, at now: Timestamp,
        _ outcome: (UserChallenge) throws(KinError) -> (UserChallenge, ChallengeReward.Outcome)
    ) throws(KinError) -> UserChallenge {
        if let place = waiting(challengeID, at: now) {
            let (settled, outcome) = try outcome(history[place])
            try settle(place, settled, outcome)
            return settled
        }
        var copy = self
        let today = try copy.today(at: now)
        guard let place = copy.waiting(challengeID, at: now) else { throw nothingWaits(challengeID, today) }
        let (settled, outcome) = try outcome(copy.history[place])
        try copy.settle(place, settled, outcome)
        self = copy
        return settled
    }

    /// The index in the history of a pending assignment.
    private func waiting(_ challengeID: String?, at now: Timestamp) -> Int? {
        guard let challengeID else { return given(until: now).lastIndex { $0.status == .pending } }
        return history.lastIndex { $0.status == .pending && $0.challengeID == challengeID }
    }

    private func nothingWaits(_ challengeID: String?, _ today: Today) -> KinError {
        if let challengeID, let last = history.last(where: { $0.challengeID == challengeID }) {
            return KinError(.unknownID, "challenge \(challengeID) was \(last.status.rawValue) already")
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

    private mutating func settle(
        _ place: Int, _ given: UserChallenge, _ outcome: ChallengeReward.Outcome
    ) throws(KinError) {
        try learn(outcome, of: given.challengeID)
        history[place] = given
        changes.given.append(given)
    }

    /// Learns that pending assignments of earlier dates were ignored.
    private mutating func noteIgnored(before today: LocalDay, now: Timestamp) throws(KinError) {
        let waiting = Set(state.queue.map(\.decision))
        for given in given(until: now).reversed().prefix(8)
        where given.status == .pending && zone.day(at: given.assigned) < today {
            guard open.values.contains(where: { $0.challengeID == given.challengeID && !waiting.contains($0.number) })
            else {
                continue
            }
            try learn(.ignored, of: given.challengeID)
        }
    }

    /// Learns an outcome by the decision that led to it; nothing if that is settled already.
    private mutating func learn(_ outcome: ChallengeReward.Outcome, of challengeID: String) throws(KinError) {
        let waiting = Set(state.queue.map(\.decision))
        let numbers = open.values.filter { $0.challengeID == challengeID && !waiting.contains($0.number) }.map(\.number)
        guard let number = numbers.max(), var decision = open[number] else { return }
        (decision.reward, decision.weight) = (ChallengeReward.reward(outcome), ChallengeReward.weight(outcome))
        try decision.teach(&state.policy)
        decision.learned = Int(state.policy.observations)
        open[number] = nil
        changes.decisions[number] = decision
        // Earlier decisions for it that left the queue have no outcome (release 0.1.0 left them open).
        for other in numbers where other < number { withdraw(other) }
    }

    /// Closes a decision that has no outcome.
    mutating func withdraw(_ number: Int) {
        guard var decision = open.removeValue(forKey: number) else { return }
        decision.isWithdrawn = true
        changes.decisions[number] = decision
    }
}
