import KinSamples
import KinTestSupport
import Testing

@Suite struct WeightFitTests {
    /// Pairs that belong together by weights unknown to the fit.
    @Test func theFitFindsTheTrueWeights() throws {
        let generator = SoulGenerator(seed: 3, communities: 20)
        let souls = (0..<300).map { generator.soul($0) }
        let matcher = try SoulMatcher(souls)
        let truth = AffinityModel(
            weights: try AffinityWeights(goals: 0, realms: 0.7, objects: 0.3, patterns: 0, valence: 0),
            rarity: matcher.model.rarity)
        var random = SeededGenerator(seed: 4)
        let pairs = (0..<3000).map { _ in
            let (a, b) = (souls[random.below(300)], souls[random.below(300)])
            return LabelledPair(a.userID, b.userID, label: truth.affinity(between: a, and: b).score > 0.6)
        }
        let fit = try WeightFit(to: pairs, of: matcher, seed: 1)
        #expect(fit.heldOut.auc > fit.standard.auc)
        #expect(fit.heldOut.auc > 0.98)
        #expect(fit.heldOut.interval.contains(fit.heldOut.auc))
        #expect(fit.weights[.realms] > fit.weights[.objects])
        #expect(fit.weights[.realms] + fit.weights[.objects] > 0.8, "\(fit.weights)")
        #expect(SoulBlock.allCases.allSatisfy { fit.weights[$0] >= 0 })
        #expect(try WeightFit(to: pairs, of: matcher, seed: 1) == fit)
    }

    @Test func theAreaUnderTheCurveEqualsKnownValues() throws {
        #expect(try RankQuality(scores: [1, 2, 3, 4], labels: [false, false, true, true]).auc == 1)
        #expect(try RankQuality(scores: [1, 2, 3, 4], labels: [true, false, true, false]).auc == 0.25)
        #expect(try RankQuality(scores: [1, 1, 1, 1], labels: [true, false, true, false]).auc == 0.5)
    }

    @Test func scoresWithoutAnAreaAreRefused() {
        func code(_ scores: [Double], _ labels: [Bool]) -> KinError.Code? {
            errorCode { try RankQuality(scores: scores, labels: labels) }
        }
        #expect(code([1, .nan], [true, false]) == .notFinite)
        #expect(code([1, .infinity], [true, false]) == .notFinite)
        #expect(code([1], [true, false]) == .dimensionMismatch)
        #expect(code([1, 2], [true, true]) == .invalidArgument)
        #expect(code([], []) == .invalidArgument)
    }

    @Test func uninformativePairsAreRefused() throws {
        let matcher = try SoulMatcher([Soul(userID: "a", valence: 0), Soul(userID: "b", valence: 1)])
        let pairs = (0..<10).map { _ in LabelledPair("a", "b", label: true) }
        #expect(errorCode { try WeightFit(to: pairs, of: matcher) } == .invalidArgument)
        let others = pairs + (0..<10).map { _ in LabelledPair("a", "x", label: false) }
        #expect(errorCode { try WeightFit(to: others, of: matcher) } == .unknownID)
    }

    /// Draws the same number of pairs as are given. No drawn pair has the same person twice or is among the given
    /// pairs.
    @Test func addedPairsAreNewAndDistinct() {
        let users = (0..<30).map { "u\($0)" }
        let given = (0..<10).map { LabelledPair("u\($0)", "u\($0 + 10)", label: true) }
        let all = LabelledPair.adding(others: users, to: given, seed: 5)
        #expect(all.count == 20 && Array(all.prefix(10)) == given)
        let known = Set(given.flatMap { [[$0.first, $0.second], [$0.second, $0.first]] })
        #expect(
            all.dropFirst(10).allSatisfy {
                !$0.label && $0.first != $0.second && !known.contains([$0.first, $0.second])
            })
        #expect(LabelledPair.adding(others: users, to: given, seed: 5) == all)
        #expect(LabelledPair.adding(others: ["u1"], to: given, seed: 5) == given)
        let whole = [LabelledPair("a", "b", label: true)]
        #expect(LabelledPair.adding(others: ["a", "b"], to: whole, seed: 5) == whole)
    }
}
