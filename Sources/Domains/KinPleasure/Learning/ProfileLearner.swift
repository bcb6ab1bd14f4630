public import KinCore

/// A learner of a person's taste from their sessions, with the taste at any past instant.
///
/// The taste in a dimension after sessions with intensities xᵢ at times tᵢ is their exponentially weighted mean. The
/// starting profile counts as n₀ sessions at its own time:
///
///     p = (n₀ w(t₀) p₀ + Σ w(tᵢ) xᵢ) ∕ (n₀ w(t₀) + Σ w(tᵢ)),    w(t) = 2^(t ∕ half-life)
///
/// The sums are over the sessions that name the dimension (``PleasureMarks/named``): a dimension that a session does
/// not mention is unknown and teaches nothing. A dimension that neither the start nor a session names is 0.
///
/// As a weighted mean the taste stays in 0…1. It changes only at sessions, and does not depend on their order of
/// addition.
///
///     var learner = try ProfileLearner(start: profile.pleasure, since: firstDay)
///     try learner.learn(session)
///     learner.profile(at: lastSummer)
public struct ProfileLearner: Sendable {
    /// The parameters of a learner.
    public struct Parameters: Sendable, Hashable {
        /// The half-life of a session's weight in days, above 0.
        public var halfLifeDays: Double
        /// The weight of the starting profile, in sessions, at least 0.
        public var startWeight: Double

        /// Creates parameters from the half-life (default: 90 days) and the weight of the start (default: 5 sessions).
        public init(halfLifeDays: Double = 90, startWeight: Double = 5) {
            self.halfLifeDays = halfLifeDays
            self.startWeight = startWeight
        }
    }

    /// The taste that holds from an instant on.
    public struct Version: Sendable, Hashable {
        /// The first instant of the version.
        public let since: Timestamp
        /// The mean point at that time.
        public let pleasure: Pleasure
        /// The number of sessions behind it.
        public let sessionCount: Int
    }

    /// The parameters of the learner.
    public let parameters: Parameters
    private let start: Pleasure
    private let startTime: Timestamp
    private var steps: [Step] = []
    /// When each session counts, by session id.
    private var times: [String: Timestamp] = [:]

    /// A session, and the cumulated sums after it.
    private struct Step: Sendable {
        let time: Timestamp
        /// The id of the session.
        let session: String
        let point: Pleasure
        let named: SIMD16<Double>
        var sums: TasteSums
    }

    /// Creates a learner with a starting profile.
    ///
    /// - Parameters:
    ///   - start: The profile before any session.
    ///   - since: The instant of the starting profile; sessions before it have less weight than the start.
    ///   - parameters: The half-life and the weight of the start.
    /// - Throws: `.invalidArgument` unless the half-life is positive, the weight of the start is at least 0, and both
    ///   are finite.
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

    /// The number of sessions learned.
    public var sessionCount: Int { steps.count }

    /// Adds a session at the instant of its end, or of its start while it lasts; replaces an earlier version of the
    /// same session.
    ///
    /// - Complexity: O(1) for the latest session, O(n) for an earlier one.
    public mutating func learn(_ session: PleasureSession) {
        forget(session: session.id)
        let time = session.end ?? session.start
        let position = steps.partition { ($0.time, $0.session) < (time, session.id) }
        let step = Step(
            time: time, session: session.id, point: session.embedding, named: session.pleasure.namedWeights,
            sums: startSums)
        steps.insert(step, at: position)
        times[session.id] = time
        recompute(from: position)
    }

    /// Removes a session and its influence.
    ///
    /// - Returns: Whether the session was there.
    @discardableResult
    public mutating func forget(session id: String) -> Bool {
        guard let time = times.removeValue(forKey: id) else { return false }
        let position = steps.partition { ($0.time, $0.session) < (time, id) }
        steps.remove(at: position)
        recompute(from: position)
        return true
    }

    /// Recomputes the sums from a position to the end.
    private mutating func recompute(from position: Int) {
        var sums = position > 0 ? steps[position - 1].sums : startSums
        for i in position..<steps.count {
            sums.add(
                steps[i].point, named: steps[i].named, at: steps[i].time, halfLifeDays: parameters.halfLifeDays)
            steps[i].sums = sums
        }
    }

    private var startSums: TasteSums { TasteSums(start: start, at: startTime, weight: parameters.startWeight) }

    /// The taste at an instant; nil for the latest one.
    ///
    /// - Complexity: O(log n).
    public func profile(at instant: Timestamp? = nil) -> Pleasure {
        version(before: instant.map { instant in steps.partition { $0.time <= instant } } ?? steps.count).pleasure
    }

    /// All versions of the taste, oldest first; the last of several at one instant.
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
        return Version(since: step.time, pleasure: step.sums.mean, sessionCount: count)
    }
}
