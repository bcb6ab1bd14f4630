public import KinCore
public import KinJSON

/// A day of the rotation with its item and its instants.
public struct RotationTimelineEntry: Sendable, Hashable {
    /// The day of the rotation.
    public let day: Int
    /// The date in the person's zone.
    public let date: LocalDay
    /// The content item of the day, or the next one that the person's app can show.
    public let item: ContentItem
    /// The id of the day's own item if the person's app is too old for it; nil if ``item`` is the day's own.
    public let insteadOf: Int?
    /// The first instant of the item: the refresh time on ``date``.
    public let start: Timestamp
    /// The first instant of the next day's item.
    public let end: Timestamp
    /// The instant of the refresh time in the person's zone.
    public let refresh: Timestamp
    /// The instant of the reminder; nil for none.
    public let reminder: Timestamp?
}

extension ContentRotation {
    /// The days from an instant on (``at(_:in:)``).
    ///
    /// A date that the zone skips is left out, with its day. For a refresh or reminder time that the clock skips, the
    /// instant of the skip is used; for one that occurs twice, the first instant.
    ///
    /// - Parameters:
    ///   - now: The instant of the first day.
    ///   - zone: The time zone of the person.
    ///   - library: The content.
    ///   - count: The number of days, 0 to 1,000.
    ///   - version: The version of the person's app; nil for an app that can show everything.
    /// - Throws: `.invalidArgument` for the count, or if the content has no item of the focus that the app can show.
    public func timeline(
        at now: Timestamp, in zone: LocalZone, library: ContentLibrary, count: Int = 7, for version: AppVersion? = nil
    ) throws(KinError) -> [RotationTimelineEntry] {
        try KinError.requireCount(count, "days", upTo: 1000)
        let current = at(now, in: zone)
        // After travel, a date that is still to come in the zone begins when that zone reaches it.
        var entries: [RotationTimelineEntry] = []
        var step = 0
        while entries.count < count, step < count + 7 {
            let date = current.date.advanced(by: step)
            let rotation = current.on(date)
            let next = date.advanced(by: 1)
            if zone.start(of: date) < zone.start(of: next) {
                let (start, end) = (zone.instant(on: date, at: refresh), zone.instant(on: next, at: refresh))
                let item = try rotation.item(in: library, for: version)
                let own = version == nil ? item : try rotation.item(in: library)
                entries.append(
                    RotationTimelineEntry(
                        day: rotation.day, date: date, item: item, insteadOf: own.id == item.id ? nil : own.id,
                        start: start, end: end, refresh: start,
                        reminder: reminder.map { zone.instant(on: date, at: $0) }))
            }
            step += 1
        }
        return entries
    }
}

extension RotationTimelineEntry: DeclaredObject {
    /// The entry as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RotationTimelineEntry>(
        .field("day", \.day),
        .field("date", \.date),
        .field("start", \.start),
        .field("end", \.end),
        .field("refresh", \.refresh),
        .field("reminder", \.reminder),
        .field("item", \.item),
        .optional("instead_of", \.insteadOf, "the day whose content needs a newer app"))
}
