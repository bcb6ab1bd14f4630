/// The quality of a score as a classifier: the area under its ROC curve, which is the probability that a positive
/// scores above a negative.
public struct RankQuality: Sendable, Hashable {
    /// The area under the ROC curve, 0…1; ½ for a score without information.
    public let auc: Double
    /// The 95 % interval of the area, by the standard error of Hanley and McNeil 1982
    /// (doi:10.1148/radiology.143.1.7063747).
    public let interval: ClosedRange<Double>

    /// Computes the area of scores with known labels.
    ///
    /// - Parameters:
    ///   - scores: A finite score for each case; ties count half.
    ///   - labels: Whether each case is positive, with at least one case of each kind.
    /// - Throws: `.dimensionMismatch` unless each case has a score and a label; `.notFinite` for a score, by row;
    ///   `.invalidArgument` if all labels are equal.
    /// - Complexity: O(n log n).
    public init(scores: [Double], labels: [Bool]) throws(KinError) {
        guard scores.count == labels.count else {
            throw KinError(.dimensionMismatch, "\(scores.count) scores do not fit \(labels.count) labels")
        }
        if let row = scores.firstIndex(where: { !$0.isFinite }) {
            throw KinError(.notFinite, "the score is \(scores[row])").within("row", row)
        }
        let positives = Double(labels.count { $0 })
        let negatives = Double(labels.count) - positives
        guard positives > 0, negatives > 0 else {
            throw KinError(.invalidArgument, "all labels are equal; the quality needs cases of both kinds")
        }
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
        let auc = (rankSum - positives * (positives + 1) / 2) / (positives * negatives)
        let (q1, q2) = (auc / (2 - auc), 2 * auc * auc / (1 + auc))
        let variance =
            (auc * (1 - auc) + (positives - 1) * (q1 - auc * auc) + (negatives - 1) * (q2 - auc * auc))
            / (positives * negatives)
        let margin = 1.96 * max(0, variance).squareRoot()
        self.auc = auc
        interval = max(0, auc - margin)...min(1, auc + margin)
    }
}
