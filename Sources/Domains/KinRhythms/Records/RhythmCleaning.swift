/// The removal of impossible rows and values from a log; each removal is reported as a repair.
///
/// Limits are based on 19,600 sleeps and feeds of eight real logs: the longest sleep has 13.4 hours, the longest feed
/// 2.6 hours, the largest bottle 385 ml.
struct RhythmCleaning {
    /// The rows that count, in their order.
    private(set) var records: [RhythmRecord] = []
    /// The baby, without a day of birth that most rows contradict.
    private(set) var baby: RhythmLog.Baby
    private(set) var repairs: [RhythmRepair] = []
    /// The sleeps with an unused end, and that end, which is the latest possible one.
    private(set) var stopped: [(row: RhythmRecord, end: LoggedTime)] = []

    /// The length of a sleep, in minutes, beyond which its end is ignored: three days.
    static let longestTimer = 72 * 60.0
    /// The length of a feed, in minutes, beyond which its end is ignored.
    static let longestFeed = 120.0
    /// The largest amount of one feed, in millilitres.
    static let largestFeed = 1000.0
    /// The longest pause in a log that continues, in minutes; a few rows before or after a longer pause are slips in the
    /// year.
    static let longestPause = 365 * 1440.0
    /// The longest time, in minutes, between the middle row of a log and any other: ten years. Rows further away are
    /// slips, however many, if most rows are not.
    static let longestLog = 3653 * 1440.0
    /// The largest number of rows that count as slips: a log that continues has more within a day.
    static let mostSlips = 3

    /// Cleans the rows of a log.
    ///
    /// - Parameter rows: The rows by ascending beginning.
    init(_ rows: [RhythmRecord], baby: RhythmLog.Baby) {
        self.baby = baby
        let born = birth(rows)
        let span = Span(rows)
        let replaced = replacedRows(rows)
        for (position, row) in rows.enumerated() {
            if let born, row.start.reading < born {
                log(row, .beforeBirth, "is before the day of birth, \(born.date); not counted")
            } else if let winner = replaced[position] {
                log(row, .sameID, "has the id of \(rows[winner].label), which is newer; only that one counts")
            } else if row.note?.isRemoved == true {
                log(row, .removed, "was removed; not counted")
            } else if !span.contains(row.start) {
                log(
                    row, .farBeyond,
                    "is more than a year \(position < rows.count / 2 ? "before" : "after") all other rows; not counted")
            } else {
                if let row = possible(row) { records.append(row) }
            }
        }
        // Rows are compared as they were, so that the order of the repairs does not matter.
        for (place, end) in WrongEnd.ends(in: records) {
            let row = records[place]
            log(
                row, .wrongEnd,
                "ends at \(end.description), though \(WrongEnd.evidence) are logged before; its end is not used")
            stopped.append((row, end))
            records[place] = row.spanning(row.start, nil)
        }
    }

    /// The times of a log's rows, without those far before or after all others.
    struct Span: Sendable, Hashable {
        /// The beginning of the first row that counts; nil if no earlier row is left out.
        private var first: LoggedTime?
        /// The beginning of the first row after those that count; nil if no later row is left out.
        private var horizon: LoggedTime?

        /// Finds the rows that count: those near the middle row, without a few before or after a pause of a year.
        ///
        /// - Parameter rows: The rows by ascending beginning.
        /// - Complexity: O(log n).
        init(_ rows: [RhythmRecord]) {
            guard !rows.isEmpty else { return }
            let middle = rows[rows.count / 2].start
            var lower = rows.partition { middle.minutes(since: $0.start) > longestLog }
            var upper = rows.partition { $0.start.minutes(since: middle) <= longestLog }
            if 2 * (upper - lower) <= rows.count { (lower, upper) = (0, rows.count) }
            func isPause(_ place: Int) -> Bool {
                rows[place].start.minutes(since: rows[place - 1].start) > longestPause
            }
            let mostSlips = min(RhythmCleaning.mostSlips, (upper - lower - 1) / 2)
            upper = (upper - mostSlips..<upper).first(where: isPause) ?? upper
            lower = (lower + 1..<lower + 1 + mostSlips).last(where: isPause) ?? lower
            first = lower > 0 ? rows[lower].start : nil
            horizon = upper < rows.count ? rows[upper].start : nil
        }

