/// Conditions on a ranked list in addition to its ranking: different entries, entries from several categories, and
/// excluded entries.
///
/// With a ``diversity`` δ above 0, the list is made by maximal marginal relevance (``Recommendation`` names the
/// source). The first entry is the best of the ranking, and each later entry is the one with the least
///
///     (1 − δ) · cost − δ · (distance from the nearest entry chosen before),
///
/// among all entries that the list's hard limits allow. Ties are in the order of the ranking. Each list documents its
/// costs, distances and categories. The default conditions leave a list unchanged.
public struct ListVariety: Sendable, Hashable {
    /// The weight δ of the difference from the rest of the list, 0 to 1.
    public let diversity: Double
    /// The largest number of entries from one category; nil for no limit.
    public let perCategory: Int?
    /// The ids of the entries that the list leaves out.
    public let excluded: Set<String>

    /// No conditions: the list is its ranking.
    public static let none = ListVariety(0, nil, [])

    private init(_ diversity: Double, _ perCategory: Int?, _ excluded: Set<String>) {
        (self.diversity, self.perCategory, self.excluded) = (diversity, perCategory, excluded)
    }

    /// Creates conditions; ids are normalized.
    ///
    /// - Parameters:
    ///   - diversity: The weight of the difference from the rest of the list, 0 to 1.
    ///   - perCategory: The largest number of entries from one category, 1 or more; nil for no limit.
    ///   - excluded: The ids of the entries to leave out; unknown ids have no effect.
    /// - Throws: `.invalidArgument` if the diversity is not a number from 0 to 1, or the limit is below 1.
    public init(diversity: Double = 0, perCategory: Int? = nil, excluded: Set<String> = []) throws(KinError) {
        guard diversity >= 0, diversity <= 1 else {
            throw .field("diversity", "must be from 0 to 1, not \(diversity)")
        }
        try KinError.requireCount(perCategory ?? 1, "per_category", from: 1)
        self.diversity = diversity
        self.perCategory = perCategory
        self.excluded = Set(excluded.map { RecordID.normalized($0) })
    }
}

/// Liked and disliked examples for a ranked list, and the variety of the list.
///
/// With examples, the cost of an entry x is computed as in ``Recommendation``: the mean of its own cost and its
/// distances from the liked examples, minus half its mean distance from the disliked examples. A list leaves its
/// examples out.
public struct ListTaste: Sendable, Hashable {
    /// The ids of the entries that the list should resemble.
    public let liked: [String]
    /// The ids of the entries that the list should differ from.
    public let disliked: [String]
    /// The diversity, the limit per category, and the excluded ids, which include the examples.
    public let variety: ListVariety

    /// No examples and no conditions: the list is its ranking.
    public static let none = ListTaste(variety: .none)

    /// Creates a taste; ids are normalized.
    public init(liked: [String] = [], disliked: [String] = [], variety: ListVariety) {
        self.liked = liked.map { RecordID.normalized($0) }
        self.disliked = disliked.map { RecordID.normalized($0) }
        self.variety = variety.excluding(self.liked + self.disliked)
    }
}

extension ListVariety {
    /// These conditions with further ids excluded.
    package func excluding(_ ids: [String]) -> ListVariety {
        ListVariety(diversity, perCategory, excluded.union(ids))
    }
}

/// Builds a varied list from entries that a domain ranks.
///
/// The domain supplies the first n entries of a ranking, and defines the cost of an entry and the distance between two
/// entries. The list is exact without ranking everything. Entries are fetched in growing numbers until one costs no
/// more than any entry not yet fetched (``MarginalRelevance``). The costs of those entries are bounded by the cost of
/// the last fetched entry and by the largest possible distance.
package struct VariedList<Entry> {
    /// The id of an entry, as in ``ListVariety/excluded``.
    package let id: (Entry) -> String
    /// The cost of an entry; smaller is better.
    package let cost: (Entry) -> Double
    /// A lower bound on the costs of all entries that follow an entry in the ranking. It does not decrease along the
    /// ranking.
    package let costAfter: (Entry) -> Double
    /// The category of an entry; nil if the entry has no limit.
    package let category: (Entry) -> String?
    /// The distance between two entries, 0 to 1.
    package let distance: (Entry, Entry) -> Double

    /// Describes the entries of a list.
    ///
    /// - Parameter costAfter: A lower bound on the costs of all entries that follow an entry. Default: nil, which uses
    ///   the entry's own cost, for rankings by cost.
    package init(
        id: @escaping (Entry) -> String, cost: @escaping (Entry) -> Double,
        costAfter: ((Entry) -> Double)? = nil, category: @escaping (Entry) -> String?,
        distance: @escaping (Entry, Entry) -> Double
    ) {
        self.id = id
        self.cost = cost
        self.costAfter = costAfter ?? cost
        self.category = category
        self.distance = distance
    }

    /// Chooses k entries from a ranking.
    ///
    /// - Parameters:
    ///   - k: The largest number of entries.
    ///   - variety: The conditions on the list.
    ///   - ranked: Returns the first n entries of the ranking, or all entries if there are fewer. A larger n extends
    ///     the same list.
    /// - Returns: The entries in the order of choice.
    /// - Complexity: The ranking is fetched up to four thirds of its length, plus O(pool · k) distances.
    package func choose(
        _ k: Int, _ variety: ListVariety, from ranked: (Int) throws(KinError) -> [Entry]
    ) throws(KinError) -> [Entry] {
        guard variety != .none else { return try ranked(k) }
        var pool: [Entry] = []
        var selection = MarginalRelevance<String>(diversity: variety.diversity, perCategory: variety.perCategory)
        var (width, isWhole, seen) = (0, false, 0)
        while selection.taken.count < k {
            var bound = pool.last.map(costAfter) ?? -.infinity
            if !selection.taken.isEmpty { bound = selection.weights.cost(bound, nearest: 1) }
            let next = selection.next(below: isWhole ? .infinity : bound, orEqual: true) { a, b in
                min(1, distance(pool[a], pool[b]))
            }
            guard next == nil else { continue }
            guard !isWhole else { break }
            width = width == 0 ? max(1, k.addingSaturating(variety.excluded.count)) : width.multipliedSaturating(by: 4)
            pool = try ranked(width)
            isWhole = pool.count < width
            for row in seen..<pool.count where !variety.excluded.contains(id(pool[row])) {
                selection.insert(
                    row: row, id: UInt64(row), distance: cost(pool[row]), category: category(pool[row]))
            }
            seen = pool.count
        }
        return selection.taken.map { pool[$0] }
    }
}

extension Int {
    fileprivate func addingSaturating(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    fileprivate func multipliedSaturating(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
