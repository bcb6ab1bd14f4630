extension VectorIndex {
    /// Finds the nearest vector of each of the k nearest groups; see ``SearchOptions/groupBy``.
    ///
    /// Each round searches for four times as many vectors as the round before, outside the groups found so far. All
    /// groups of a round are farther than those of earlier rounds, so the answer is exact if the rounds are.
    ///
    /// - Throws: As `search(_:k:options:)`; `.invalidArgument` unless the attribute is an integer or a category.
    func search(
        _ query: [Float], k: Int, groupedBy name: String, _ options: SearchOptions
    ) throws(KinError) -> [Neighbor] {
        let attribute = try attributes.index(of: name)
        let kind = attributes.schema.attributes[attribute].kind
        guard kind == .integer || kind == .category else {
            throw KinError(
                .invalidArgument, "vectors are grouped by an integer or a category, and \(name) is \(kind.inWords)")
        }
        var round = options
        round.groupBy = nil
        // The groups after the first can be farther than recall is measured.
        try options.mode.check(hasLists: rows.lists != nil)
        if case .recall = options.mode { round.mode = .exact }
        var found: [Neighbor] = []
        // By their stored bits: categories are different if their bytes are.
        var groups: [UInt64: FilterExpression.Literal] = [:]
        var ungrouped: [VectorID] = []
        var width = min(k, count)
        while true {
            width = min(4 * width, count)
            let neighbors = try search(query, k: width, options: round)
            for neighbor in neighbors {
                switch attributes.value(attribute, for: neighbor.id) {
                case .integer(let value)?:
                    guard groups.updateValue(.integer(Int128(value)), forKey: UInt64(bitPattern: value)) == nil else {
                        continue
                    }
                case .category(let value)?:
                    let code = attributes.code(value, attribute)
                    guard groups.updateValue(.text(value), forKey: code) == nil else { continue }
                default: ungrouped.append(neighbor.id)
                }
                found.append(neighbor)
            }
            guard found.count < k, neighbors.count == width, width < count else { return Array(found.prefix(k)) }
            round.filter = options.filter && .matching(!.isIn(name, Array(groups.values)))
            if !ungrouped.isEmpty {
                // A list of ids is evaluated in a fraction of the time that a set of ids takes.
                let ids = ungrouped.map { hasNames ? .text(self.name(of: $0) ?? "") : FilterExpression.Literal.id($0) }
                round.filter = round.filter && .matching(!.isIn(AttributeSchema.id, ids))
            }
        }
    }
}

extension AttributeTable {
    /// The code of a category in an attribute; 0 if no row ever had it.
    fileprivate func code(_ category: String, _ index: Int) -> UInt64 {
        UInt64(dictionaries[store.layout.firstColumns[index]].code(of: category) ?? 0)
    }
}
