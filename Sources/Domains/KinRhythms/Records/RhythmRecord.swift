/// A row of a log, with the times of its beginning and its end.
///
///     let nap = try RhythmRecord(
///         start: LoggedTime(parsing: "2026-03-05T06:40"),
///         event: .sleep(RhythmRecord.Sleep(end: LoggedTime(parsing: "2026-03-05T08:10"), quality: .good)))
///     let feed = try RhythmRecord(
///         start: LoggedTime(parsing: "2026-03-05T08:20"),
///         event: .feed(RhythmRecord.Feed(method: .bottle, millilitres: 120)))
///     let log = RhythmLog([nap, feed])
public struct RhythmRecord: Sendable, Hashable {
    /// The type of an event, named as in files.
    public enum EventType: String, Sendable, Hashable, CaseIterable {
        /// A sleep during the day or night, finished or running.
        case sleep
        /// A feed by bottle, breast or solid food.
        case feed
        /// A change of a diaper.
        case diaper
        /// A first achievement, with a title and a category.
        case milestone
    }

    /// The event of a row.
    public enum Event: Sendable, Hashable {
        /// A sleep, finished or not.
        case sleep(Sleep)
        /// A feed, finished or not.
        case feed(Feed)
        /// A change of a diaper.
        case diaper(Diaper)
        /// A first achievement, with title and category.
        case milestone(title: String, category: MilestoneCategory)
    }

    /// A sleep; without an end it is still running, or its timer was not stopped.
    public struct Sleep: Sendable, Hashable {
        /// The quality of a sleep, as logged.
        public enum Quality: String, Sendable, Hashable, CaseIterable {
            /// A sleep of good quality.
            case good
            /// A sleep of fair quality.
            case fair
            /// A sleep of poor quality.
            case poor
        }

        /// The end of the sleep; nil while it lasts or if it was not logged.
        public var end: LoggedTime?
        /// The quality as logged; nil if unknown.
        public var quality: Quality?
        /// The number of the nap on its day, as logged.
        public var napNumber: Int?
        /// Whether it is night sleep, as logged; forecasts do not use it.
        public var isNight: Bool?

        /// Creates a sleep from its known parts.
        public init(end: LoggedTime? = nil, quality: Quality? = nil, napNumber: Int? = nil, isNight: Bool? = nil) {
            self.end = end
            self.quality = quality
            self.napNumber = napNumber
            self.isNight = isNight
        }
    }

    /// A feed by bottle, breast or solid food.
    public struct Feed: Sendable, Hashable {
        /// The method of feeding.
        public enum Method: String, Sendable, Hashable, CaseIterable {
            /// A feed by the bottle.
            case bottle
            /// A feed at the breast.
            case breast
            /// A feed of solid food.
            case solids
        }
        /// The side of a breastfeed.
        public enum Side: String, Sendable, Hashable, CaseIterable {
            /// The left breast alone.
            case left
            /// The right breast alone.
            case right
            /// Both breasts in turn.
            case both
        }

        /// The end of the feed; nil while it lasts or if it was not logged.
        public var end: LoggedTime?
        /// The method of feeding; nil if unknown.
        public var method: Method?
        /// The side of a breastfeed; nil if unknown.
        public var side: Side?
        /// The amount drunk or eaten, in millilitres; nil if unknown.
        public var millilitres: Double?
        /// The minutes of feeding without pauses; nil if unknown.
        public var minutes: Double?
        /// The food eaten, as free text.
        public var food: String?

        /// Creates a feed from its known parts.
        public init(
            end: LoggedTime? = nil, method: Method? = nil, side: Side? = nil, millilitres: Double? = nil,
            minutes: Double? = nil, food: String? = nil
        ) {
            self.end = end
            self.method = method
            self.side = side
            self.millilitres = millilitres
            self.minutes = minutes
            self.food = food
        }

        /// The milk drunk, in millilitres; nil if unknown, and for solids, whose amount is not milk.
        var milk: Double? { method == .solids ? nil : millilitres }
    }

    /// The contents of a diaper.
    public enum Diaper: String, Sendable, Hashable, CaseIterable {
        /// A wet diaper alone.
        case wet
        /// A dirty diaper alone.
        case dirty
        /// A wet and dirty diaper.
        case both
        /// A diaper without contents.
        case dry
    }
    /// The category of a milestone.
    public enum MilestoneCategory: String, Sendable, Hashable, CaseIterable {
        /// A milestone of the body.
        case physical
        /// A milestone of the mind.
        case cognitive
        /// A milestone with other people.
        case social
    }

    /// The author, times and text of a row, all optional.
    public struct Note: Sendable, Hashable {
        /// The id in the app that the row comes from.
        public var id: String?
        /// The author of the row.
        public var author: String?
        /// The instant when it was written.
        public var created: Timestamp?
        /// The instant of the last change: of two rows with one id, the one with the later change counts, whichever
        /// clock wrote either.
        public var updated: Timestamp?
        /// The text of the note.
        public var text: String?
        /// Whether the row was removed: it does not count, and replaces its older versions.
        public var isRemoved: Bool
        /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
        public var extra: String?

        /// Creates a note from its known parts.
        public init(
            id: String? = nil, author: String? = nil, created: Timestamp? = nil, updated: Timestamp? = nil,
            text: String? = nil, isRemoved: Bool = false
        ) {
            self.id = id
            self.author = author
            self.created = created
            self.updated = updated
            self.text = text
            self.isRemoved = isRemoved
        }
    }

    /// The beginning of the event.
    public var start: LoggedTime
    /// The event of the row.
    public var event: Event
    /// The author, times and text; nil if the row has none of these.
    public var note: Note?
    /// The row number in its file, from 1 after the header; 0 without a file.
    public var row: Int
    /// Whether the row's day and times of day use its own offset, such as on a journey, instead of the log's clock.
    public private(set) var hasOwnClock = false

    /// Creates a row from its parts.
    public init(start: LoggedTime, event: Event, note: Note? = nil, row: Int = 0) {
        self.start = start
        self.event = event
        self.note = note
        self.row = row
    }

    /// The type of the event.
    public var type: EventType {
        switch event {
        case .sleep: .sleep
        case .feed: .feed
        case .diaper: .diaper
        case .milestone: .milestone
        }
    }
    /// Returns the row with the day and times of day of its own zone. UTC does not count as one: a row in UTC is read
    /// by the log's clock.
    package func byClock(of zone: LocalZone) -> RhythmRecord {
        // A stored row already has its zone's offset, which may have changed before its end.
        let isWritten = start.clock == zone && (end == nil || end?.instant != nil)
        var row = isWritten ? self : spanning(start.shown(in: zone), end?.shown(in: zone))
        row.hasOwnClock = zone != .utc
        return row
    }

    /// The end of the event; nil if it is not logged.
    public var end: LoggedTime? {
        switch event {
        case .sleep(let sleep): sleep.end
        case .feed(let feed): feed.end
        case .diaper, .milestone: nil
        }
    }
    /// The row with a different beginning and end; events without an end ignore the end.
    package func spanning(_ start: LoggedTime, _ end: LoggedTime?) -> RhythmRecord {
        var row = self
        row.start = start
        switch event {
        case .sleep(var sleep):
            sleep.end = end
            row.event = .sleep(sleep)
        case .feed(var feed):
            feed.end = end
            row.event = .feed(feed)
        case .diaper, .milestone: break
        }
        return row
    }
}
