public import KinCore

/// One row of a log. Times are those of the local clock, read as if it were UTC.
public struct RhythmRecord: Sendable, Hashable {
    /// What was done.
    public enum Event: Sendable, Hashable {
        case sleep(Sleep)
        case feed(Feed)
        case diaper(Diaper)
        case milestone(title: String, category: MilestoneCategory)
    }

    /// A sleep; without an end the baby still sleeps, or nobody stopped the timer.
    public struct Sleep: Sendable, Hashable {
        public enum Quality: String, Sendable, Hashable { case good, fair, poor }

        public var end: Timestamp?
        public var quality: Quality?
        public var napNumber: Int?
        public var isNight: Bool?

        public init(end: Timestamp? = nil, quality: Quality? = nil, napNumber: Int? = nil, isNight: Bool? = nil) {
            self.end = end
            self.quality = quality
            self.napNumber = napNumber
            self.isNight = isNight
        }
    }

    /// A feed.
    public struct Feed: Sendable, Hashable {
        public enum Method: String, Sendable, Hashable { case bottle, breast, solids }
        public enum Side: String, Sendable, Hashable { case left, right, both }

        public var end: Timestamp?
        public var method: Method?
        public var side: Side?
        /// What was drunk, in millilitres.
        public var millilitres: Double?
        /// Minutes of actual feeding, which pauses make fewer than those between start and end.
        public var minutes: Double?
        public var food: String?

        public init(
            end: Timestamp? = nil, method: Method? = nil, side: Side? = nil, millilitres: Double? = nil,
            minutes: Double? = nil, food: String? = nil
        ) {
            self.end = end
            self.method = method
            self.side = side
            self.millilitres = millilitres
            self.minutes = minutes
            self.food = food
        }
    }

    public enum Diaper: String, Sendable, Hashable { case wet, dirty, both, dry }
    public enum MilestoneCategory: String, Sendable, Hashable { case physical, cognitive, social }

    /// Who wrote the row, and when; all of it optional.
    public struct Note: Sendable, Hashable {
        public var id: String?
        public var author: String?
        public var created: Timestamp?
        public var updated: Timestamp?
        public var text: String?

        public init(
            id: String? = nil, author: String? = nil, created: Timestamp? = nil, updated: Timestamp? = nil,
            text: String? = nil
        ) {
            self.id = id
            self.author = author
            self.created = created
            self.updated = updated
            self.text = text
        }
    }

    /// When it began.
    public var start: Timestamp
    public var event: Event
    public var note: Note?
    /// The row of the file that it came from, from 1 after the header; 0 when it came from no file.
    public var row: Int

    public init(start: Timestamp, event: Event, note: Note? = nil, row: Int = 0) {
        self.start = start
        self.event = event
        self.note = note
        self.row = row
    }

    /// When it ended, as far as the row says.
    public var end: Timestamp? {
        switch event {
        case .sleep(let sleep): sleep.end
        case .feed(let feed): feed.end
        case .diaper, .milestone: nil
        }
    }
}
