public import KinCore

/// Gives one person challenges, and learns from what comes of them.
///
///     var selector = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: zone)
///     let today = try selector.today(at: now)
///     try selector.complete(rating: 5, minutes: 12, at: later)
///
/// A selector is a value: what is done with a copy that is dropped was not done, so a copy answers what would come.
///
/// Limits come first: what the person's preferences forbid is never given, nor queued, nor looked at by the policy. A policy of
/// ``KinBandits`` chooses among the rest. It fills a queue of three, of different categories as long as there are some, of which one at most
/// is there to find out more; today's challenge is the first of the queue that the limits still allow. Every choice is a
/// ``ChallengeDecision`` with its probability. A selector is a value: what it changed is in ``changes``, for a store to keep.
public struct ChallengeSelector: Sendable {
    /// The challenges that there are.
    public let catalog: ChallengeCatalog
    /// What the person wants.
    public let preferences: ChallengePreferences
    /// Where the person is.
    public let zone: LocalZone
    /// The person's profile by the names of its dimensions; empty when there is none.
    public let profile: [String: Double]
    /// What was learned, and the queue.
    public internal(set) var state: ChallengeState
    /// What the person was given, the oldest first.
    public internal(set) var history: [UserChallenge]
    /// What was changed since the selector was made.
    public internal(set) var changes = ChallengeChanges()
    /// The decisions whose outcome is not known, by number.
    var open: [Int: ChallengeDecision]

    /// A selector for a person.
    ///
    /// - Parameters:
    ///   - zone: Where the person is.
    ///   - state: What was learned so far; nothing when left out.
    ///   - history: What the person was given so far, in any order.
    ///   - open: The decisions of which no outcome is known.
    /// - Throws: `.invalidArgument` when they are not all of one person.
    public init(
        catalog: ChallengeCatalog, preferences: ChallengePreferences, zone: LocalZone, profile: [String: Double] = [:],
        state: ChallengeState? = nil, history: [UserChallenge] = [], open: [ChallengeDecision] = []
    ) throws(KinError) {
        let fresh = try ChallengeState(userID: preferences.userID)
        let state = state ?? fresh
        let users = [state.userID] + history.map(\.userID) + open.map(\.userID)
        if let other = users.first(where: { $0 != preferences.userID }) {
            throw KinError(
                .invalidArgument, "the records are of \(preferences.userID) and of \(other); give those of one person")
        }
        self.catalog = catalog
        self.preferences = preferences
        self.zone = zone
        self.profile = profile
        self.state = state
        self.history = history.sorted { ($0.assigned, $0.challengeID) < ($1.assigned, $1.challengeID) }
        self.open = Dictionary(open.map { ($0.number, $0) }) { $1 }
    }

    /// What the person was given until an instant. What is dated more than a day later was given while a clock was ahead: it does not
    /// count before its date.
    func given(until now: Timestamp) -> ArraySlice<UserChallenge> {
        let last = history.lastIndex { $0.assigned.microseconds - now.microseconds <= CivilDate.microsecondsPerDay }
        return history.prefix((last ?? -1) + 1)
    }

    /// What limits allow at an instant.
    func limits(at now: Timestamp) -> ChallengeLimits {
        let window = Int64(preferences.recoveryDays) * CivilDate.microsecondsPerDay
        let given = given(until: now)
        let first = given.lastIndex { now.microseconds - $0.assigned.microseconds >= window }
        return ChallengeLimits(preferences, history: given[((first ?? -1) + 1)...], now: now)
    }

    /// What is left of the catalogue at an instant, limit by limit.
    public func limitReport(at now: Timestamp) -> ChallengeLimitReport {
        ChallengeLimitReport(limits(at: now), catalog: catalog)
    }

    /// When and for whom a challenge is chosen at an instant.
    public func context(at now: Timestamp) -> ChallengeContext {
        let today = zone.day(at: now)
        var context = ChallengeContext(
            part: DayPart(at: zone.timeOfDay(at: now)), weekday: today.weekday, streak: streak(on: today),
            profile: profile
        )
        for given in given(until: now).reversed().prefix(8) {
            let category = catalog.challenge(given.challengeID)?.category
            switch given.status {
            case .completed:
                context.outcomes.append(1)
                context.lastCompleted = context.lastCompleted ?? category
            case .skipped:
                context.outcomes.append(-1)
                context.lastSkipped = context.lastSkipped ?? category
            case .pending where zone.day(at: given.assigned) < today: context.outcomes.append(-0.5)
            case .pending: break
            }
        }
        return context
    }

    /// Dates in a row, up to today or yesterday, on which a challenge was completed.
    private func streak(on today: LocalDay) -> Int {
        var (streak, expected) = (0, today)
        for given in history.reversed() {
            guard let completed = given.completed else { continue }
            let date = zone.day(at: completed)
            if date > expected { continue }
            if streak == 0, date == today.advanced(by: -1) { expected = date }
            guard date == expected else { break }
            streak += 1
            expected = date.advanced(by: -1)
        }
        return streak
    }
}

/// What a selector changed, for a store to keep.
public struct ChallengeChanges: Sendable, Hashable {
    /// What the person was given, or what came of it.
    public internal(set) var given: [UserChallenge] = []
    /// Decisions that were made, or whose outcome came to be known, by number.
    public internal(set) var decisions: [Int: ChallengeDecision] = [:]
}
