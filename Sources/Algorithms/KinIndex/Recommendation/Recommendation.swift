/// A request for a list of vectors: like some examples, unlike others, different from each other, and from several
/// categories.
///
///     var wanted = Recommendation(positive: [.id(1007), .vector(mood)], negative: [.id(1009)], diversity: 0.2)
///     wanted.perCategory = CategoryLimit(attribute: "user", count: 2)
///     wanted.excluded = [1042]
///     let list = try index.recommend(wanted, k: 10)
///
/// The score of a vector x is its mean distance from the positive examples, minus ``negativeWeight`` times its mean
/// distance from the negative examples. Smaller is better. With a single positive example, the score is the distance of
/// a plain search:
///
///     score(x) = mean d(p, x) − w · mean d(n, x)
///
/// With a ``diversity`` δ above 0 the list is made by maximal marginal relevance (Carbonell and Goldstein 1998, "The
/// use of MMR, diversity-based reranking for reordering documents and producing summaries", SIGIR '98,
/// doi:10.1145/290941.291025). The first vector is the one with the best score, and each later vector the one with the
/// least
///
///     (1 − δ) · score(x) − δ · min d(x, s)    over the vectors s that are in the list already,
///
/// with the negated distance in the index's own metric as similarity. Every choice is the best of all allowed vectors,
/// not of a candidate pool of limited size. Ties are chosen by ascending id.
public struct Recommendation: Sendable, Hashable {
    /// An example of a wanted or an unwanted vector.
    public enum Example: Sendable, Hashable {
        /// The vector with this id, which is left out of the list.
        case id(VectorID)
        /// A vector of the index's dimension: finite, and not all zero for cosine.
        case vector([Float])
    }

    /// The examples that the list should resemble; at least one.
    public var positive: [Example]
    /// The examples that the list should differ from.
    public var negative: [Example]
    /// The weight w of the negative examples, 0 to 1. It is below 1 for distances that grow in every direction, such as
    /// squared L2, since at 1 the farthest vectors would be the best.
    ///
    /// Default: ½, which searches for 2p − n of the mean examples p and n in L2 and cosine.
    public var negativeWeight: Double
    /// The weight δ of the difference from the rest of the list, from 0 to less than 1. With 0 the list is the nearest
    /// vectors.
    ///
    /// For distances that grow in every direction, such as squared L2, it must be less than (1 − w) ∕ (2 − w), which is ½
    /// without negative examples. From that value on, the farthest vectors would be the best.
    public var diversity: Double
    /// The limit on vectors per category; nil for no limit.
    public var perCategory: CategoryLimit?
    /// The ids that the list leaves out, such as items already seen.
    public var excluded: Set<VectorID>

    /// Creates a request from examples and conditions.
    ///
    /// - Parameters:
    ///   - positive: The examples that the list should resemble; at least one.
    ///   - negative: The examples that the list should differ from.
    ///   - negativeWeight: The weight of the negative examples, 0 to 1.
    ///   - diversity: The weight of the difference from the rest of the list, from 0 to less than 1.
    ///   - perCategory: The limit on vectors per category.
    ///   - excluded: The ids that the list leaves out.
    public init(
        positive: [Example], negative: [Example] = [], negativeWeight: Double = 0.5, diversity: Double = 0,
        perCategory: CategoryLimit? = nil, excluded: Set<VectorID> = []
    ) {
        self.positive = positive
        self.negative = negative
        self.negativeWeight = negativeWeight
        self.diversity = diversity
        self.perCategory = perCategory
        self.excluded = excluded
    }
}

/// The largest number of vectors in a list that have the same value of an attribute.
public struct CategoryLimit: Sendable, Hashable {
    /// The name of the attribute; vectors without a value have no limit.
    public var attribute: String
    /// The largest number of vectors with one value, 1 or more.
    public var count: Int

    /// Creates a limit from an attribute's name and a number.
    public init(attribute: String, count: Int) {
        self.attribute = attribute
        self.count = count
    }
}

extension Recommendation {
    /// Checks everything except the examples themselves.
    ///
    /// - Throws: `.invalidArgument`; the message gives the accepted range.
    func check(metric: Metric, schema: AttributeSchema) throws(KinError) {
        guard !positive.isEmpty else {
            throw KinError(.invalidArgument, "a list needs at least one positive example")
        }
        let isLimited = metric.growsInEveryDirection
        guard negativeWeight >= 0, negativeWeight <= (isLimited ? 1.0.nextDown : 1) else {
            let range = isLimited ? "from 0 to less than 1 under \(metric)" : "0 to 1"
            throw KinError(.invalidArgument, "the weight of negative examples must be \(range), not \(negativeWeight)")
        }
        let weight = negative.isEmpty ? 0 : negativeWeight
        let mostDiversity = isLimited ? (1 - weight) / (2 - weight) : 1
        guard diversity >= 0, diversity < mostDiversity else {
            throw KinError(
                .invalidArgument,
                "the diversity must be from 0 to less than \(mostDiversity), not \(diversity)"
                    + (isLimited ? "; more would rank the farthest first" : ""))
        }
        guard let perCategory else { return }
        guard schema[perCategory.attribute] != nil else { throw schema.unknown(perCategory.attribute) }
        guard perCategory.count >= 1 else {
            throw KinError(.invalidArgument, "the vectors per category must be 1 or more, not \(perCategory.count)")
        }
    }
}
