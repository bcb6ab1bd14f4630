public import KinCore
import KinLibC

/// How much a goal says about a person: the fewer people have it, the more.
///
/// A goal's amounts are multiplied by a power of its information, −ln p, where p is the share of people who have it (inverse document
/// frequency, Spärck Jones 1972, doi:10.1108/eb026526). Among few people their share says little, so p is not counted but estimated: with
/// a Beta(20, 180) prior, which believes as firmly as 200 people would that one in ten has a goal, df of N people make it
///
///     p = (df + 20) ∕ (N + 200)        factor = (ln(1 ∕ p) ∕ ln 10)^5⁄4
///
/// the posterior's mean. Among no people every factor is exactly 1; among many it is the usual one. In between it goes over smoothly: one
/// person more changes ln p by at most 1 ∕ 20, and so a factor by less than 3 in 100 at first and less and less later; scores move by less than .01.
/// A factor is above 0 even for a goal that everybody has. Cosines do not change when all factors are multiplied by a number, so the
/// division by ln 10 only says what "not at all rare" is.
///
/// On the friendships of Last.fm (tests: `FriendshipTests`), where tags stand for goals, pairs of friends are told from random pairs with an
/// AUC of .855 so, .855 by ln((N + 1) ∕ (df + ½)), and .839 without rarity. A prior of 200 people costs .001, the power 5⁄4 wins .0015 (3⁄2 as
/// much again, but it moves scores the more); rarity of realms and objects lowers the AUC.
public struct GoalRarity: Sendable, Hashable {
    /// How many people it was counted among.
    public let people: Int
    /// How many of them have each goal.
    package let counts: [String: Int]

    /// The weight of the prior in people: how many of them have a goal, and how many do not.
    private static let prior = (having: 20.0, lacking: 180.0)
    private static let exponent = 1.25

    /// Counts who has which goal.
    public init(among souls: some Sequence<Soul>) {
        var people = 0
        var counts: [String: Int] = [:]
        for soul in souls {
            people += 1
            for goal in soul.goals.list { counts[goal.name, default: 0] += 1 }
        }
        self.people = people
        self.counts = counts
    }

    /// - Parameters:
    ///   - people: How many people it was counted among, 0 or more.
    ///   - counts: How many of the people have each goal.
    /// - Throws: `.invalidArgument` for a count below 0 or above the number of people, naming the goal.
    public init(people: Int, counts: [String: Int]) throws(KinError) {
        guard people >= 0 else {
            throw KinError(.invalidArgument, "it is \(people), and must not be negative").within("field", "people")
        }
        for (goal, count) in counts.sorted(by: { $0.key < $1.key }) where count < 0 || count > people {
            throw KinError(.invalidArgument, "\(count) of \(people) people have it").within("field", goal)
        }
        self.people = people
        self.counts = counts
    }

    /// What the amount of a goal is multiplied by, above 0.
    public func factor(_ goal: String) -> Double {
        let having = counts[goal] ?? 0
        // 1 ∕ p − 1, so that no digits are lost where p is next to 1.
        let odds = (Double(people - having) + Self.prior.lacking) / (Double(having) + Self.prior.having)
        let usual = Self.prior.lacking / Self.prior.having
        return pow(log1p(odds) / log1p(usual), Self.exponent)
    }
}
