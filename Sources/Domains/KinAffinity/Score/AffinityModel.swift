/// A model of affinity: the weights of the blocks and, in a population, the rarity of goals.
///
/// The score of two souls is Σ wᵢ sᵢ ∕ Σ wᵢ over the blocks that both have. Similarities sᵢ are the cosines of the
/// damped traits (goals, realms, objects) and of the patterns' vectors, and 1 − |a − b| ∕ 2 for valence. If
/// ``shrinksScores`` is true, the score is multiplied by ``Affinity/shrinkage``.
///
///     let affinity = AffinityModel.standard.affinity(between: a, and: b)
///     print(affinity.score, affinity.connection, affinity[.goals]?.shared ?? [])
public struct AffinityModel: Sendable, Hashable {
    /// The weights of the five blocks.
    public var weights: AffinityWeights
    /// The rarity of goals; nil if every goal counts the same.
    public var rarity: GoalRarity?
    /// Whether scores shrink if few events are behind the souls (``Affinity/shrinkage``).
    public var shrinksScores: Bool
    /// The rule that maps scores to connections.
    public var connections = ConnectionRule.standard {
        didSet { bounds = ConnectionBounds(connections, calibration: calibration) }
    }
    /// The quantiles of scores in the population, used to explain affinities; nil if unknown.
    public var calibration: AffinityCalibration? {
        didSet { bounds = ConnectionBounds(connections, calibration: calibration) }
    }
    /// The least score and coverage of each connection, by the rule and the calibration.
    public private(set) var bounds = ConnectionBounds.standard

    /// The model with the standard weights and without rarity.
    public static let standard = AffinityModel()

    /// Creates a model from weights and rarity, with the fixed bounds of connections.
    ///
    /// - Parameters:
    ///   - weights: The weights of the five blocks.
    ///   - rarity: The rarity of goals; nil if every goal counts the same.
    ///   - shrinksScores: Whether scores shrink if few events are behind the souls. Stores do so by default.
    public init(weights: AffinityWeights = .standard, rarity: GoalRarity? = nil, shrinksScores: Bool = false) {
        self.weights = weights
        self.rarity = rarity
        self.shrinksScores = shrinksScores
    }

    /// Sets the rule of connections and the quantiles of scores.
    mutating func connect(by rule: ConnectionRule, calibration: AffinityCalibration?) {
        self.calibration = calibration
        connections = rule
    }

    /// Computes the affinity of two souls, which is symmetric, and exactly 1 for a soul with itself unless scores shrink.
    ///
    /// - Parameters:
    ///   - a: A soul.
    ///   - b: A second soul.
    /// - Complexity: O(traits of both).
    public func affinity(between a: Soul, and b: Soul) -> Affinity {
        affinity(SoulVector(a, rarity: rarity), SoulVector(b, rarity: rarity))
    }

    /// Computes the affinity of two vectors that were made with this model's rarity.
    package func affinity(_ a: SoulVector, _ b: SoulVector) -> Affinity {
        let common = a.mask.intersection(b.mask)
        let total = weights.sum(common)
        let mask = total > 0 ? common : []
        let evidence = shrinksScores ? (a.evidence, b.evidence) : nil
        let shrinkage = evidence.map { $0.value * $1.value } ?? 1
        var sum = 0.0
        var blocks: [Affinity.BlockAffinity] = []
        for block in SoulBlock.allCases where mask.has(block) {
            let weight = weights[block]
            var shared: [Affinity.SharedTrait] = []
            let similarity: Double
            switch block {
            case .goals, .realms, .objects:
                let (a, b) = (a.blocks[block.rawValue], b.blocks[block.rawValue])
                let products = Self.products(a, b)
                similarity = BlockSimilarity.cosine(
                    product: products.reduce(0) { $0 + $1.product }, a.squares, b.squares)
                shared = products.map { name, product in
                    let part = BlockSimilarity.cosine(product: product, a.squares, b.squares)
                    return Affinity.SharedTrait(name: name, contribution: weight * part / total * shrinkage)
                }
                shared.sort { ($1.contribution, $0.name) < ($0.contribution, $1.name) }
            case .patterns:
                let product = zip(a.pattern, b.pattern).reduce(0) { $0 + $1.0 * $1.1 }
                similarity = BlockSimilarity.cosine(product: product, a.patternSquares, b.patternSquares)
            case .valence:
                similarity = BlockSimilarity.valence(a.valence ?? 0, b.valence ?? 0)
            }
            sum += weight * similarity
            blocks.append(
                Affinity.BlockAffinity(
                    block: block, similarity: similarity, weight: weight / total,
                    contribution: weight * similarity / total * shrinkage,
                    shared: Array(shared.prefix(3))))
        }
        let (score, coverage) = (total > 0 ? sum / total * shrinkage : 0, min(1, total))
        let connection = bounds.connection(score: score, coverage: coverage)
        return Affinity(
            score: score, connection: connection, coverage: coverage, shrinkage: shrinkage,
            raise: change(
                raising: connection, sum: sum, total: total, blocks: blocks, evidence: evidence),
            nearerThan: calibration?.share(below: score), blocks: blocks)
    }

    /// The products of the values of common traits, by ascending name.
    private static func products(_ a: SoulVector.Block, _ b: SoulVector.Block) -> [(name: String, product: Double)] {
        var products: [(name: String, product: Double)] = []
        var (i, j) = (0, 0)
        while i < a.names.count, j < b.names.count {
            if a.names[i] == b.names[j] {
                products.append((a.names[i], a.values[i] * b.values[j]))
                i += 1
                j += 1
            } else if a.names[i] < b.names[j] {
                i += 1
            } else {
                j += 1
            }
        }
        return products
    }
}
