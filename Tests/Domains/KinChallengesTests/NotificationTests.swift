import Foundation
import KinChallenges
import KinTestSupport
import Testing

@Suite("Notification times")
struct NotificationTests {
    /// A person who answers around one time of the day.
    struct Responder {
        let peak: Double
        let base: Double
        let width: Double
        let centre: Double
        /// The shift of the peak at the weekend, in minutes; positive is later.
        var weekendShift = 0.0

        func probability(_ minute: Int, isWeekend: Bool) -> Double {
            let centre = centre + (isWeekend ? weekendShift : 0)
            let distance = (Double(minute) - centre) / width
            return base + (peak - base) * exp(-distance * distance / 2)
        }
    }

    /// The regret of each notification, as a share of the reward of the best fixed minute.
    private func regrets(
        _ person: Responder, window: DailyWindow, count: Int, phase: NotificationPlanner.Phase = .learned, seed: UInt64
    ) throws -> [Double] {
        var generator = SeededGenerator(seed: seed &* 7919 &+ 1)
        let rules = NotificationRules(window: window)
        let planner = try NotificationPlanner(phase: phase, seed: seed)
        let minutes = (window.start.minute..<window.end.minute)
        let best = minutes.map { minute in
            (5 * person.probability(minute, isWeekend: false) + 2 * person.probability(minute, isWeekend: true)) / 7
        }.max()!
        var past: [NotificationRecord] = []
        var now = try Timestamp(parsing: "2026-01-05T00:00:00Z")
        var regrets: [Double] = []
        for _ in 0..<count {
            guard case .planned(let plan) = planner.next(for: "u", after: now, in: .utc, rules: rules, past: past)
            else {
                Issue.record("nothing was planned")
                break
            }
            let p = person.probability(plan.time.minute, isWeekend: plan.day.weekday.isWeekend)
            regrets.append((best - p) / best)
            past.append(
                try NotificationRecord(
                    userID: "u", sent: plan.instant, in: .utc, wasAnswered: generator.uniform() < p))
            now = LocalZone.utc.start(of: plan.day.advanced(by: 1))
            now = try Timestamp(microseconds: now.microseconds - 1)
        }
        return regrets
    }

    @Test(
        "most of the regret is gone within 60 notifications",
        arguments: [
            Responder(peak: 0.6, base: 0.1, width: 90, centre: 1110),
            Responder(peak: 0.7, base: 0.1, width: 120, centre: 540),
        ])
    func learns(person: Responder) throws {
        let window = try DailyWindow(parsing: "08:00-21:00")
        var (late, uniform) = (0.0, 0.0)
        let people = 6
        for seed in 1...UInt64(people) {
            late += try regrets(person, window: window, count: 60, seed: seed).suffix(10).reduce(0, +) / 10
            uniform += try regrets(person, window: window, count: 60, phase: .uniform, seed: seed).reduce(0, +) / 60
        }
        print("regret of notifications 51 to 60: \(late / Double(people)), of uniform ones \(uniform / Double(people))")
        #expect(late / Double(people) < 0.2)
        #expect(late < uniform / 3)
    }

    @Test("window, quiet hours and budget hold in every zone and through clock changes")
    func rulesHold() throws {
        let spans = ["08:00-21:00", "00:00-04:00", "22:00-03:30", "01:30-02:45", "06:00-06:00"]
        let quiet = ["12:00-13:00", "23:00-02:15"]
        for (number, name) in PinnedZones.references.map(\.name).enumerated() where number % 2 == 0 {
            let zone = try PinnedZones.zone(name)
            let rules = NotificationRules(
                window: try DailyWindow(parsing: spans[number / 2 % spans.count]),
                quietHours: try quiet.map { text throws(KinError) in try DailyWindow(parsing: text) },
                dailyBudget: 1 + number % 2)
            let planner = try NotificationPlanner(phase: .uniform, seed: UInt64(number))
            try check(rules, planner, zone, days: 366, name: name)
        }
    }

