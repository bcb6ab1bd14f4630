public import KinCore

/// A part of the day, as people speak of it.
public enum DayPart: Int, Sendable, Hashable, CaseIterable {
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

    /// The part that a minute lies in.
    public init(at minute: MinuteOfDay) {
        switch minute.minutes {
        case 300..<420: self = .dawn
        case 420..<720: self = .morning
        case 720..<1020: self = .afternoon
        case 1020..<1260: self = .evening
        default: self = .night
        }
    }

    /// The name in files and JSON.
    public var name: String { ["dawn", "morning", "afternoon", "evening", "night"][rawValue] }
}
