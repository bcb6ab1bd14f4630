public import KinCore
import KinForecasting

/// The statistics of one day, from midnight to midnight; a night belongs to the day on which it begins.
public struct DaySummary: Sendable, Hashable {
    /// The midnight at the start of the day.
    public let date: LocalDateTime
    /// The minutes asleep in the 24 hours.
    public let asleepMinutes: Double
    /// The number of naps by day; nil where too few sleeps are known to tell day from night.
    public let naps: Int?
    /// The minutes asleep in naps; nil as ``naps``.
    public let napMinutes: Double?
    /// The number of wakings between the beginning and the end of the night; nil where no sleep of the night is known.
    public let nightWakings: Int?
    /// The longest sleep of the night, in minutes; nil as ``nightWakings``.
    public let longestNightStretch: Double?
    /// The number of meals.
    public let meals: Int
    /// The millilitres drunk, of the feeds that were measured.
    public let millilitres: Double
    /// The number of diapers changed.
    public let diapers: Int
    /// Whether this day and both neighbours have logged sleeps, so that the sleep statistics are complete.
    public let isWhole: Bool
}

extension RhythmLog {
    /// The largest number of days summarised, a bound for rows with a wrong year.
    private static var mostDays: Int { 3_653 }

    /// The statistics of the days from the first row to the last, at most the last ten years.
    public var days: [DaySummary] {
        guard let first = counted.first?.start.localMinutes, let last = counted.last?.start.localMinutes else {
            return []
        }
        let perDay = DayCycle.minutesPerDay
        let lastDay = Int((last / perDay).rounded(.down))
        let firstDay = max(Int((first / perDay).rounded(.down)), lastDay - Self.mostDays + 1)
        let count = lastDay - firstDay + 1
        let beginning = Double(firstDay) * perDay
        let blocks = sleeps.filter { $0.end - $0.start <= RhythmModels.longestSleep && $0.start >= beginning }
        var days = [DayCount](repeating: DayCount(), count: count)
        func dayIndex(_ minute: Double) -> Int {
            min(count - 1, max(0, Int((minute / perDay).rounded(.down)) - firstDay))
        }
        for meal in meals where meal >= beginning { days[dayIndex(meal)].meals += 1 }
        for record in counted where record.start.localMinutes >= beginning {
            let day = dayIndex(record.start.localMinutes)
            switch record.event {
            case .feed(let feed): days[day].millilitres += feed.millilitres ?? 0
            case .diaper: days[day].diapers += 1
            case .sleep, .milestone: break
            }
        }
        var window: (day: Int, night: NightWindow?) = (-1, nil)
        var nights: [Int: [RhythmState.Block]] = [:]
        var recent = 0
        for (index, block) in blocks.enumerated() {
            var from = block.start
            while from < block.end {
                let midnight = ((from / perDay).rounded(.down) + 1) * perDay
                // The last night's part after midnight is on a day beyond the log.
                let day = Int((from / perDay).rounded(.down)) - firstDay
                if day < count { days[day].asleep += min(block.end, midnight) - from }
                from = midnight
            }
            let day = dayIndex(block.start)
            days[day].sleeps += 1
            if window.day != day {
                while blocks[recent].start < block.start - 14 * perDay { recent += 1 }
                let until = blocks[index...].firstIndex { $0.start > block.start + 7 * perDay } ?? blocks.count
                window = (day, NightWindow(blocks[recent..<until]))
            }
            guard let night = window.night else {
                days[day].isUndivided = true
                continue
            }
            if night.contains(block) {
                // A night belongs to the day of its evening.
                nights[dayIndex((block.start + block.end) / 2 - DayCycle.minuteOfDay(night.start)), default: []]
                    .append(
                        block)
            } else {
                days[day].naps += 1
                days[day].napMinutes += block.end - block.start
            }
        }
        for (day, blocks) in nights {
            days[day].wakings = blocks.count - 1
            days[day].longest = blocks.reduce(0) { max($0, $1.end - $1.start) }
        }
        return days.indices.map { day in
            let counts = days[day]
            let isWhole = day > 0 && day + 1 < count && (day - 1...day + 1).allSatisfy { days[$0].sleeps > 0 }
            return DaySummary(
                date: LocalDateTime(localMinutes: Double(firstDay + day) * perDay), asleepMinutes: counts.asleep,
                naps: counts.isUndivided ? nil : counts.naps,
                napMinutes: counts.isUndivided ? nil : counts.napMinutes, nightWakings: counts.wakings,
                longestNightStretch: counts.longest,
                meals: counts.meals, millilitres: counts.millilitres, diapers: counts.diapers, isWhole: isWhole)
        }
    }
}

private struct DayCount {
    var asleep = 0.0
    var sleeps = 0
    /// Whether the sleeps that began on the day cannot be divided into naps and those of a night.
    var isUndivided = false
    var naps = 0
    var napMinutes = 0.0
    var wakings: Int?
    var longest: Double?
    var meals = 0
    var millilitres = 0.0
    var diapers = 0
}
