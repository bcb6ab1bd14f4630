public import KinCore

/// Where a person is in the daily content.
///
/// The day goes with the calendar of the place where the person is: it advances when the date does, at local midnight, and by as many
/// days as the date. So the day is a function of the date (``on(_:)``), and asking for a date, past or to come, changes nothing. What is
/// kept is on which dates the person began and chose another focus (``Segment``).
///
/// A date is had once: who travels west over midnight, into a date that they had, keeps the day until a new date begins (``advance(to:in:)``);
/// who crosses the date line eastwards loses a date, and the day with it.
public struct ContentRotation: Sendable, Hashable {
    /// Days in a row with the same focus and difficulty, counted from 1.
    public struct Segment: Sendable, Hashable {
        /// The date of its day 1.
        public internal(set) var from: LocalDay
        /// The one domain that the person wants; all if nil.
        public let focus: ContentDomain?
        /// Whether it is of the advanced year.
        public let isAdvanced: Bool
    }

    /// Whose it is.
    public let userID: String
    /// The date that this is about: the latest that was reached.
    public private(set) var date: LocalDay
    /// The instant at which that date was reached; nil when that is not known.
    public private(set) var reached: Timestamp?
    /// All segments, at least one, by ascending date.
    public private(set) var segments: [Segment]
    /// When the day's content is shown.
    public var refresh: TimeOfDay
    /// When the person is reminded in the evening; nil for never.
    public var reminder: TimeOfDay?

    /// The rotation of somebody who begins on a date.
    ///
    /// - Throws: `.invalidArgument` for a user id that is none (`RecordID`).
    public init(
        userID: String, from date: LocalDay, focus: ContentDomain? = nil,
        refresh: TimeOfDay? = nil, reminder: TimeOfDay? = nil
    ) throws(KinError) {
        try self.init(
            userID: userID, date: date, reached: nil,
            segments: [Segment(from: date, focus: focus, isAdvanced: false)], refresh: refresh, reminder: reminder)
    }

