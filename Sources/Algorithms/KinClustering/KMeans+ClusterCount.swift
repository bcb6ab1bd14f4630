extension KMeans {
    /// The number of clusters, given or chosen; an integer literal gives it exactly.
    public enum ClusterCount: Sendable, Hashable, ExpressibleByIntegerLiteral {
        /// A given number, at least 1 and at most the number of points.
        case exactly(Int)

        /// The number in a range with the best score of a criterion; ``Clustering/choice`` has all their scores.
        ///
        /// Each number is tried on the same points: on all points or, if there are more than `sample` with positive
        /// weight, on a random sample of these without replacement. The final clusters are then found among all points.
        case chosen(ClosedRange<Int>, by: Criterion = .silhouette, sample: Int = 10_000)

        /// Creates a given number of clusters.
        public init(integerLiteral value: Int) { self = .exactly(value) }
    }

    /// The score for comparing numbers of clusters; higher is better.
    public enum Criterion: Sendable, Hashable {
        /// The mean silhouette of at most 2,000 points; see ``Clustering/silhouette(of:weights:sample:seed:threads:)``.
        case silhouette

        /// The gap statistic: the difference between the logarithm of the inertia and its mean for reference data. The
        /// reference data have the same number of points, sampled uniformly from a box around the data with edges along
        /// the principal components.
        ///
        /// The lowest k with Gap(k) ≥ Gap(k + 1) − s(k + 1) is chosen, where s is the standard error from the
        /// simulation, or the last k if no k satisfies this. It can choose 1, and supports only squared distances.
        /// Tibshirani, Walther and Hastie, "Estimating the number of clusters in a data set via the gap statistic",
        /// Journal of the Royal Statistical Society B 63(2), 2001, doi:10.1111/1467-9868.00293.
        case gap(references: Int = 10)
    }
}

extension Clustering {
    /// The scores for the choice of the number of clusters by ``KMeans``.
    public struct Choice: Sendable, Hashable {
        /// One number of clusters that was tried, with its inertia and score.
        public struct Candidate: Sendable, Hashable {
            /// The number of clusters.
            public let k: Int
            /// The inertia that k-means reached with k clusters.
            public let inertia: Double
            /// The score of the criterion. Higher is better, except that the gap statistic also considers standard
            /// errors.
            public let score: Double
            /// The standard error s(k) of the score for the gap statistic; otherwise nil.
            public let standardError: Double?
        }

        /// The criterion of the choice.
        public let criterion: KMeans.Criterion
        /// The numbers tried, ascending, with their inertias and scores.
        public let candidates: [Candidate]
        /// The number of points on which the numbers were tried.
        public let pointCount: Int
        /// The number of clusters chosen.
        public let k: Int
    }
}
