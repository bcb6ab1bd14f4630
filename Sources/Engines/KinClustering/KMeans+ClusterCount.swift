import KinCore
import KinLinearAlgebra

extension KMeans {
    /// How many clusters to look for; an integer literal stands for exactly as many.
    public enum ClusterCount: Sendable, Hashable, ExpressibleByIntegerLiteral {
        /// So many, at least 1 and at most the number of points.
        case exactly(Int)

        /// The number in a range that a criterion likes best; ``Clustering/choice`` tells all their scores.
        ///
        /// Each number is tried on the same points: on all of them, or on `sample` of them, drawn at random without
        /// replacement from those of positive weight, when there are more. The clusters are then found among all points.
        case chosen(ClosedRange<Int>, by: Criterion = .silhouette, sample: Int = 10_000)

        /// Exactly so many clusters.
        public init(integerLiteral value: Int) { self = .exactly(value) }
    }

    /// What makes one number of clusters better than another. All scores are such that the higher is the better.
    public enum Criterion: Sendable, Hashable {
        /// The bend of the curve of inertias. With W the inertia, the score is how far W(k), as a share of the fall from the first
        /// to the last number tried, lies below the straight line between those two.
        ///
        /// The number depends on the range: where there is no bend, it is in the lower part of any. Satopää, Albrecht, Irwin and
        /// Raghavan, "Finding a kneedle in a haystack", ICDCS Workshops 2011, doi:10.1109/ICDCSW.2011.20.
        case elbow

        /// The mean silhouette of points, ``Clustering/silhouette(of:weights:sample:seed:threads:)``, of 2,000 at
        /// most.
        case silhouette

        /// The mean silhouette by centroids, ``Clustering/simplifiedSilhouette(of:weights:threads:)``: far cheaper
        /// than the other, and a little kinder to clusters that are not round.
        case simplifiedSilhouette

        /// The gap statistic: how much lower the logarithm of the inertia is than its mean for as many points drawn
        /// uniformly from a box around the data, whose edges are along the principal components.
        ///
        /// Chosen is the lowest k with Gap(k) ≥ Gap(k + 1) − s(k + 1), where s is the standard error from the simulation, or the last k if
        /// that holds for none. It can choose 1, and is for squared distances only. Tibshirani, Walther and Hastie,
        /// "Estimating the number of clusters in a data set via the gap statistic", Journal of the Royal Statistical Society B 63(2),
        /// 2001, doi:10.1111/1467-9868.00293.
        case gap(references: Int = 10)
    }
}

extension Clustering {
    /// How ``KMeans`` chose the number of clusters.
    public struct Choice: Sendable, Hashable {
        /// One number of clusters that was tried.
        public struct Candidate: Sendable, Hashable {
            /// The number of clusters.
            public let k: Int
            /// The inertia that k-means reached with so many.
            public let inertia: Double
            /// What the criterion says of it; the higher the better, but for the standard errors of the gap statistic.
            public let score: Double
            /// The standard error of the score, s(k), for the gap statistic.
            public let standardError: Double?
        }

        /// What the choice was made by.
        public let criterion: KMeans.Criterion
        /// All numbers tried, ascending: the curve of inertias and of scores.
        public let candidates: [Candidate]
        /// The number of points on which they were tried.
        public let pointCount: Int
        /// The number chosen.
        public let k: Int
    }
}
