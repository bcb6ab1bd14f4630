public import KinCore
import KinIndex
import KinLinearAlgebra

/// Finds who is like whom among many people, exactly.
///
/// Results are those of scoring everybody with everybody: the same scores to the bit, of equal ones the smaller id first. What makes that quick
/// is an index of the souls in a space of at most 112 dimensions, whose distances bound scores from above (`MatchingFrame` has the proof);
/// only souls whose bound reaches the k-th best score are compared.
///
/// People are kept by the blocks that they have (at most 31 kinds of people), since these decide which weights a score is divided by.
///
///     var matcher = try SoulMatcher(souls)
///     let ten = try matcher.mostSimilar(to: "u42", k: 10)
///     try matcher.upsert(changed)                       // the next question knows
///     try matcher.forEachMatch(above: 0.85) { pair in … }
///
/// A matcher is a value: a copy is a snapshot. Memory: some 1,000 bytes for a person of 15 traits.
public struct SoulMatcher: Sendable {
    /// How rare goals are taken to be.
    public enum Rarity: Sendable, Hashable {
        /// Counted among the people given first, unless the model has one.
        case automatic
        /// Whatever the model says.
        case asInModel
    }

    /// What affinity is here; its rarity is that of the beginning.
    public let model: AffinityModel

    var table = SoulTable()
    var features = FeatureTable()
    /// The id of each slot; empty for slots that are free.
    var ids: [String] = []
    var slots: [String: Int] = [:]
    private var free: [Int] = []
    var frame: MatchingFrame
    /// The index of the people with each set of blocks, by the mask.
    var groups: [IVFIndex?] = Array(repeating: nil, count: 32)
    /// Changes since the axes were found, and people then.
    private var changes = 0
    private var peopleAtFit = 0

    /// A matcher of some people.
    ///
    /// - Parameters:
    ///   - souls: Read twice.
    ///   - model: What affinity is.
    ///   - rarity: How rare goals are taken to be.
    ///   - threads: How many threads may work on it; the result does not depend on that.
    /// - Throws: `.duplicateID` for a person who is there twice, naming the user.
    /// - Complexity: O(n log n), some 15 µs a person.
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

    /// How many people there are.
    public var count: Int { slots.count }

    /// Everybody's id, in no particular order.
    public var userIDs: [String] { ids.filter { !$0.isEmpty } }

    /// Whether a person is there.
    public func contains(_ user: String) -> Bool { slots[user] != nil }

    /// Bytes that the people's numbers and the indexes take.
    public var byteCount: Int { table.byteCount + groups.reduce(0) { $0 + ($1?.byteCount ?? 0) } }

    /// Puts people in, or in the place of what was known of them; the next question knows.
    ///
    /// - Throws: As ``init(_:model:rarity:threads:)``; nothing has changed then.
    /// - Complexity: Some 100 µs a person, and that of a new beginning when half of all have changed.
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

    /// Takes a person out.
    ///
    /// - Returns: Whether they were there.
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

    /// Checks souls before anything is changed.
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

    /// Adds rows for people who are not there yet, without indexing them.
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

    /// Puts slots into the indexes of their groups.
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

    /// Finds the axes anew and indexes everybody.
    private mutating func rebuild(threads: Int) throws(KinError) {
        let everybody = ids.indices.filter { !ids[$0].isEmpty }
        // The axes serve the people who have the most blocks best: they are the most, as a rule, and the costliest.
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
    /// The row of nobody.
    static let emptyWords: [UInt64] = [0, 0, 0, 0, 0, 0]
}

extension Array where Element: Sendable {
    /// The elements' images, computed on several threads.
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
