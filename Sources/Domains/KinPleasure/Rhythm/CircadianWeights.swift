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
        for (place, border) in TimeSlot.beginnings.enumerated() {
            // Minutes past the border, by the shorter way round the clock.
            var past = time.minutes - border
            if past > 720 { past -= 1440 }
            if past < -720 { past += 1440 }
            guard abs(past) < width else { continue }
            let x = (past + width) / (2 * width)
            owner = TimeSlot.allCases[place]
            other = TimeSlot.allCases[(place + TimeSlot.allCases.count - 1) % TimeSlot.allCases.count]
            share = 1 - (3 - 2 * x) * x * x
        }
        weights[owner.rawValue] = 1 - share
        weights[other.rawValue] += share
        self.weights = weights
    }

    /// The weight of a slot.
    public subscript(slot: TimeSlot) -> Double { weights[slot.rawValue] }
}
