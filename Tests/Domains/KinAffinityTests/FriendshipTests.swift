import KinAffinity
import KinTestSupport
import Testing

/// Whether friends on Last.fm are more alike than random pairs (`datasets/README.md` describes the data set).
@Suite struct FriendshipTests {
    /// All friends, and the same number of random pairs who are not known to be friends.
    private func pairs(_ souls: [Soul]) throws -> [LabelledPair] {
        let users = souls.map(\.userID)
        let known = Set(users)
        let friends = try LastFM.rows("user_friends.csv").map { ["\(Int($0[0]))", "\(Int($0[1]))"] }
            .filter { known.contains($0[0]) && known.contains($0[1]) }
        let together = Set(friends).union(friends.map { $0.reversed() })
        var random = SeededGenerator(seed: 11)
        var others: [[String]] = []
        while others.count < friends.count {
            let pair = [users[random.below(users.count)], users[random.below(users.count)]]
            if pair[0] != pair[1], !together.contains(pair) { others.append(pair) }
        }
        return friends.map { LabelledPair($0[0], $0[1], label: true) }
            + others.map { LabelledPair($0[0], $0[1], label: false) }
    }

    @Test(.enabled(if: RealData.has("lastfm-2k"), "skipped: no data"))
    func friendsAreMoreAlikeThanPairsAtRandom() throws {
        let souls = try LastFM.souls()
        let pairs = try pairs(souls)
        let labels = pairs.map(\.label)
        func quality(_ matcher: SoulMatcher) throws -> RankQuality {
            try RankQuality(
                scores: try pairs.map { try matcher.affinity(between: $0.first, and: $0.second).score }, labels: labels)
        }
        let matcher = try SoulMatcher(souls)
        let found = try quality(matcher)
        let plain = try quality(try SoulMatcher(souls, rarity: .asInModel))
        print(
            "friends of Last.fm, standard weights: AUC \(found.auc) (\(found.interval)); every goal alike \(plain.auc)")
        // The result with ln((N + 1) ∕ (df + ½)).
        #expect(found.auc >= 0.8546)
        #expect(found.auc > plain.auc)
        let fit = try WeightFit(to: pairs, of: matcher)
        print("fitted weights \(fit.weights): AUC of held-out pairs \(fit.heldOut.auc) (\(fit.heldOut.interval))")
        #expect(fit.heldOut.auc >= 0.855)
        #expect(abs(fit.standard.auc - found.auc) < 1e-12)
    }
}
