import KinCore
import KinLinearAlgebra

extension KMeans {
    /// The number of clusters, given or chosen; an integer literal gives it exactly.
    public enum ClusterCount: Sendable, Hashable, ExpressibleByIntegerLiteral {
        /// A given number, at least 1 and at most the number of points.
        case exactly(Int)

        /// The number in a range with the best score of a criterion; ``Clustering/choice`` has all their scores.
        ///
        /// Each number is tried on the same points: on all of them, or on `sample` of them, drawn at random without
        /// replacement from those of positive weight, when there are more. The clusters are then found among all
        /// points.
        case chosen(ClosedRange<Int>, by: Criterion = .silhouette, sample: Int = 10_000)

        /// Creates a given number of clusters.
        public init(integerLiteral value: Int) { self = .exactly(value) }
    }

    /// The score by which numbers of clusters are compared; the higher is the better.
    public enum Criterion: Sendable, Hashable {
        /// The bend of the curve of inertias. With W the inertia, the score is the distance of W(k) below the straight
        /// line between the first and the last number tried, as a share of the fall between them.
        ///
        /// The result depends on the range: without a bend, it is in the lower part of any. Satopää, Albrecht, Irwin
        /// and Raghavan, "Finding a kneedle in a haystack", ICDCS Workshops 2011, doi:10.1109/ICDCSW.2011.20.
        case elbow

        /// The mean silhouette of at most 2,000 points, ``Clustering/silhouette(of:weights:sample:seed:threads:)``.
        case silhouette

        /// The mean silhouette by centroids, ``Clustering/simplifiedSilhouette(of:weights:threads:)``: far cheaper than
        /// the other, with slightly higher scores for clusters that are not round.
        case simplifiedSilhouette

        /// The gap statistic: the difference between the logarithm of the inertia and its mean for as many points sampled
        /// uniformly from a box around the data, whose edges are along the principal components.
        ///
        /// The lowest k with Gap(k) ≥ Gap(k + 1) − s(k + 1) is chosen, where s is the standard error from the
        /// simulation, or the last k if that holds for none. It can choose 1, and is for squared distances only.
        /// Tibshirani, Walther and Hastie, "Estimating the number of clusters in a data set via the gap statistic",
        /// Journal of the Royal Statistical Society B 63(2), 2001, doi:10.1111/1467-9868.00293.
        case gap(references: Int = 10)
    }
}

extension Clustering {
    /// The scores by which ``KMeans`` chose the number of clusters.
    public struct Choice: Sendable, Hashable {
        /// One number of clusters that was tried, with its inertia and score.
        public struct Candidate: Sendable, Hashable {
            /// The number of clusters.
            public let k: Int
            /// The inertia that k-means reached with k clusters.
            public let inertia: Double
            /// The score of the criterion; the higher the better, but for the standard errors of the gap statistic.
            public let score: Double
            /// The standard error s(k) of the score, for the gap statistic; else nil.
            public let standardError: Double?
        }

        /// The criterion of the choice.
        public let criterion: KMeans.Criterion
        /// The numbers tried, ascending: the curve of inertias and of scores.
        public let candidates: [Candidate]
        /// The number of points on which they were tried.
        public let pointCount: Int
        /// The number of clusters chosen.
        public let k: Int
    }
}
