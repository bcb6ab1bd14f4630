/// The weights of the five blocks, which sum to 1.
public struct AffinityWeights: Sendable, Hashable {
    /// The weights in the order of ``SoulBlock``.
    package let values: [Double]

    /// The standard model: goals 0.40, realms 0.25, objects 0.20, patterns 0.10, valence 0.05.
    public static let standard = AffinityWeights(unchecked: [0.40, 0.25, 0.20, 0.10, 0.05])

    private init(unchecked values: [Double]) { self.values = values }

    /// Creates weights from numbers in any unit, which are divided by their sum.
    ///
    /// - Parameters:
    ///   - goals: The weight of goals, 0 or more.
    ///   - realms: The weight of realms, 0 or more.
    ///   - objects: The weight of objects, 0 or more.
    ///   - patterns: The weight of patterns, 0 or more.
    ///   - valence: The weight of valence, 0 or more.
    /// - Throws: `.invalidArgument` for a negative weight or when all are 0, `.notFinite`; naming the block.
    public init(
        goals: Double, realms: Double, objects: Double, patterns: Double, valence: Double
    ) throws(KinError) {
        try self.init([goals, realms, objects, patterns, valence])
    }

    /// Creates weights from numbers in any unit, in the order of the blocks.
    ///
    /// - Parameter weights: A number for each block.
    package init(_ weights: [Double]) throws(KinError) {
        precondition(weights.count == SoulBlock.allCases.count, "a weight for each block")
        for (name, weight) in zip(SoulBlock.names, weights) {
            guard weight.isFinite else { throw .field(name, "the weight is \(weight)", .notFinite) }
            guard weight >= 0 else {
                throw .field(name, "the weight must be 0 or more, not \(weight)")
            }
        }
        let sum = weights.reduce(0, +)
        guard sum > 0 else { throw KinError(.invalidArgument, "a weight must be above 0, but all are 0") }
        guard sum.isFinite else { throw KinError(.invalidArgument, "the weights are too large to add") }
        // Quotients do not sum to 1 exactly, and would change when they are read again.
        values = abs(sum - 1) < 1e-15 ? weights : weights.map { $0 / sum }
    }

    /// Creates weights from normalized values, bit for bit; nil unless there are five values in 0…1 that sum to 1.
    package init?(normalized values: [Double]) {
        guard values.count == SoulBlock.allCases.count, values.allSatisfy({ (0...1).contains($0) }),
            abs(values.reduce(0, +) - 1) < 1e-9
        else { return nil }
        self.values = values
    }

    /// The weight of a block, 0…1.
    public subscript(block: SoulBlock) -> Double { values[block.rawValue] }

    /// The sum of the weights of a mask's blocks, added in the order of the blocks.
    package func sum(_ mask: BlockMask) -> Double {
        SoulBlock.allCases.reduce(0) { mask.has($1) ? $0 + self[$1] : $0 }
    }
}
