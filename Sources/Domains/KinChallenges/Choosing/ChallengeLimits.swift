public import KinCore
package import KinJSON

/// What a challenge must never break.
public enum ChallengeLimit: String, Sendable, Hashable, CaseIterable {
    /// It is not offered any more.
    case inactive
    /// It takes longer than the person has.
    case time = "too long"
    /// It costs more than the person wants to spend.
    case cost = "too dear"
    /// It needs more others than the person is comfortable with.
    case social = "too social"
    /// It was given a short while ago, or waits in the queue.
    case recovery = "given recently"
}

/// The hard limits of a person at an instant.
public struct ChallengeLimits: Sendable {
    private let longestMinutes: Double
    private let budget: CostLevel
    private let social: SocialRequirement
    /// The ids of challenges that were given inside the recovery window.
    private let recent: Set<String>

    /// The limits of a person who was given some challenges before.
    public init(_ preferences: ChallengePreferences, history: some Sequence<UserChallenge>, now: Timestamp) {
        longestMinutes = preferences.longestMinutes ?? .infinity
        budget = preferences.budget
        social = preferences.social
        let window = Int64(preferences.recoveryDays) * CivilDate.microsecondsPerDay
        recent = Set(history.filter { now.microseconds - $0.assigned.microseconds < window }.map(\.challengeID))
    }

    /// The first limit that a challenge breaks; nil when it may be given.
    public func broken(by challenge: Challenge) -> ChallengeLimit? {
        if !challenge.isActive { return .inactive }
        if challenge.time.longestMinutes > longestMinutes { return .time }
        if challenge.cost > budget { return .cost }
        if challenge.social > social { return .social }
        return recent.contains(challenge.id) ? .recovery : nil
    }
}

/// What limits leave of a catalogue.
public struct ChallengeLimitReport: Sendable, Hashable {
    /// How many challenges there are.
    public let all: Int
    /// How many were left after each limit, in the order of ``ChallengeLimit/allCases``.
    public let left: [Int]

    /// Holds all challenges against limits.
    public init(_ limits: ChallengeLimits, catalog: ChallengeCatalog) {
        var broken = [Int](repeating: 0, count: ChallengeLimit.allCases.count)
        for challenge in catalog.challenges {
            if let limit = limits.broken(by: challenge) { broken[ChallengeLimit.allCases.firstIndex(of: limit)!] += 1 }
        }
        var rest = catalog.challenges.count
        all = rest
        left = broken.map { count in
            rest -= count
            return rest
        }
    }

    /// The limit after which nothing was left; nil when something is, or there was nothing to begin with.
    public var emptiedBy: ChallengeLimit? {
        guard all > 0, let place = left.firstIndex(of: 0) else { return nil }
        return ChallengeLimit.allCases[place]
    }

    /// In words, with what to do about it.
    public var explanation: String {
        guard all > 0 else { return "there are no challenges; import some" }
        let counts = zip(ChallengeLimit.allCases, left).map { "\($1) not \($0.rawValue)" }.joined(separator: ", ")
        switch emptiedBy {
        case nil: return "of \(all) challenges \(counts)"
        case .inactive: return "none of \(all) challenges is active"
        case .time: return "none of \(all) challenges is short enough (\(counts)); allow more time"
        case .cost: return "none of \(all) challenges is within the budget (\(counts)); allow a higher one"
        case .social: return "none of \(all) challenges needs so few others (\(counts)); allow more"
        case .recovery:
            return
                "every challenge that fits was given recently (\(counts)); wait, add challenges, or shorten the recovery"
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("emptied_by") { $0.string(emptiedBy?.rawValue) }
            writer.member("explanation") { $0.string(explanation) }
            writer.member("challenges") { $0.integer(all) }
            writer.member("left") { writer in
                writer.object { writer in
                    for (limit, count) in zip(ChallengeLimit.allCases, left) {
                        writer.member(limit.rawValue) { $0.integer(count) }
                    }
                }
            }
        }
    }
}
