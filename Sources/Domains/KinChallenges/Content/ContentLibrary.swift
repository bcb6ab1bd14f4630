/// The content of a year: 364 days, which are 52 weeks, so that a day always has the same weekday.
public struct ContentLibrary: Sendable, Hashable {
    /// The number of days in the library.
    public static let dayCount = 364

    /// The days of the year, in order.
    public let items: [ContentItem]
    /// The indices of items by domain (nil for all), both for all levels and for advanced items only.
    private let places: [Key: [Int]]

    private struct Key: Hashable {
        let focus: ContentDomain?
        let isAdvanced: Bool
    }

    /// Creates a library of a year's days.
    ///
    /// - Parameter items: The 364 days, in any order.
    /// - Throws: `.invalidArgument` if a day is missing, `.duplicateID` if a day occurs twice.
    public init(_ items: [ContentItem]) throws(KinError) {
        var places: [Key: [Int]] = [:]
        let items = items.sorted { $0.id < $1.id }
        for (item, next) in zip(items, items.dropFirst()) where item.id == next.id {
            throw KinError(.duplicateID, "day \(item.id) appears twice").within("day", item.id)
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

    /// Reads a file of JSON lines, with a day per line, or of one array of days.
    ///
    /// - Parameter text: The contents of the file.
    /// - Throws: The first problem with its line: `.malformedInput`, `.invalidArgument`, `.duplicateID`.
    ///   ``ContentCheck`` reports all problems.
    public init(jsonLines text: String) throws(KinError) {
        let check = ContentCheck.content(text)
        if let problem = check.problems.first { throw problem.error }
        try self.init(check.records)
    }

    /// The item of day d: item ((d − 1) mod n) + 1 of the n matching items. If it needs a newer app, the next item that
    /// the app can show.
    ///
    /// If no item matches, because the content has changed, all items of the domain match; without such items, all items
    /// of the year.
    ///
    /// - Parameters:
    ///   - day: The day d, 1 or more.
    ///   - focus: The domain of the items; nil for all.
    ///   - isAdvanced: Whether only advanced items match.
    ///   - version: The version of the app; nil for an app that can show everything.
    /// - Returns: The item; nil for a day below 1, or if the app can show no item that matches.
    public func item(
        day: Int, focus: ContentDomain? = nil, advancedOnly isAdvanced: Bool = false, for version: AppVersion? = nil
    ) -> ContentItem? {
        let keys = [(focus, isAdvanced), (focus, false), (nil, false)].lazy.map { Key(focus: $0, isAdvanced: $1) }
        guard day >= 1, let places = keys.compactMap({ places[$0] }).first else { return nil }
        let first = (day - 1) % places.count
        for step in places.indices {
            let item = items[places[(first + step) % places.count]]
            guard let version, let least = item.minimumAppVersion, least > version else { return item }
        }
        return nil
    }

    /// The number of items that match a focus.
    public func count(focus: ContentDomain? = nil, advancedOnly isAdvanced: Bool = false) -> Int {
        places[Key(focus: focus, isAdvanced: isAdvanced)]?.count ?? 0
    }

    /// The days of 1 to 364 that are missing among given days.
    package static func missingDays(among days: [Int]) -> [Int] {
        let known = Set(days)
        return (1...dayCount).filter { !known.contains($0) }
    }

    /// A sentence about an incomplete year in a store; nil if no day is missing.
    package static func incompleteYear(without days: [Int]) -> String? {
        days.isEmpty
            ? nil
            : "the imported year of content is incomplete: \(list(days)) missing; until it has all \(dayCount) days, the year that comes with Kin is shown"
    }

    /// Days in words with a verb, such as "days 7, 9 and 12 more are".
    package static func list(_ days: [Int]) -> String {
        guard days.count > 1 else { return "day \(days.first ?? 0) is" }
        let shown = days.prefix(5).map(String.init).joined(separator: ", ")
        return days.count > 5 ? "days \(shown) and \(days.count - 5) more are" : "days \(shown) are"
    }
}
