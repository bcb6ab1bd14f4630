import Foundation
import KinChallenges
import KinCore

/// Notification times: regret with people whose responsiveness is known, and rules in every zone through a year.
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
    }

    /// The mean regret of notifications 1…10, 11…20 and so on.
    static func regrets(
        _ kind: (SeededGenerator) -> Responder, count: Int, people: Int, exploration: Double, uniform: Bool
    ) throws -> [Double] {
        let window = try DailyWindow(parsing: "08:00-21:00")
        var sums = [Double](repeating: 0, count: count / 10)
        for number in 0..<people {
            var generator = SeededGenerator.stream(UInt64(number), of: 11)
            let person = kind(generator)
            _ = generator.next()
            let rules = NotificationRules(window: window)
            let planner = try NotificationPlanner(
                phase: uniform ? .uniform : .learned, exploration: exploration, seed: UInt64(number))
            let best = (480..<1260).map { minute in
                (5 * person.probability(minute, isWeekend: false) + 2 * person.probability(minute, isWeekend: true)) / 7
            }.max()!
            var past: [NotificationRecord] = []
            var now = try Timestamp(parsing: "2026-01-04T23:59:59Z")
            for place in 0..<count {
                guard case .planned(let plan) = planner.next(for: "u", after: now, in: .utc, rules: rules, past: past)
                else {
                    break
                }
                let p = person.probability(plan.time.minute, isWeekend: plan.day.weekday.isWeekend)
                if place / 10 < sums.count { sums[place / 10] += (best - p) / best }
                past.append(
                    try NotificationRecord(
                        userID: "u", sent: plan.instant, in: .utc, wasAnswered: generator.uniform() < p))
                now = try Timestamp(microseconds: LocalZone.utc.start(of: plan.day.advanced(by: 1)).microseconds - 1)
            }
        }
        return sums.map { $0 / Double(people * 10) }
    }

    static let kinds: [(name: String, make: @Sendable (SeededGenerator) -> Responder)] = [
        ("wide peak .6", { responder($0, 0.6, 0.1, 120) }), ("peak .6", { responder($0, 0.6, 0.1, 90) }),
        ("narrow peak .6", { responder($0, 0.6, 0.1, 60) }), ("seldom, peak .35", { responder($0, 0.35, 0.05, 90) }),
        ("flat, .7 over .4", { responder($0, 0.7, 0.4, 90) }),
        ("two peaks", { responder($0, 0.6, 0.1, 75, two: true) }),
        ("other weekends", { responder($0, 0.6, 0.1, 90, shift: 180) }),
    ]

    private static func responder(
        _ generator: SeededGenerator, _ peak: Double, _ base: Double, _ width: Double, two: Bool = false,
        shift: Double = 0
    ) -> Responder {
        var generator = generator
        let centre = 500 + 740 * generator.uniform()
        let second = two ? 500 + 740 * generator.uniform() : nil
        return Responder(
            peak: peak, base: base, width: width, centre: centre, second: second,
            weekendShift: centre > 900 ? -shift : shift)
    }

    /// Every zone, every day of a year: how many notifications there were, and how many broke a rule.
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
