import HeapModule

/// The contributions that each person receives if their number a day is limited: those of the highest affinity.
package struct DeliveryPlan {
    /// The contributions of a person: those of the highest scores, of equal scores the oldest.
    private struct Picked {
        /// A contribution, greater than those of lower scores and the later ones of its own.
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
