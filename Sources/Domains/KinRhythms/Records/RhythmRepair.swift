/// A defect in a log, and its treatment.
public struct RhythmRepair: Sendable, Hashable {
    /// The kinds of defects.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// A duplicate of an earlier row.
        case duplicate
        /// A row with the id of a different row.
        case sameID = "same_id"
        /// A row that was removed.
        case removed
        /// A row about an event that another caregiver logged too.
        case severalCaregivers = "several_caregivers"
        /// A row of an unknown type.
        case unknownType = "unknown_type"
        /// An unknown word in a field with fixed words.
        case unknownWord = "unknown_word"
        /// A row before the day of birth, or a day of birth after most rows.
        case beforeBirth = "before_birth"
        /// A row far beyond all others, such as a slip in the year.
        case farBeyond = "far_beyond"
        /// A row after the present, such as a slip in the month.
        case inFuture = "in_future"
        /// A row with a different offset from UTC than the previous rows, in a log without a time zone.
        case otherOffset = "other_offset"
        /// A row without an offset from UTC in a log of instants.
        case noOffset = "no_offset"
        /// The first row of a log with times in UTC and no time zone.
        case utc
        /// An amount or a number of minutes that is impossible.
        case impossibleAmount = "impossible_amount"
        /// A length of a sleep or feed that is impossible.
        case impossibleLength = "impossible_length"
        /// An end that is derived from the duration, or contradicts it.
        case endByDuration = "end_by_duration"
        /// A sleep or a feed that ends before it begins.
        case endsBeforeItBegins = "ends_before_it_begins"
        /// A sleep by day whose end is contradicted by rows before that end.
        case wrongEnd = "wrong_end"
        /// A sleep with a length of zero.
        case noLength = "no_length"
        /// A sleep below 10 minutes.
        case tooShort = "too_short"
        /// A sleep without an end.
        case noEnd = "no_end"
        /// A sleep above 16 hours.
        case forgottenTimer = "forgotten_timer"
        /// A sleep that begins before the end of the previous one.
        case overlap
        /// A sleep less than 15 minutes after the previous one, counted as one sleep with it.
        case fragments = "in_pieces"
        /// A feed less than 45 minutes after the previous one, counted as one meal with it.
        case sameMeal = "same_meal"
        /// A gap of more than 36 hours without a row.
        case gap = "hole"
        /// A day that starts a lasting shift of all rows, such as a change to summer time or a journey.
        case clockShift = "clock_shift"
    }

    /// The row number in its file, from 1 after the header; 0 for a row of a store.
    public let row: Int
    /// The id of the row's event; nil if it has none.
    public let id: String?
    /// The beginning of the row, or of the previous row if it has none.
    public let start: LoggedTime
    /// The kind of defect.
    public let problem: Problem
    /// The defect and its treatment, in words.
    public let text: String

    package init(row: Int, id: String? = nil, start: LoggedTime, problem: Problem, text: String) {
        self.row = row
        self.id = id
        self.start = start
        self.problem = problem
        self.text = text
    }

    init(_ record: RhythmRecord, _ problem: Problem, _ text: String) {
        self.init(row: record.row, id: record.note?.id, start: record.start, problem: problem, text: text)
    }
}

extension RhythmRecord {
    /// The row in the text of a repair: by its number in a file, else by the id of its event.
    var label: String {
        if row > 0 { return "row \(row)" }
        return note?.id.map { "event \"\($0)\"" } ?? "another row"
    }
}

extension RhythmRepair: DeclaredObject {
    /// The repair as a JSON object: `row`, `id` if the event has one, `start`, `problem` and `text`.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RhythmRepair>(
        .field("row", \.row, "from 1; 0 for a log in the store"),
        .optional("id", \.id),
        .field("start", \.start),
        .field("problem", \.problem.rawValue),
        .field("text", \.text))

    /// The repair for a row of an unknown type, which is left out.
    package static func unknownType(_ type: String, row: Int, start: LoggedTime?) -> RhythmRepair {
        RhythmRepair(
            row: row, start: start ?? LoggedTime(LocalDateTime(unchecked: 0)), problem: .unknownType,
            text:
                "\"\(type.prefix(40))\" is not one of \(RhythmRecord.typeNames.joined(separator: ", ")); the row is left out"
        )
    }
}

