/// How many other people a challenge needs, the fewest first.
public enum SocialRequirement: String, Sendable, Hashable, CaseIterable {
    /// One does it alone.
    case solo
    /// Alone or with others.
    case optional
    /// It takes one other person.
    case partner
    /// It takes several.
    case group
}

/// What a challenge costs, the least first.
public enum CostLevel: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case free
    case low, medium
    /// As much as an evening out, or more.
    case high
}

/// How hard something is, the easiest first.
public enum DifficultyLevel: String, Sendable, Hashable, CaseIterable {
    /// Anybody can do it at once.
    case beginner
    case intermediate
    /// It takes practice or courage.
    case advanced
}

/// How much time a challenge takes: in minutes, or roughly.
public enum TimeInvestment: Sendable, Hashable {
    /// So many minutes.
    case minutes(Double)
    /// One of the usual lengths.
    case rough(Length)

    /// A rough length.
    public enum Length: String, Sendable, Hashable, CaseIterable {
        /// Up to five minutes.
        case quick
        /// Up to a quarter of an hour.
        case short
        /// Up to half an hour.
        case medium
        /// Up to an hour.
        case long
        /// Up to three hours.
        case extended

        /// The most minutes that it takes.
        public var minutes: Double {
            switch self {
            case .quick: 5
            case .short: 15
            case .medium: 30
            case .long: 60
            case .extended: 180
            }
        }
    }

    /// The most minutes that it takes.
    public var longestMinutes: Double {
        switch self {
        case .minutes(let minutes): minutes
        case .rough(let length): length.minutes
        }
    }
}

extension SocialRequirement: Comparable {
    public static func < (a: SocialRequirement, b: SocialRequirement) -> Bool { a.level < b.level }
    /// Its place among the cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}

extension CostLevel: Comparable {
    public static func < (a: CostLevel, b: CostLevel) -> Bool { a.level < b.level }
    /// Its place among the cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}

extension DifficultyLevel: Comparable {
    public static func < (a: DifficultyLevel, b: DifficultyLevel) -> Bool { a.level < b.level }
    /// Its place among the cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}