    private func check(
        _ rules: NotificationRules, _ planner: NotificationPlanner, _ zone: LocalZone, days: Int, name: String
    ) throws {
        var now = try Timestamp(parsing: "2026-01-01T00:00:00Z")
        let end = try now.adding(days: days)
        var past: [NotificationRecord] = []
        while now < end {
            guard
                case .planned(let plan) = planner.next(
                    for: "u", after: now, in: zone, rules: rules, past: past.suffix(8))
            else { break }
            #expect(plan.instant > now)
            #expect(rules.window.contains(zone.timeOfDay(at: plan.instant)), "\(name) \(plan.instant)")
            #expect(
                !rules.quietHours.contains { $0.contains(zone.timeOfDay(at: plan.instant)) }, "\(name) \(plan.instant)")
            let pause = past.last.map { plan.instant.days(since: $0.sent) } ?? 1
            #expect(pause >= 1.0 / 24, "\(name) \(plan.instant)")
            past.append(try NotificationRecord(userID: "u", sent: plan.instant, in: zone))
            now = plan.instant
        }
        var counts: [LocalDay: Int] = [:]
        for record in past { counts[zone.day(at: record.sent), default: 0] += 1 }
        #expect(counts.values.allSatisfy { $0 <= rules.dailyBudget }, "\(name)")
        #expect(past.count >= days - 4, "\(name): \(past.count)")
    }

    @Test("a refusal gives its reason")
    func refusals() throws {
        let planner = try NotificationPlanner(seed: 1)
        let now = try Timestamp(parsing: "2026-01-01T00:00:00Z")
        func outcome(_ rules: NotificationRules) -> NotificationPlanner.Outcome {
            planner.next(for: "u", after: now, in: .utc, rules: rules, past: [])
        }
        let window = try DailyWindow(parsing: "08:00-09:00")
        #expect(outcome(NotificationRules(window: window, dailyBudget: 0)) == .refused(.unwanted))
        #expect(outcome(NotificationRules(window: window, quietHours: [window])) == .refused(.noMinute))
        let muted = try ChallengePreferences(userID: "u", wantsNotifications: false)
        #expect(outcome(NotificationRules(muted)) == .refused(.unwanted))
        #expect(throws: KinError.self) { try NotificationPlanner(halfLifeDays: 0, seed: 1) }
        let past = try (1...8).map { day in
            try NotificationRecord(userID: "u", sent: Timestamp(parsing: "2026-01-0\(day)T08:30:00Z"), in: .utc)
        }
        func next(_ past: [NotificationRecord]) -> NotificationPlanner.Outcome {
            planner.next(for: "u", after: now, in: .utc, rules: NotificationRules(window: window), past: past)
        }
        #expect(next(past) == .refused(.nothingLeft(days: 8)))
        guard case .planned(let plan) = next(past.dropLast()) else { throw KinError(.unknownID, "nothing was planned") }
        #expect(plan.day == LocalZone.utc.day(at: past[7].sent))
    }

    @Test("people without history are spread over the window", arguments: NotificationPlanner.Phase.allCases)
    func spread(phase: NotificationPlanner.Phase) throws {
        let rules = NotificationRules(window: try DailyWindow(parsing: "08:00-20:00"))
        let planner = try NotificationPlanner(phase: phase, seed: 1)
        let now = try Timestamp(parsing: "2026-01-05T00:00:00Z")
        var counts = [Int](repeating: 0, count: 12)
        var minutes: Set<Int> = []
        let people = 600
        for number in 0..<people {
            let user = "u\(number)"
            guard case .planned(let plan) = planner.next(for: user, after: now, in: .utc, rules: rules, past: []) else {
                Issue.record("nothing was planned")
                return
            }
            #expect(planner.next(for: user, after: now, in: .utc, rules: rules, past: []) == .planned(plan))
            counts[plan.time.minute / 60 - 8] += 1
            minutes.insert(plan.time.minute)
        }
        #expect(minutes.count > 300, "\(minutes.count) minutes")
        // χ² with 11 degrees of freedom: 31.3 at 0.001.
        let expected = Double(people) / 12
        let squares = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(squares < 31.3, "\(counts)")
        // On a different day the minute usually differs.
        let later = try Timestamp(parsing: "2026-01-06T00:00:00Z")
        let moved = (0..<50).count { number in
            let plans = [now, later].map {
                planner.next(for: "u\(number)", after: $0, in: .utc, rules: rules, past: [])
            }
            guard case (.planned(let a), .planned(let b)) = (plans[0], plans[1]) else { return false }
            return a.time != b.time
        }
        #expect(moved > 40, "\(moved) of 50")
    }
}
