/// The number of other people that a challenge needs, in ascending order.
public enum SocialRequirement: String, Sendable, Hashable, CaseIterable {
    /// The challenge is done alone.
    case solo
    /// It is done alone or with others.
    case optional
    /// It needs one other person.
    case partner
    /// It needs several other people.
    case group
}

/// The cost of a challenge, in ascending order.
public enum CostLevel: String, Sendable, Hashable, CaseIterable {
    /// It costs nothing at all.
    case free
    /// It costs as much as a coffee.
    case low
    /// It costs as much as a meal.
    case medium
    /// It costs as much as an evening out, or more.
    case high
}

/// The difficulty of a challenge or an action, in ascending order.
public enum DifficultyLevel: String, Sendable, Hashable, CaseIterable {
    /// It needs no practice.
    case beginner
    /// It needs some practice.
    case intermediate
    /// It needs practice or courage.
    case advanced
}

/// The time that a challenge takes, in minutes or as a rough length.
public enum TimeInvestment: Sendable, Hashable {
    /// A number of minutes, above 0.
    case minutes(Double)
    /// One of five rough lengths.
    case rough(Length)

    /// A rough length of time.
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

        /// The upper end of the length, in minutes.
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

    /// The longest time that the challenge takes, in minutes.
    public var longestMinutes: Double {
        switch self {
        case .minutes(let minutes): minutes
        case .rough(let length): length.minutes
        }
    }
}

extension SocialRequirement: Comparable {
    public static func < (a: SocialRequirement, b: SocialRequirement) -> Bool { a.level < b.level }
    /// The index among all cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}

extension CostLevel: Comparable {
    public static func < (a: CostLevel, b: CostLevel) -> Bool { a.level < b.level }
    /// The index among all cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}

extension DifficultyLevel: Comparable {
    public static func < (a: DifficultyLevel, b: DifficultyLevel) -> Bool { a.level < b.level }
    /// The index among all cases.
    var level: Int { Self.allCases.firstIndex(of: self)! }
}
