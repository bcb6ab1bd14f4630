public import KinCore
import KinLibC

/// The rarity of goals, by which their amounts are weighted: the fewer people have a goal, the more it counts.
///
/// A goal's amounts are multiplied by a power of its information, −ln p, where p is the share of people who have it (inverse document
/// frequency, Spärck Jones 1972, doi:10.1108/eb026526). The share p is estimated by
/// the posterior mean under a Beta(20, 180) prior (200 people of whom one in ten has a goal); with df of N people
///
///     p = (df + 20) ∕ (N + 200)        factor = (ln(1 ∕ p) ∕ ln 10)^5⁄4
///
/// Among no people every factor is exactly 1; among many it is the inverse document frequency. One more person changes ln p by at most
/// 1 ∕ 20, and so a factor by less than 3 in 100 at first and less later; scores change by less than .01.
/// A factor is above 0 even for a goal that everybody has. Cosines do not change when all factors are multiplied by a number, so the
/// division by ln 10 only fixes the unit.
///
/// On the friendships of Last.fm (tests: `FriendshipTests`), where tags stand for goals, pairs of friends are separated from random pairs with an
/// AUC of .855 so, .855 by ln((N + 1) ∕ (df + ½)), and .839 without rarity. A prior of 200 people costs .001, the power 5⁄4 wins .0015 (3⁄2 as
/// much again, but it moves scores the more); rarity of realms and objects lowers the AUC.
public struct GoalRarity: Sendable, Hashable {
    /// The number N of people among whom goals were counted.
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
    /// Words of one goal are one; its count is their sum, at most `people`.
    ///
    /// - Parameters:
    ///   - people: The number of people, 0 or more.
    ///   - counts: The number of people who have each goal, 0 to `people`.
    /// - Throws: `.invalidArgument` for a count below 0 or above the number of people, naming the goal.
    public init(people: Int, counts: [String: Int]) throws(KinError) {
        guard people >= 0 else {
            throw .field("people", "it is \(people), and must not be negative")
        }
        for (goal, count) in counts.sorted(by: { $0.key < $1.key }) where count < 0 || count > people {
            throw .field(goal, "\(count) of \(people) people have it")
        }
        self.people = people
        self.counts = counts.reduce(into: [:]) { merged, goal in
            let word = TraitWord.compared(goal.key, in: .goals)
            // At most all people: no sum is beyond an integer's range.
            merged[word] = min(goal.value, people - (merged[word] ?? 0)) + (merged[word] ?? 0)
        }
    }

    /// Counts one more person, or one less.
    ///
    /// - Parameters:
    ///   - goals: The person's goals by the words that are compared, each once.
    ///   - step: 1 for a person who comes, −1 for one of those counted who goes.
    mutating func count(_ goals: some Sequence<String>, by step: Int) {
        people += step
        for goal in goals {
            let count = (counts[goal] ?? 0) + step
            counts[goal] = count > 0 ? count : nil
        }
    }

    /// The factor by which a goal's amount is multiplied, above 0.
    public func factor(_ goal: String) -> Double { factor(word: TraitWord.compared(goal, in: .goals)) }

    /// The factor of a goal by the word that is compared.
    func factor(word: String) -> Double { Self.factor(having: counts[word] ?? 0, of: people) }

    /// The factor of a goal that some people have of all.
    static func factor(having: Int, of people: Int) -> Double {
        // 1 ∕ p − 1, so that no digits are lost where p is next to 1.
        let odds = (Double(people - having) + Self.prior.lacking) / (Double(having) + Self.prior.having)
        let usual = Self.prior.lacking / Self.prior.having
        return pow(log1p(odds) / log1p(usual), Self.exponent)
    }
}