extension RhythmLog {
    /// All repairs by the rows' beginnings, as applied by forecasts and analytics.
    public var repairs: [RhythmRepair] { repairs(by: nil) }

    /// The ``repairs``, and the rows after the present unless all are later.
    ///
    /// - Parameter present: The present instant; nil if unknown.
    public func repairs(by present: Timestamp?) -> [RhythmRepair] {
        let future = present.map { present in counted.filter { !$0.start.hasPassed(by: present) } } ?? []
        let clean = RhythmCleaning(records, baby: baby)
        let repairs =
            readingRepairs + clean.repairs + CaregiverMerge(clean.records).repairs + rowRepairs + clockShifts
            + (future.count == counted.count ? [] : future).map {
                RhythmRepair(
                    $0, .inFuture, "is in the future; forecasts without \"now\" are made at the last time before")
            } + [clock.remark(on: records)].compactMap(\.self).map { RhythmRepair(records[0], .utc, $0) }
        return repairs.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(
            \.element)
    }

    /// The shifts of the clock, each at the first row of its day.
    private var clockShifts: [RhythmRepair] {
        ClockShift.shifts(in: sleeps).compactMap { shift in
            let midnight = Double(shift.day) * DayCycle.minutesPerDay
            guard let first = counted.first(where: { $0.start.localMinutes >= midnight }) else { return nil }
            return RhythmRepair(
                first, .clockShift,
                "from here on the day is logged about \(abs(shift.minutes)) minutes "
                    + "\(shift.minutes > 0 ? "later" : "earlier"), as after a change of clocks; times stay as they are, and "
                    + "forecasts follow within days")
        }
    }

    private var rowRepairs: [RhythmRepair] {
        var found: [RhythmRepair] = []
        var lastSleep: (label: String, end: Double)?
        var lastFeed: RhythmRecord?
        var last: RhythmRecord?
        for record in counted {
            func log(_ problem: RhythmRepair.Problem, _ text: String) {
                found.append(RhythmRepair(record, problem, text))
            }
            let start = record.start.minute
            if let last, start - last.start.minute > 36 * 60 {
                log(
                    .gap,
                    "nothing is logged in the \(Int((start - last.start.minute) / 60)) hours before; nothing is learned from them"
                )
            }
            last = record
            switch record.event {
            case .sleep(let sleep):
                lastSleep = Self.check(sleep, of: record, after: lastSleep, log: log)
            case .feed:
                if let lastFeed, start - lastFeed.start.minute < RhythmModels.feedGap {
                    let minutes = Int(start - lastFeed.start.minute)
                    log(.sameMeal, "begins \(minutes) minutes after \(lastFeed.label); one meal")
                }
                lastFeed = record
            case .diaper, .milestone: break
            }
        }
        return found
    }

    private static func check(
        _ sleep: RhythmRecord.Sleep, of record: RhythmRecord, after last: (label: String, end: Double)?,
        log: (RhythmRepair.Problem, String) -> Void
    ) -> (label: String, end: Double)? {
        let start = record.start.minute
        guard let end = sleep.end?.minute else {
            log(.noEnd, "has no end; asleep for 16 hours at most, then not counted")
            return last
        }
        let length = end - start
        if length < RhythmModels.shortestSleep {
            log(.tooShort, "takes \(Int(length)) minutes; a sleep has 10 at least; not counted")
            return last
        }
        if length > RhythmModels.longestSleep {
            log(
                .forgottenTimer,
                "takes \(Int(length / 60)) hours, a timer left running; its beginning and end count, its length does not"
            )
        }
        if let last, start < last.end {
            log(.overlap, "begins before \(last.label) ends; counted as one sleep")
        } else if let last, start - last.end < RhythmModels.sleepGap {
            log(.fragments, "begins \(Int(start - last.end)) minutes after \(last.label) ends; counted as one sleep")
        }
        return last.flatMap { $0.end > end ? $0 : nil } ?? (record.label, end)
    }
}
