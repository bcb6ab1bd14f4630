public import KinCore
public import KinJSON

/// A day of the rotation with the instants at which it happens.
public struct RotationTimelineEntry: Sendable, Hashable {
    /// The day of the rotation.
    public let day: Int
    /// The date, where the person is.
    public let date: LocalDay
    /// What is shown.
    public let item: ContentItem
    /// When the day begins: local midnight.
    public let start: Timestamp
    /// When the next one begins.
    public let end: Timestamp
    /// When the content is shown: the refresh time by the clock there.
    public let refresh: Timestamp
    /// When the person is reminded, if they want to be.
    public let reminder: Timestamp?
}

extension ContentRotation {
    /// The coming days, that of an instant first: the present, or any other (``at(_:in:)``).
    ///
    /// Where a zone leaves a date out, its day is left out as well. Where the clock skips a refresh or reminder time, it is the instant of the
    /// skip; where it comes twice, the first.
    ///
    /// - Parameter count: How many days.
    /// - Throws: `.invalidArgument` when the content has none of the focus.
    public func timeline(
        at now: Timestamp, in zone: LocalZone, library: ContentLibrary, count: Int = 7
    ) throws(KinError) -> [RotationTimelineEntry] {
        let current = at(now, in: zone)
        // A date that is still to come where the person has travelled to begins there when it begins.
        var entries: [RotationTimelineEntry] = []
        var step = 0
        while entries.count < count, step < count + 7 {
            let date = current.date.advanced(by: step)
            let rotation = current.on(date)
            let (start, end) = (zone.start(of: date), zone.start(of: date.advanced(by: 1)))
            if start < end {
                entries.append(
                    RotationTimelineEntry(
                        day: rotation.day, date: date, item: try rotation.item(in: library),
                        start: start, end: end, refresh: zone.instant(on: date, at: refresh),
                        reminder: reminder.map { zone.instant(on: date, at: $0) }))
            }
            step += 1
        }
        return entries
    }
}

extension RotationTimelineEntry: JSONWritable {
    /// The entry as a JSON object, on one line.
    public var json: String { jsonText }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("day") { $0.integer(day) }
            writer.member("date") { $0.string(date.description) }
            writer.member("start") { $0.string(start.description) }
            writer.member("end") { $0.string(end.description) }
            writer.member("refresh") { $0.string(refresh.description) }
            writer.member("reminder") { $0.string(reminder?.description) }
            writer.member("item") { item.write(to: &$0) }
        }
    }
}
