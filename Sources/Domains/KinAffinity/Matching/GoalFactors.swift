/// The rarity factors of goals: the current ones, and those used for the indexed vectors.
///
/// Adding or removing a soul changes all factors a little. Scores use the current factors. Vectors stay as they are
/// while the squared ratio of the largest to the smallest current ∕ indexed factor is at most ``mostSlack``, and
/// searches allow for it (`MatchingFrame` has the proof). Beyond that, goals whose ratio is outside a narrow window get
/// the current factor, and the souls that have one of them get new vectors. The window is placed to minimize the number
/// of holders outside it: goals that few people have change the fastest.
struct GoalFactors: Sendable {
    /// The current factor of each feature; 1 for features that are not goals.
    private(set) var current: [Double] = []
    /// The factor of each feature in the indexed vectors.
    private(set) var indexed: [Double] = []
    /// The squared ratio of the largest to the smallest current ∕ indexed factor, over all goals with a holder.
    private(set) var slack = 1.0
    /// The current ∕ indexed ratio for goals that newly enter the vectors.
    private(set) var ratio = 1.0
    /// The slots of the souls that have a goal, by feature; empty while the rarity is fixed.
    private(set) var holders: [[UInt32]] = []

    /// The largest slack of indexed vectors. At 1.05 a search visits a few per cent more souls.
    static let mostSlack = 1.05
    /// The largest slack after ``refit(_:)``.
    private static let refitSlack = 1.02

    /// An estimate of the memory, in bytes.
    var byteCount: Int { current.count * 48 + holders.reduce(0) { $0 + $1.count } * MemoryLayout<UInt32>.stride }

    /// Appends the new features, all with factor 1.
    mutating func grow(to features: FeatureTable) {
        let missing = features.count - current.count
        current += repeatElement(1, count: missing)
        indexed += repeatElement(1, count: missing)
        holders += repeatElement([], count: missing)
    }

    /// Sets the factors of goals by a rarity that does not change.
    mutating func set(_ goals: ArraySlice<Int>, of features: FeatureTable, by rarity: GoalRarity) {
        for goal in goals {
            current[goal] = rarity.factor(word: features.name(UInt32(goal)))
            indexed[goal] = current[goal]
        }
    }

    /// Adds a soul to the holders of its goals.
    mutating func add(_ goals: [Int], of slot: Int) {
        for goal in goals { holders[goal].append(UInt32(slot)) }
    }

    /// Removes a soul from the holders of its goals. O(holders).
    mutating func remove(_ goals: [Int], of slot: Int) {
        for goal in goals {
            let place = holders[goal].firstIndex(of: UInt32(slot))!
            holders[goal].swapAt(place, holders[goal].count - 1)
            holders[goal].removeLast()
        }
    }

    /// Computes the current factors and the slack.
    ///
    /// - Parameters:
    ///   - people: The number of people.
    ///   - goals: The features that are goals.
    mutating func update(people: Int, goals: [Int]) {
        // Most goals have few holders, so there are few distinct counts.
        var known = [Double](repeating: 0, count: min(people, 1023) + 1)
        var (least, most) = (Double.infinity, 0.0)
        for goal in goals {
            let count = holders[goal].count
            guard count > 0 else {
                // No vector has this goal. The next vector with it may use any factor.
                indexed[goal] = 0
                continue
            }
            var factor = count < known.count ? known[count] : 0
            if factor == 0 {
                factor = GoalRarity.factor(having: count, of: people)
                if count < known.count { known[count] = factor }
            }
            current[goal] = factor
            if indexed[goal] == 0 { indexed[goal] = factor / ratio }
            least = min(least, factor / indexed[goal])
            most = max(most, factor / indexed[goal])
        }
        setSlack(least, most)
    }

    /// Sets the slack, a little above the squared ratio to allow for rounding.
    private mutating func setSlack(_ least: Double, _ most: Double) {
        slack = most > least ? (most / least) * (most / least) * (1 + 0x1p-40) : 1
    }

    /// Marks all vectors as made with the current factors.
    mutating func reset() {
        indexed = current
        (ratio, slack) = (1, 1)
    }

    /// Gives the current factors to the goals with the most different ratios.
    ///
    /// - Parameter goals: The features that are goals.
    /// - Returns: The slots of the souls that have one of them.
    /// - Complexity: O(goals · log goals + slots).
    mutating func refit(_ goals: [Int]) -> Set<UInt32> {
        let sorted = goals.filter { !holders[$0].isEmpty }.map { (ratio: current[$0] / indexed[$0], goal: $0) }
            .sorted { ($0.ratio, $0.goal) < ($1.ratio, $1.goal) }
        let width = Self.refitSlack.squareRoot()
        // The window with the most holders.
        var (first, kept, most) = (0, 0, 0)
        var window = 0..<0
        for last in sorted.indices {
            kept += holders[sorted[last].goal].count
            while sorted[last].ratio > sorted[first].ratio * width {
                kept -= holders[sorted[first].goal].count
                first += 1
            }
            if kept > most { (most, window) = (kept, first..<last + 1) }
        }
        guard !window.isEmpty else { return [] }
        ratio = (sorted[window.lowerBound].ratio * sorted[window.upperBound - 1].ratio).squareRoot()
        var slots: Set<UInt32> = []
        for (place, entry) in sorted.enumerated() where !window.contains(place) {
            indexed[entry.goal] = current[entry.goal] / ratio
            slots.formUnion(holders[entry.goal])
        }
        let ratios = sorted.map { current[$0.goal] / indexed[$0.goal] }
        setSlack(ratios.min()!, ratios.max()!)
        return slots
    }
}
