/// How well a score tells pairs of one kind from pairs of another: the area under its ROC curve, the chance that one of the first kind
/// scores higher than one of the second.
public struct RankQuality: Sendable, Hashable {
    /// 0…1; ½ for a score that says nothing.
    public let auc: Double
    /// Where 95 of 100 such areas are, by the standard error of Hanley and McNeil 1982 (doi:10.1148/radiology.143.1.7063747).
    public let interval: ClosedRange<Double>

    /// - Parameters:
    ///   - scores: One for each pair; of equal ones each counts half.
    ///   - labels: Whether the pair is of the first kind. There is at least one of each kind.
    /// - Complexity: O(n log n).
    public init(scores: [Double], labels: [Bool]) {
        precondition(scores.count == labels.count, "a score for each pair")
        let order = scores.indices.sorted { scores[$0] < scores[$1] }
        var rankSum = 0.0
        var first = 0
        while first < order.count {
            var end = first
            while end < order.count, scores[order[end]] == scores[order[first]] { end += 1 }
            // Equal scores share the mean of their ranks.
            let rank = Double(first + 1 + end) / 2
            rankSum += rank * Double(order[first..<end].count { labels[$0] })
            first = end
        }
        let kin = Double(labels.count { $0 })
        let others = Double(labels.count) - kin
        precondition(kin > 0 && others > 0, "pairs of both kinds")
        let auc = (rankSum - kin * (kin + 1) / 2) / (kin * others)
        let (q1, q2) = (auc / (2 - auc), 2 * auc * auc / (1 + auc))
        let variance =
            (auc * (1 - auc) + (kin - 1) * (q1 - auc * auc) + (others - 1) * (q2 - auc * auc)) / (kin * others)
        let reach = 1.96 * max(0, variance).squareRoot()
        self.auc = auc
        interval = max(0, auc - reach)...min(1, auc + reach)
    }
}
