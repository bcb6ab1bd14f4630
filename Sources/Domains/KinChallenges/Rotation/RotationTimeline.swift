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
    /// The first instant of the item: the refresh time on ``date``. If the date was reached earlier, by travel or with an
    /// earlier refresh time, and is the present one, the latest advance (``ContentRotation/reached``).
    public let start: Timestamp
    /// The first instant of the next day's item.
    public let end: Timestamp
    /// The instant of the refresh time in the person's zone.
    public let refresh: Timestamp
    /// The instant of the reminder, from ``start`` to before ``end``: a time of day before the refresh time belongs to the
    /// next date. Nil for none.
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
            let next = zone.date(1, from: date)
            if zone.start(of: date) < zone.start(of: next) {
                let (shown, end) = (zone.instant(on: date, at: refresh), zone.instant(on: next, at: refresh))
                // A clock may skip both the reminder and the end of the day.
                let latest = try Timestamp(microseconds: end.microseconds - 60_000_000)
                let item = try rotation.item(in: library, for: version)
                let own = version == nil ? item : try rotation.item(in: library)
                entries.append(
                    RotationTimelineEntry(
                        day: rotation.day, date: date, item: item, insteadOf: own.id == item.id ? nil : own.id,
                        start: entries.isEmpty && shown > now ? reached ?? now : shown, end: end, refresh: shown,
                        reminder: reminder.map {
                            min(zone.instant(on: $0.minutes < refresh.minutes ? next : date, at: $0), latest)
                        }))
            }
            step += 1
        }
        return entries
    }
}

extension LocalZone {
    /// The date next to a date, in a direction of 1 or -1, without a date that the zone skips.
    func date(_ direction: Int, from date: LocalDay) -> LocalDay {
        let next = date.advanced(by: direction)
        return start(of: next) < start(of: next.advanced(by: 1)) ? next : next.advanced(by: direction)
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
