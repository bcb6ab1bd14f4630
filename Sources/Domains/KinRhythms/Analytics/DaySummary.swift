/// The statistics of one day, from midnight to midnight; a night belongs to the day of its evening, even if it begins
/// after midnight.
public struct DaySummary: Sendable, Hashable {
    /// The midnight at the start of the day.
    public let date: LocalDateTime
    /// The minutes asleep in the 24 hours.
    public internal(set) var asleepMinutes = 0.0
    /// The number of naps by day; nil if too few sleeps are logged to distinguish day and night, and the day's sleeps
    /// are not marked as night sleep or naps.
    public internal(set) var naps: Int? = 0
    /// The minutes asleep in naps; nil if ``naps`` is.
    public internal(set) var napMinutes: Double? = 0
    /// The number of wakings of 15 minutes or more between the beginning and the end of the night; nil if no sleep of
    /// the night is logged.
    public internal(set) var nightWakings: Int?
    /// The longest sleep of the night, in minutes, with its wakings of less than 15 minutes; nil if ``nightWakings`` is.
    public internal(set) var longestNightStretch: Double?
    /// The beginning of the night, in minutes after ``date``, above 1440 after midnight; nil if ``nightWakings`` is.
    public internal(set) var bedtimeMinute: Double?
    /// The number of meals.
    public internal(set) var meals = 0
    /// The millilitres of milk drunk in the measured feeds, without solids.
    public internal(set) var millilitres = 0.0
    /// The number of diapers changed.
    public internal(set) var diapers = 0
    /// Whether this day and both neighbours have logged sleeps, so that the sleep statistics are complete.
    public internal(set) var isWhole = false
}

extension RhythmLog {
    /// The largest number of days in the summary, a bound for rows with a wrong year.
    private static var mostDays: Int { 3_653 }

    /// The statistics of the days from the first row to the last start or end of a row, at most the last ten years.
    public var days: [DaySummary] {
        guard let first = counted.first?.start.localMinutes,
            let last = (counted.map(\.start) + [latest].compactMap(\.self)).map(\.localMinutes).max()
        else { return [] }
        let perDay = DayCycle.minutesPerDay
        let lastDay = Int((last / perDay).rounded(.down))
        let firstDay = max(Int((first / perDay).rounded(.down)), lastDay - Self.mostDays + 1)
        let count = lastDay - firstDay + 1
        let beginning = Double(firstDay) * perDay
        let blocks = sleeps.filter { $0.end - $0.start <= RhythmModels.longestSleep && $0.localStart >= beginning }
        var days = (0..<count).map { DaySummary(date: LocalDateTime(localMinutes: Double(firstDay + $0) * perDay)) }
        var sleepCounts = [Int](repeating: 0, count: count)
        func dayIndex(_ minute: Double) -> Int {
            min(count - 1, max(0, Int((minute / perDay).rounded(.down)) - firstDay))
        }
        for meal in meals where meal.localMinutes >= beginning { days[dayIndex(meal.localMinutes)].meals += 1 }
        for record in counted where record.start.localMinutes >= beginning {
            let day = dayIndex(record.start.localMinutes)
            switch record.event {
            case .feed(let feed): days[day].millilitres += feed.milk ?? 0
            case .diaper: days[day].diapers += 1
            case .sleep, .milestone: break
            }
        }
        var window: (day: Int, night: NightWindow?) = (-1, nil)
        var nights: [Int: [RhythmState.Block]] = [:]
        var recent = 0
        let marks = nightMarks
        var isDivided = false
        for (index, block) in blocks.enumerated() {
            // A change of clocks during a sleep, in the morning hours, counts for the day of the sleep's end.
            var from = block.localStart
            let end = block.localEnd
            let change = block.startShift - block.endShift + min(0, end - from)
            let lastDay = Int((end / perDay).rounded(.down)) - firstDay
            // A date that the clock skipped is the one before.
            let changedDay = change <= -perDay ? lastDay - 1 : lastDay
            if change != 0, changedDay < count { days[changedDay].asleepMinutes += change }
            while from < end {
                let midnight = ((from / perDay).rounded(.down) + 1) * perDay
                // The part of the last night after midnight is on a day beyond the log.
                let day = Int((from / perDay).rounded(.down)) - firstDay
                if day < count { days[day].asleepMinutes += min(end, midnight) - from }
                from = midnight
            }
            let day = dayIndex(block.localStart)
            sleepCounts[day] += 1
            if window.day != day {
                while blocks[recent].start < block.start - 14 * perDay { recent += 1 }
                let until = blocks[index...].firstIndex { $0.start > block.start + 7 * perDay } ?? blocks.count
                window = (day, NightWindow(blocks[recent..<until]))
            }
            guard let isNight = window.night?.contains(block) ?? marks[block.start] else {
                (days[day].naps, days[day].napMinutes) = (nil, nil)
                continue
            }
            isDivided = true
            if isNight {
                let evening = window.night.map { $0.start < perDay / 2 ? $0.start + perDay : $0.start } ?? perDay / 2
                nights[dayIndex((block.localStart + block.localEnd) / 2 - evening), default: []].append(block)
            } else {
                days[day].naps? += 1
                days[day].napMinutes? += block.end - block.start
            }
        }
        if !isDivided { for day in days.indices { (days[day].naps, days[day].napMinutes) = (nil, nil) } }
        for (day, blocks) in nights {
            days[day].nightWakings = blocks.count - 1
            days[day].bedtimeMinute = blocks.map(\.localStart).min().map { $0 - days[day].date.localMinutes }
            days[day].longestNightStretch = blocks.reduce(0) { max($0, $1.end - $1.start) }
        }
        for day in days.indices.dropFirst().dropLast() {
            days[day].isWhole = sleepCounts[day - 1...day + 1].allSatisfy { $0 > 0 }
        }
        return days
    }

    /// Whether the sleeps that begin at some minutes are marked as night sleep or as naps; empty if none is marked as
    /// night sleep, since an app may store `false` for every sleep.
    private var nightMarks: [Double: Bool] {
        let marks = counted.compactMap { record -> (Double, Bool)? in
            guard case .sleep(let sleep) = record.event else { return nil }
            return (sleep.isNight ?? sleep.napNumber.map { _ in false }).map { (record.start.minute, $0) }
        }
        return marks.contains(where: \.1) ? Dictionary(marks, uniquingKeysWith: { first, _ in first }) : [:]
    }
}
