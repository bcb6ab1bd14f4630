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
