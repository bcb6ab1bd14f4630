extension SoulMatcher {
    /// Computes the quantiles of the scores of pairs that can be connected, those with a coverage of 0.60 or more.
    ///
    /// If there are at most `pairs` pairs, all are scored. Otherwise some people, chosen by a hash of their ids, are
    /// scored with at least 64 random others each. The quantiles depend on the souls alone, not on the order of
    /// changes.
    ///
    /// - Parameter pairs: The largest number of pairs to score. The standard error of a share p is at least √(p
    ///   (1 − p) ∕ pairs): 0.0004 at 0.99 for 65,536 pairs.
    /// - Returns: The quantiles; nil for fewer than ``AffinityCalibration/leastPairs``.
    /// - Complexity: O(people), and at most `pairs` comparisons.
    public func calibration(pairs: Int = 1 << 16) -> AffinityCalibration? {
        AffinityCalibration(sample: sampledScores(pairs))
    }

    /// The same souls, with connections by a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule of connections.
    ///   - calibration: The quantiles of scores; nil for ``calibration(pairs:)`` if the rule has quantiles, else none.
    /// - Complexity: O(1) if a calibration is given.
    public func calibrated(_ rule: ConnectionRule, by calibration: AffinityCalibration? = nil) -> SoulMatcher {
        with(rule, calibration: calibration ?? (rule.quantiles == nil ? nil : self.calibration()))
    }

    /// The same souls with a rule of connections and the quantiles of scores, if any; O(1).
    package func with(_ rule: ConnectionRule, calibration: AffinityCalibration?) -> SoulMatcher {
        var matcher = self
        matcher.model.connect(by: rule, calibration: calibration)
        return matcher
    }

    /// The scores of sampled pairs with enough coverage.
    private func sampledScores(_ pairs: Int) -> [Double] {
        let panel = panel(of: max(0, pairs / 4))
        guard panel.count > 1 else { return [] }
        let floor = SoulConnection.parallelPath.minimumCoverage - SoulConnection.rounding
        var scores: [Double] = []
        func score(_ first: SoulQuery, _ other: Int) {
            let other = table[other]
            let common = first.mask.intersection(other.mask)
            let total = frame.sums[Int(common.rawValue)]
            guard total > 0, min(1, total) >= floor else { return }
            scores.append(first.score(other, common: common, total: total))
        }
        if panel.count * (panel.count - 1) / 2 <= pairs {
            for (number, slot) in panel.enumerated() {
                withQuery(of: slot) { first in
                    for other in panel[(number + 1)...] { score(first, other) }
                }
            }
            return scores
        }
        var generator = SeededGenerator(seed: 0)
        let people = min(pairs / 64, panel.count)
        for number in 0..<people {
            withQuery(of: panel[number]) { first in
                for _ in 0..<pairs / people {
                    let other = generator.below(panel.count - 1)
                    score(first, panel[other < number ? other : other + 1])
                }
            }
        }
        return scores
    }

    /// The slots of the people whose ids have the smallest hashes, by hash and id.
    private func panel(of size: Int) -> [Int] {
        var hashed: [(hash: UInt64, slot: Int)] = []
        // A little more than the expected share of all hashes; all people if there are few.
        let share = (1.1 * Double(size) + 100) / Double(max(1, count))
        let most = share < 1 ? UInt64(share * 0x1p64) : .max
        for (slot, id) in ids.enumerated() where !id.isEmpty {
            let hash = Self.hash(id)
            if hash <= most { hashed.append((hash, slot)) }
        }
        hashed.sort { ($0.hash, ids[$0.slot]) < ($1.hash, ids[$1.slot]) }
        return hashed.prefix(size).map(\.slot)
    }

    /// FNV-1a with the finalizer of SplitMix64, since FNV's high bits depend little on the last letters.
    private static func hash(_ id: String) -> UInt64 {
        var hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
