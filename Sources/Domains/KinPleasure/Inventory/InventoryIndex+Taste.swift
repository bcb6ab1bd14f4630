extension InventoryIndex {
    /// Finds items by conditions like ``search(_:for:k:)``, by examples and with variety; exact.
    ///
    /// An item's cost is 1 minus its score, or 0 without a point. Its category is its kind. The distance between two
    /// items is one minus the cosine of their pleasures as vectors of 0 and 1: 0 for equal sets, 1 for sets with
    /// nothing in common or an empty one.
    ///
    /// - Parameters:
    ///   - query: The conditions that every item of the list meets.
    ///   - point: The target profile; nil ranks by the examples alone or, without any, by distance.
    ///   - taste: The liked and disliked items, whether or not they fulfil the query, and the variety of the list.
    ///   - k: The number of items, 0 or more.
    /// - Returns: The items in the order of their choice.
    /// - Throws: As ``search(_:for:k:)``; `.unknownID` for an example that is not in the index; `.invalidArgument` for
    ///   a diversity without a point or a liked item.
    /// - Complexity: O(items within the radius); with examples or diversity also O(k · items that a bound does not
    ///   exclude).
    public func search(
        _ query: InventoryQuery, for point: Pleasure?, taste: ListTaste, k: Int
    ) throws(KinError) -> [InventoryMatch] {
        guard taste != .none else { return try search(query, for: point, k: k) }
        let liked = try pleasures(of: taste.liked, "liked")
        let disliked = try pleasures(of: taste.disliked, "disliked")
        guard taste.variety.diversity == 0 || point != nil || !liked.isEmpty else {
            throw KinError(
                .invalidArgument, "diversity needs a ranking; give a user, a point or a liked item"
            )
        }
        let parts = Double(liked.count) + (point == nil ? 0 : 1)
        func cost(_ match: InventoryMatch, likedDistance: Double, dislikedDistance: Double) -> Double {
            let own = point == nil ? 0 : 1 - match.score
            return (own + likedDistance) / max(1, parts) - 0.5 * dislikedDistance
        }
        func sum(_ examples: [UInt16], _ mask: UInt16) -> Double {
            examples.reduce(0) { $0 + Self.distance($1, mask) }
        }
        let list = VariedList<InventoryMatch>(
            id: { $0.item.id },
            cost: { match in
                let mask = match.item.pleasureMask
                return cost(
                    match, likedDistance: sum(liked, mask),
                    dislikedDistance: disliked.isEmpty ? 0 : sum(disliked, mask) / Double(disliked.count))
            },
            costAfter: { cost($0, likedDistance: 0, dislikedDistance: disliked.isEmpty ? 0 : 1) },
            category: { "\($0.item.kind.rawValue)" },
            distance: { Self.distance($0.item.pleasureMask, $1.item.pleasureMask) })
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        return try list.choose(k, taste.variety) { count throws(KinError) in
            try search(query, for: point, k: count)
        }
    }

    /// The pleasures of items, one bit each.
    private func pleasures(of ids: [String], _ field: String) throws(KinError) -> [UInt16] {
        try ids.map { id throws(KinError) in
            guard let row = rowsByID[id] else {
                throw .field(field, "there is no item \(id)", .unknownID)
            }
            return item(inRow: row).pleasureMask
        }
    }

    /// One minus the cosine between two sets of pleasures.
    private static func distance(_ a: UInt16, _ b: UInt16) -> Double {
        guard a != 0, b != 0 else { return 1 }
        let common = Double((a & b).nonzeroBitCount)
        return max(0, 1 - common / Double(a.nonzeroBitCount * b.nonzeroBitCount).squareRoot())
    }
}
