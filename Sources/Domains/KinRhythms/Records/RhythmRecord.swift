public import KinCore

/// One row of a log. Times are those of the local clock, read as if it were UTC.
public struct RhythmRecord: Sendable, Hashable {
    /// What was done.
    public enum Event: Sendable, Hashable {
        /// The baby slept, or sleeps.
        case sleep(Sleep)
        /// It was fed.
        case feed(Feed)
        /// A diaper was changed.
        case diaper(Diaper)
        /// Something done for the first time.
        case milestone(title: String, category: MilestoneCategory)
    }

    /// A sleep; without an end the baby still sleeps, or nobody stopped the timer.
    public struct Sleep: Sendable, Hashable {
        /// How good a sleep was, by who logged it.
        public enum Quality: String, Sendable, Hashable, CaseIterable {
            /// Slept well.
            case good
            /// Slept so-so.
            case fair
            /// Slept badly.
            case poor
        }

        /// When it ended; nil while it lasts, or when nobody wrote it down.
        public var end: Timestamp?
        /// How good it was.
        public var quality: Quality?
        /// Which nap of the day it is, by who logged it.
        public var napNumber: Int?
        /// Whether it is night sleep, by who logged it; forecasts tell by themselves.
        public var isNight: Bool?

        /// A sleep, with what is known of it.
        public init(end: Timestamp? = nil, quality: Quality? = nil, napNumber: Int? = nil, isNight: Bool? = nil) {
            self.end = end
            self.quality = quality
            self.napNumber = napNumber
            self.isNight = isNight
        }
    }

    /// A feed.
    public struct Feed: Sendable, Hashable {
        /// How it was fed.
        public enum Method: String, Sendable, Hashable, CaseIterable {
            /// By the bottle.
            case bottle
            /// At the breast.
            case breast
            /// With solid food.
            case solids
        }
        /// Which breast.
        public enum Side: String, Sendable, Hashable, CaseIterable {
            /// The left one.
            case left
            /// The right one.
            case right
            /// Both.
            case both
        }

        /// When it ended; nil while it lasts, or when nobody wrote it down.
        public var end: Timestamp?
        /// How it was fed.
        public var method: Method?
        /// Which breast.
        public var side: Side?
        /// What was drunk, in millilitres.
        public var millilitres: Double?
        /// Minutes of actual feeding, which pauses make fewer than those between start and end.
        public var minutes: Double?
        /// What was eaten.
        public var food: String?

        /// A feed, with what is known of it.
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

    /// What was in a diaper.
    public enum Diaper: String, Sendable, Hashable, CaseIterable {
        /// Wet.
        case wet
        /// Dirty.
        case dirty
        /// Both.
        case both
        /// Neither.
        case dry
    }
    /// What a milestone is about.
    public enum MilestoneCategory: String, Sendable, Hashable, CaseIterable {
        /// The body.
        case physical
        /// The mind.
        case cognitive
        /// Others.
        case social
    }

    /// Who wrote the row, and when; all of it optional.
    public struct Note: Sendable, Hashable {
        /// The id in the app that it comes from.
        public var id: String?
        /// Who wrote it.
        public var author: String?
        /// When it was written.
        public var created: Timestamp?
        /// When it was last changed.
        public var updated: Timestamp?
        /// A note in words.
        public var text: String?

        /// A note, with what is known.
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
    /// What was done.
    public var event: Event
    /// Who wrote it, and when.
    public var note: Note?
    /// The row of the file that it came from, from 1 after the header; 0 when it came from no file.
    public var row: Int

    /// A row.
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
