public import KinCore
import KinLibC

/// A planner of notification times that learns from a person's answers.
///
/// The value of a minute is the estimated probability of an answer plus ``exploration`` standard deviations (Auer 2002, "Using confidence
/// bounds for exploitation-exploration trade-offs"). ``ResponseCurve`` is the model of the probability. Answers are discounted by age.
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
    /// The number of standard deviations in a minute's value, 0 or more.
    public var exploration: Double
    /// The half-life of answers, in days.
    public var halfLifeDays: Double
    /// The prior weights of the 24 hours to contain the best minute, above 0, in any unit.
    public private(set) var hourWeights: [Double]
    /// The seed: the same seed, person and past give the same minutes.
    public var seed: UInt64

    /// Creates a planner of notifications.
    ///
    /// - Parameters:
    ///   - phase: The rule that chooses the minute.
    ///   - exploration: The number of standard deviations in a minute's value, 0 or more.
    ///   - halfLifeDays: The half-life of answers in days, above 0.
    ///   - hourWeights: 24 numbers above 0, such as the hours' shares of all people's answers; nil for equal ones.
    ///   - seed: The seed of all draws.
    /// - Throws: `.invalidArgument` for other weights, a negative exploration or a half-life that is not above 0.
    public init(
        phase: Phase = .learned, exploration: Double = 1, halfLifeDays: Double = 120, hourWeights: [Double]? = nil,
        seed: UInt64
    ) throws(KinError) {
        let weights = hourWeights ?? [Double](repeating: 1, count: 24)
        guard weights.count == 24, weights.allSatisfy({ $0 > 0 && $0.isFinite }) else {
            throw KinError(.invalidArgument, "there are 24 hour weights, all above 0")
        }
        guard exploration >= 0, exploration.isFinite, halfLifeDays > 0 else {
            throw KinError(.invalidArgument, "exploration is 0 or more, and the half-life above 0")
        }
        self.phase = phase
        self.exploration = exploration
        self.halfLifeDays = halfLifeDays
        self.hourWeights = weights
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
        /// No minute lies in the window and outside the quiet hours.
        case noMinute
        /// The budgets or the remaining minutes of the next days are used up.
        case nothingLeft(days: Int)
    }

    /// A planned notification, or the reason for none.
    public enum Outcome: Sendable, Hashable {
        case planned(Plan)
        case refused(Refusal)
    }

    /// Plans the next notification, today or on the first day with room for one.
    ///
    /// - Parameters:
    ///   - user: The id of the person, which is combined with the seed, so that people are spread over the window.
    ///   - now: The instant after which the notification comes.
    ///   - zone: The time zone of the person.
    ///   - rules: The allowed times and the daily budget.
    ///   - past: The sent and planned notifications of the person; the latest 400 count.
    /// - Complexity: A few milliseconds, whatever the past.
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
            guard past.count(where: { zone.day(at: $0.sent) == day }) < rules.dailyBudget else { continue }
            let taken = past.filter { zone.day(at: $0.sent) == day }.map(\.time)
            // Two of one day come at least an hour apart, where the day has room for that.
            let all = rules.instants(of: day, in: zone).filter { $0.instant > now }
            let apart = all.filter { place in taken.allSatisfy { abs($0.minute - place.time.minute) >= 60 } }
            let places = apart.isEmpty ? all.filter { !taken.contains($0.time) } : apart
            guard !places.isEmpty else { continue }
            return .planned(choose(for: user, among: places, day: day, now: now, past: past))
        }
        return .refused(.nothingLeft(days: days))
    }

    /// The factor of the exploration after a weight of answers: from 1.3 at first down to 0.5 from 50 answers on.
    private static func explorationFactor(after answers: Double) -> Double { 0.5 + 0.8 * max(0, 1 - answers / 50) }

    private func choose(
        for user: String, among places: [(time: TimeOfDay, instant: Timestamp)], day: LocalDay, now: Timestamp,
        past: [NotificationRecord]
    ) -> Plan {
        var hash = ContentHash()
        hash.mix(user)
        let stream = UInt64(bitPattern: Int64(day.number)) &* 64 &+ UInt64(past.count)
        var generator = SeededGenerator.stream(stream, of: seed ^ hash.value)
        if phase == .uniform {
            let (time, instant) = places[generator.below(places.count)]
            return Plan(instant: instant, time: time, day: day, answerProbability: nil)
        }
        let answers = past.suffix(400).compactMap { record in
            record.wasAnswered.map { wasAnswered in
                let days = max(0, Double(now.microseconds - record.sent.microseconds) / 86_400e6)
                return ResponseCurve.Answer(
                    minute: record.time.minute, isWeekend: record.weekday.isWeekend, wasAnswered: wasAnswered,
                    weight: pow(0.5, days / halfLifeDays))
            }
        }
        let curve = ResponseCurve(minutes: places.map(\.time.minute), weights: hourWeights)
        guard !answers.isEmpty else {
            // Nothing tells minutes apart but everybody's hours: each person gets a minute of their own.
            let place = places[draw(among: places.map { hourWeights[$0.time.minute / 60] }, &generator)]
            let estimate = curve.estimates(at: [place.time.minute], isWeekend: day.weekday.isWeekend, after: [])[0]
            return Plan(instant: place.instant, time: place.time, day: day, answerProbability: estimate.mean)
        }
        // One minute of each quarter of an hour stands for it; which one, is drawn.
        var quarters: [Int: [Int]] = [:]
        for (place, candidate) in places.enumerated() {
            quarters[candidate.time.minute / 15, default: []].append(place)
        }
        let candidates = quarters.sorted { $0.key < $1.key }.map { $0.value[generator.below($0.value.count)] }
        let minutes = candidates.map { places[$0].time.minute }
        let estimates = curve.estimates(at: minutes, isWeekend: day.weekday.isWeekend, after: answers)
        var best = 0
        var bestValue = -Double.infinity
        let width = exploration * Self.explorationFactor(after: answers.reduce(0) { $0 + $1.weight })
        for (place, estimate) in estimates.enumerated() {
            // Ties are broken by lot.
            let value = estimate.mean + width * estimate.deviation + 1e-4 * generator.uniform()
            if value > bestValue { (best, bestValue) = (place, value) }
        }
        let place = places[candidates[best]]
        return Plan(
            instant: place.instant, time: place.time, day: day, answerProbability: estimates[best].mean)
    }

    /// Draws an index with probability in proportion to its weight.
    private func draw(among weights: [Double], _ generator: inout SeededGenerator) -> Int {
        var rest = generator.uniform() * weights.reduce(0, +)
        for (place, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return place }
        }
        return weights.count - 1
    }
}
