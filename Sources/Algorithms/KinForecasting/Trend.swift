import KinLibC

/// A robust linear trend: the median of the slopes between all pairs of points, and Mann's test for it.
///
/// P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63, 1968,
/// doi:10.1080/01621459.1968.10480934.
public enum TheilSen {
    /// The Theil–Sen slope per unit of x; nil for fewer than three points, or if all have the same x.
    ///
    /// If there are more than 400 points, only every second, third … point is used, so that at most 400 remain. O(n²)
    /// for these.
    public static func slope(_ points: [(x: Double, y: Double)]) -> Double? {
        guard points.count >= 3 else { return nil }
        let step = (points.count + 399) / 400
        let taken = stride(from: 0, to: points.count, by: step).map { points[$0] }
        var slopes: [Double] = []
        for i in taken.indices {
            for j in taken.indices.dropFirst(i + 1) where taken[j].x != taken[i].x {
                slopes.append((taken[j].y - taken[i].y) / (taken[j].x - taken[i].x))
            }
        }
        guard !slopes.isEmpty else { return nil }
        slopes.sort()
        let middle = slopes.count / 2
        return slopes.count % 2 == 1 ? slopes[middle] : (slopes[middle - 1] + slopes[middle]) / 2
    }

    /// The two-sided p-value of no trend: Mann's test of Kendall's τ, S ∕ √(n (n − 1) (2n + 5) ∕ 18) compared with a
    /// normal deviate, with |S| reduced by one for continuity.
    ///
    /// H. B. Mann, "Nonparametric tests against trend", Econometrica 13, 1945, doi:10.2307/1907187. 1 for fewer than
    /// eight points.
    public static func p(_ points: [(x: Double, y: Double)]) -> Double {
        let n = Double(points.count)
        guard points.count >= 8 else { return 1 }
        let ordered = points.sorted { $0.x < $1.x }
        var s = 0
        for i in ordered.indices {
            for j in (i + 1)..<ordered.count where ordered[j].x != ordered[i].x {
                s += (ordered[j].y > ordered[i].y ? 1 : 0) - (ordered[j].y < ordered[i].y ? 1 : 0)
            }
        }
        let z = Double(max(0, abs(s) - 1)) / (n * (n - 1) * (2 * n + 5) / 18).squareRoot()
        return erfc(z * 0.5.squareRoot())
    }

    /// The two-sided p-value of no trend for days whose neighbours resemble each other: ``p(_:)`` of the independent
    /// days among the points, which are in order of x.
    package static func dependentP(_ points: [(x: Double, y: Double)]) -> Double {
        guard let slope = slope(points) else { return 1 }
        let left = points.map { $0.y - slope * ($0.x - points[0].x) }
        return pow(p(points), IndependentShare.of(left, from: points.map(\.y)))
    }
}
