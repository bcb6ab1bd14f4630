public import KinCore

/// Where a person is in the daily content.
///
/// The day goes with the calendar of the place where the person is: it advances when the date does, at local midnight, and by as many
/// days as the date. A date is had once: who travels west over midnight, into a date that they had, keeps the day until a new date begins;
/// who crosses the date line eastwards loses a date, and the day with it. So the day never goes back, and depends only on
/// the dates that were reached, not on how often anybody asked.
public struct Rotation: Sendable, Hashable {
    /// Whose it is.
    public let userID: String
    /// The day, 1 on the first.
    public private(set) var day: Int
    /// The date on which it is that day: the latest that was reached.
    public private(set) var date: LocalDay
    /// The one domain that the person wants; all if nil.
    public private(set) var focus: ContentDomain?
    /// Whether the person is in the advanced year.
    public private(set) var isAdvanced: Bool
    /// How many days the person has had in all, whatever was restarted in between.
    public private(set) var daysInAll: Int
    /// When the day's content is shown.
    public var refresh: MinuteOfDay
    /// When the person is reminded in the evening; nil for never.
    public var reminder: MinuteOfDay?

    /// The rotation of somebody who begins on a date.
    ///
    /// - Throws: `.invalidArgument` for an empty user id.
    public init(
        userID: String, from date: LocalDay, focus: ContentDomain? = nil,
        refresh: MinuteOfDay? = nil, reminder: MinuteOfDay? = nil
    ) throws(KinError) {
        try self.init(
            userID: userID, day: 1, date: date, focus: focus, isAdvanced: false, daysInAll: 1,
            refresh: refresh ?? MinuteOfDay(unchecked: 6 * 60), reminder: reminder)
    }

    init(
        userID: String, day: Int, date: LocalDay, focus: ContentDomain?, isAdvanced: Bool, daysInAll: Int,
        refresh: MinuteOfDay, reminder: MinuteOfDay?
    ) throws(KinError) {
        guard !userID.isEmpty else { throw .field("user_id", "it is empty") }
        // A person's days and the calendar's end are far below this.
        let most = 1 << 40
        guard (1...most).contains(day) else { throw .field("current_day", "it is \(day), and must be 1 or more") }
        guard (day...most).contains(daysInAll) else {
            throw .field("days_in_all", "it is \(daysInAll), and must be at least the current day")
        }
        self.userID = userID
        self.day = day
        self.date = date
        self.focus = focus
        self.isAdvanced = isAdvanced
        self.daysInAll = daysInAll
        self.refresh = refresh
        self.reminder = reminder
    }

    /// Goes on to a date; nothing happens for one that was reached before.
    public mutating func advance(to date: LocalDay) {
        guard date > self.date else { return }
        let days = date.number - self.date.number
        day += days
        daysInAll += days
        self.date = date
    }

    /// Goes on to the date that it is somewhere.
    public mutating func advance(to now: Timestamp, in zone: LocalZone) { advance(to: zone.day(at: now)) }

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
        self.focus = focus
        day = 1
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
        isAdvanced = true
        day = 1
    }

    /// The item of today.
    ///
    /// - Throws: `.invalidArgument` when the content has none of the focus.
    public func item(in library: ContentLibrary) throws(KinError) -> ContentItem {
        try item(daysFromNow: 0, in: library)
    }

    func item(daysFromNow days: Int, in library: ContentLibrary) throws(KinError) -> ContentItem {
        guard let item = library.item(day: day + days, focus: focus, advancedOnly: isAdvanced) else {
            throw .field(
                "domain_focus", "there is no content about \(focus?.rawValue ?? "anything"); choose another focus")
        }
        return item
    }
}
