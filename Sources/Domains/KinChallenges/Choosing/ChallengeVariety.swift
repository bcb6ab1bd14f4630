import KinCore

/// The variety of a person's challenges: how often a choice must leave the categories given last.
///
/// A share ``value`` of all choices avoids the last two categories given or queued. At most one choice in six avoids
/// the last four instead, so that a month of choices has at least five categories if the limits allow five. The
/// remaining choices ignore categories.
struct ChallengeVariety: Sendable, Hashable {
    /// The share of choices that avoid categories, 0…1.
    let value: Double

    /// The share of choices that avoid four categories, and the least learned variety.
    private static let discovery = 1.0 / 6
    /// The number of last assignments that a choice depends on.
    static let window = 60
    /// The weight of a person's overall completion rate in the rate of each part, in assignments.
    private static let priorWeight = 4.0

    init(_ value: Double) { self.value = value }

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
            self.init(1)
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
        self.init(min(1, max(Self.discovery, ratio)))
    }

    /// The categories that a choice avoids.
    ///
    /// - Parameters:
    ///   - number: The number of the decision, counted from 1.
    ///   - last: The categories of the last challenges given or queued, the last one first.
    func avoided(byDecision number: Int, after last: some Sequence<String>) -> [String] {
        func isDue(_ share: Double) -> Bool {
            (Double(number) * share).rounded(.down) > (Double(number - 1) * share).rounded(.down)
        }
        let count = isDue(min(value, Self.discovery)) ? 4 : isDue(value) ? 2 : 0
        var avoided: [String] = []
        for category in last where !avoided.contains(category) {
            guard avoided.count < count else { break }
            avoided.append(category)
        }
        return avoided
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
    /// The variety of choices at an instant, 0…1: the preferred one, or one learned from the last 60 assignments.
    public func variety(at now: Timestamp) -> Double { challengeVariety(at: now).value }

    func challengeVariety(at now: Timestamp) -> ChallengeVariety {
        if let variety = preferences.variety { return ChallengeVariety(variety) }
        let today = zone.day(at: now)
        return ChallengeVariety(
            learnedFrom: given(until: now).suffix(ChallengeVariety.window).compactMap { given in
                guard given.status != .pending || zone.day(at: given.assigned) < today,
                    let category = catalog.challenge(given.challengeID)?.category
                else { return nil }
                return (category, given.status == .completed)
            })
    }
}
