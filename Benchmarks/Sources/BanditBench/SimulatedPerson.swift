import Foundation
import Kin

/// A simulated person with preferences, fatigue and changes.
///
/// Offers are challenges with sixteen pleasures, a difficulty and a category. A person accepts one with probability
/// σ(base + taste · pleasures − laziness · difficulty − fatigue · repetition + pride · streak), if they look at all.
struct SimulatedPerson {
    /// The difficulty for a policy.
    enum Task: String, CaseIterable {
        case steady, fatigue, streaks, drift, ignored, brief
    }

    let task: Task
    private var taste: [Double]
    private let laziness: Double
    private var generator: SeededGenerator
    /// The recent number of offers of each category, fading.
    private var repetition = [Double](repeating: 0, count: categories)
    private var streak = 0.0
    private var round = 0

    static let categories = 6
    static let offers = 20
    /// Pleasures, difficulty, repetition of the category, streak, and its product with difficulty.
    static let dimension = 20

    /// The number of rounds in a trial of the task.
    static func rounds(_ task: Task) -> Int { task == .brief ? 40 : 300 }

    init(_ task: Task, seed: UInt64) {
        self.task = task
        generator = SeededGenerator.stream(seed, of: 77)
        taste = Self.taste(&generator)
        laziness = 0.5 + generator.uniform()
    }

    /// Four of the sixteen pleasures matter much, the others a little.
    private static func taste(_ generator: inout SeededGenerator) -> [Double] {
        var taste = (0..<16).map { _ in 0.2 * gaussian(&generator) }
        for _ in 0..<4 { taste[generator.below(16)] += 1.2 * gaussian(&generator) }
        return taste
    }

    /// A sum of twelve uniforms, close enough to normal for simulated people.
    static func gaussian(_ generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + generator.uniform() }
    }

    /// Today's offers as features, and the probability that each is accepted.
    mutating func offers() throws -> (features: Matrix<Double>, chances: [Double], categories: [Int]) {
        if task == .drift, round == 150 { taste = Self.taste(&generator) }
        var (rows, chances, kinds) = ([[Double]](), [Double](), [Int]())
        for _ in 0..<Self.offers {
            var pleasures = [Double](repeating: 0, count: 16)
            for _ in 0..<3 { pleasures[generator.below(16)] = 0.4 + 0.6 * generator.uniform() }
            let difficulty = generator.uniform()
            let kind = generator.below(Self.categories)
            let tired = repetition[kind]
            rows.append(pleasures + [difficulty, tired, streak, streak * difficulty])
            kinds.append(kind)
            var score = -1 - laziness * difficulty
            for k in 0..<16 { score += 2 * taste[k] * pleasures[k] }
            if task == .fatigue { score -= 3 * tired }
            if task == .streaks { score += 2 * streak * (1 - difficulty) }
            chances.append(1 / (1 + exp(-score)))
        }
        return (try Matrix(rows: rows), chances, kinds)
    }

    /// Whether the offer is accepted; updates the person. nil if the person never looked.
    mutating func answer(_ chance: Double, category: Int) -> Bool? {
        round += 1
        for kind in repetition.indices { repetition[kind] *= 0.7 }
        repetition[category] += 0.3
        if task == .ignored, generator.uniform() < 0.5 { return nil }
        let isTaken = generator.uniform() < chance
        streak = isTaken ? min(1, streak + 0.2) : 0.5 * streak
        return isTaken
    }
}
