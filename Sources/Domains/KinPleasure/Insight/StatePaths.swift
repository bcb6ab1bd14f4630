/// The most frequent sequence of states in a person's sessions, and the transition counts.
public struct StatePaths: Sendable, Hashable {
    /// The most frequent sequence of states, ties by the shortest, then by the order of states; empty without sessions.
    public let usual: [SessionState]
    /// The number of sessions with that sequence.
    public let usualCount: Int
    /// The number of sessions counted.
    public let n: Int
    /// The observed transitions, by their first state, then by their second.
    public let steps: [Step]

    /// A transition between two states.
    public struct Step: Sendable, Hashable {
        /// The state before the transition.
        public let from: SessionState
        /// The state after the transition.
        public let to: SessionState
        /// The number of times it was observed.
        public let count: Int
        /// Its share of all transitions from the same state, 0…1.
        public let share: Double
    }

    /// Counts the sequences and transitions of state histories.
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
