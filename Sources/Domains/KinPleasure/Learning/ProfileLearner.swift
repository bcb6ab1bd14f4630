public import KinCore
import KinLibC

/// Learns a person's taste from the sessions they live, and remembers what it was at any time.
///
/// The taste after n sessions with points xᵢ at times tᵢ is their mean, recent ones counting more, with the starting profile as if it
/// were a few sessions at its own time:
///
///     p = (n₀ w(t₀) p₀ + Σ w(tᵢ) xᵢ) ∕ (n₀ w(t₀) + Σ w(tᵢ)),    w(t) = 2^(t ∕ half-life)
///
/// It is a weighted mean of points of the space, so that it never leaves 0…1; it changes when a session is lived and at no other
/// time. The result does not depend on the order in which sessions are told.
///
///     var learner = try ProfileLearner(start: profile.pleasure, since: firstDay)
///     try learner.learn(session)
///     learner.profile(at: lastSummer)
public struct ProfileLearner: Sendable {
    /// How a profile moves.
    public struct Parameters: Sendable, Hashable {
        /// After so many days a session counts half.
        public var halfLifeDays: Double
        /// How many sessions the starting profile counts as.
        public var startWeight: Double

        /// A half-life of ninety days, a season, and a start that counts as five sessions.
        public init(halfLifeDays: Double = 90, startWeight: Double = 5) {
            self.halfLifeDays = halfLifeDays
            self.startWeight = startWeight
        }
    }

    /// The taste from an instant on.
    public struct Version: Sendable, Hashable {
        /// From when on it holds.
        public let since: Timestamp
        /// The taste.
        public let pleasure: Pleasure
        /// How many sessions it was learned from.
        public let sessionCount: Int
    }

    /// How the profile moves.
    public let parameters: Parameters
    private let start: Pleasure
    private let startTime: Timestamp
    private var steps: [Step] = []
    /// When each session was learned from.
    private var times: [String: Timestamp] = [:]

    /// The sums after a session, both divided by w of its time so that they stay small.
    private struct Step: Sendable {
        let time: Timestamp
        /// Which session it was.
        let session: String
        let point: SIMD16<Double>
        var sum: SIMD16<Double>
        var weight: Double
    }

    /// A learner that knows a starting profile.
    ///
    /// - Parameters:
    ///   - start: What is believed before any session.
    ///   - since: From when on; sessions that ended before count less than the start.
    ///   - parameters: How fast what was learned fades, and how much the start counts.
    /// - Throws: `.invalidArgument` unless the half-life is positive and the weight of the start is not negative, both finite.
    public init(start: Pleasure, since: Timestamp, parameters: Parameters = Parameters()) throws(KinError) {
        guard parameters.halfLifeDays > 0, parameters.halfLifeDays.isFinite else {
            throw KinError(
                .invalidArgument, "the half-life must be a positive number of days, not \(parameters.halfLifeDays)")
        }
        guard parameters.startWeight >= 0, parameters.startWeight.isFinite else {
            throw KinError(.invalidArgument, "the start counts as 0 sessions or more, not \(parameters.startWeight)")
        }
        self.parameters = parameters
        self.start = start
        startTime = since
    }

    /// How many sessions were learned from.
    public var sessionCount: Int { steps.count }

    /// Learns from a session; from the moment of its end on, or of its beginning while it lasts. One that was told already is
    /// taken in its new form.
    ///
    /// - Complexity: O(1) for the latest session, O(n) for an earlier one.
    public mutating func learn(_ session: PleasureSession) {
        forget(session: session.id)
        let time = session.end ?? session.start
        let position = steps.partition { ($0.time, $0.session) < (time, session.id) }
        let point = SIMD16<Double>(session.embedding.coordinates)
        steps.insert(Step(time: time, session: session.id, point: point, sum: .zero, weight: 0), at: position)
        times[session.id] = time
        recompute(from: position)
    }

    /// Unlearns a session.
    ///
    /// - Returns: Whether it had been told.
    @discardableResult
    public mutating func forget(session id: String) -> Bool {
        guard let time = times.removeValue(forKey: id) else { return false }
        let position = steps.partition { ($0.time, $0.session) < (time, id) }
        steps.remove(at: position)
        recompute(from: position)
        return true
    }

    /// Recomputes the sums from a place on.
    private mutating func recompute(from position: Int) {
        for i in position..<steps.count {
            let before = i > 0 ? (steps[i - 1].time, steps[i - 1].sum, steps[i - 1].weight) : startSums
            let days = Double(steps[i].time.microseconds - before.0.microseconds) / 86_400e6
            // Beyond some 10,000 half-lives the powers would overflow, and count for nothing anyway.
            let decay = exp2(min(max(-days / parameters.halfLifeDays, -1000), 1000))
            steps[i].sum = before.1 * decay + steps[i].point
            steps[i].weight = before.2 * decay + 1
        }
    }

    private var startSums: (Timestamp, SIMD16<Double>, Double) {
        (startTime, SIMD16<Double>(start.coordinates) * parameters.startWeight, parameters.startWeight)
    }

    /// The taste as it was at an instant; the present one when it is nil.
    ///
    /// - Complexity: O(log n).
    public func profile(at instant: Timestamp? = nil) -> Pleasure {
        version(before: instant.map { instant in steps.partition { $0.time <= instant } } ?? steps.count).pleasure
    }

    /// All tastes there have been, the oldest first; of several that began at one instant, the last.
    public var history: [Version] {
        var versions = [version(before: 0)]
        for n in 1...max(1, steps.count) where n <= steps.count {
            if n < steps.count, steps[n].time == steps[n - 1].time { continue }
            versions.append(version(before: n))
        }
        return versions
    }

    private func version(before count: Int) -> Version {
        guard count > 0 else { return Version(since: startTime, pleasure: start, sessionCount: 0) }
        let step = steps[count - 1]
        let mean = step.sum / step.weight
        return Version(
            since: step.time, pleasure: Pleasure(clamping: SIMD16<Float>(mean)), sessionCount: count)
    }
}
