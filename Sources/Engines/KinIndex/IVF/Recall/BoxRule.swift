/// A rule by which a search skips boxes that may hold a neighbour.
enum BoxRule: Sendable {
    /// By their distance from the query.
    case distance
    /// By the odds that a neighbour lies in them, for squared distances (`BoxQuery.gapWeight`): cheaper where neighbours lie in many boxes.
    case weightedGaps

    /// The factors that are measured, ascending. Between two of them recall is interpolated linearly; the true curve lies above.
    func factors(dimension: Int) -> [Double] {
        switch self {
        case .distance: [0.03, 0.1, 0.17, 0.25, 0.33, 0.41, 0.5, 0.6, 0.7, 0.8, 0.9]
        case .weightedGaps:
            // The odds of a neighbour in a box on the limit, which a recall depends on, go with factor · (dimension + 2).
            Self.gapFactors.map { 18 * $0 / Double(dimension + 2) }.filter { $0 < 0.95 }
        }
    }

    /// The factors in 16 dimensions; large ones for vectors that have much fewer dimensions of their own than they are written in.
    private static let gapFactors = [0.1, 0.14, 0.18, 0.21, 0.24, 0.27, 0.3, 0.34, 0.38, 0.5, 1, 3]

    /// The parameters of a search at a factor; with 1 it is exact.
    func parameters(_ factor: Double) -> SearchParameters {
        switch self {
        case .distance: SearchParameters(pruningFactor: factor)
        case .weightedGaps: SearchParameters(gapFactor: factor)
        }
    }
}
