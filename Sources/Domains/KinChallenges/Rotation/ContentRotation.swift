/// The position of a person in the daily content.
///
/// The day is a function of the date in the person's zone (``on(_:)``): it advances at local midnight, together with
/// the date. The only dates stored are those when the person began or changed the focus (``Segment``).
///
/// Each date counts once. After travelling west over midnight into an earlier date, the day stays until a new date
/// begins (``advance(to:in:)``). Crossing the date line eastwards skips a date and its day.
public struct ContentRotation: Sendable, Hashable {
    /// A run of days with the same focus and difficulty.
    public struct Segment: Sendable, Hashable {
        /// The date of the segment's first day.
        public internal(set) var from: LocalDay
        /// The only domain of the content; nil for all.
        public let focus: ContentDomain?
        /// Whether the segment belongs to the advanced year.
        public let isAdvanced: Bool
        /// The number of the first day: 1, unless the person set a different one.
        public private(set) var firstDay = 1
    }

    /// The id of the person.
    public let userID: String
    /// The latest date reached.
    public private(set) var date: LocalDay
    /// The latest instant of an advance; nil when unknown.
    public private(set) var reached: Timestamp?
    /// The segments by ascending date, at least one.
    public private(set) var segments: [Segment]
    /// The time of day for showing a new day's content, which lasts until that time of the next day.
    public var refresh: TimeOfDay
    /// The time of day of the evening reminder; nil for none.
    public var reminder: TimeOfDay?

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates the rotation of a person who begins on a date.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - date: The date of day 1.
    ///   - focus: The only domain of the content; nil for all.
    ///   - refresh: The time of day for showing a new day's content; nil for midnight.
    ///   - reminder: The time of day of the evening reminder; nil for none.
    /// - Throws: `.invalidArgument` for an invalid user id (`RecordID`).
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
        self.refresh = refresh ?? TimeOfDay(minute: 0)
        self.reminder = reminder
    }

    /// The index of the segment of ``date``; 0 for a date before all segments.
    private var segmentIndex: Int { segments.lastIndex { $0.from <= date } ?? 0 }

    /// The day of the present segment, counted from its first day.
    public var day: Int {
        let segment = segments[segmentIndex]
        return max(1, date.number - segment.from.number + segment.firstDay)
    }

    /// The only domain of the content; nil for all.
    public var focus: ContentDomain? { segments[segmentIndex].focus }

    /// Whether the present segment belongs to the advanced year.
    public var isAdvanced: Bool { segments[segmentIndex].isAdvanced }

    /// The number of days since the first segment began, including the present one. If the first day of a segment was
    /// set to a later number, the days before it are included too.
    public var daysInAll: Int { Self.dayCount(of: segments, on: date) }

    /// The largest number of a date in any of the segments that have begun by then.
    private static func dayCount(of segments: some Sequence<Segment>, on date: LocalDay) -> Int {
        segments.lazy.filter { $0.from <= date }.reduce(1) { max($0, date.number - $1.from.number + $1.firstDay) }
    }

    /// The rotation on a past, present or future date; before the first segment, the rotation of a person who begins on
    /// that date.
    public func on(_ date: LocalDay) -> ContentRotation {
        var other = self
        other.date = date
        if date < segments[0].from {
            other.segments.insert(Segment(from: date, focus: segments[0].focus, isAdvanced: false), at: 0)
        }
        return other
    }

    /// The date of the content at an instant in a zone: the content of a day is shown from ``refresh`` on.
    package func date(at instant: Timestamp, in zone: LocalZone) -> LocalDay {
        let day = zone.day(at: instant)
        return zone.instant(on: day, at: refresh) <= instant ? day : zone.date(-1, from: day)
    }

    /// The rotation at an instant in a zone: on the date of the content in that zone or, after travelling west, on the
    /// latest date reached.
    ///
    /// An instant before ``reached`` is in the past, and has its own date.
    public func at(_ instant: Timestamp, in zone: LocalZone) -> ContentRotation {
        let date = date(at: instant, in: zone)
        guard let reached, reached <= instant else { return on(date) }
        return on(max(date, self.date))
    }

    /// Changes the days from the date of an instant on.
    ///
    /// Before ``reached``, the instant is in the past: a change that arrives late lasts until the next change.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - zone: The time zone of the person.
    ///   - body: Changes the rotation at the instant; all but ``segments`` is discarded.
    /// - Returns: The date of the instant.
    /// - Throws: The errors of the body (see `KinError.underlying`); the rotation is then unchanged.
    public mutating func change(
        at instant: Timestamp, in zone: LocalZone, _ body: (inout ContentRotation) throws -> Void
    ) throws(KinError) -> LocalDay {
        var then = at(instant, in: zone)
        let before = then.segments
        try callingBack { try body(&then) }
        guard then.segments != before else { return then.date }
        // The beginning of the first year is not a change.
        let isPlain = segments[0] == Segment(from: segments[0].from, focus: nil, isAdvanced: false)
        let later = segments.dropFirst(isPlain ? 1 : 0).filter { $0.from > then.date && then.date < date }
        segments = then.segments + later
        return then.date
    }

    /// Advances to a date; an earlier date changes nothing.
    public mutating func advance(to date: LocalDay) { self.date = max(date, self.date) }

    /// Advances to the date of an instant in a zone; an earlier date changes nothing.
    public mutating func advance(to now: Timestamp, in zone: LocalZone) {
        let date = date(at: now, in: zone)
        // The instant may be in the past if it is unknown when the present date was reached.
        guard reached != nil || date >= self.date else { return }
        advance(to: date)
        reached = max(now, reached ?? now)
    }

    /// Moves the present day to an earlier date, for a refresh time that this date has not reached yet.
    package mutating func goBack(to earlier: LocalDay) {
        let (day, focus, isAdvanced) = (day, focus, isAdvanced)
        date = earlier
        begin(focus: focus, isAdvanced: isAdvanced, firstDay: day)
    }

    /// Corrects dates that were stored while a clock was ahead.
    ///
    /// A segment that begins more than two days in the future, the largest difference of dates between zones, comes
    /// from a wrong clock. It begins on the date of `now` instead or, if a different segment begins later, on the
    /// present date. An advanced year that only such a clock had allowed ends.
    ///
    /// - Parameters:
    ///   - now: The instant of the correction.
    ///   - zone: The time zone of the person.
    ///   - present: The present, if `now` is earlier.
    public mutating func correctClock(at now: Timestamp, in zone: LocalZone, present: Timestamp? = nil) {
        let present = max(now, present ?? now)
        let limit = zone.day(at: present).advanced(by: Self.travelDays)
        let known = segments.last { $0.from <= limit }
        let isLatest =
            max(date, segments[segments.count - 1].from) > limit
            && known.map { $0.from <= zone.day(at: now) } ?? true
        let now = isLatest ? now : present
        let today = zone.day(at: now)
        if date > limit || (reached ?? now) > now {
            date = min(date, today)
            // An instant that arrives late has its own date.
            reached = now
        }
        guard let wrong = segments.firstIndex(where: { $0.from > limit }), let last = segments.last else { return }
        segments.removeSubrange(wrong...)
        let isAllowed =
            segments.last?.isAdvanced == true
            || Self.dayCount(of: segments, on: today) > ContentLibrary.dayCount
        let isAdvanced = last.isAdvanced && isAllowed
        if segments.last?.from == today { segments.removeLast() }
        // The remaining segments may begin up to two days ahead.
        let from = max(today, segments.last?.from.advanced(by: 1) ?? today)
        segments.append(
            Segment(from: from, focus: last.focus, isAdvanced: isAdvanced, firstDay: last.firstDay))
        date = from
    }

    /// The largest difference of dates between zones: UTC+14 and UTC−12 are 26 hours apart.
    private static let travelDays = 2

    /// Begins a segment on ``date``, replacing a segment that began on the same date.
    private mutating func begin(focus: ContentDomain?, isAdvanced: Bool, firstDay: Int = 1) {
        segments.removeAll { $0.from >= date }
        segments.append(Segment(from: date, focus: focus, isAdvanced: isAdvanced, firstDay: firstDay))
    }

    /// The largest day that may be set, a thousand years of content.
    public static let mostDays = 364_000

    /// Sets the number of the day on ``date``; later days are counted from it. The same number changes nothing.
    ///
    /// - Parameter day: The day, 1 to ``mostDays``; after day 364 the content begins again.
    /// - Throws: `.invalidArgument` for a day outside this range.
    public mutating func setDay(_ day: Int) throws(KinError) {
        try KinError.requireCount(day, "current_day", from: 1, upTo: Self.mostDays)
        guard day != self.day else { return }
        begin(focus: focus, isAdvanced: isAdvanced, firstDay: day)
    }

    /// Sets the number of the day on ``date``, at most ``mostDays``, and the focus; the same values change nothing.
    package mutating func set(day: Int, focus: ContentDomain?) {
        guard day != self.day || focus != self.focus else { return }
        begin(focus: focus, isAdvanced: isAdvanced, firstDay: day)
    }

    /// Changes the focus, and begins at day 1; the same focus changes nothing.
    ///
    /// - Parameters:
    ///   - focus: The only domain of the content; nil for all.
    ///   - library: The content.
    /// - Throws: `.invalidArgument` if the content has no item of the domain.
    public mutating func setFocus(_ focus: ContentDomain?, in library: ContentLibrary) throws(KinError) {
        guard focus != self.focus else { return }
        guard library.count(focus: focus, advancedOnly: isAdvanced) > 0 else {
            throw .field(
                "domain_focus",
                "there is \(isAdvanced ? "no advanced" : "no") content\(focus.map { " about \($0.rawValue)" } ?? ""); choose another focus"
            )
        }
        begin(focus: focus, isAdvanced: isAdvanced)
    }

    /// Whether the advanced year may begin: after 364 days, outside the advanced year.
    public var mayStartAdvancedYear: Bool { !isAdvanced && daysInAll > ContentLibrary.dayCount }

    /// Begins the advanced year at day 1, with advanced items only.
    ///
    /// - Throws: `.invalidArgument` before the end of a full year, in the advanced year, or if the content has no
    ///   advanced item of the focus.
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
                "there is no advanced content\(focus.map { " about \($0.rawValue); change the focus" } ?? "")")
        }
        begin(focus: focus, isAdvanced: true)
    }

    /// The item of the present day (``ContentLibrary/item(day:focus:advancedOnly:for:)``).
    ///
    /// - Parameters:
    ///   - library: The content.
    ///   - version: The version of the person's app; nil for an app that can show everything.
    /// - Throws: `.invalidArgument` if the app can show no item of the focus.
    public func item(in library: ContentLibrary, for version: AppVersion? = nil) throws(KinError) -> ContentItem {
        if let item = library.item(day: day, focus: focus, advancedOnly: isAdvanced, for: version) { return item }
        let about = focus.map { " about \($0.rawValue)" } ?? ""
        throw .field(
            "app_version",
            "all content\(about) is for an app that is newer than \(version.map { "\($0)" } ?? "this"); choose another focus"
        )
    }
}
