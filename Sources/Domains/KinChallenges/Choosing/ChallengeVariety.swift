/// The variety of a person's challenges: how often a choice must leave the categories given last.
///
/// A share ``value`` of all choices avoids the last two categories given or queued. At most one choice in six avoids
/// the last four instead, so that a month of choices has at least five categories if the limits allow five. The
/// remaining choices avoid the categories in the queue only.
struct ChallengeVariety: Sendable, Hashable {
    /// The share of choices that avoid categories, 0…1.
    let value: Double
    /// The origin of the share, in words.
    let origin: String

    /// The share of choices that avoid four categories, and the least learned variety.
    private static let discovery = 1.0 / 6
    /// The number of last assignments that a choice depends on.
    static let window = 60
    /// The weight of a person's overall completion rate in the rate of each part, in assignments.
    private static let priorWeight = 4.0

    init(_ value: Double, _ origin: String = "set by the preferences") {
        self.value = value
        self.origin = origin
    }

    /// Learns the variety from outcomes: the completion rate outside the category completed most readily, divided by the
    /// rate in it. It is 1 without outcomes, and at least 1 ∕ 6.
    ///
    /// Rates do not depend on how often a category was given, so repeated choices of a category do not narrow a
    /// person's choices if the person completes the others as readily.
    ///
    /// - Parameter outcomes: The category of each settled assignment, and whether it was completed.
    init(learnedFrom outcomes: [(category: String, isCompleted: Bool)]) {
        var (all, parts) = (Rate(), [String: Rate]())
        for (category, isCompleted) in outcomes {
            all.add(isCompleted)
            parts[category, default: Rate()].add(isCompleted)
        }
        guard all.completed > 0 else {
            self.init(1, "until a challenge is completed")
            return
        }
        let mean = all.completed / all.count
        let best = parts.max {
            ($0.value.shrunk(to: mean, Self.priorWeight), $1.key) < (
                $1.value.shrunk(to: mean, Self.priorWeight), $0.key
            )
        }!
        let others = Rate(completed: all.completed - best.value.completed, count: all.count - best.value.count)
        let ratio = others.shrunk(to: mean, Self.priorWeight) / best.value.shrunk(to: mean, Self.priorWeight)
        self.init(min(1, max(Self.discovery, ratio)), "learned from completions")
    }

    /// The number of different categories, the last given or queued ones, that a choice avoids for variety: 0, 2 or 4.
    ///
    /// - Parameter number: The number of the decision, counted from 1.
    func avoidedCount(byDecision number: Int) -> Int {
        func due(_ count: Double, _ share: Double) -> Double { (count * share).rounded(.down) }
        let (before, after) = (due(Double(number - 1), value), due(Double(number), value))
        guard after > before else { return 0 }
        // The choices that avoid four categories are taken from this share, not added to it.
        let discovery = min(1, Self.discovery / value)
        return due(after, discovery) > due(before, discovery) ? 4 : 2
    }

    /// The first different categories of a sequence, each in its first spelling.
    ///
    /// - Parameters:
    ///   - count: The largest number of categories.
    ///   - categories: The categories in any spelling.
    static func different(_ count: Int, of categories: some Sequence<String>) -> [String] {
        var (different, words): ([String], Set<String>) = ([], [])
        for category in categories {
            guard different.count < count else { break }
            if words.insert(Spelling.plain(category)).inserted { different.append(category) }
        }
        return different
    }

    /// A number of assignments, and of those that were completed.
    private struct Rate {
        var completed = 0.0
        var count = 0.0

        mutating func add(_ isCompleted: Bool) {
            count += 1
            if isCompleted { completed += 1 }
        }

        /// The completion rate with some more assignments of a mean rate.
        func shrunk(to mean: Double, _ weight: Double) -> Double { (completed + weight * mean) / (count + weight) }
    }
}

extension ChallengeSelector {
    /// The variety of choices at an instant: the preferred one, or one learned from the last 60 assignments.
    func challengeVariety(at now: Timestamp) -> ChallengeVariety {
        if let variety = preferences.variety { return ChallengeVariety(variety) }
        let today = date(at: now)
        return ChallengeVariety(
            learnedFrom: given(until: now).suffix(ChallengeVariety.window).compactMap { given in
                guard given.status != .pending || given.date(in: zone) < today,
                    let category = catalog.comparedCategory(of: given.challengeID)
                else { return nil }
                return (category, given.status == .completed)
            })
    }
}
