import Foundation
import KinChallenges

/// A person with known tastes. These follow from a profile of 16 dimensions, from preferred categories and lengths,
/// from fatigue with recent categories, and from the streak. In the middle of the trial the tastes may change.
struct SimulatedPerson {
    /// The effects that a task includes.
    struct Task: Sendable {
        let name: String
        let days: Int
        var fatigue = 0.0
        var streak = 0.0
        var drift = false
        var ignored = 0.0

        static let all = [
            Task(name: "steady", days: 240),
            Task(name: "fatigue and streaks", days: 240, fatigue: 1.2, streak: 0.6),
            Task(name: "drift", days: 240, drift: true),
            Task(name: "ignored", days: 240, ignored: 0.3),
            Task(name: "everything", days: 240, fatigue: 0.8, streak: 0.4, drift: true, ignored: 0.2),
            Task(name: "first month", days: 30),
        ]
    }

    static let dimensions = [
        "order", "enclosure", "path", "horizon", "anxiety", "ignorance", "repetition", "post", "food", "mobility",
        "erotic_uncertainty", "material_play", "power", "nature_mirror", "serendipity_following", "anchor_expansion",
    ]

    let task: Task
    var profile: [String: Double]
    private var categories: [String: Double]
    private var lengthTaste: Double
    private let later: (profile: [String: Double], categories: [String: Double])
    private var recent: [String] = []
    private var streak = 0

    init(_ task: Task, catalog: ChallengeCatalog, generator: inout SeededGenerator) {
        self.task = task
        func draw(_ generator: inout SeededGenerator) -> (profile: [String: Double], categories: [String: Double]) {
            var profile: [String: Double] = [:]
            for name in Self.dimensions { profile[name] = pow(generator.uniform(), 2) }
            var categories: [String: Double] = [:]
            for name in Set(catalog.challenges.map(\.category)).sorted() {
                categories[name] = 0.9 * generator.normalDeviate()
            }
            return (profile, categories)
        }
        (profile, categories) = draw(&generator)
        later = draw(&generator)
        lengthTaste = 0.5 * generator.normalDeviate() - 0.3
    }

    /// The categories that the person would name as preferred.
    var named: [String] { categories.filter { $0.value > 0.7 }.map(\.key).sorted() }

    /// The probability that the person does a challenge if it is given today.
    func probability(_ challenge: Challenge) -> Double {
        let found = challenge.tags.compactMap { profile[$0] }
        let match = found.isEmpty ? 0.33 : found.reduce(0, +) / Double(found.count)
        var score = -0.9 + 2.5 * (match - 0.33) + (categories[challenge.category] ?? 0)
        score += lengthTaste * log2(challenge.time.longestMinutes / 15) / 2
        if challenge.difficulty == .advanced { score -= 0.4 }
        let times = recent.suffix(5).count { $0 == challenge.category }
        score -= task.fatigue * Double(times) / 2
        score += task.streak * min(Double(streak), 7) / 7
        return 1 / (1 + exp(-score))
    }

    /// Simulates one day.
    mutating func live(day: Int, given challenge: Challenge, wasDone: Bool) {
        recent.append(challenge.category)
        streak = wasDone ? streak + 1 : 0
        if task.drift, day == task.days / 2 { (profile, categories) = later }
    }
}
