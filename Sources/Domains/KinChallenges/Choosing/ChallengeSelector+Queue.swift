extension ChallengeSelector {
    /// The queue with explanations, or the reason why it is empty.
    public enum Suggestions: Sendable, Hashable {
        /// The queued challenges, the next one first.
        case queue([ChallengeSuggestion])
        /// No challenge is allowed; the report has the limits that exclude all.
        case nothing(ChallengeLimitReport)
    }

    /// Updates the queue, and explains it; assigns nothing.
    ///
    /// Challenges that the limits no longer allow are dropped, and free positions are filled.
    ///
    /// - Parameters:
    ///   - now: The instant of the limits and of the context.
    ///   - excluded: The ids of challenges to leave out. They act as a limit: the policy does not see them, so the
    ///     logged probabilities are those of a choice among the remaining challenges.
    /// - Throws: `.numericalFailure` if the policy's numbers leave their range.
    /// - Complexity: O(challenges · features) for each free position.
    public mutating func suggestions(at now: Timestamp, excluding excluded: Set<String> = []) throws(KinError)
        -> Suggestions
    {
        try fillQueue(at: now, excluding: excluded)
        guard !state.queue.isEmpty else { return .nothing(limitReport(at: now)) }
        let variety = challengeVariety(at: now)
        var suggestions: [ChallengeSuggestion] = []
        for place in state.queue {
            guard let challenge = catalog.challenge(place.challengeID), let decision = open[place.decision] else {
                continue
            }
            suggestions.append(
                try ChallengeSuggestion(
                    challenge, decision, avoided: place.avoided ?? [], isRandom: preferences.selection == .random,
                    variety: variety, policy: state.policy))
        }
        return .queue(suggestions)
    }

    /// Drops queued challenges that limits no longer allow, and fills free positions.
    ///
    /// Each challenge has a category that no other queued challenge has, while the limits allow such a category. A
    /// choice for variety comes last, so that its turn comes after the others. A different choice comes first if it
    /// follows an assignment. Thus people who complete a single category get it on most days, although it fills only
    /// one place of the queue.
    mutating func fillQueue(at now: Timestamp, excluding excluded: Set<String> = []) throws(KinError) {
        let limits = limits(at: now)
        // A missing decision was removed elsewhere; its position is removed too.
        let dropped = state.queue.filter { place in
            guard let challenge = catalog.challenge(place.challengeID), open[place.decision] != nil else { return true }
            return limits.broken(by: challenge) != nil || excluded.contains(challenge.id)
        }
        for place in dropped { withdraw(place.decision) }
        state.queue.removeAll { dropped.contains($0) }
        guard state.queue.count < ChallengeState.queueLength else { return }
        let leftOut = excluded.union(state.queue.map(\.challengeID))
        let allowed = catalog.challenges.indices.filter {
            limits.broken(by: $0, of: catalog.challenges) == nil && !leftOut.contains(catalog.challenges[$0].id)
        }
        // The first of a queue is the challenge for the whole day: whenever it is requested on that day, it is chosen
        // as at noon.
        let noon = zone.instant(on: date(at: now), at: TimeOfDay(minute: 12 * 60))
        let features = ChallengeFeatures(
            preferences: preferences, context: context(at: state.queue.isEmpty ? noon : now))
        let rows = try features.rows(of: allowed, in: catalog)
        let variety = challengeVariety(at: now)
        let given = given(until: now).suffix(ChallengeVariety.window).reversed().map(\.challengeID)
        // The rows of the remaining challenges.
        var left = Array(allowed.indices)
        // Only the place of an assigned challenge is filled at the front, so that today's challenge does not change.
        let isNext = dropped.isEmpty && state.queue.count == ChallengeState.queueLength - 1
        while state.queue.count < ChallengeState.queueLength, !left.isEmpty {
            let last = (state.queue.reversed().map(\.challengeID) + given).lazy
                .compactMap { [catalog] in catalog.challenge($0)?.category }
            let queued = Set(state.queue.compactMap { catalog.comparedCategory(of: $0.challengeID) })
            let count = variety.avoidedCount(byDecision: state.decisions + 1)
            var (others, avoided) = (left, ChallengeVariety.different(max(count, queued.count), of: last))
            repeat {
                let words = Set(avoided.map { Spelling.plain($0) })
                others = left.filter { !words.contains(catalog.traits[allowed[$0]].category) }
                if others.isEmpty { avoided.removeLast(max(1, avoided.count - queued.count)) }
            } while others.isEmpty
            let isForVariety = count > 0
            let chosen = try choose(
                among: others, isForVariety ? left : others, avoiding: avoided, of: allowed, rows, now: now)
            left.removeAll { $0 == chosen }
            if isNext, !isForVariety, preferences.selection == .learned {
                state.queue.insert(state.queue.removeLast(), at: 0)
            }
        }
    }

    /// Chooses one of the challenges in some rows, and appends it to the queue.
    ///
    /// A random selection chooses uniformly, and never explores. Otherwise, while a queued challenge explores, the best
    /// estimate is chosen with probability 1; else the policy chooses.
    ///
    /// - Parameters:
    ///   - choice: The rows to choose from, ascending.
    ///   - left: The rows to choose from without variety, ascending.
    ///   - avoided: The categories that the choice leaves out.
    ///   - places: The index in the catalogue of each row.
    ///   - all: The features of all rows.
    /// - Returns: The chosen row.
    private mutating func choose(
        among choice: [Int], _ left: [Int], avoiding avoided: [String], of places: [Int], _ all: Matrix<Double>,
        now: Timestamp
    ) throws(KinError) -> Int {
        let rows = choice.count == all.rows ? all : all.selecting(choice)
        let (row, event, isExploring, expected): (Int, BanditPolicy.Event, Bool, Double)
        if preferences.selection == .random {
            let rewards = try state.policy.expectedRewards(of: rows)
            row = drawnRow(of: rewards.count)
            (isExploring, expected) = (false, rewards[row])
            event = BanditPolicy.Event(features: Array(rows.row(row)), propensity: 1 / Double(rewards.count))
        } else if state.queue.contains(where: \.isExploring) {
            let rewards = try state.policy.expectedRewards(of: rows)
            row = rewards.indices.max { rewards[$0] < rewards[$1] || (rewards[$0] == rewards[$1] && $0 > $1) }!
            (isExploring, expected) = (false, rewards[row])
            event = BanditPolicy.Event(features: Array(rows.row(row)), propensity: 1)
        } else {
            let chosen = try state.policy.choose(from: rows)
            (row, event, isExploring, expected) = (
                chosen.action, chosen.event, chosen.isExploring, chosen.expectedReward
            )
        }
        state.decisions += 1
        let challenge = catalog.challenges[places[choice[row]]]
        let allowed = Set(choice)
        let decision = try ChallengeDecision(
            userID: state.userID, number: state.decisions, made: now, challengeID: challenge.id, event: event,
            isExploring: isExploring, expectedReward: expected,
            candidates: ActionSet(left.count == all.rows ? all : all.selecting(left)).map {
                ChallengeCandidates(
                    actions: $0, chosen: left.firstIndex(of: choice[row])!,
                    avoided: left.indices.filter { !allowed.contains(left[$0]) },
                    observations: Int(state.policy.observations))
            })
        open[decision.number] = decision
        changes.decisions[decision.number] = decision
        state.queue.append(
            QueuedChallenge(
                challengeID: challenge.id, decision: decision.number, isExploring: isExploring, avoided: avoided))
        return choice[row]
    }

    /// A row of a random selection, determined by the person and the number of the decision.
    private func drawnRow(of count: Int) -> Int {
        var hash = ContentHash()
        hash.mix(state.userID)
        hash.mix("\(state.decisions)")
        var generator = SeededGenerator(seed: hash.value)
        return generator.below(count)
    }
}
