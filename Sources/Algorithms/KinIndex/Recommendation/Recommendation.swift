public import KinCore
import KinLinearAlgebra

/// A request for a list of vectors: like some examples, unlike others, different from each other, and from more than one category.
///
/// The score of a vector x is its mean distance from the positive examples less ``negativeWeight`` times its mean distance from the
/// negative ones; smaller is better. With one positive example alone that is the distance of a plain search:
///
///     score(x) = mean d(p, x) − w · mean d(n, x)
///
/// With a ``diversity`` δ above 0 the list is made by maximal marginal relevance (Carbonell and Goldstein 1998, "The use of MMR,
/// diversity-based reranking for reordering documents and producing summaries", SIGIR '98, doi:10.1145/290941.291025): the first is the
/// vector of the best score, and each later one the vector of the least
///
///     (1 − δ) · score(x) − δ · min d(x, s)    over the vectors s that are in the list already,
///
/// where similarity is the negated distance in the index's own metric. Every choice is the best of all allowed vectors, not of a
/// pool of candidates that someone has to size. Equal values are chosen by ascending id.
public struct Recommendation: Sendable, Hashable {
    /// An example of what is wanted, or is not.
    public enum Example: Sendable, Hashable {
        /// The vector with this id, which will not be in the list.
        case id(VectorID)
        /// A vector of the index's dimension: finite, and for cosine not all zero.
        case vector([Float])
    }

    /// The examples that the list is to be like; at least one.
    public var positive: [Example]
    /// The examples that the list is to be unlike.
    public var negative: [Example]
    /// The weight w of the negative examples, 0 to 1; below 1 under squared L2, where at 1 the farthest vectors would be the best.
    ///
    /// The default, ½, is the vector 2p − n of the means in L2 and cosine.
    public var negativeWeight: Double
    /// The weight δ of being different from the rest of the list: 0, which gives the nearest, up to but not including 1.
    ///
    /// Under squared L2 it is less than (1 − w) ∕ (2 − w), ½ without negative examples: from there on the farthest vectors would be
    /// the best.
    public var diversity: Double
    /// The limit of each category's part of the list; nil for none.
    public var perCategory: CategoryLimit?
    /// The ids that the list leaves out, such as what was seen.
    public var excluded: Set<VectorID>

    /// Creates a request from examples and conditions.
    ///
    /// - Parameters:
    ///   - positive: The examples that the list is to be like; at least one.
    ///   - negative: The examples that the list is to be unlike.
    ///   - negativeWeight: The weight of the negative examples, 0 to 1.
    ///   - diversity: The weight of being different from the rest of the list, from 0 to less than 1.
    ///   - perCategory: The limit of each category's part of the list.
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
    /// The name of the attribute; vectors without a value are not limited.
    public var attribute: String
    /// The largest number of vectors of one value, 1 or more.
    public var count: Int

    /// Creates a limit from an attribute's name and a number.
    public init(attribute: String, count: Int) {
        self.attribute = attribute
        self.count = count
    }
}

extension Recommendation {
    /// Checks everything but the examples themselves.
    ///
    /// - Throws: `.invalidArgument`, saying which number is accepted.
    func check(metric: Metric, schema: AttributeSchema) throws(KinError) {
        guard !positive.isEmpty else {
            throw KinError(.invalidArgument, "there is no positive example; a list is like at least one")
        }
        let mostWeight = metric == .squaredL2 ? 1.0.nextDown : 1
        guard negativeWeight >= 0, negativeWeight <= mostWeight else {
            let range = metric == .squaredL2 ? "from 0 to less than 1 under squared L2" : "0 to 1"
            throw KinError(.invalidArgument, "the weight of negative examples is \(negativeWeight); it is \(range)")
        }
        let weight = negative.isEmpty ? 0 : negativeWeight
        let mostDiversity = metric == .squaredL2 ? (1 - weight) / (2 - weight) : 1
        guard diversity >= 0, diversity < mostDiversity else {
            throw KinError(
                .invalidArgument,
                "the diversity is \(diversity); it is from 0 to less than \(mostDiversity)"
                    + (metric == .squaredL2 ? " here, since under squared L2 the farthest vectors would follow" : ""))
        }
        guard let perCategory else { return }
        guard schema[perCategory.attribute] != nil else { throw schema.unknown(perCategory.attribute) }
        guard perCategory.count >= 1 else {
            throw KinError(.invalidArgument, "\(perCategory.count) vectors of a category make no list; it is 1 or more")
        }
    }
}
