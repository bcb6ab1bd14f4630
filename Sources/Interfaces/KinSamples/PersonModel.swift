/// The true parameters of a synthetic person, which learning should recover from the person's sessions.
///
/// With aₔ = min(pₔ, 1 − pₔ), the room around the taste, a session of kind k in time slot s has the coordinates
///
///     xₔ = pₔ + aₔ (Kₖₔ + Sₛₔ + shocks + noise)
///
/// where Kₖₔ averages to 0 over the kinds, Sₛₔ over the slots by their shares, and the rest is symmetric. The taste p
/// is therefore the mean of the sessions, except for small clamping to 0…1.
public struct PersonModel: Sendable {
    /// The parameters of the distribution that people are drawn from.
    public struct Parameters: Sendable {
        /// The number of session kinds, 1 to 4, with four dimensions raised by each.
        public var kinds = 4
        /// The difference between a kind's raised dimensions and its others, in units of the room aₔ.
        public var kindStrength = 0.64
        /// The rise of a dimension that a time slot emphasises, in units of the room.
        public var circadianStrength = 0.12
        /// The number of pairs of dimensions with a common shock, 0 to 8.
        public var plantedPairs = 3
        /// The size of a common shock, up or down, in units of the room.
        public var shock = 0.2
        /// The standard deviation of the noise, in units of the room.
        public var noise = 0.14

        /// Creates the default parameters: four kinds, a clear daily rhythm, three correlated pairs.
        public init() {}
    }

    /// The mean of the person's sessions.
    public let taste: Pleasure
    /// The dimensions emphasised in each time slot.
    public let circadian: CircadianProfile
    /// The correlated pairs; in each, the dimension that is first in storage order comes first.
    public let plantedPairs: [[Pleasure.Dimension]]
    /// The probability of each time slot; the sum is 1.
    public let slotShares: [Double]
    /// The offset of each kind in each dimension, in units of the room.
    private let kinds: [[Double]]
    /// The offset of each time slot in each dimension, in units of the room.
    private let slots: [[Double]]
    private let parameters: Parameters

    /// Draws the parameters of a person.
    ///
    /// - Precondition: 1 to 4 kinds and 0 to 8 pairs.
    public init(_ parameters: Parameters = Parameters(), _ generator: inout SeededGenerator) {
        precondition((1...4).contains(parameters.kinds), "there are 1 to 4 kinds of session")
        precondition((0...8).contains(parameters.plantedPairs), "sixteen dimensions make 0 to 8 pairs")
        self.parameters = parameters
        let n = Pleasure.Dimension.count
        var coordinates = SIMD16<Float>.zero
        // Three decimals, so that a file holds the exact taste.
        for d in 0..<n { coordinates[d] = Float(200 + generator.below(601)) / 1000 }
        taste = Pleasure(clamping: coordinates)
        let shuffled = generator.shuffledDimensions()
        kinds = Self.centred(
            (0..<parameters.kinds).map { kind in
                let own = shuffled[kind * 4..<(kind + 1) * 4]
                return Pleasure.Dimension.allCases.map {
                    parameters.kinds > 1 && own.contains($0) ? parameters.kindStrength : 0
                }
            }, shares: [Double](repeating: 1 / Double(parameters.kinds), count: parameters.kinds))
        let weights = DayPart.allCases.map { _ in 0.5 + generator.uniform() }
        let shares = weights.map { $0 / weights.reduce(0, +) }
        slotShares = shares
        var circadian = CircadianProfile()
        for slot in DayPart.allCases {
            circadian[slot] = Array(generator.shuffledDimensions().prefix(2))
        }
        self.circadian = circadian
        slots = Self.centred(
            DayPart.allCases.map { slot in
                Pleasure.Dimension.allCases.map { circadian[slot].contains($0) ? parameters.circadianStrength : 0 }
            }, shares: shares)
        let paired = generator.shuffledDimensions()
        plantedPairs = (0..<parameters.plantedPairs).map { paired[2 * $0..<2 * $0 + 2].sorted() }
    }

    /// The rows less their mean, weighted by the share of each row.
    private static func centred(_ rows: [[Double]], shares: [Double]) -> [[Double]] {
        rows.map { row in
            row.indices.map { d in row[d] - rows.indices.reduce(0) { $0 + shares[$1] * rows[$1][d] } }
        }
    }

    /// The covariance of two dimensions over all sessions, in units of their rooms.
    public func covariance(_ a: Pleasure.Dimension, _ b: Pleasure.Dimension) -> Double {
        let kind = kinds.reduce(0) { $0 + $1[a.rawValue] * $1[b.rawValue] } / Double(kinds.count)
        let slot = zip(slotShares, slots).reduce(0) { $0 + $1.0 * $1.1[a.rawValue] * $1.1[b.rawValue] }
        return kind + slot + (plantedPairs.contains([min(a, b), max(a, b)]) ? parameters.shock * parameters.shock : 0)
    }

    /// Draws a kind of session.
    func kind(_ generator: inout SeededGenerator) -> Int { generator.below(kinds.count) }

    /// Draws a time slot by its share.
    func slot(_ generator: inout SeededGenerator) -> DayPart {
        DayPart.allCases[generator.index(weights: slotShares, total: 1)]
    }

    /// Draws the point of a session of a kind in a time slot.
    func point(kind: Int, slot: DayPart, _ generator: inout SeededGenerator) -> Pleasure {
        var moves = zip(kinds[kind], slots[slot.rawValue]).map { $0 + $1 }
        for pair in plantedPairs {
            let shock = generator.below(2) == 0 ? parameters.shock : -parameters.shock
            for dimension in pair { moves[dimension.rawValue] += shock }
        }
        var coordinates = SIMD16<Float>.zero
        for d in 0..<moves.count {
            let p = Double(taste.coordinates[d])
            let room = min(p, 1 - p)
            let x = p + room * (moves[d] + parameters.noise * generator.normalDeviate())
            coordinates[d] = Float((x * 1000).rounded()) / 1000
        }
        return Pleasure(clamping: coordinates)
    }
}

extension SeededGenerator {
    /// The dimensions shuffled by Fisher and Yates's algorithm, reproducible by seed.
    mutating func shuffledDimensions() -> [Pleasure.Dimension] {
        var list = Pleasure.Dimension.allCases
        for i in stride(from: list.count - 1, to: 0, by: -1) { list.swapAt(i, below(i + 1)) }
        return list
    }
}
