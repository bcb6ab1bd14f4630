public import KinCore
import KinIndex
import KinLinearAlgebra

/// An exact search for similar souls among many.
///
/// The results are those of scoring everybody: the same scores to the bit, of equal ones the smaller id first. The souls are indexed in a
/// space of at most 112 dimensions whose distances bound scores from above (`MatchingFrame` has the proof); only souls whose bound reaches
/// the k-th best score are compared.
///
/// Souls are grouped by the blocks that they have (at most 31 groups), since these decide which weights a score is divided by.
///
///     var matcher = try SoulMatcher(souls)
///     let ten = try matcher.mostSimilar(to: "u42", k: 10)
///     try matcher.upsert(changed)                       // effective at once
///     try matcher.forEachMatch(above: 0.85) { pair in … }
///
/// A matcher is a value: a copy is a snapshot. A soul of 15 traits takes about 1,000 bytes.
public struct SoulMatcher: Sendable {
    /// The source of the rarity of goals.
    public enum Rarity: Sendable, Hashable {
        /// The model's rarity, or that among the first souls if the model has none.
        case automatic
        /// The model's rarity, or none.
        case asInModel
    }

    /// The model of affinity, with the rarity of goals as of the creation.
    public let model: AffinityModel

    var table = SoulTable()
    var features = FeatureTable()
    /// The id of each slot; empty for free slots.
    var ids: [String] = []
    var slots: [String: Int] = [:]
    private var free: [Int] = []
    var frame: MatchingFrame
    /// The indexes of the souls with each set of blocks, by mask.
    var groups: [IVFIndex?] = Array(repeating: nil, count: 32)
    /// The number of changes since the axes were fitted, and of people then.
    private var changes = 0
    private var peopleAtFit = 0

    /// Creates a matcher of souls.
    ///
    /// - Parameters:
    ///   - souls: The souls, each person once; iterated twice.
    ///   - model: The model of affinity.
    ///   - rarity: The source of the rarity of goals.
    ///   - threads: The number of threads; the result does not depend on it.
    /// - Throws: `.duplicateID` for a person who occurs twice, naming the user.
    /// - Complexity: O(n log n), about 15 µs a person.
    public init(
        _ souls: some Collection<Soul>, model: AffinityModel = .standard, rarity: Rarity = .automatic, threads: Int = 1
    ) throws(KinError) {
        var model = model
        if model.rarity == nil, rarity == .automatic { model.rarity = GoalRarity(among: souls) }
        self.model = model
        frame = MatchingFrame(weights: model.weights)
        var batch: [Soul] = []
        var rest = souls.makeIterator()
        repeat {
            batch.removeAll(keepingCapacity: true)
            while batch.count < 1 << 14, let soul = rest.next() { batch.append(soul) }
            try append(batch, threads: threads)
        } while !batch.isEmpty
        try rebuild(threads: threads)
    }

    /// The number of people in the matcher.
    public var count: Int { slots.count }

    /// The ids of all people, in no particular order.
    public var userIDs: [String] { ids.filter { !$0.isEmpty } }

    /// Whether a person is in the matcher.
    public func contains(_ user: String) -> Bool { slots[user] != nil }

    /// The size of the souls' rows and of the indexes, in bytes.
    public var byteCount: Int { table.byteCount + groups.reduce(0) { $0 + ($1?.byteCount ?? 0) } }

    /// Adds souls, or replaces those with the same ids.
    ///
    /// - Parameters:
    ///   - souls: The souls, each person once.
    ///   - threads: The number of threads; the result does not depend on it.
    /// - Throws: As ``init(_:model:rarity:threads:)``; nothing has changed then.
    /// - Complexity: About 100 µs a person; when half of all have changed, that of a creation.
    public mutating func upsert(_ souls: [Soul], threads: Int = 1) throws(KinError) {
        try Self.check(souls)
        var new: [Soul] = []
        for soul in souls {
            guard let slot = slots[soul.userID] ?? free.popLast() else {
                new.append(soul)
                continue
            }
            let old = table[slot].mask
            let words = SoulRow.words(SoulVector(soul, rarity: model.rarity), features: &features)
            groups[Int(old.rawValue)]?.remove(VectorID(UInt64(slot)))
            table.replace(slot, by: words)
            name(slot, soul.userID)
            try index([slot], threads: 1)
        }
        let first = table.count
        try append(new, threads: threads)
        changes += souls.count
        if changes > max(peopleAtFit / 2, 1024) {
            try rebuild(threads: threads)
        } else {
            try index(Array(first..<table.count), threads: threads)
        }
    }