    init(
        userID: String, date: LocalDay, reached: Timestamp?, segments: [Segment], refresh: TimeOfDay?,
        reminder: TimeOfDay?
    ) throws(KinError) {
        guard !segments.isEmpty else { throw .field("segments", "there is none") }
        guard zip(segments, segments.dropFirst()).allSatisfy({ $0.from < $1.from }) else {
            throw .field("segments", "their dates do not ascend")
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.date = date
        self.reached = reached
        self.segments = segments
        self.refresh = refresh ?? TimeOfDay(minute: 6 * 60)
        self.reminder = reminder
    }

    /// The number of the segment that holds on ``date``; the first, for a date before all of them.
    private var place: Int { segments.lastIndex { $0.from <= date } ?? 0 }

    /// The day, 1 on the first of its segment.
    public var day: Int { max(1, date.number - segments[place].from.number + 1) }

    /// The one domain that the person wants; all if nil.
    public var focus: ContentDomain? { segments[place].focus }

    /// Whether the person is in the advanced year.
    public var isAdvanced: Bool { segments[place].isAdvanced }

    /// How many days the person has had in all, whatever was restarted in between.
    public var daysInAll: Int { max(1, date.number - segments[0].from.number + 1) }

    /// The rotation as it was, is or will be on a date; before the person began, that of somebody who begins then.
    public func on(_ date: LocalDay) -> ContentRotation {
        var other = self
        other.date = date
        if date < segments[0].from {
            other.segments.insert(Segment(from: date, focus: segments[0].focus, isAdvanced: false), at: 0)
        }
        return other
    }

    /// The rotation as it is at an instant somewhere: on the date there or, for who has travelled west, on the latest that they had.
    ///
    /// An instant before the latest one that is known of (``reached``) is a look back, and has the date that it was.
    public func at(_ instant: Timestamp, in zone: LocalZone) -> ContentRotation {
        let date = zone.day(at: instant)
        guard let reached, reached <= instant else { return on(date) }
        return on(max(date, self.date))
    }

    /// Goes on to a date; nothing happens for one that was reached before.
    public mutating func advance(to date: LocalDay) { self.date = max(date, self.date) }

    /// Goes on to the date that it is somewhere; nothing happens for one that was reached before.
    public mutating func advance(to now: Timestamp, in zone: LocalZone) {
        advance(to: zone.day(at: now))
        reached = max(now, reached ?? now)
    }

    /// Sets right what was written while a clock was ahead.
    ///
    /// Nobody begins, or changes the focus, on a date that is still to come: a segment that lies more than two days ahead, which is as far as
    /// the dates of two places can be apart, was begun by a clock that was wrong. It begins at the present date. An advanced year that only
    /// such a clock had allowed ends.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - zone: Where the person is.
    public mutating func correctClock(at now: Timestamp, in zone: LocalZone) {
        let today = zone.day(at: now)
        let limit = today.advanced(by: Self.travelDays)
        if date > limit || (reached ?? now) > now {
            date = min(date, today)
            reached = nil
        }
        guard let wrong = segments.firstIndex(where: { $0.from > limit }), let last = segments.last else { return }
        segments.removeSubrange(wrong...)
        if segments.last?.from == today { segments.removeLast() }
        let first = segments.first?.from ?? today
        let isAdvanced = last.isAdvanced && today.number - first.number >= ContentLibrary.dayCount
        // The dates of what is left may lie up to two days ahead.
        let from = max(today, segments.last?.from.advanced(by: 1) ?? today)
        segments.append(Segment(from: from, focus: last.focus, isAdvanced: isAdvanced))
        date = from
    }

    /// How many days ahead the date of one place can be of that of another at most: UTC+14 and UTC−12 are 26 hours apart.
    private static let travelDays = 2

    /// Begins a segment on ``date``, in the place of one that began on the same.
    private mutating func begin(focus: ContentDomain?, isAdvanced: Bool) {
        segments.removeAll { $0.from >= date }
        segments.append(Segment(from: date, focus: focus, isAdvanced: isAdvanced))
    }

    /// Changes the focus, which begins again at day 1. The same focus changes nothing.
    ///
    /// - Throws: `.invalidArgument` when the content has nothing of that domain.
    public mutating func setFocus(_ focus: ContentDomain?, in library: ContentLibrary) throws(KinError) {
        guard focus != self.focus else { return }
        guard library.count(focus: focus, advancedOnly: isAdvanced) > 0 else {
            throw .field(
                "domain_focus",
                "there is \(isAdvanced ? "no advanced" : "no") content about \(focus?.rawValue ?? "anything"); choose another focus"
            )
        }
        begin(focus: focus, isAdvanced: isAdvanced)
    }

    /// Whether a full year lies behind the person, so that they may begin the advanced one.
    public var mayStartAdvancedYear: Bool { !isAdvanced && daysInAll > ContentLibrary.dayCount }

    /// Begins the advanced year at day 1: from now on only advanced items come.
    ///
    /// - Throws: `.invalidArgument` before a full year is over, in the advanced year, or when the content has nothing advanced of the focus.
    public mutating func startAdvancedYear(in library: ContentLibrary) throws(KinError) {
        guard !isAdvanced else { throw KinError(.invalidArgument, "the advanced year has begun already") }
        guard mayStartAdvancedYear else {
            throw KinError(
                .invalidArgument,
                "the advanced year begins after \(ContentLibrary.dayCount) days, and this is day \(daysInAll)")
        }
        guard library.count(focus: focus, advancedOnly: true) > 0 else {
            throw KinError(
                .invalidArgument,
                "there is no advanced content about \(focus?.rawValue ?? "anything"); change the focus")
        }
        begin(focus: focus, isAdvanced: true)
    }

    /// The item of today.
    ///
    /// - Throws: `.invalidArgument` when the content has none of the focus.
    public func item(in library: ContentLibrary) throws(KinError) -> ContentItem {
        guard let item = library.item(day: day, focus: focus, advancedOnly: isAdvanced) else {
            throw .field(
                "domain_focus", "there is no content about \(focus?.rawValue ?? "anything"); choose another focus")
        }
        return item
    }
}
