/// A part of the day.
public enum TimeSlot: Int, Sendable, Hashable, CaseIterable {
    /// 05:00 to 07:00.
    case dawn
    /// 07:00 to 12:00.
    case morning
    /// 12:00 to 17:00.
    case afternoon
    /// 17:00 to 21:00.
    case evening
    /// 21:00 to 05:00.
    case night

    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }

    /// All names, in the order of the day.
    public static let names = ["dawn", "morning", "afternoon", "evening", "night"]

    /// The slot with this name, or nil when there is none.
    public init?(name: String) {
        guard let place = Self.names.firstIndex(of: name) else { return nil }
        self = Self.allCases[place]
    }

    /// The minutes after midnight at which the slots begin; night, the last, goes on until the first of them.
    static let beginnings: [Double] = [5 * 60, 7 * 60, 12 * 60, 17 * 60, 21 * 60]

    /// The slot that a minute of the day lies in.
    public init(at time: LocalTime) {
        let last = Self.beginnings.lastIndex { $0 <= time.minutes }
        self = last.map { Self.allCases[$0] } ?? .night
    }
}

extension TimeSlot: CustomStringConvertible {
    public var description: String { name }
}
