public import KinCore

/// Conditions on a ranked list beside its ranking: different entries, from several categories, without some.
///
/// With a ``diversity`` δ above 0 the list is made by maximal marginal relevance (``Recommendation`` has the source): the first entry is the
/// best, and each later one that of the least
///
///     (1 − δ) · cost − δ · (distance from the nearest entry chosen before),
///
/// of all entries that the list's hard limits allow, equal ones in the order of the ranking. Each list says what its costs, distances and
/// categories are. The default leaves a list as it is.
public struct ListVariety: Sendable, Hashable {
    /// The weight δ of being different from the rest of the list, 0 to 1.
    public let diversity: Double
    /// The largest number of entries of a category; nil for any.
    public let perCategory: Int?
    /// The ids of the entries that the list leaves out.
    public let excluded: Set<String>

    /// The variety of a list that shows its ranking.
    public static let none = ListVariety(0, nil, [])

    private init(_ diversity: Double, _ perCategory: Int?, _ excluded: Set<String>) {
        (self.diversity, self.perCategory, self.excluded) = (diversity, perCategory, excluded)
    }

    /// Creates conditions; ids are brought into normal form.
    ///
    /// - Parameters:
    ///   - diversity: The weight of being different from the rest of the list, 0 to 1.
    ///   - perCategory: The largest number of entries of a category, 1 or more; nil for any.
    ///   - excluded: The ids of the entries to leave out; those of no entry have no effect.
    /// - Throws: `.invalidArgument` for a diversity that is no number from 0 to 1, and for a limit below 1.
    public init(diversity: Double = 0, perCategory: Int? = nil, excluded: Set<String> = []) throws(KinError) {
        guard diversity >= 0, diversity <= 1 else {
            throw .field("diversity", "it is \(diversity), and must be from 0 to 1")
        }
        if let perCategory, perCategory < 1 {
            throw .field("per_category", "\(perCategory) of a category make no list; it is 1 or more")
        }
        self.diversity = diversity
        self.perCategory = perCategory
        self.excluded = Set(excluded.map { RecordID.normalized($0) })
    }
}

/// Examples that a ranked list is to be like and unlike, and the variety of the list.
///
/// With examples the cost of an entry x is, as in ``Recommendation``, the mean of its own cost and of its distances from the liked examples,
/// less half of the mean of those from the disliked ones. A list leaves its examples out.
public struct ListTaste: Sendable, Hashable {
    /// The ids of what the list is to be like.
    public let liked: [String]
    /// The ids of what the list is to be unlike.
    public let disliked: [String]
    /// The diversity, the limit of a category, and what is left out, the examples among it.
    public let variety: ListVariety

    /// The taste of a list that shows its ranking.
    public static let none = ListTaste(variety: .none)

    /// Creates a taste; ids are brought into normal form.
    public init(liked: [String] = [], disliked: [String] = [], variety: ListVariety) {
        self.liked = liked.map { RecordID.normalized($0) }
        self.disliked = disliked.map { RecordID.normalized($0) }
        self.variety = variety.excluding(self.liked + self.disliked)
    }
}

extension ListVariety {
    /// The variety that leaves out more.
    package func excluding(_ ids: [String]) -> ListVariety {
        ListVariety(diversity, perCategory, excluded.union(ids))
    }
}

/// The making of a varied list of entries that a domain ranks.
///
/// A domain has a ranking, of which it can give the first n, and says what an entry costs and how different two of them are. The list is
/// exact without ranking everything: entries come in larger and larger numbers until one of them costs no more than any that is still out
/// (``MarginalRelevance``), whose cost is bounded by that of the last entry and by the largest distance that there is.
package struct VariedList<Entry> {
    /// The id that ``ListVariety/excluded`` is about.
    package let id: (Entry) -> String
    /// The cost of an entry; smaller is better.
    package let cost: (Entry) -> Double
    /// A lower bound on the cost of all entries that follow one in the ranking; it does not fall along the ranking.
    package let costAfter: (Entry) -> Double
    /// The category of an entry; nil for one that has no limit.
    package let category: (Entry) -> String?
    /// The distance between two entries, 0 to 1.
    package let distance: (Entry, Entry) -> Double

    /// Describes the entries of a list.
    ///
    /// - Parameter costAfter: A lower bound on the cost of all that follow an entry; its own cost when nil, where the ranking is by cost.
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

    /// Chooses k entries of a ranking.
    ///
    /// - Parameters:
    ///   - k: The largest number of entries.
    ///   - variety: The conditions on the list.
    ///   - ranked: The first n entries of the ranking, or all that there are; more entries begin with the same.
    /// - Returns: The entries in the order in which they were chosen.
    /// - Complexity: Four thirds of the ranking at most, and O(pool · k) distances.
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
