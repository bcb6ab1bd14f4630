import KinBandits
public import KinCore

extension ChallengeEngine {
    /// Today's challenge, or why there is none.
    public enum Today: Sendable, Hashable {
        /// What the person was given today and what came of it so far. The challenge is nil when it is not in the catalogue any more.
        case given(UserChallenge, Challenge?)
        /// No challenge is allowed.
        case nothing(LimitReport)
    }

    /// Today's challenge where the person is: the one that was given today unless it was skipped, else the first of the queue, which is given
    /// now.
    ///
    /// What was given on a day before and never answered counts as ignored from now on.
    ///
    /// - Throws: `.numericalFailure` when the policy's numbers leave their range.
    public mutating func today(at now: Timestamp) throws(KinError) -> Today {
        let today = zone.day(at: now)
        // Who travels west finds what they were given on a date that is still to come there.
        if let last = history.last, last.status != .skipped, zone.day(at: last.assigned) >= today {
            return .given(last, catalog.challenge(last.challengeID))
        }
        try noteIgnored(before: today)
        try fillQueue(at: now)
        guard let next = state.queue.first else { return .nothing(limitReport(at: now)) }
        state.queue.removeFirst()
        let given = try UserChallenge(userID: state.userID, challengeID: next.challengeID, assigned: now)
        history.append(given)
        changes.given.append(given)
        try fillQueue(at: now)
        return .given(given, catalog.challenge(next.challengeID))
    }

    /// Notes that a challenge was done, the one that waits unless another is named.
    ///
    /// - Parameters:
    ///   - rating: How it was liked, 1 to 5.
    ///   - minutes: How long it took.
    /// - Throws: `.unknownID` when no such challenge waits for an answer, `.invalidArgument` or `.notFinite` for what the person cannot have
    ///   meant.
    @discardableResult
    public mutating func complete(
        _ challengeID: String? = nil, rating: Int? = nil, minutes: Double? = nil, at now: Timestamp
    ) throws(KinError) -> UserChallenge {
        let place = try waiting(challengeID)
        let done = try history[place].completed(at: now, rating: rating, minutes: minutes)
        try settle(place, done, .completed(rating: rating))
        return done
    }

    /// Notes that a challenge was declined, the one that waits unless another is named. The next one may be had at once.
    ///
    /// - Throws: `.unknownID` when no such challenge waits for an answer.
    @discardableResult
    public mutating func skip(_ challengeID: String? = nil) throws(KinError) -> UserChallenge {
        let place = try waiting(challengeID)
        let skipped = try history[place].skipped()
        try settle(place, skipped, .skipped)
        return skipped
    }

    /// The place in the history of a challenge that waits for an answer.
    private func waiting(_ challengeID: String?) throws(KinError) -> Int {
        let place = history.lastIndex { $0.status == .pending && (challengeID == nil || $0.challengeID == challengeID) }
        if let place { return place }
        guard let challengeID else {
            throw KinError(.unknownID, "no challenge waits for an answer; ask for today's first")
        }
        guard let last = history.last(where: { $0.challengeID == challengeID }) else {
            throw KinError(
                .unknownID, "\(state.userID) was not given a challenge \(challengeID); ask for today's first")
        }
        throw KinError(.unknownID, "challenge \(challengeID) was \(last.status.rawValue) already")
    }

    private mutating func settle(
        _ place: Int, _ given: UserChallenge, _ outcome: ChallengeReward.Outcome
    ) throws(KinError) {
        try learn(outcome, of: given.challengeID)
        history[place] = given
        changes.given.append(given)
    }

    /// Learns that challenges which were given before a date were not answered.
    private mutating func noteIgnored(before today: LocalDay) throws(KinError) {
        let waiting = Set(state.queue.map(\.decision))
        for given in history.reversed().prefix(8) where given.status == .pending && zone.day(at: given.assigned) < today
        {
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
    }
}
