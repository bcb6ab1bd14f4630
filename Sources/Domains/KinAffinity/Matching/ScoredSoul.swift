/// A soul that is similar to another, with the affinity of the two.
public struct ScoredSoul: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The score of ``AffinityModel/affinity(between:and:)``, 0…1, to the bit.
    public let affinity: Double
    /// The share of all weight that could be compared, 0…1.
    public let coverage: Double
    /// The blocks that both have, in their order.
    public let compared: [SoulBlock]
    /// The connection type of the two, by score and coverage.
    public var connection: SoulConnection { SoulConnection(affinity: affinity, coverage: coverage) }

    package init(userID: String, affinity: Double, coverage: Double, compared: [SoulBlock]) {
        self.userID = userID
        self.affinity = affinity
        self.coverage = coverage
        self.compared = compared
    }

    /// Creates the result of a computed affinity.
    package init(userID: String, _ affinity: Affinity) {
        self.init(
            userID: userID, affinity: affinity.score, coverage: affinity.coverage,
            compared: affinity.blocks.map(\.block))
    }
}

/// Two similar souls, with the affinity of the two.
public struct ScoredSoulPair: Sendable, Hashable {
    /// The smaller of the two ids.
    public let first: String
    /// The larger of the two ids.
    public let second: String
    /// The score of the two, 0…1.
    public let affinity: Double
    /// The share of all weight that could be compared, 0…1.
    public let coverage: Double
    /// The blocks that both have, in their order.
    public let compared: [SoulBlock]
    /// The connection type of the two, by score and coverage.
    public var connection: SoulConnection { SoulConnection(affinity: affinity, coverage: coverage) }

    /// The second soul, as a match of the first.
    package var match: ScoredSoul {
        ScoredSoul(userID: second, affinity: affinity, coverage: coverage, compared: compared)
    }
}

/// The best matches so far, the best first; of equal scores the smaller id is better.
struct TopSouls {
    let capacity: Int
    private(set) var scores: [Double] = []
    private(set) var slots: [Int] = []
    /// The ids of all slots.
    private let ids: [String]

    init(capacity: Int, ids: [String]) {
        self.capacity = capacity
        self.ids = ids
        scores.reserveCapacity(min(capacity, 1024) + 1)
        slots.reserveCapacity(min(capacity, 1024) + 1)
    }

    /// The least score that can still enter; −1 while there is room.
    @inline(__always)
    var least: Double { scores.count < capacity ? -1 : scores[scores.count - 1] }

    mutating func removeAll() {
        scores.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
    }

    /// Inserts a match if it is among the best and not there yet.
    mutating func insert(_ slot: Int, _ score: Double) {
        guard score >= least, capacity > 0 else { return }
        if scores.count == capacity, score == least, ids[slots[capacity - 1]] <= ids[slot] { return }
        guard !slots.contains(slot) else { return }
        // From the end on, where most new matches belong.
        var index = scores.count
        while index > 0, scores[index - 1] < score || scores[index - 1] == score && ids[slot] < ids[slots[index - 1]] {
            index -= 1
        }
        scores.insert(score, at: index)
        slots.insert(slot, at: index)
        if scores.count > capacity {
            scores.removeLast()
            slots.removeLast()
        }
    }
}
