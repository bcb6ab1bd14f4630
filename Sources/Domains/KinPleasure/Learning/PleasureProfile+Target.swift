extension PleasureProfile {
    /// The lift of an emphasised dimension, as a share of its distance to 1.
    public static let circadianLift: Float = 0.5
    /// The damping of a dimension without emphasis, as a share of its value.
    public static let circadianDamping: Float = 0.25

    /// The target profile at a time of day: the taste, weighted by the circadian profile.
    ///
    /// Let w be the weights of the slots (``CircadianWeights``). The emphasis e of a dimension is the sum of the
    /// weights of the slots that emphasise it, and m is the sum for the slots that emphasise any dimension. A
    /// coordinate p becomes
    ///
    ///     p · (1 − ¼ (m − e)) + ½ e (1 − p)
    ///
    /// This is in 0…1, is continuous in time, and equals p if no slot emphasises any dimension.
    public func target(at time: TimeOfDay) -> Pleasure { pleasure.target(at: time, circadian: circadian) }
}

extension Pleasure {
    /// The target profile at a time of day: a taste, weighted by a circadian profile (``PleasureProfile/target(at:)``).
    func target(at time: TimeOfDay, circadian: CircadianProfile) -> Pleasure {
        let weights = CircadianWeights(at: time)
        var emphasis = SIMD16<Float>.zero
        var named: Float = 0
        for slot in DayPart.allCases where weights[slot] > 0 && !circadian[slot].isEmpty {
            let weight = Float(weights[slot])
            named += weight
            for dimension in circadian[slot] { emphasis[dimension.rawValue] += weight }
        }
        let p = coordinates
        let kept = p * (1 - PleasureProfile.circadianDamping * (named - emphasis))
        return Pleasure(clamping: kept + PleasureProfile.circadianLift * emphasis * (1 - p))
    }
}

/// The weights of the time slots at a time of day: 0 to 1, with the sum 1, continuous in time.
///
/// Within half an hour of the border between two slots the weight moves from one to the other by s(x) = 3x² − 2x³, x
/// from 0 to 1. At all other times one slot has weight 1. At the border both have ½.
public struct CircadianWeights: Sendable, Hashable {
    private let weights: [Double]

    /// The half-width of a transition between two slots, in minutes.
    public static let transitionMinutes = 30.0

    /// Computes the weights at a time of day.
    public init(at time: TimeOfDay) {
        var weights = DayPart.allCases.map { _ in 0.0 }
        let width = Self.transitionMinutes
        // At most one border is within a transition of the time.
        var owner = DayPart(at: time)
        var share = 0.0
        var other = owner
        for (position, border) in DayPart.beginnings.enumerated() {
            // Minutes past the border, by the shorter way round the clock.
            var past = time.minutes - border
            if past > 720 { past -= 1440 }
            if past < -720 { past += 1440 }
            guard abs(past) < width else { continue }
            let x = (past + width) / (2 * width)
            owner = DayPart.allCases[position]
            other = DayPart.allCases[(position + DayPart.allCases.count - 1) % DayPart.allCases.count]
            share = 1 - (3 - 2 * x) * x * x
        }
        weights[owner.rawValue] = 1 - share
        weights[other.rawValue] += share
        self.weights = weights
    }

    /// The weight of a slot, 0…1.
    public subscript(slot: DayPart) -> Double { weights[slot.rawValue] }
}
