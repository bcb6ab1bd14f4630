/// An exact search for similar souls among many.
///
/// The results equal those of scoring all people: scores are identical to the bit, and ties are ordered by id. The
/// souls are indexed in a space of at most 112 dimensions whose distances bound scores from above (`MatchingFrame` has
/// the proof). Only souls whose bound reaches the k-th best score are compared.
///
/// After changes, results are bit-identical to those of a new matcher of the same souls: rows store goals without their
/// rarity (`GoalFactors`).
///
/// Souls are grouped by their blocks (at most 31 groups), since the blocks decide the sum of weights that divides a
/// score.
///
///     var matcher = try SoulMatcher(souls)
///     let ten = try matcher.mostSimilar(to: "u42", k: 10)
///     try matcher.upsert([changed])                     // effective at once, rarity included
///     try matcher.forEachMatch(above: 0.85) { pair in print(pair.first, pair.second) }
///
/// A matcher is a value: a copy is a snapshot. A soul of 15 traits takes about 1,000 bytes.
public struct SoulMatcher: Sendable {
    /// The source of the rarity of goals.
    public enum Rarity: Sendable, Hashable {
        /// The model's rarity; if the model has none, the rarity counted among the matcher's souls and updated with
        /// each change.
        case automatic
        /// The model's rarity, or none.
        case asInModel
    }

    /// The model of affinity, with the current rarity of goals. ``calibrated(_:by:)`` sets its connections and
    /// calibration.
    public internal(set) var model: AffinityModel
    /// Whether the rarity is counted among the souls.
    let isCounted: Bool

    var table = SoulTable()
    var features = FeatureTable()
    var factors = GoalFactors()
    /// The id of each slot; empty for free slots.
    var ids: [String] = []
    var slots: [String: Int] = [:]
    var free: [Int] = []
    var frame: MatchingFrame
    /// The indexes of the souls with each set of blocks, by mask.
    var groups: [VectorIndex?] = Array(repeating: nil, count: 32)
    /// The number of changes since the axes were fitted, and the number of people at that time.
    var changes = 0
    var peopleAtFit = 0

    /// Creates a matcher of souls.
    ///
    /// - Parameters:
    ///   - souls: The souls, each person once.
    ///   - model: The model of affinity.
    ///   - rarity: The source of the rarity of goals.
    ///   - threads: The number of threads; the result does not depend on it.
    /// - Throws: `.duplicateID` for a person who occurs twice, naming the user; `.invalidArgument` for the threads;
    ///   `.cancelled`, see `withProgressHandler`.
    /// - Complexity: O(n log n), about 15 µs a person.
    public init(
        _ souls: some Collection<Soul>, model: AffinityModel = .standard, rarity: Rarity = .automatic, threads: Int = 1
    ) throws(KinError) {
        try requireThreads(threads)
        var model = model
        isCounted = model.rarity == nil && rarity == .automatic
        if isCounted { model.rarity = GoalRarity(among: EmptyCollection<Soul>()) }
        self.model = model
        frame = MatchingFrame(weights: model.weights)
        var batch: [Soul] = []
        var rest = souls.makeIterator()
        repeat {
            batch.removeAll(keepingCapacity: true)
            while batch.count < 1 << 14, let soul = rest.next() { batch.append(soul) }
            try Self.check(batch, notIn: slots)
            try put(batch, threads: threads)
        } while !batch.isEmpty
        try rebuild(threads: threads)
    }

    /// The number of people in the matcher.
    public var count: Int { slots.count }

    /// The ids of all people, in no particular order.
    public var userIDs: [String] { ids.filter { !$0.isEmpty } }

    /// Whether a person is in the matcher.
    public func contains(_ user: String) -> Bool { slots[user] != nil }

    /// An estimate of the memory that the matcher takes, in bytes.
    public var byteCount: Int {
        let names = ids.count * 2 * MemoryLayout<(String, Int)>.stride + features.count * 64
        return table.byteCount + names + factors.byteCount + groups.reduce(0) { $0 + ($1?.byteCount ?? 0) }
    }
}
