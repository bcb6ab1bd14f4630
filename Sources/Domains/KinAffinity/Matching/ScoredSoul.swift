/// Somebody who is like a person, as the matcher found them.
public struct ScoredSoul: Sendable, Hashable {
    /// Who.
    public let userID: String
    /// How alike, 0…1: the score of ``AffinityModel/affinity(between:and:)``, to the bit.
    public let affinity: Double
    /// The share of all weight that could be compared.
    public let coverage: Double
    /// The blocks that both have, in their order.
    public let compared: [SoulBlock]
    /// The connection type of the two by score and coverage; see ``SoulConnection`` for the least coverage of each.
    public var connection: SoulConnection { SoulConnection(affinity: affinity, coverage: coverage) }

    package init(userID: String, affinity: Double, coverage: Double, compared: [SoulBlock]) {
        self.userID = userID
        self.affinity = affinity
        self.coverage = coverage
        self.compared = compared
    }

    /// Somebody by what the affinity with them is made of.
    package init(userID: String, _ affinity: Affinity) {
        self.init(
            userID: userID, affinity: affinity.score, coverage: affinity.coverage,
            compared: affinity.blocks.map(\.block))
    }
}

/// Two people who are alike.
public struct ScoredSoulPair: Sendable, Hashable {
    /// The one.
    public let first: String
    /// The other, whose id is the larger one.
    public let second: String
    /// How alike, 0…1.
    public let affinity: Double
    /// The share of all weight that could be compared.
    public let coverage: Double
    /// The blocks that both have, in their order.
    public let compared: [SoulBlock]
    /// The connection type of the two by score and coverage; see ``SoulConnection`` for the least coverage of each.
    public var connection: SoulConnection { SoulConnection(affinity: affinity, coverage: coverage) }

    /// The second of them, as the first one's match.
    package var match: ScoredSoul {
        ScoredSoul(userID: second, affinity: affinity, coverage: coverage, compared: compared)
    }
}

/// The best matches found so far, best first; of equal ones the smaller id is the better.
struct TopSouls {
    let capacity: Int
    private(set) var scores: [Double] = []
    private(set) var slots: [Int] = []
    /// Ids by slot.
    private let ids: [String]

    init(capacity: Int, ids: [String]) {
        self.capacity = capacity
        self.ids = ids
        scores.reserveCapacity(min(capacity, 1024) + 1)
        slots.reserveCapacity(min(capacity, 1024) + 1)
    }

    /// The least score that can still get in.
    @inline(__always)
    var least: Double { scores.count < capacity ? -1 : scores[scores.count - 1] }

    mutating func removeAll() {
        scores.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
    }

    /// Keeps a match when it is among the best; one that is there already stays where it is.
    mutating func insert(_ slot: Int, _ score: Double) {
        guard score >= least, capacity > 0 else { return }
        if scores.count == capacity, score == least, ids[slots[capacity - 1]] <= ids[slot] { return }
        guard !slots.contains(slot) else { return }
        // From the worst on: most newcomers belong near the end.
        var place = scores.count
        while place > 0, scores[place - 1] < score || scores[place - 1] == score && ids[slot] < ids[slots[place - 1]] {
            place -= 1
        }
        scores.insert(score, at: place)
        slots.insert(slot, at: place)
        if scores.count > capacity {
            scores.removeLast()
            slots.removeLast()
        }
    }
}
