import Foundation
import KinChallenges

/// Notification times: regret with people whose responsiveness is known, and the rules in every zone through a year.
enum NotificationTrial {
    struct Responder {
        let peak: Double
        let base: Double
        let width: Double
        let centre: Double
        let second: Double?
        let weekendShift: Double

        func probability(_ minute: Int, isWeekend: Bool) -> Double {
            let centre = centre + (isWeekend ? weekendShift : 0)
            func bump(_ c: Double) -> Double { exp(-(Double(minute) - c) * (Double(minute) - c) / (2 * width * width)) }
            return base + (peak - base) * max(bump(centre), second.map { 0.7 * bump($0) } ?? 0)
        }

        /// The reward of the best fixed minute from 08:00 to 21:00, over workdays and weekends.
        var best: Double {
            (480..<1260).map { (5 * probability($0, isWeekend: false) + 2 * probability($0, isWeekend: true)) / 7 }
                .max() ?? 0
        }
    }

    /// A kind of people: the properties they share, and the distribution of their times of the day.
    struct Kind: Sendable {
        let name: String
        let peak: Double
        let base: Double
        let width: Double
        var hasSecond = false
        var weekendShift = 0.0

        /// The person with a time of the day and an optional second one.
        func responder(_ centre: Double, _ second: Double?) -> Responder {
            Responder(
                peak: peak, base: base, width: width, centre: centre, second: second,
                weekendShift: centre > 900 ? -weekendShift : weekendShift)
        }

        /// Draws a person.
        func drawn(_ generator: inout SeededGenerator) -> Responder {
            let centre = 500 + 740 * generator.uniform()
            return responder(centre, hasSecond ? 500 + 740 * generator.uniform() : nil)
        }
    }

    static let kinds = [
        Kind(name: "wide peak .6", peak: 0.6, base: 0.1, width: 120),
        Kind(name: "peak .6", peak: 0.6, base: 0.1, width: 90),
        Kind(name: "narrow peak .6", peak: 0.6, base: 0.1, width: 60),
        Kind(name: "seldom, peak .35", peak: 0.35, base: 0.05, width: 90),
        Kind(name: "flat, .7 over .4", peak: 0.7, base: 0.4, width: 90),
        Kind(name: "two peaks", peak: 0.6, base: 0.1, width: 75, hasSecond: true),
        Kind(name: "other weekends", peak: 0.6, base: 0.1, width: 90, weekendShift: 180),
    ]

    /// Plans the notifications of a person with random answers.
    ///
    /// - Returns: The notifications, and the regret of each as a share of the best fixed minute.
    static func planned(
        _ person: Responder, count: Int, by planner: NotificationPlanner, _ generator: inout SeededGenerator
    ) throws -> (past: [NotificationRecord], regrets: [Double]) {
        let rules = NotificationRules(window: try DailyWindow(parsing: "08:00-21:00"))
        let best = person.best
        var (past, regrets): ([NotificationRecord], [Double]) = ([], [])
        var now = try Timestamp(parsing: "2026-01-04T23:59:59Z")
        while past.count < count,
            case .planned(let plan) = planner.next(for: "u", after: now, in: .utc, rules: rules, past: past)
        {
            let p = person.probability(plan.time.minute, isWeekend: plan.day.weekday.isWeekend)
            regrets.append((best - p) / best)
            past.append(
                try NotificationRecord(userID: "u", sent: plan.instant, in: .utc, wasAnswered: generator.uniform() < p))
            now = try Timestamp(microseconds: LocalZone.utc.start(of: plan.day.advanced(by: 1)).microseconds - 1)
        }
        return (past, regrets)
    }

    /// The mean regret of each notification for people of one kind.
    static func regrets(
        _ kind: Kind, count: Int, people: Int, seed: UInt64,
        _ regrets: (Responder, inout SeededGenerator) throws -> [Double]
    ) rethrows -> [Double] {
        var sums = [Double](repeating: 0, count: count)
        for number in 0..<people {
            var generator = SeededGenerator.stream(UInt64(number), of: seed)
            let person = kind.drawn(&generator)
            for (place, regret) in try regrets(person, &generator).enumerated() {
                sums[place] += regret / Double(people)
            }
        }
        return sums
    }

    /// The prior learned from a population of some kinds: people of each kind, with 60 notifications planned without a
    /// prior.
    static func population(_ kinds: [Kind], people: Int) throws -> NotificationPrior {
        let planner = try NotificationPlanner(seed: 5)
        let pasts = try (0..<people).map { number in
            var generator = SeededGenerator.stream(UInt64(number), of: 77)
            let person = kinds[number % kinds.count].drawn(&generator)
            return try planned(person, count: 60, by: planner, &generator).past
        }
        return try NotificationPrior.learned(from: pasts)
    }

    /// Checks every zone on every day of a year. Returns the number of notifications and how many broke a rule.
    static func rules(learned: Bool) throws -> (zones: Int, notifications: Int, broken: Int) {
        let spans = ["08:00-21:00", "00:00-04:00", "22:00-03:30", "01:30-02:45", "06:00-06:00"]
        let quiet = try ["12:00-13:00", "23:00-02:15"].map { text throws(KinError) in try DailyWindow(parsing: text) }
        var (all, broken) = (0, 0)
        let names = ZoneDatabase().names()
        for (number, name) in names.enumerated() {
            let zone = try LocalZone(named: name)
            let rules = NotificationRules(
                window: try DailyWindow(parsing: spans[number % spans.count]), quietHours: quiet,
                dailyBudget: 1 + number % 3)
            let planner = try NotificationPlanner(phase: learned ? .learned : .uniform, seed: UInt64(number))
            var generator = SeededGenerator(seed: UInt64(number))
            var now = try Timestamp(parsing: "2026-01-01T00:00:00Z")
            let end = try Timestamp(parsing: "2027-01-02T00:00:00Z")
            var past: [NotificationRecord] = []
            var counts: [LocalDay: Int] = [:]
            while now < end,
                case .planned(let plan) = planner.next(
                    for: "u", after: now, in: zone, rules: rules, past: past.suffix(60))
            {
                let minute = zone.timeOfDay(at: plan.instant)
                counts[zone.day(at: plan.instant), default: 0] += 1
                let isWrong =
                    plan.instant <= now || !rules.window.contains(minute) || quiet.contains { $0.contains(minute) }
                    || counts[zone.day(at: plan.instant)]! > rules.dailyBudget
                if isWrong { broken += 1 }
                past.append(
                    try NotificationRecord(
                        userID: "u", sent: plan.instant, in: zone, wasAnswered: generator.below(3) == 0))
                now = plan.instant
                all += 1
            }
        }
        return (names.count, all, broken)
    }
}
