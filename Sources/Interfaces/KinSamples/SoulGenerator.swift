import KinLibC

/// A generator of synthetic souls: communities with tastes, people of one or two communities, and random sessions of each person.
///
///     let generator = SoulGenerator(seed: 1, communities: 8)
///     let souls = (0..<1000).map { generator.soul($0) }
///     souls[42].userID    // u42
///     let matcher = try SoulMatcher(souls)
///
/// The same seed gives the same souls on every machine.
///
/// The sizes of communities follow Zipf's law. A person has a median of about 20 sessions, each with a goal, a realm
/// and up to three objects of the community; a fortieth of them are drawn from all names. Some blocks are missing, as
/// for new people.
public struct SoulGenerator: Sendable {
    /// The seed of all souls.
    public let seed: UInt64
    private let communities: [Community]
    private let popularity: [Double]

    /// Creates a generator of souls.
    ///
    /// - Parameters:
    ///   - seed: Any number; the same seed gives the same souls.
    ///   - count: The number of communities, at least 1.
    /// - Precondition: There is at least one community.
    public init(seed: UInt64, communities count: Int = 150) {
        precondition(count > 0, "people belong to communities")
        self.seed = seed
        var generator = SeededGenerator.stream(.max, of: seed)
        communities = (0..<count).map { _ in Community(&generator) }
        popularity = Community.cumulated((0..<count).map { 1 / Double($0 + 4) })
    }

    /// The names of all goals, ascending.
    public static let goals = words(
        """
        addiction anger anxiety body_image burnout chronic_pain confidence creativity depression fear focus forgiveness \
        gratitude grief headache insomnia joy loneliness panic relationship self_worth sleep stress trauma
        """)
    /// The names of all realm types, ascending.
    public static let realms = words(
        "aurora canyon cave cloud desert forest garden island meadow mountain ocean river space temple")
    /// The names of all object categories, ascending.
    public static let objects = words(
        """
        bell bird boat book bridge butterfly candle cat crystal deer door dragon feather fire flower fountain horse key \
        lantern leaf mirror moon mushroom owl path pearl rain rose sand shell snow star stone sun tree turtle water whale \
        wind wolf
        """)

    /// Generates a soul by number, from 0; its id is "u" and the number.
    ///
    /// - Precondition: The number is 0 or more.
    public func soul(_ person: Int) -> Soul {
        var generator = SeededGenerator.stream(UInt64(person), of: seed)
        let home = communities[generator.choice(popularity)]
        let other = communities[generator.choice(popularity)]
        let mixture = generator.below(3) == 0 ? generator.uniform() * 0.4 : 0
        let sessions = min(max(Int(exp(3 + 0.9 * generator.normalDeviate())), 2), 300)
        var counts = [
            [Double](repeating: 0, count: Self.goals.count), [Double](repeating: 0, count: Self.realms.count),
            [Double](repeating: 0, count: Self.objects.count),
        ]
        var hours = [Double](repeating: 0, count: 24)
        let shift = generator.normalDeviate()
        for _ in 0..<sessions {
            let community = generator.uniform() < mixture ? other : home
            for (b, taste) in community.tastes.enumerated() {
                for _ in 0..<(b == 2 ? 1 + generator.below(3) : 1) {
                    let isOwn = generator.below(40) == 0
                    counts[b][isOwn ? generator.below(taste.count) : generator.choice(taste)] += 1
                }
            }
            let hour = Int((community.hour + shift + 1.5 * generator.normalDeviate()).rounded())
            hours[(hour % 24 + 24) % 24] += 1
        }
        let minutes = (home.minutes * (0.7 + 0.6 * generator.uniform())).rounded()
        let perWeek = (home.perWeek * (0.6 + 0.8 * generator.uniform()) * 2).rounded() / 2
        let streak = Double(generator.below(1 + min(sessions, 40)))
        let valence = ((home.valence + 0.2 * generator.normalDeviate()) * 20).rounded() / 20
        let isThere = [50, 33, 20, 16, 8].map { generator.below($0) > 0 }
        return infallible("the generator's own souls are right") { () throws(KinError) in
            func traits(_ b: Int, _ names: [String]) throws(KinError) -> SoulTraits {
                isThere[b] ? try SoulTraits(pairs: zip(names, counts[b]).map { (key: $0, value: $1) }) : SoulTraits()
            }
            return try Soul(
                userID: "u\(person)", goals: try traits(0, Self.goals), realms: try traits(1, Self.realms),
                objects: try traits(2, Self.objects),
                pattern: isThere[3]
                    ? try SessionPattern(
                        hours: hours, minutes: minutes, sessionsPerWeek: max(perWeek, 0.5), streak: streak)
                    : nil,
                valence: isThere[4] ? min(max(valence, -1), 1) : nil)
        }
    }
}

/// The words of a text.
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

/// A community: the tastes and habits that its people share.
private struct Community: Sendable {
    /// The cumulative probabilities of goals, realms and objects.
    let tastes: [[Double]]
    let hour: Double
    let minutes: Double
    let perWeek: Double
    let valence: Double

    init(_ generator: inout SeededGenerator) {
        tastes = [
            Self.taste(of: SoulGenerator.goals.count, 2 + generator.below(3), &generator),
            Self.taste(of: SoulGenerator.realms.count, 1 + generator.below(3), &generator),
            Self.taste(of: SoulGenerator.objects.count, 3 + generator.below(5), &generator),
        ]
        hour = 24 * generator.uniform()
        minutes = 10 + 35 * generator.uniform()
        perWeek = 1 + 6 * generator.uniform()
        valence = 0.4 * generator.normalDeviate()
    }

    /// Draws cumulative probabilities, only a few of them above 0.
    private static func taste(of count: Int, _ chosen: Int, _ generator: inout SeededGenerator) -> [Double] {
        var weights = [Double](repeating: 0, count: count)
        for _ in 0..<chosen { weights[generator.below(count)] += 0.2 + generator.uniform() }
        return cumulated(weights)
    }

    static func cumulated(_ weights: [Double]) -> [Double] {
        let total = weights.reduce(0, +)
        var sum = 0.0
        return weights.map { weight in
            sum += weight / total
            return sum
        }
    }
}

extension SeededGenerator {
    /// Draws an index by cumulative probabilities.
    fileprivate mutating func choice(_ cumulated: [Double]) -> Int {
        let point = uniform()
        return cumulated.firstIndex { point < $0 } ?? cumulated.count - 1
    }
}
