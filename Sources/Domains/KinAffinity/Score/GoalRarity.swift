import KinLibC

/// The rarity of goals, a weight for their amounts: the fewer people have a goal, the more it counts.
///
/// A goal's amounts are multiplied by a power of its information, −ln p, where p is the share of people who have it
/// (inverse document frequency, Spärck Jones 1972, doi:10.1108/eb026526). The share p is estimated by the posterior
/// mean under a Beta(20, 180) prior: 200 people, a tenth of whom have a goal. With df of N people
///
///     p = (df + 20) ∕ (N + 200)        factor = (ln(1 ∕ p) ∕ ln 10)^5⁄4
///
/// Among no people every factor is exactly 1; among many it is the inverse document frequency. One more person changes
/// ln p by at most 1 ∕ 20, so a factor changes by less than 3 % at first and less later. Scores change by less than
/// 0.01. A factor is above 0 even for a goal that all people have. Cosines do not change when all factors are
/// multiplied by a number, so the division by ln 10 only fixes the unit.
///
/// On the friendships of Last.fm (tests: `FriendshipTests`), with tags as goals, these factors separate pairs of
/// friends from random pairs with an AUC of 0.855. The factor ln((N + 1) ∕ (df + ½)) reaches 0.855 too; without rarity
/// the AUC is 0.839. The prior of 200 people costs 0.001. The power 5⁄4 gains 0.0015; 3⁄2 gains 0.0015 more, but moves
/// scores more. Rarity of realms and objects lowers the AUC.
public struct GoalRarity: Sendable, Hashable {
    /// The number N of people whose goals were counted.
    public private(set) var people: Int
    /// The number of people who have each goal.
    package private(set) var counts: [String: Int]

    /// The prior in people: those who have a goal, and those who do not.
    private static let prior = (having: 20.0, lacking: 180.0)
    private static let exponent = 1.25

    /// Counts the people with each goal among souls.
    public init(among souls: some Sequence<Soul>) {
        var people = 0
        var counts: [String: Int] = [:]
        for soul in souls {
            people += 1
            for goal in TraitWord.merged(soul.goals.list, in: .goals) { counts[goal.name, default: 0] += 1 }
        }
        self.people = people
        self.counts = counts
    }

    /// Creates the rarity from counts.
    ///
    /// Synonyms of a goal are merged; the count is their sum, at most `people`.
    ///
    /// - Parameters:
    ///   - people: The number of people, 0 or more.
    ///   - counts: The number of people who have each goal, 0 to `people`.
    /// - Throws: `.invalidArgument` for a count below 0 or above the number of people, naming the goal.
    public init(people: Int, counts: [String: Int]) throws(KinError) {
        guard people >= 0 else {
            throw .field("people", "must be 0 or more, not \(people)")
        }
        for (goal, count) in counts.sorted(by: { $0.key < $1.key }) where count < 0 || count > people {
            throw .field(goal, "\(count) of \(people) people have it")
        }
        self.people = people
        self.counts = counts.reduce(into: [:]) { merged, goal in
            let word = TraitWord.compared(goal.key, in: .goals)
            // Capped at the number of people, so that no sum overflows.
            merged[word] = min(goal.value, people - (merged[word] ?? 0)) + (merged[word] ?? 0)
        }
    }

    /// Counts a person in or out.
    ///
    /// - Parameters:
    ///   - goals: The person's goals as compared words, each once.
    ///   - step: 1 to add a person, −1 to remove a person who was counted.
    mutating func count(_ goals: some Sequence<String>, by step: Int) {
        people += step
        for goal in goals {
            let count = (counts[goal] ?? 0) + step
            counts[goal] = count > 0 ? count : nil
        }
    }

    /// The factor for a goal's amount, above 0.
    public func factor(_ goal: String) -> Double { factor(word: TraitWord.compared(goal, in: .goals)) }

    /// The factor of a goal, given by its compared word.
    func factor(word: String) -> Double { Self.factor(having: counts[word] ?? 0, of: people) }

    /// The factor of a goal that `having` of `people` people have.
    static func factor(having: Int, of people: Int) -> Double {
        // 1 ∕ p − 1, so that no digits are lost if p is close to 1.
        let odds = (Double(people - having) + Self.prior.lacking) / (Double(having) + Self.prior.having)
        let usual = Self.prior.lacking / Self.prior.having
        return pow(log1p(odds) / log1p(usual), Self.exponent)
    }
}
