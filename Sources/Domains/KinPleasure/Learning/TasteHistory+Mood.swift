public import KinCore
import KinLibC

/// A person's current mood, and its effect on the target profile.
public struct MoodInfluence: Sendable, Hashable {
    /// The mood at the instant.
    public let mood: Mood
    /// The effects on the dimensions: those of the table, moved towards the person's sessions in the mood.
    public let effects: MoodEffects
    /// The number of the person's sessions in the mood.
    public let sessionCount: Int
    /// The target profile without the mood.
    public let targetBefore: Pleasure
    /// The target profile under the mood.
    public var target: Pleasure { targetBefore.shaped(by: effects) }
}

extension TasteHistory {
    /// The weight of a mood's table, in sessions that name a dimension.
    public static let moodTableWeight: Float = 5

    /// The influence of a mood on a target profile, learned from the person's sessions in that mood.
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
    /// - Parameters:
    ///   - mood: The mood.
    ///   - instant: The instant; sessions that count later are ignored.
    ///   - learned: The learned profile at the instant.
    ///   - target: The target profile without the mood.
    /// - Returns: The influence; nil for ``Mood/neutral``.
    /// - Complexity: O(sessions), about 10 ns each.
    public func mood(_ mood: Mood, at instant: Timestamp, learned: Pleasure, target: Pleasure) -> MoodInfluence? {
        guard mood != .neutral else { return nil }
        let isInMood = declared.map { $0.profile.currentState.flatMap(Mood.init(words:)) == mood }
        var (sum, weight, count) = (SIMD16<Double>.zero, SIMD16<Double>.zero, 0)
        if isInMood.contains(true) {
            forEachSession(until: instant) { start, time, point, named in
                let version = declared.partition { $0.since <= start } - 1
                guard version >= 0, isInMood[version] else { return }
                let age = instant.days(since: time)
                let counted = named * exp2(-age / ProfileLearner.Parameters().halfLifeDays)
                sum += SIMD16<Double>(point.coordinates) * counted
                weight += counted
                count += 1
            }
        }
        let known = weight .> 0
        let mean = SIMD16<Float>((sum / weight).replacing(with: 0, where: .!known))
        let observed = learned.effects(leadingTo: Pleasure(clamping: mean)).values
        let n = SIMD16<Float>(weight)
        let effects = (Self.moodTableWeight * mood.effects.values + n * observed) / (Self.moodTableWeight + n)
        return MoodInfluence(mood: mood, effects: MoodEffects(effects), sessionCount: count, targetBefore: target)
    }
}
