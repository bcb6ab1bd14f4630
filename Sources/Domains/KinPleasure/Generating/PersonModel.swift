public import KinCore

/// How a made-up person lives: what learning has to find out from their sessions.
///
/// With aₔ = min(pₔ, 1 − pₔ), the room that the taste leaves, a session of kind k in time slot s has the coordinates
///
///     xₔ = pₔ + aₔ (Kₖₔ + Sₛₔ + shocks + noise)
///
/// where Kₖₔ averages to 0 over the kinds, Sₛₔ over the slots as often as the person uses them, and the rest is symmetric: the
/// taste p is the mean of what the person lives, but for the little that is cut off at 0 and 1.
public struct PersonModel: Sendable {
    /// How a person is drawn.
    public struct Parameters: Sendable {
        /// How many kinds of session there are, 1 to 4; each raises dimensions of its own.
        public var kinds = 4
        /// How much a kind raises its dimensions above its others.
        public var kindStrength = 0.64
        /// How much a time slot raises its dimensions.
        public var circadianStrength = 0.12
        /// How many pairs of dimensions are moved by a shock in common.
        public var plantedPairs = 3
        /// How large such a shock is, up or down.
        public var shock = 0.2
        /// The noise's standard deviation.
        public var noise = 0.14

        /// Four kinds, a clear rhythm, three planted pairs.
        public init() {}
    }

    /// The mean of what the person lives.
    public let taste: Pleasure
    /// Which dimensions matter more at which time of day.
    public let circadian: CircadianProfile
    /// Pairs that were planted, the dimension first in storage order first.
    public let plantedPairs: [[Pleasure.Dimension]]
    /// How often each time slot is used; adds up to 1.
    public let slotShares: [Double]
    /// How much each kind adds, in units of the room.
    private let kinds: [[Double]]
    /// How much each time slot adds, in units of the room.
    private let slots: [[Double]]
    private let parameters: Parameters

    /// Draws a person.
    ///
    /// - Precondition: 1 to 4 kinds and 0 to 8 pairs.
    public init(_ parameters: Parameters = Parameters(), _ generator: inout SeededGenerator) {
        precondition((1...4).contains(parameters.kinds), "there are 1 to 4 kinds of session")
        precondition((0...8).contains(parameters.plantedPairs), "sixteen dimensions make 0 to 8 pairs")
        self.parameters = parameters
        let n = Pleasure.Dimension.count
        var coordinates = SIMD16<Float>.zero
        // Three decimals, so that a file holds the very taste.
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
        let weights = TimeSlot.allCases.map { _ in 0.5 + generator.uniform() }
        let shares = weights.map { $0 / weights.reduce(0, +) }
        slotShares = shares
        var circadian = CircadianProfile()
        for slot in TimeSlot.allCases {
            circadian[slot] = Array(generator.shuffledDimensions().prefix(2))
        }
        self.circadian = circadian
        slots = Self.centred(
            TimeSlot.allCases.map { slot in
                Pleasure.Dimension.allCases.map { circadian[slot].contains($0) ? parameters.circadianStrength : 0 }
            }, shares: shares)
        let paired = generator.shuffledDimensions()
        plantedPairs = (0..<parameters.plantedPairs).map { paired[2 * $0..<2 * $0 + 2].sorted() }
    }

    /// The rows less their mean, each row weighing its share.
    private static func centred(_ rows: [[Double]], shares: [Double]) -> [[Double]] {
        rows.map { row in
            row.indices.map { d in row[d] - rows.indices.reduce(0) { $0 + shares[$1] * rows[$1][d] } }
        }
    }

    /// The covariance of two dimensions over all sessions, in units of their room: above 0 where they fire together.
    public func covariance(_ a: Pleasure.Dimension, _ b: Pleasure.Dimension) -> Double {
        let kind = kinds.reduce(0) { $0 + $1[a.rawValue] * $1[b.rawValue] } / Double(kinds.count)
        let slot = zip(slotShares, slots).reduce(0) { $0 + $1.0 * $1.1[a.rawValue] * $1.1[b.rawValue] }
        return kind + slot + (plantedPairs.contains([min(a, b), max(a, b)]) ? parameters.shock * parameters.shock : 0)
    }

    /// Draws a kind of session.
    func kind(_ generator: inout SeededGenerator) -> Int { generator.below(kinds.count) }

    /// Draws a time slot.
    func slot(_ generator: inout SeededGenerator) -> TimeSlot {
        var left = generator.uniform()
        for (slot, share) in zip(TimeSlot.allCases, slotShares) {
            left -= share
            if left < 0 { return slot }
        }
        return .night
    }

    /// Draws the point of a session of a kind in a time slot.
    func point(kind: Int, slot: TimeSlot, _ generator: inout SeededGenerator) -> Pleasure {
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
    /// The dimensions in an order drawn by Fisher and Yates's shuffle; the standard library's promises no order for a seed.
    mutating func shuffledDimensions() -> [Pleasure.Dimension] {
        var list = Pleasure.Dimension.allCases
        for i in stride(from: list.count - 1, to: 0, by: -1) { list.swapAt(i, below(i + 1)) }
        return list
    }
}