        /// Whether a row that begins at a time counts.
        func contains(_ time: LoggedTime) -> Bool {
            first.map { $0 <= time } ?? true && horizon.map { time < $0 } ?? true
        }
    }

    /// The day of birth, if most rows come after it.
    private mutating func birth(_ rows: [RhythmRecord]) -> LocalDateTime? {
        guard let born = baby.born else { return nil }
        let before = rows.count { $0.start.reading < born }
        guard before > 0, 2 * before >= rows.count else { return born }
        baby.born = nil
        log(
            rows[0], .beforeBirth,
            "\(before) of \(rows.count) rows are before the day of birth, \(born.date); the day is not used")
        return nil
    }

    /// The rows replaced by a newer row of the same type and id, with that row: the last by `updated`, then by row.
    private func replacedRows(_ rows: [RhythmRecord]) -> [Int: Int] {
        var newest: [String: Int] = [:]
        var replaced: [Int: Int] = [:]
        func age(_ position: Int) -> (Int64, Int, Int) {
            (rows[position].note?.updated?.microseconds ?? .min, rows[position].row, position)
        }
        for (position, row) in rows.enumerated() {
            guard let id = row.note?.id, !id.isEmpty else { continue }
            let key = row.type.rawValue + " " + id
            guard let other = newest[key] else {
                newest[key] = position
                continue
            }
            // An identical row is a duplicate, which ``CaregiverMerge`` handles.
            var (here, there) = (row, rows[other])
            (here.row, there.row) = (0, 0)
            if here == there { continue }
            newest[key] = age(position) > age(other) ? position : other
        }
        for (position, row) in rows.enumerated() {
            guard let id = row.note?.id, let winner = newest[row.type.rawValue + " " + id], winner != position else {
                continue
            }
            var (here, there) = (row, rows[winner])
            (here.row, there.row) = (0, 0)
            if here != there { replaced[position] = winner }
        }
        return replaced
    }

    /// A row without impossible values; nil for a sleep that does not end after it begins.
    private mutating func possible(_ row: RhythmRecord) -> RhythmRecord? {
        var row = row
        switch row.event {
        case .sleep(var sleep):
            let length = sleep.end?.minutes(since: row.start)
            guard let length else { return row }
            if length <= 0 {
                log(
                    row, length < 0 ? .endsBeforeItBegins : .noLength,
                    "ends \(length < 0 ? "before" : "as") it begins; not counted")
                return nil
            }
            guard length > Self.longestTimer else { return row }
            log(row, .impossibleLength, "takes \(Self.hours(length)); its end is not used")
            sleep.end = nil
            row.event = .sleep(sleep)
        case .feed(let feed): row.event = .feed(possible(feed, of: row))
        case .diaper, .milestone: break
        }
        return row
    }

    private mutating func possible(_ feed: RhythmRecord.Feed, of row: RhythmRecord) -> RhythmRecord.Feed {
        var feed = feed
        if let end = feed.end {
            let length = end.minutes(since: row.start)
            if length < 0 {
                log(row, .endsBeforeItBegins, "ends before it begins; its end is not used")
                feed.end = nil
            } else if length > Self.longestFeed {
                log(row, .impossibleLength, "a feed of \(Self.hours(length)); its end is not used")
                feed.end = nil
            }
        }
        if let amount = feed.millilitres, !(0...Self.largestFeed).contains(amount) {
            log(row, .impossibleAmount, "\(Self.rounded(amount)) ml, where 0 to 1000 are possible; not used")
            feed.millilitres = nil
        }
        if let minutes = feed.minutes, !(0...1440).contains(minutes) {
            let shown = Self.rounded(minutes)
            log(row, .impossibleAmount, "\(shown) minutes of feeding, where 0 to 1440 are possible; not used")
            feed.minutes = nil
        }
        return feed
    }

    private static func hours(_ minutes: Double) -> String { "\(rounded(minutes / 60)) hours" }

    /// A number to the tenth, without a zero after the point.
    private static func rounded(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        if tenths == 0 || !(abs(tenths) < 1e15) { return "\(value)" }
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }

    private mutating func log(_ row: RhythmRecord, _ problem: RhythmRepair.Problem, _ text: String) {
        repairs.append(RhythmRepair(row, problem, text))
    }
}
