public import KinCore

/// The content of a year: 364 days, which is 52 weeks, so that a day keeps its weekday from year to year.
public struct ContentLibrary: Sendable, Hashable {
    /// How many days it has.
    public static let dayCount = 364

    /// The days in order.
    public let items: [ContentItem]
    /// The places of a domain's items, by domain, for any level and for the advanced alone.
    private let places: [Key: [Int]]

    private struct Key: Hashable {
        let focus: ContentDomain?
        let isAdvanced: Bool
    }

    /// The content of these days, in any order.
    ///
    /// - Throws: `.invalidArgument` when a day is missing, `.duplicateID` when one is there twice.
    public init(_ items: [ContentItem]) throws(KinError) {
        var places: [Key: [Int]] = [:]
        let items = items.sorted { $0.id < $1.id }
        for (item, next) in zip(items, items.dropFirst()) where item.id == next.id {
            throw KinError(.duplicateID, "day \(item.id) is there twice").within("day", item.id)
        }
        let missing = Self.missingDays(among: items.map(\.id))
        guard missing.isEmpty else {
            throw KinError(.invalidArgument, "\(Self.list(missing)) missing; a year has the days 1 to \(Self.dayCount)")
        }
        for (place, item) in items.enumerated() {
            for focus in [nil, item.domain] {
                places[Key(focus: focus, isAdvanced: false), default: []].append(place)
                guard item.difficulty == .advanced else { continue }
                places[Key(focus: focus, isAdvanced: true), default: []].append(place)
            }
        }
        self.items = items
        self.places = places
    }

    /// Reads a file of JSON lines, a day a line, or of an array of days.
    ///
    /// - Throws: What is wrong first, with its line: `.malformedInput`, `.invalidArgument`, `.duplicateID`. ``ContentCheck`` tells everything that is.
    public init(jsonLines text: String) throws(KinError) {
        let check = ContentCheck.content(text)
        if let problem = check.problems.first { throw problem.error }
        try self.init(check.records)
    }

    /// The item of a day: item ((d − 1) mod n) + 1 of the n that there are.
    ///
    /// - Parameters:
    ///   - day: 1 or more.
    ///   - focus: The domain whose items count; all if nil.
    ///   - isAdvanced: Whether only the advanced ones count.
    /// - Returns: nil when there is no such item.
    public func item(day: Int, focus: ContentDomain? = nil, advancedOnly isAdvanced: Bool = false) -> ContentItem? {
        guard day >= 1, let places = places[Key(focus: focus, isAdvanced: isAdvanced)] else { return nil }
        return items[places[(day - 1) % places.count]]
    }

    /// How many items a focus has.
    public func count(focus: ContentDomain? = nil, advancedOnly isAdvanced: Bool = false) -> Int {
        places[Key(focus: focus, isAdvanced: isAdvanced)]?.count ?? 0
    }

    /// The days that are not among these.
    package static func missingDays(among days: [Int]) -> [Int] {
        let known = Set(days)
        return (1...dayCount).filter { !known.contains($0) }
    }

    /// "day 7 is", "days 7, 9 and 12 more are".
    package static func list(_ days: [Int]) -> String {
        guard days.count > 1 else { return "day \(days.first ?? 0) is" }
        let shown = days.prefix(5).map(String.init).joined(separator: ", ")
        return days.count > 5 ? "days \(shown) and \(days.count - 5) more are" : "days \(shown) are"
    }
}
