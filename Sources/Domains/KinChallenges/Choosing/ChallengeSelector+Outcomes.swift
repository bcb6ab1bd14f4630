import KinBandits
public import KinCore

extension ChallengeSelector {
    /// Today's challenge, or why there is none.
    public enum Today: Sendable, Hashable {
        /// What the person was given today and what came of it so far. The challenge is nil when it is not in the catalogue any more.
        case given(UserChallenge, Challenge?)
        /// No challenge is allowed.
        case nothing(ChallengeLimitReport)
    }

    /// Today's challenge where the person is: the one that was given today unless it was skipped, else the first of the queue, which is given
    /// now.
    ///
    /// What was given on a day before and never answered counts as ignored from now on.
    ///
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

    /// Notes that a challenge was done: the one that waits for an answer unless another is named, or today's, which is given first, when
    /// none waits.
    ///
    /// - Parameters:
    ///   - rating: How it was liked, 1 to 5.
    ///   - minutes: How long it took.
    /// - Throws: `.unknownID` when no such challenge waits for an answer, `.invalidArgument` or `.notFinite` for what the person cannot have
    ///   meant. The selector is as it was then.
    @discardableResult
    public mutating func complete(
        _ challengeID: String? = nil, rating: Int? = nil, minutes: Double? = nil, at now: Timestamp
    ) throws(KinError) -> UserChallenge {
        try settle(challengeID, at: now) { given throws(KinError) in
            (try given.completed(at: now, rating: rating, minutes: minutes), .completed(rating: rating))
        }
    }

    /// Notes that a challenge was declined, the same one that ``complete(_:rating:minutes:at:)`` would take. The next one may be had at once.
    ///
    /// - Throws: `.unknownID` when no such challenge waits for an answer. The selector is as it was then.
    @discardableResult
    public mutating func skip(_ challengeID: String? = nil, at now: Timestamp) throws(KinError) -> UserChallenge {
        try settle(challengeID, at: now) { given throws(KinError) in (try given.skipped(), .skipped) }
    }

    /// Settles a challenge that waits for an answer, or today's when there is none.
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

    /// The place in the history of a challenge that waits for an answer.
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

    /// Learns that challenges which were given before a date were not answered.
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
        let reward = ChallengeReward.reward(outcome)
        try state.policy.learn(reward: reward, for: decision.event, weight: ChallengeReward.weight(outcome))
        decision.reward = reward
        open[number] = nil
        changes.decisions[number] = decision
        // Earlier decisions for it that left the queue again came to nothing (release 0.1.0 left them open).
        for other in numbers where other < number { withdraw(other) }
    }

    /// Closes a decision of which no outcome is to come.
    mutating func withdraw(_ number: Int) {
        guard var decision = open.removeValue(forKey: number) else { return }
        decision.isWithdrawn = true
        changes.decisions[number] = decision
    }
}
