/// How a person's sessions usually go from state to state.
public struct StatePaths: Sendable, Hashable {
    /// The path that was gone most often, of equally frequent ones the shortest, then that whose states come first; empty
    /// when there is no session.
    public let usual: [SessionState]
    /// How many sessions went it.
    public let usualCount: Int
    /// How many sessions there are.
    public let n: Int
    /// How often each state was followed by each other one.
    public let steps: [Step]

    /// A step between two states.
    public struct Step: Sendable, Hashable {
        /// The state before.
        public let from: SessionState
        /// The state after.
        public let to: SessionState
        /// How often it was taken.
        public let count: Int
        /// How often, of all steps from the state before.
        public let share: Double
    }

    /// The paths of sessions.
    public init(_ histories: some Sequence<[SessionState]>) {
        var paths: [[SessionState]: Int] = [:]
        var counts: [SessionState: [SessionState: Int]] = [:]
        var n = 0
        for history in histories {
            n += 1
            paths[history, default: 0] += 1
            for (from, to) in zip(history, history.dropFirst()) { counts[from, default: [:]][to, default: 0] += 1 }
        }
        let best = paths.min { a, b in
            if a.value != b.value { return a.value > b.value }
            if a.key.count != b.key.count { return a.key.count < b.key.count }
            return a.key.lexicographicallyPrecedes(b.key) { $0.rawValue < $1.rawValue }
        }
        usual = best?.key ?? []
        usualCount = best?.value ?? 0
        self.n = n
        steps = SessionState.allCases.flatMap { from in
            let followers = counts[from] ?? [:]
            let all = followers.values.reduce(0, +)
            return SessionState.allCases.compactMap { to in
                followers[to].map { Step(from: from, to: to, count: $0, share: Double($0) / Double(all)) }
            }
        }
    }
}
