import KinLibC

/// A person's current moods, and their effect on the target profile.
public struct MoodInfluence: Sendable, Hashable {
    /// The moods at the instant, in the order of `Mood.allCases`.
    public let moods: [Mood]
    /// The mean of the moods' effects on the dimensions: those of the table, moved towards the person's sessions in each
    /// mood.
    public let effects: MoodEffects
    /// The number of the person's sessions in any of the moods.
    public let sessionCount: Int
    /// The target profile without the mood.
    public let targetBefore: Pleasure
    /// The target profile under the moods.
    public var target: Pleasure { targetBefore.shaped(by: effects) }
}

extension TasteHistory {
    /// The weight of a mood's table, in sessions that name a dimension.
    public static let moodTableWeight: Float = 5

    /// The influence of one or several moods on a target profile, learned from the person's sessions in them.
    ///
    /// A session is in the mood that the profile at its start names (`current_state`). Take the sessions in the mood
    /// that name a dimension, with the weights w = 2^(−age ∕ 90 days). With n the sum of these weights and m the
    /// weighted mean there, the effect on that dimension is
    ///
    ///     e = (5 t + n o) ∕ (5 + n)
    ///
    /// where t is the table's effect and o the effect that leads from the learned profile to m. So a person without
    /// such sessions has the table's effects, and a person with many has effects that lead to their own sessions in the
    /// mood.
    ///
    /// The effects of several moods are the mean of each one's effects, so that opposite effects cancel each other out.
    /// By the table, anxious alone lowers `ignorance` by 0.5, and anxious and curious together raise it by 0.1.
    /// ``Mood/neutral`` has no effect and counts in the mean: neutral and anxious together have half of the effects of
    /// anxious.
    ///
    /// - Parameters:
    ///   - moods: The moods.
    ///   - instant: The instant; sessions that count later are ignored.
    ///   - learned: The learned profile at the instant.
    ///   - target: The target profile without the mood.
    /// - Returns: The influence; nil without a mood other than ``Mood/neutral``.
    /// - Complexity: O(sessions) for each mood, about 10 ns for each session.
    public func influence(
        of moods: Set<Mood>, at instant: Timestamp, learned: Pleasure, target: Pleasure
    ) -> MoodInfluence? {
        let active = Mood.allCases.filter { $0 != .neutral && moods.contains($0) }
        guard !active.isEmpty else { return nil }
        // In the order of the table, so that the sum does not depend on the order of the moods.
        var (sum, sessions) = (SIMD16<Float>.zero, 0)
        for mood in active {
            let one = effects(of: mood, at: instant, learned: learned)
            sum += one.effects
            sessions += one.count
        }
        return MoodInfluence(
            moods: Mood.allCases.filter(moods.contains), effects: MoodEffects(sum / Float(moods.count)),
            sessionCount: sessions, targetBefore: target)
    }

    /// The effects of one mood, and the number of sessions in it.
    private func effects(
        of mood: Mood, at instant: Timestamp, learned: Pleasure
    ) -> (effects: SIMD16<Float>, count: Int) {
        let isInMood = declared.map { $0.profile.currentState.flatMap(Mood.init(words:)) == mood }
        var (sum, weight, count) = (SIMD16<Double>.zero, SIMD16<Double>.zero, 0)
        if isInMood.contains(true) {
            forEachSession(until: instant) { start, time, point, named in
                let version = declared.partition { $0.since <= start } - 1
                guard version >= 0, isInMood[version] else { return }
                let age = instant.days(since: time)
                let counted = named * exp2(-age / Self.halfLifeDays)
                sum += SIMD16<Double>(point.coordinates) * counted
                weight += counted
                count += 1
            }
        }
        let known = weight .> 0
        let mean = SIMD16<Float>((sum / weight).replacing(with: 0, where: .!known))
        let observed = learned.effects(leadingTo: Pleasure(clamping: mean)).values
        let n = SIMD16<Float>(weight)
        return ((Self.moodTableWeight * mood.effects.values + n * observed) / (Self.moodTableWeight + n), count)
    }
}
