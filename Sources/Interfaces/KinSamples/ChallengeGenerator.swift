/// A generator of challenges: 48 activities in eight categories, each plain and with five variations, in a seeded
/// order.
public struct ChallengeGenerator: Sendable {
    /// The seed: the same seed gives the same challenges.
    public let seed: UInt64

    /// Creates a generator with a seed, which may be any number.
    public init(seed: UInt64 = 0) { self.seed = seed }

    /// Generates challenges with the ids `c1`, `c2` and so on, with the categories in turn. From the 289th they repeat
    /// the first challenges with new ids.
    ///
    /// - Parameters:
    ///   - count: The number of challenges.
    ///   - created: The instant of their creation and last change.
    public func challenges(_ count: Int, created: Timestamp? = nil) -> [Challenge] {
        var generator = SeededGenerator(seed: seed)
        let categories = ChallengeActivities.all.map { group in
            (group.category, Self.pairs(group.activities).shuffled(using: &generator))
        }
        do throws(KinError) {
            var challenges: [Challenge] = []
            for number in 0..<max(0, count) {
                let (category, pairs) = categories[number % categories.count]
                let (activity, twist) = pairs[number / categories.count % pairs.count]
                challenges.append(try Self.challenge(number + 1, category, activity, twist, created: created))
            }
            return challenges
        } catch {
            preconditionFailure("the generator's own challenges are right: \(error)")
        }
    }

    private static func pairs(_ activities: [ChallengeActivity]) -> [(ChallengeActivity, Int)] {
        activities.flatMap { activity in ChallengeActivities.twists.indices.map { (activity, $0) } }
    }

    private static func challenge(
        _ number: Int, _ category: String, _ activity: ChallengeActivity, _ twist: Int, created: Timestamp?
    ) throws(KinError) -> Challenge {
        let twist = ChallengeActivities.twists[twist]
        let minutes = (activity.minutes * twist.timeFactor).rounded()
        // Activities that need a group or a high cost are not for beginners.
        let isDemanding = activity.social >= .group || activity.cost >= .high
        return try Challenge(
            id: "c\(number)", title: twist.name.isEmpty ? activity.title : "\(activity.title), \(twist.name)",
            text: twist.text.isEmpty ? activity.text : "\(activity.text) \(twist.text)", category: category,
            time: .minutes(minutes), social: activity.social, cost: activity.cost,
            difficulty: isDemanding ? max(twist.difficulty, .intermediate) : twist.difficulty,
            tags: activity.tags + (twist.tag.map { [$0] } ?? []), created: created, updated: created)
    }
}
