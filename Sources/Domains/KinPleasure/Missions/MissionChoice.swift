extension MissionPairing {
    /// Selects k pairs one by one, each with the best score less the similarity to the pairs selected before.
    ///
    /// The selection works on a subset of all pairs. Similarity only lowers a value, so a pair is the best of all if its
    /// value is at least the score of every excluded pair. A sample of pairs gives a lower bound of the values; then all
    /// pairs with at least that score take part. If a value falls below the bound, the selection is repeated with a
    /// lower one. Pairs with less than ``InventoryIndex/leastVariedScore`` of the best score are selected last and by
    /// score, so a value below that share of the best score decides as that share does.
    ///
    /// - Parameters:
    ///   - k: The number of pairs.
    ///   - variety: The weight of the similarity, 0 or more.
    /// - Returns: The pairs in the order of selection.
    func select(_ k: Int, variety: Double) -> [Pair] {
        guard k > 0, pairCount > 0 else { return [] }
        // Usually enough pairs; more are sampled if few of them fit into the time.
        var width = 24 + k
        var first = Self.select(k, from: samplePairs(width: width), variety: variety)
        while first.pairs.count < k, width < Int.max / 8, width * width < pairCount {
            width *= 4
            first = Self.select(k, from: samplePairs(width: width), variety: variety)
        }
        guard first.pairs.count == k else {
            return Self.select(k, from: pairs(scoring: -.infinity), variety: variety).pairs
        }
        var least = first.least
        while true {
            let all = Self.select(k, from: pairs(scoring: least), notBelow: least, variety: variety)
            if all.pairs.count == k { return all.pairs }
            // No later choice has a lower value than this, so all candidates for it take part.
            least = all.least
        }
    }

    /// Selects at most k pairs, until the best value falls below a floor.
    ///
    /// - Returns: The selected pairs, and the least value, including the one below the floor.
    private static func select(
        _ k: Int, from pairs: [Pair], notBelow floor: Double = -.infinity, variety: Double
    ) -> (pairs: [Pair], least: Double) {
        // The largest similarity of each pair to the chosen pairs, and the number of chosen pairs compared so far.
        var similarity = [(value: Double, compared: Int)](repeating: (0, 0), count: pairs.count)
        var uses: [Int: Int] = [:]
        var isChosen = [Bool](repeating: false, count: pairs.count)
        var chosen: [Pair] = []
        var least = Double.infinity
        let varied = InventoryIndex.leastVariedScore * (pairs.first?.score ?? 0)
        while chosen.count < min(k, pairs.count) {
            var best = -1
            var bestValue = -Double.infinity
            for (i, pair) in pairs.enumerated() where !isChosen[i] {
                // No later pair can be better: its score alone is too low.
                if pair.score <= bestValue || (best >= 0 && pair.score < varied) { break }
                while similarity[i].compared < chosen.count {
                    let other = chosen[similarity[i].compared]
                    similarity[i].value = max(similarity[i].value, Self.similarity(pair, other))
                    similarity[i].compared += 1
                }
                let crowding = 0.25 * Double(max(0, (uses[pair.space.slot] ?? 0) - 1))
                let value = pair.score - variety * (similarity[i].value + crowding)
                if value > bestValue { (best, bestValue) = (i, value) }
            }
            let decisive = pairs[best].score < varied ? pairs[best].score : max(bestValue, varied)
            least = min(least, decisive)
            guard decisive >= floor else { break }
            isChosen[best] = true
            chosen.append(pairs[best])
            uses[pairs[best].space.slot, default: 0] += 1
        }
        return (chosen, least)
    }

    /// The similarity of two pairs, 0…1: ½ for the same space, ¼ for the same tool, ¼ times the share of common
    /// pleasures.
    private static func similarity(_ a: Pair, _ b: Pair) -> Double {
        (a.space.slot == b.space.slot ? 0.5 : 0) + (a.tool.slot == b.tool.slot ? 0.25 : 0)
            + 0.25 * share(a.pleasures & b.pleasures, of: a.pleasures | b.pleasures)
    }
}
