/// The rule at the end of a zone's file: a standard time and, in some zones, a summer time that begins and ends each year.
///
/// It is written in the POSIX format of the variable TZ, with the extension of RFC 9636 (3.3.2):
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ClockRule: Sendable, Hashable {
    /// A moment of each year: a day and the seconds after its midnight, by the clock in force before the moment.
    struct Moment: Sendable, Hashable {
        /// A rule for a day of the year.
        enum Date: Sendable, Hashable {
            /// The day 1 to 365, with February 29 never counted.
            case julian(Int)
            /// The day 0 to 365, with February 29 counted.
            case ordinal(Int)
            /// The week 1 to 5 (5 is the last) and weekday (0 is Sunday) of a month.
            case weekday(month: Int, week: Int, day: Int)
        }

        var date: Date
        var seconds = 7200
    }

    /// Summer time: its offset, and the moments of its beginning and its end.
    struct Summer: Sendable, Hashable {
        var offset: Int
        var start: Moment
        var end: Moment
    }

    /// Standard time, in seconds ahead of UTC.
    var offset: Int
    /// Summer time; nil for zones without summer time.
    var summer: Summer?

    /// The changes of a year, in seconds since 1970, unordered.
    private func changes(ofYear year: Int64) -> [(second: Int64, offset: Int)] {
        guard let summer else { return [] }
        return [
            (summer.start.second(ofYear: year) - Int64(offset), summer.offset),
            (summer.end.second(ofYear: year) - Int64(summer.offset), offset),
        ]
    }

    /// The changes of the five years around a second, ascending. If one summer ends when the next begins, the beginning
    /// is last.
    private func changes(around second: Int64) -> [(second: Int64, offset: Int)] {
        let year = CivilDate(daysSince1970: second.dividingRoundingDown(by: 86_400).quotient).year
        let all = (-2...2).flatMap { changes(ofYear: year + $0) }
        return all.sorted { ($0.second, $0.offset == offset ? 0 : 1) < ($1.second, $1.offset == offset ? 0 : 1) }
    }

    /// The offset from UTC at a second since 1970, in seconds.
    func offset(atSecond second: Int64) -> Int {
        changes(around: second).last { $0.second <= second }?.offset ?? offset
    }

    /// The first change of the offset after a second since 1970; nil if the offset never changes again.
    func nextTransition(after second: Int64) -> (second: Int64, offset: Int)? {
        var current = offset(atSecond: second)
        let later = changes(around: second).filter { $0.second > second }
        for (place, change) in later.enumerated() {
            let isUndone = place + 1 < later.count && later[place + 1].second == change.second
            if isUndone { continue }
            if change.offset != current { return change }
            current = change.offset
        }
        return nil
    }
}

extension ClockRule.Moment {
    /// The seconds from 1970 to the moment as read on the local clock, treated as UTC.
    fileprivate func second(ofYear year: Int64) -> Int64 {
        let days: Int64
        switch date {
        case .ordinal(let day): days = Self.first(of: year, month: 1) + Int64(day)
        case .julian(let day):
            let isAfterLeapDay = day >= 60 && CivilDate.isLeap(year)
            days = Self.first(of: year, month: 1) + Int64(day - 1) + (isAfterLeapDay ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            let first = Self.first(of: year, month: Int64(month))
            let next = month == 12 ? Self.first(of: year + 1, month: 1) : Self.first(of: year, month: Int64(month) + 1)
            // 1970-01-01 was a Thursday, weekday 4.
            let firstWeekday = (first + 4).dividingRoundingDown(by: 7).remainder
            var day = first + (Int64(weekday) - firstWeekday + 7) % 7 + 7 * Int64(week - 1)
            while day >= next { day -= 7 }
            days = day
        }
        return days * 86_400 + Int64(seconds)
    }

    /// The days from 1970-01-01 to the first of a month of any year.
    private static func first(of year: Int64, month: Int64) -> Int64 {
        CivilDate(firstOfYear: year, month: month).daysSince1970
    }
}
