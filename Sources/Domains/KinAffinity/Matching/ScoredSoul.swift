/// A soul that is similar to a given soul, with their affinity.
public struct ScoredSoul: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The score of ``AffinityModel/affinity(between:and:)``, 0…1, to the bit.
    public let affinity: Double
    /// The share of all weight that could be compared, 0…1.
    public let coverage: Double
    /// The blocks that both have and whose weight is above 0, in their order.
    public let compared: [SoulBlock]
    /// The connection type of the two, by the model's rule for score and coverage.
    public let connection: SoulConnection
    /// The estimated share of all pairs with a lower score, 0…1; nil unless the model has quantiles of connections and a
    /// calibration.
    public let nearerThan: Double?

    /// Creates a match, with its connection by a model.
    package init(userID: String, affinity: Double, coverage: Double, compared: [SoulBlock], by model: AffinityModel) {
        self.userID = userID
        self.affinity = affinity
        self.coverage = coverage
        self.compared = compared
        connection = model.bounds.connection(score: affinity, coverage: coverage)
        nearerThan = model.connections.quantiles == nil ? nil : model.calibration?.share(below: affinity)
    }

    /// Creates the result of an affinity that a model computed.
    package init(userID: String, _ affinity: Affinity, by model: AffinityModel = .standard) {
        self.init(
            userID: userID, affinity: affinity.score, coverage: affinity.coverage,
            compared: affinity.blocks.filter { $0.weight > 0 }.map(\.block), by: model)
    }
}

/// Two similar souls, with their affinity.
public struct ScoredSoulPair: Sendable, Hashable {
    /// The smaller of the two ids.
    public let first: String
    /// The larger of the two ids.
    public var second: String { match.userID }
    /// The second soul, as a match of the first.
    package let match: ScoredSoul
    /// The score of the two, 0…1.
    public var affinity: Double { match.affinity }
    /// The share of all weight that could be compared, 0…1.
    public var coverage: Double { match.coverage }
    /// The blocks that both have and whose weight is above 0, in their order.
    public var compared: [SoulBlock] { match.compared }
    /// The connection type of the two, by the model's rule for score and coverage.
    public var connection: SoulConnection { match.connection }
    /// The estimated share of all pairs with a lower score, 0…1; nil unless the model has quantiles of connections and a
    /// calibration.
    public var nearerThan: Double? { match.nearerThan }

    /// Creates a pair of a soul and its match, whose id is larger.
    package init(first: String, match: ScoredSoul) {
        self.first = first
        self.match = match
    }
}

/// The best matches so far, best first; equal scores by ascending id.
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
    var least: Double { scores.count < capacity ? -1 : scores.last ?? .infinity }

    /// Inserts a match if it is among the best and not in the list yet. A soul must have the same score each time.
    ///
    /// - Complexity: O(matches behind it), few if the best come first.
    mutating func insert(_ slot: Int, _ score: Double) {
        guard score >= least else { return }
        if scores.count == capacity, score == least, ids[slots[capacity - 1]] <= ids[slot] { return }
        // Searched from the end, where most new matches belong.
        var index = scores.count
        while index > 0, scores[index - 1] < score || scores[index - 1] == score && ids[slot] < ids[slots[index - 1]] {
            index -= 1
        }
        if index > 0, slots[index - 1] == slot { return }
        scores.insert(score, at: index)
        slots.insert(slot, at: index)
        if scores.count > capacity {
            scores.removeLast()
            slots.removeLast()
        }
    }
}
