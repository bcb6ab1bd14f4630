/// A hard limit that no assigned challenge breaks.
public enum ChallengeLimit: String, Sendable, Hashable, CaseIterable {
    /// The challenge is not active.
    case inactive
    /// The challenge needs a newer app than the person has.
    case app = "newer_app"
    /// The challenge takes longer than the person allows.
    case time = "too_long"
    /// The challenge costs more than the person allows.
    case cost = "too_dear"
    /// The challenge needs more other people than the person allows.
    case social = "too_social"
    /// The challenge was assigned within the recovery days.
    case recovery = "given_recently"

    /// Describes the challenges that keep the limit, in words that follow their number.
    fileprivate var kept: String {
        switch self {
        case .inactive: "active"
        case .app: "for this app"
        case .time: "short enough"
        case .cost: "within the budget"
        case .social: "with few enough others"
        case .recovery: "not given recently"
        }
    }
}

/// The hard limits of a person at an instant.
public struct ChallengeLimits: Sendable {
    private let appVersion: AppVersion?
    private let longestMinutes: Double
    private let budget: CostLevel
    private let social: SocialRequirement
    private var recent: Set<String>

    /// Creates the limits of preferences and a history.
    ///
    /// - Parameters:
    ///   - preferences: The preferences of the person.
    ///   - recent: The ids of the challenges that were assigned within the recovery days.
    public init(_ preferences: ChallengePreferences, recent: Set<String>) {
        appVersion = preferences.appVersion
        longestMinutes = preferences.longestMinutes ?? .infinity
        budget = preferences.budget
        social = preferences.social
        self.recent = recent
    }

    /// The limits, which some more challenges break as if assigned within the recovery days.
    func excluding(_ challenges: Set<String>) -> ChallengeLimits {
        var limits = self
        limits.recent.formUnion(challenges)
        return limits
    }

    /// The first limit that a challenge breaks; nil if the challenge is allowed.
    public func broken(by challenge: Challenge) -> ChallengeLimit? { broken(by: 0, of: [challenge]) }

    /// The first limit that one of several challenges breaks. It reads only some fields: a copy of the challenge would
    /// write the counts of its texts.
    func broken(by place: Int, of challenges: [Challenge]) -> ChallengeLimit? {
        if !challenges[place].isActive { return .inactive }
        if let appVersion, let least = challenges[place].minimumAppVersion, least > appVersion { return .app }
        if challenges[place].time.longestMinutes > longestMinutes { return .time }
        if challenges[place].cost > budget { return .cost }
        if challenges[place].social > social { return .social }
        return recent.contains(challenges[place].id) ? .recovery : nil
    }
}

/// A report of the challenges that remain after each limit.
public struct ChallengeLimitReport: Sendable, Hashable, DeclaredObject {
    /// The number of challenges in the catalogue.
    public let all: Int
    /// The number of challenges left after each limit, in the order of `ChallengeLimit.allCases`.
    public let left: [Int]

    /// Applies limits to all challenges of a catalogue.
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

    /// The limit that left no challenge; nil if some are left or the catalogue is empty.
    public var emptiedBy: ChallengeLimit? {
        guard all > 0, let index = left.firstIndex(of: 0) else { return nil }
        return ChallengeLimit.allCases[index]
    }

    /// The report in words, with advice.
    public var explanation: String {
        guard all > 0 else { return "there are no challenges; import some" }
        let counts = zip(ChallengeLimit.allCases, left).map { "\($1) \($0.kept)" }.joined(separator: ", ")
        switch emptiedBy {
        case nil: return "of \(all) challenges \(counts)"
        case .inactive: return "none of \(all) challenges is active"
        case .app: return "none of \(all) challenges is for this version of the app (\(counts)); update it"
        case .time: return "none of \(all) challenges is short enough (\(counts)); allow more time"
        case .cost: return "none of \(all) challenges is within the budget (\(counts)); allow a higher one"
        case .social: return "none of \(all) challenges needs so few others (\(counts)); allow more"
        case .recovery:
            return
                "every challenge that fits was given recently (\(counts)); wait, add challenges, or shorten the recovery"
        }
    }

    package static let schema = ObjectSchema<ChallengeLimitReport>(
        .field("emptied_by", \.emptiedBy?.rawValue, "the limit that left no challenge"),
        .field("explanation", \.explanation),
        .field("challenges", \.all, "the number of all challenges"),
        .members("left", { zip(ChallengeLimit.allCases, $0.left).map { ($0.rawValue, $1) } }, by: "limit"))
}