    /// Removes a person from the matcher.
    ///
    /// - Returns: Whether the person was in the matcher.
    @discardableResult
    public mutating func remove(_ user: String) -> Bool {
        guard let slot = slots.removeValue(forKey: user) else { return false }
        groups[Int(table[slot].mask.rawValue)]?.remove(VectorID(UInt64(slot)))
        table.replace(slot, by: SoulRow.emptyWords)
        ids[slot] = ""
        free.append(slot)
        changes += 1
        return true
    }

    /// Checks that no person occurs twice.
    private static func check(_ souls: [Soul]) throws(KinError) {
        var seen: Set<String> = []
        for soul in souls {
            guard seen.insert(soul.userID).inserted else {
                throw KinError(.duplicateID, "the person is there twice").within("user", soul.userID)
            }
        }
    }

    private mutating func name(_ slot: Int, _ user: String) {
        ids[slot] = user
        slots[user] = slot
    }

    /// Appends rows for new people, without indexing them.
    private mutating func append(_ souls: [Soul], threads: Int) throws(KinError) {
        guard !souls.isEmpty else { return }
        try Self.check(souls)
        for soul in souls where slots[soul.userID] != nil {
            throw KinError(.duplicateID, "the person is there twice").within("user", soul.userID)
        }
        let rarity = model.rarity
        let vectors = souls.map(threads: threads) { SoulVector($0, rarity: rarity) }
        let first = table.count
        table.append(vectors.map { SoulRow.words($0, features: &features) })
        ids += Array(repeating: "", count: souls.count)
        for (i, soul) in souls.enumerated() { name(first + i, soul.userID) }
    }

    /// Adds slots to the indexes of their groups.
    private mutating func index(_ slots: [Int], threads: Int) throws(KinError) {
        var members = [[Int]](repeating: [], count: 32)
        for slot in slots where !ids[slot].isEmpty { members[Int(table[slot].mask.rawValue)].append(slot) }
        for (mask, slots) in members.enumerated() where mask > 0 && !slots.isEmpty {
            let vectors = vectors(of: slots, threads: threads)
            var index =
                groups[mask] ?? IVFIndex(exactlySearched: frame.dimension, metric: .squaredL2, alongOwnAxes: true)
            groups[mask] = nil
            try index.upsert(vectors, ids: slots.map { VectorID(UInt64($0)) }, threads: threads)
            groups[mask] = index
        }
    }

    private func vectors(of slots: [Int], threads: Int) -> Matrix<Float> {
        let width = frame.dimension
        var vectors = Matrix<Float>(rows: slots.count, columns: width)
        unsafe vectors.withUnsafeMutableBufferPointer { all in
            let all = unsafe all
            let parts = max(1, min(threads, slots.count / 256))
            concurrently(parts) { part in
                for i in slots.count * part / parts..<slots.count * (part + 1) / parts {
                    let row = table[slots[i]]
                    unsafe frame.project(row, into: all.baseAddress! + i * width)
                }
            }
        }
        return vectors
    }

    /// Fits the axes anew, and indexes everybody.
    private mutating func rebuild(threads: Int) throws(KinError) {
        let everybody = ids.indices.filter { !ids[$0].isEmpty }
        // A sample of about 8,192 people is enough for the axes.
        let step = max(1, everybody.count / 8192)
        let sample = stride(from: 0, to: everybody.count, by: step).map { everybody[$0] }
        groups = Array(repeating: nil, count: 32)
        frame = try MatchingFrame(weights: model.weights, sample: sample, of: table, features: features.count)
        changes = 0
        peopleAtFit = everybody.count
        try index(everybody, threads: threads)
    }
}

extension SoulRow {
    /// The words of an empty row, for free slots.
    static let emptyWords: [UInt64] = [0, 0, 0, 0, 0, 0]
}

extension Array where Element: Sendable {
    /// Transforms the elements on several threads.
    func map<Result: Sendable>(threads: Int, _ transform: (Element) -> Result) -> [Result] {
        let parts = Swift.max(1, Swift.min(threads, count / 256))
        return unsafe [Result](unsafeUninitializedCapacity: count) { results, n in
            let start = results.baseAddress
            concurrently(parts) { part in
                for i in count * part / parts..<count * (part + 1) / parts {
                    unsafe (start! + i).initialize(to: transform(self[i]))
                }
            }
            n = count
        }
    }
}
