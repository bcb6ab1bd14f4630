import KinLibC

/// A planner of notification times that learns from a person's answers.
///
/// The value of a minute is the estimated probability of an answer plus 1.3 to 0.5 standard deviations (Auer 2002,
/// "Using confidence bounds for exploitation-exploration trade-offs"). The model of the probability is `ResponseCurve`.
/// Older answers have less weight.
public struct NotificationPlanner: Sendable, Hashable {
    /// A rule that chooses the minute.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// A uniform choice among all allowed minutes.
        case uniform
        /// The minute with the best value by past answers.
        case learned
    }

    /// The rule that chooses the minute.
    public var phase: Phase
    /// The half-life of answers, in days.
    public private(set) var halfLifeDays: Double
    /// The prior knowledge, from a population, about when people answer.
    public var prior: NotificationPrior
    /// The seed: the same seed, person and past give the same minutes.
    public var seed: UInt64

    /// Creates a planner of notifications.
    ///
    /// - Parameters:
    ///   - phase: The rule that chooses the minute.
    ///   - halfLifeDays: The half-life of answers in days, above 0.
    ///   - prior: The prior knowledge, from a population, about when people answer.
    ///   - seed: The seed of all draws.
    /// - Throws: `.invalidArgument` for a half-life that is not above 0.
    public init(
        phase: Phase = .learned, halfLifeDays: Double = 120, prior: NotificationPrior = .uniform, seed: UInt64
    ) throws(KinError) {
        guard halfLifeDays > 0 else { throw KinError(.invalidArgument, "the half-life must be above 0") }
        self.phase = phase
        self.halfLifeDays = halfLifeDays
        self.prior = prior
        self.seed = seed
    }

    /// A planned notification, with its estimate.
    public struct Plan: Sendable, Hashable {
        /// The instant of the notification.
        public let instant: Timestamp
        /// The time of day in the person's zone.
        public let time: TimeOfDay
        /// The date in the person's zone.
        public let day: LocalDay
        /// The estimated probability of an answer, 0…1; nil for a uniform choice.
        public let answerProbability: Double?
    }

    /// A reason for no notification.
    public enum Refusal: Sendable, Hashable {
        /// The person wants no notifications.
        case unwanted
        /// No minute is in the window and outside the quiet hours.
        case noMinute
        /// The budgets of the next days are used up, or they have no minutes left.
        case nothingLeft(days: Int)
    }

    /// A planned notification, or the reason why none is planned.
    public enum Outcome: Sendable, Hashable {
        /// A notification is planned.
        case planned(Plan)
        /// No notification is planned, for a reason.
        case refused(Refusal)
    }

    /// Plans the next notification, at least an hour from all others, for today or the first day that has room for one.
    ///
    /// - Parameters:
    ///   - user: The id of the person, combined with the seed so that people are spread over the window.
    ///   - now: The present instant; the notification comes later.
    ///   - zone: The time zone of the person.
    ///   - rules: The allowed times and the daily budget.
    ///   - past: The sent and planned notifications of the person; the latest 400 count.
    /// - Complexity: A few milliseconds, regardless of the past.
    public func next(
        for user: String, after now: Timestamp, in zone: LocalZone, rules: NotificationRules, past: [NotificationRecord]
    ) -> Outcome {
        guard rules.dailyBudget > 0 else { return .refused(.unwanted) }
        guard (0..<TimeOfDay.minutesPerDay).contains(where: { rules.allows(TimeOfDay(minute: $0)) }) else {
            return .refused(.noMinute)
        }
        let today = zone.day(at: now)
        let days = 8
        for step in 0..<days {
            let day = today.advanced(by: step)
            var places = places(of: day, after: now, in: zone, rules: rules, past: past)
            if rules.window.end <= rules.window.start {
                // A window over midnight continues in the morning of the next day, under that day's budget.
                let morning = self.places(of: day.advanced(by: 1), after: now, in: zone, rules: rules, past: past)
                places += morning.filter { $0.time < rules.window.end }
            }
            guard !places.isEmpty else { continue }
            return .planned(choose(for: user, among: places, day: day, now: now, past: past, in: zone))
        }
        return .refused(.nothingLeft(days: days))
    }

    /// The least time between two notifications, in days: an hour. A person who left one unanswered is probably still
    /// busy a few minutes later.
    private static let leastPause = 1.0 / 24

    /// The allowed minutes of a day that has room for a notification, each at least an hour from all others, also from
    /// those of the days before and after.
    private func places(
        of day: LocalDay, after now: Timestamp, in zone: LocalZone, rules: NotificationRules, past: [NotificationRecord]
    ) -> [(time: TimeOfDay, instant: Timestamp)] {
        guard past.count(where: { zone.day(at: $0.sent) == day }) < rules.dailyBudget else { return [] }
        let places = rules.instants(of: day, in: zone).filter { $0.instant > now }
        guard let first = places.first?.instant, let last = places.last?.instant else { return [] }
        let near = past.map(\.sent).filter {
            $0.days(since: first) > -Self.leastPause && last.days(since: $0) > -Self.leastPause
        }
        return places.filter { place in near.allSatisfy { abs(place.instant.days(since: $0)) >= Self.leastPause } }
    }

    /// The largest number of a person's latest notifications that count.
    static let longestPast = 400

    /// The number of standard deviations in a value after a weight of answers: 1.3 at first, down to 0.5 from 50
    /// answers.
    private static func exploration(after answers: Double) -> Double { 0.5 + 0.8 * max(0, 1 - answers / 50) }

    private func choose(
        for user: String, among places: [(time: TimeOfDay, instant: Timestamp)], day: LocalDay, now: Timestamp,
        past: [NotificationRecord], in zone: LocalZone
    ) -> Plan {
        func plan(_ place: (time: TimeOfDay, instant: Timestamp), _ probability: Double?) -> Plan {
            let date = zone.day(at: place.instant)
            return Plan(instant: place.instant, time: place.time, day: date, answerProbability: probability)
        }
        var hash = ContentHash()
        hash.mix(user)
        let stream = UInt64(bitPattern: Int64(day.number)) &* 64 &+ UInt64(past.count)
        var generator = SeededGenerator.stream(stream, of: seed ^ hash.value)
        if phase == .uniform {
            return plan(places[generator.below(places.count)], nil)
        }
        let answers = past.suffix(Self.longestPast).compactMap { record in
            let days = max(0, now.days(since: record.sent))
            return ResponseCurve.Answer(record, weight: pow(0.5, days / halfLifeDays))
        }
        let curve = ResponseCurve(minutes: places.map { $0.time.minute }, prior: prior)
        guard !answers.isEmpty else {
            // Without answers only the population's best times distinguish minutes; each person gets a different
            // minute.
            let place = places[generator.index(weights: places.map { prior.centreWeight($0.time.minute / 30) })]
            let estimate = curve.estimates(at: [place.time.minute], isWeekend: day.weekday.isWeekend, after: [])[0]
            return plan(place, estimate.mean)
        }
        let candidates = Self.drawOnePerQuarter(of: places, &generator)
        let minutes = candidates.map { places[$0].time.minute }
        let estimates = curve.estimates(at: minutes, isWeekend: day.weekday.isWeekend, after: answers)
        let width = Self.exploration(after: answers.reduce(0) { $0 + $1.weight })
        var (best, bestValue) = (0, -Double.infinity)
        for (number, estimate) in estimates.enumerated() {
            // Ties are broken at random.
            let value = estimate.mean + width * estimate.deviation + 1e-4 * generator.uniform()
            if value > bestValue { (best, bestValue) = (number, value) }
        }
        return plan(places[candidates[best]], estimates[best].mean)
    }

    /// Draws one minute of each quarter of an hour, as an index of `places`.
    private static func drawOnePerQuarter(
        of places: [(time: TimeOfDay, instant: Timestamp)], _ generator: inout SeededGenerator
    ) -> [Int] {
        let quarters = Dictionary(grouping: places.indices) { places[$0].time.minute / 15 }
        return quarters.sorted { $0.key < $1.key }.map { $0.value[generator.below($0.value.count)] }
    }
}
