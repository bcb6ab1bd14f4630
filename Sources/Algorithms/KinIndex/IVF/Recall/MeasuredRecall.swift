/// The measured recall of pruned searches.
struct MeasuredRecall: Sendable, Equatable {
    /// The measured pruning factors, ascending. Between two factors, recall is interpolated linearly, below the true
    /// curve.
    static let factors = [0.03, 0.1, 0.17, 0.25, 0.33, 0.41, 0.5, 0.6, 0.7, 0.8, 0.9]

    /// The recall for each of ``RecallCalibration/widths``, at each factor.
    let measures: [[RecallCalibration.Measure]]

    /// The indices of the measured k on either side of a given k; both are the same for a measured k. Above the largest
    /// k, where all searches are exact, the indices of the two largest.
    static func widths(around k: Int) -> (lower: Int, upper: Int) {
        let widths = RecallCalibration.widths
        let upper = widths.firstIndex { $0 >= k } ?? widths.count - 1
        return (widths[upper] == k ? upper : max(0, upper - 1), upper)
    }

    /// The smallest pruning factor whose measured recall, minus one standard error, is at least `recall`.
    ///
    /// It is 1 if no measured factor reaches the recall: among equally near rows, only an exact search is sure to find
    /// those with the smallest ids. Above the largest measured k, it is 1, because the k-th row can be outside the
    /// cluster of the query.
    func pruningFactor(for recall: Double, k: Int) -> Double {
        guard recall < 1, k <= RecallCalibration.widths.last! else { return 1 }
        // Between two measured k, the larger of both factors.
        let (lower, upper) = Self.widths(around: k)
        return max(pruningFactor(for: recall, width: lower), pruningFactor(for: recall, width: upper))
    }

    private func pruningFactor(for recall: Double, width: Int) -> Double {
        var below = (a: 0.0, recall: 0.0)
        for (i, a) in Self.factors.enumerated() {
            let sure = measures[width][i].recall - measures[width][i].error
            if sure >= recall {
                let share = sure > below.recall ? (recall - below.recall) / (sure - below.recall) : 1
                return max(Self.factors[0], below.a + share * (a - below.a))
            }
            below = (a, max(below.recall, sure))
        }
        return 1
    }

    /// The measured recall at a pruning factor: the lower of the values for the two measured k around `k`.
    func measure(pruningFactor a: Double, k: Int) -> RecallCalibration.Measure {
        let (lower, upper) = Self.widths(around: k)
        let (one, other) = (interpolate(measures[lower], at: a), interpolate(measures[upper], at: a))
        return one.recall <= other.recall ? one : other
    }

    /// Interpolates between the measured factors. The last point is an exact search, which finds all neighbours, with
    /// an error of 0.
    private func interpolate(_ row: [RecallCalibration.Measure], at a: Double) -> RecallCalibration.Measure {
        let settings = Self.factors + [1]
        let found = row + [RecallCalibration.Measure(recall: 1, error: 0)]
        guard let next = settings.firstIndex(where: { $0 >= a }) else { return found[found.count - 1] }
        guard next > 0 else { return found[0] }
        let share = (a - settings[next - 1]) / (settings[next] - settings[next - 1])
        func between(_ value: (RecallCalibration.Measure) -> Double) -> Double {
            value(found[next - 1]) + share * (value(found[next]) - value(found[next - 1]))
        }
        return RecallCalibration.Measure(recall: between(\.recall), error: between(\.error))
    }
}
