import HeapModule

/// The contributions that each person receives under a daily limit: those with the highest affinity.
package struct DeliveryPlan {
    /// A person's contributions: those with the highest scores, the oldest among equal scores.
    private struct Picked {
        /// A contribution; it compares greater than those with lower scores, and than later ones with the same score.
        struct Candidate: Comparable {
            let contribution: String
            let score: Double
            let number: Int

            static func < (a: Candidate, b: Candidate) -> Bool { (a.score, b.number) < (b.score, a.number) }
        }

        let room: Int
        private var candidates = Heap<Candidate>()
        private var count = 0

        init(room: Int) { self.room = room }

        func has(_ contribution: String) -> Bool { candidates.unordered.contains { $0.contribution == contribution } }

        mutating func offer(_ contribution: String, _ score: Double) {
            guard candidates.count < room || score > candidates.min?.score ?? .infinity else { return }
            if candidates.count == room { _ = candidates.popMin() }
            candidates.insert(Candidate(contribution: contribution, score: score, number: count))
            count += 1
        }
    }

    private var picked: [String: Picked] = [:]

    package init() {}

    /// Offers a contribution to a person.
    ///
    /// - Parameter room: The number of contributions that the person may get; evaluated for a person's first offer.
    package mutating func offer(
        _ contribution: String, _ score: Double, to user: String, room: @autoclosure () throws -> Int
    ) rethrows {
        if picked[user] == nil { picked[user] = Picked(room: try room()) }
        picked[user]?.offer(contribution, score)
    }

    /// Whether a person gets a contribution.
    package func has(_ contribution: String, for user: String) -> Bool { picked[user]?.has(contribution) ?? false }
}
