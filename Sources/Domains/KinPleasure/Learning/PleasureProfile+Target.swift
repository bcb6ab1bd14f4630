extension PleasureProfile {
    /// How far a dimension that a slot names is moved towards 1, of the way that is left.
    public static let circadianLift: Float = 0.5
    /// What share a dimension loses that the slots do not name.
    public static let circadianDamping: Float = 0.25

    /// What the person is after at a time of day: the taste, shaped by the circadian profile.
    ///
    /// With the slots' weights w (``CircadianWeights``), the emphasis e of a dimension is the sum of the weights of those slots that
    /// name it, and m is the sum of the weights of those slots that name any. A coordinate p becomes
    ///
    ///     p · (1 − ¼ (m − e)) + ½ e (1 − p)
    ///
    /// which is in 0…1, changes smoothly with the time, and is p where the slots name nothing.
    public func target(at time: LocalTime) -> Pleasure {
        let weights = CircadianWeights(at: time)
        var emphasis = SIMD16<Float>.zero
        var named: Float = 0
        for slot in TimeSlot.allCases where weights[slot] > 0 && !circadian[slot].isEmpty {
            let weight = Float(weights[slot])
            named += weight
            for dimension in circadian[slot] { emphasis[dimension.rawValue] += weight }
        }
        let p = pleasure.coordinates
        let kept = p * (1 - Self.circadianDamping * (named - emphasis))
        return Pleasure(clamping: kept + Self.circadianLift * emphasis * (1 - p))
    }
}

/// How much each time slot counts at a time of day: weights from 0 to 1 that add up to 1 and change smoothly.
///
/// Within half an hour of the border between two slots the weight goes over from one to the other as s(x) = 3x² − 2x³, x from 0
/// to 1; elsewhere the slot counts alone. At the border itself both weigh ½.
public struct CircadianWeights: Sendable, Hashable {
    private let weights: [Double]

    /// How many minutes before and after a border the weights change.
    public static let transitionMinutes = 30.0

    /// The weights at a time of day.
    public init(at time: LocalTime) {
        var weights = TimeSlot.allCases.map { _ in 0.0 }
        let width = Self.transitionMinutes
        // The slots in turn, from the border that is next to come: no two borders are nearer than two transitions.
        var owner = TimeSlot(at: time)
        var share = 0.0
        var other = owner
        for (position, border) in TimeSlot.beginnings.enumerated() {
            // Minutes past the border, by the shorter way round the clock.
            var past = time.minutes - border
            if past > 720 { past -= 1440 }
            if past < -720 { past += 1440 }
            guard abs(past) < width else { continue }
            let x = (past + width) / (2 * width)
            owner = TimeSlot.allCases[position]
            other = TimeSlot.allCases[(position + TimeSlot.allCases.count - 1) % TimeSlot.allCases.count]
            share = 1 - (3 - 2 * x) * x * x
        }
        weights[owner.rawValue] = 1 - share
        weights[other.rawValue] += share
        self.weights = weights
    }

    /// The weight of a slot.
    public subscript(slot: TimeSlot) -> Double { weights[slot.rawValue] }
}
