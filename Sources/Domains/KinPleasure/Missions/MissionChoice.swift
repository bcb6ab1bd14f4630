/// Chooses missions one by one, each the best by its score less its likeness to those chosen.
///
/// What is chosen from need not be all pairs: a choice is the best of all where its value is no less than the score of any pair
/// left out, since likeness only takes away. So a few pairs tell a value that the choices reach, then all that score as much
/// take part; and where a choice falls below what took part, it is made again among more.
struct MissionChoice {
    private let pairing: MissionPairing
    private let k: Int
    private let variety: Double

    init(_ pairing: MissionPairing, k: Int, variety: Double) {
        self.pairing = pairing
        self.k = k
        self.variety = variety
    }

    /// The choices, in their order.
    func chosen() -> [MissionPairing.Pair] {
        guard k > 0, pairing.pairCount > 0 else { return [] }
        // Enough to choose from, unless few of them fit into the time.
        var width = 24 + k
        var first = choices(among: pairing.samplePairs(width: width), notBelow: -.infinity)
        while first.pairs.count < k, width < Int.max / 8, width * width < pairing.pairCount {
            width *= 4
            first = choices(among: pairing.samplePairs(width: width), notBelow: -.infinity)
        }
        guard first.pairs.count == k else {
            return choices(among: pairing.pairs(scoring: -.infinity), notBelow: -.infinity).pairs
        }
        var least = first.least
        while true {
            let all = choices(among: pairing.pairs(scoring: least), notBelow: least)
            if all.pairs.count == k { return all.pairs }
            // The next choice is worth as much as this or more, and everything that could be it takes part.
            least = all.least
        }
    }

    /// Chooses until a choice is worth less than a score.
    ///
    /// - Returns: The choices, and the least value of one, that of the one worth too little included.
    private func choices(
        among pairs: [MissionPairing.Pair], notBelow floor: Double
    ) -> (pairs: [MissionPairing.Pair], least: Double) {
        // What is known of a pair's likeness to those chosen, and to how many of them it was compared.
        var likeness = [(value: Double, compared: Int)](repeating: (0, 0), count: pairs.count)
        var uses: [Int: Int] = [:]
        var isChosen = [Bool](repeating: false, count: pairs.count)
        var chosen: [MissionPairing.Pair] = []
        var least = Double.infinity
        while chosen.count < min(k, pairs.count) {
            var best = -1
            var bestValue = -Double.infinity
            for (i, pair) in pairs.enumerated() where !isChosen[i] {
                // What comes now and later cannot be better, by its score alone.
                if pair.score <= bestValue { break }
                while likeness[i].compared < chosen.count {
                    likeness[i].value = max(likeness[i].value, Self.likeness(pair, chosen[likeness[i].compared]))
                    likeness[i].compared += 1
                }
                let crowding = 0.25 * Double(max(0, (uses[pair.spaceSlot] ?? 0) - 1))
                let value = pair.score - variety * (likeness[i].value + crowding)
                if value > bestValue { (best, bestValue) = (i, value) }
            }
            least = min(least, bestValue)
            guard bestValue >= floor else { break }
            isChosen[best] = true
            chosen.append(pairs[best])
            uses[pairs[best].spaceSlot, default: 0] += 1
        }
        return (chosen, least)
    }

    /// How alike two pairs are, 0…1: ½ for the same space, ¼ for the same tool, ¼ times the share of common pleasures.
    private static func likeness(_ a: MissionPairing.Pair, _ b: MissionPairing.Pair) -> Double {
        (a.spaceSlot == b.spaceSlot ? 0.5 : 0) + (a.toolSlot == b.toolSlot ? 0.25 : 0)
            + 0.25 * MissionPairing.share(a.pleasures & b.pleasures, of: a.pleasures | b.pleasures)
    }
}
