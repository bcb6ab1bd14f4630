/// A straight trend that a few odd points do not move: the median of the slopes between all pairs.
///
/// P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63, 1968, doi:10.1080/01621459.1968.10480934.
public enum TheilSen {
    /// The slope per unit of x; nil for fewer than three points, or when all have the same x. Of more than 400 points, every second,
    /// third … is taken.
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
}
