import KinBandits
public import KinCore
import KinLinearAlgebra

extension ChallengeSelector {
    /// The queue with explanations, or the reason for an empty one.
    public enum Suggestions: Sendable, Hashable {
        /// The queued challenges, the next one first.
        case queue([ChallengeSuggestion])
        /// No challenge is allowed, with the limits that exclude all.
        case nothing(ChallengeLimitReport)
    }

    /// Updates the queue, and explains it; nothing is assigned.
    ///
    /// Challenges that the limits no longer allow are dropped, and free positions are filled.
    ///
    /// - Parameter now: The instant of the limits and of the context.
    /// - Throws: `.numericalFailure` when the policy's numbers leave their range.
    /// - Complexity: O(challenges · features) for each free position.
    public mutating func suggestions(at now: Timestamp) throws(KinError) -> Suggestions {
        try fillQueue(at: now)
        guard !state.queue.isEmpty else { return .nothing(limitReport(at: now)) }
        var suggestions: [ChallengeSuggestion] = []
        for place in state.queue {
            guard let challenge = catalog.challenge(place.challengeID), let decision = open[place.decision] else {
                continue
            }
            suggestions.append(try ChallengeSuggestion(challenge, decision, policy: state.policy))
        }
        return .queue(suggestions)
    }

    /// Drops queued challenges that limits no longer allow, and fills free positions.
    mutating func fillQueue(at now: Timestamp) throws(KinError) {
        let limits = limits(at: now)
        // A decision that is missing was removed elsewhere; so is its position.
        let dropped = state.queue.filter { place in
            guard let challenge = catalog.challenge(place.challengeID), open[place.decision] != nil else { return true }
            return limits.broken(by: challenge) != nil
        }
        for place in dropped { withdraw(place.decision) }
        state.queue.removeAll { dropped.contains($0) }
        guard state.queue.count < ChallengeState.queueLength else { return }
        var allowed = catalog.challenges.indices.filter { limits.broken(by: catalog.challenges[$0]) == nil }
        let queued = Set(state.queue.map(\.challengeID))
        if !queued.isEmpty { allowed.removeAll { queued.contains(catalog.challenges[$0].id) } }
        // The first of a queue is the whole day's challenge: whenever on that day it is asked for, it is chosen as at noon.
        let noon = zone.instant(on: zone.day(at: now), at: TimeOfDay(minute: 12 * 60))
        let features = ChallengeFeatures(
            preferences: preferences, context: context(at: state.queue.isEmpty ? noon : now))
        while state.queue.count < ChallengeState.queueLength, !allowed.isEmpty {
            let categories = Set(state.queue.compactMap { catalog.challenge($0.challengeID)?.category })
            let others = allowed.filter { !categories.contains(catalog.challenges[$0].category) }
            let places = others.isEmpty ? allowed : others
            let chosen = try choose(among: places, features, now: now)
            allowed.removeAll { $0 == chosen }
        }
    }

    /// Chooses one of the challenges at some indices of the catalogue, and appends it to the queue.
    ///
    /// While a queued challenge explores, the best estimate is taken, with probability 1; else the policy chooses.
    private mutating func choose(
        among places: [Int], _ features: ChallengeFeatures, now: Timestamp
    ) throws(KinError) -> Int {
        let rows = try features.rows(of: places, in: catalog)
        let (row, event, isExploring, expected): (Int, BanditPolicy.Event, Bool, Double)
        if state.queue.contains(where: \.isExploring) {
            let rewards = try state.policy.expectedRewards(of: rows)
            row = rewards.indices.max { rewards[$0] < rewards[$1] || (rewards[$0] == rewards[$1] && $0 > $1) }!
            (isExploring, expected) = (false, rewards[row])
            event = BanditPolicy.Event(features: Array(rows.row(row)), propensity: 1)
        } else {
            let choice = try state.policy.choose(from: rows)
            (row, event, isExploring, expected) = (
                choice.action, choice.event, choice.isExploring, choice.expectedReward
            )
        }
        state.decisions += 1
        let challenge = catalog.challenges[places[row]]
        let decision = try ChallengeDecision(
            userID: state.userID, number: state.decisions, made: now, challengeID: challenge.id, event: event,
            isExploring: isExploring, expectedReward: expected)
        open[decision.number] = decision
        changes.decisions[decision.number] = decision
        state.queue.append(
            QueuedChallenge(challengeID: challenge.id, decision: decision.number, isExploring: isExploring))
        return places[row]
    }
}
