/// A selector of challenges for one person, which learns from their outcomes.
///
///     var selector = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: zone)
///     let today = try selector.today(at: now)
///     try selector.complete(rating: 5, minutes: 12, at: later)
///
/// Challenges that break the person's limits are never assigned or queued. A policy of `KinBandits` chooses among the
/// rest. It fills a queue of three; at most one of them explores. A share of the choices, learned from what the person
/// completes, avoids the categories given last. Today's challenge is the first of the queue that the limits still allow.
/// Every choice is a ``ChallengeDecision`` with its probability.
///
/// A selector is a value: a copy can try out changes, and ``changes`` has the data that a store must save.
public struct ChallengeSelector: Sendable {
    /// The catalogue of challenges.
    public let catalog: ChallengeCatalog
    /// The preferences of the person.
    public let preferences: ChallengePreferences
    /// The time zone of the person.
    public let zone: LocalZone
    /// The person's profile by dimension, each 0…1; empty without a profile.
    public let profile: [String: Double]
    /// The learned state and the queue.
    public internal(set) var state: ChallengeState
    /// The assignments, the oldest first.
    public internal(set) var history: [UserChallenge]
    /// The changes since the creation of the selector.
    public internal(set) var changes = ChallengeChanges()
    /// The person's rotation of daily content; nil if it has not begun.
    package var rotation: ContentRotation?
    /// The decisions without a known outcome, by number.
    var open: [Int: ChallengeDecision]

    /// Creates a selector for a person.
    ///
    /// - Parameters:
    ///   - catalog: The challenges.
    ///   - preferences: The preferences of the person.
    ///   - zone: The time zone of the person.
    ///   - profile: The profile by dimension, each 0…1.
    ///   - state: The learned state; nil for a new person.
    ///   - history: The assignments so far, in any order.
    ///   - open: The decisions without a known outcome.
    /// - Throws: `.invalidArgument` if they do not all belong to one person.
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

    /// Numbers later decisions after a stored one, which an imported or a removed state may not know.
    package mutating func continueNumbers(after decision: Int) { state.decisions = max(state.decisions, decision) }

    /// The assignments until a day after an instant. Later ones were dated by a clock that was ahead, and do not count
    /// before their date.
    func given(until now: Timestamp) -> ArraySlice<UserChallenge> {
        let last = history.lastIndex { $0.assigned.microseconds - now.microseconds <= CivilDate.microsecondsPerDay }
        return history.prefix((last ?? -1) + 1)
    }

    /// The date at an instant: the zone's or, after travel to an earlier date, the latest date that the rotation or an
    /// assignment has reached.
    func date(at now: Timestamp) -> LocalDay {
        // No zone is further ahead: a later date comes from a wrong clock.
        let latest = LocalZone.utc.day(at: now).advanced(by: 1)
        let reached = [rotation?.at(now, in: zone).date, history.last { $0.assigned <= now }?.date(in: zone)]
        return reached.reduce(zone.day(at: now)) { date, other in
            other.map { $0 <= latest ? max($0, date) : date } ?? date
        }
    }

    /// The assignments on the last dates up to the date of an instant, or on a later date, the newest first.
    private func given(onLast days: Int, at now: Timestamp) -> [UserChallenge] {
        // A date lasts up to 50 hours around the Earth.
        let (today, window) = (date(at: now), Int64(days + 2) * CivilDate.microsecondsPerDay)
        return given(until: now).reversed().prefix { now.microseconds - $0.assigned.microseconds < window }
            .filter { today.number - $0.date(in: zone).number < days }
    }

    /// The assignments on the date of an instant, the newest first.
    func givenToday(at now: Timestamp) -> [UserChallenge] {
        let today = date(at: now)
        return given(onLast: 1, at: now).filter { $0.date(in: zone) == today }
    }

    /// The hard limits at an instant. A challenge skipped on the same date breaks them while a different one fits.
    func limits(at now: Timestamp) -> ChallengeLimits {
        let recent = given(onLast: preferences.recoveryDays, at: now).map(\.challengeID)
        let limits = ChallengeLimits(preferences, recent: Set(recent))
        let skipped = givenToday(at: now).filter { $0.status == .skipped }.map(\.challengeID)
        let others = limits.excluding(Set(skipped))
        let hasOthers = catalog.challenges.indices.contains { others.broken(by: $0, of: catalog.challenges) == nil }
        return hasOthers ? others : limits
    }

    /// Reports the challenges that remain after each limit at an instant.
    public func limitReport(at now: Timestamp) -> ChallengeLimitReport {
        ChallengeLimitReport(limits(at: now), catalog: catalog)
    }

    /// The context of a choice at an instant.
    public func context(at now: Timestamp) -> ChallengeContext {
        let today = date(at: now)
        var context = ChallengeContext(
            part: DayPart(at: zone.timeOfDay(at: now)), weekday: today.weekday,
            streak: DateStreaks(history.lazy.compactMap(\.completed).map { zone.day(at: $0) }, today: today).current,
            profile: profile)
        for given in given(until: now).reversed().prefix(8) {
            let category = catalog.comparedCategory(of: given.challengeID)
            switch given.status {
            case .completed:
                context.outcomes.append(1)
                context.lastCompleted = context.lastCompleted ?? category
            case .skipped:
                context.outcomes.append(-1)
                context.lastSkipped = context.lastSkipped ?? category
            case .pending where given.date(in: zone) < today: context.outcomes.append(-0.5)
            case .pending: break
            }
        }
        return context
    }
}

/// The changes of a selector, which a store saves.
public struct ChallengeChanges: Sendable, Hashable {
    /// The new or settled assignments.
    public internal(set) var given: [UserChallenge] = []
    /// The new, settled or withdrawn decisions, by number.
    public internal(set) var decisions: [Int: ChallengeDecision] = [:]
    /// The settled assignments that had counted as ignored and whose decisions the selector does not have.
    /// ``ChallengeSelector/learnLate(from:)`` learns their outcomes.
    public internal(set) var late: [UserChallenge] = []
}
