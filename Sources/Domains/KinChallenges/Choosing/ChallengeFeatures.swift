/// The features of challenges in a context: a row of numbers for each challenge, all of the order of 1.
///
/// A context is the same for all challenges of a choice, so it enters only through products with traits of challenges.
struct ChallengeFeatures: Sendable {
    /// The number of hash buckets of categories.
    static let categoryCount = 12
    /// The number of hash buckets of tags.
    static let tagCount = SIMD8<Double>.scalarCount
    /// The names of the features; ``name(of:in:)`` has the names of buckets, which depend on the challenge.
    private static let names: [String] =
        [
            "preferred category", "time it takes", "others it needs", "cost", "difficulty", "fits the profile",
            "category of the last completed", "category of the last skipped",
        ] + [String](repeating: "its category", count: categoryCount) + [String](repeating: "its tags", count: tagCount)
        + DayPart.allCases.map { "time it takes, at \($0.name)" }
        + [
            "time it takes, at the weekend", "others it needs, at the weekend", "cost, at the weekend",
            "difficulty, with the streak", "time it takes, with the streak", "difficulty, after the last outcomes",
            "time it takes, after the last outcomes",
        ]
    /// The number of features of a row.
    static let count = names.count

    /// The name of a feature of a challenge, for explanations. A bucket is named after the category or the tags of the
    /// challenge in it; it has a general name if the challenge has changed and has none there.
    static func name(of feature: Int, in challenge: Challenge) -> String {
        let traits = ChallengeTraits(challenge)
        let (category, tag) = (feature - categoryStart, feature - categoryStart - categoryCount)
        if category == traits.bucket { return "category \(challenge.category)" }
        let tags = challenge.tags.filter { ChallengeTraits.bucket(of: $0) == tag }
        guard !tags.isEmpty else {
            return (0..<tagCount).contains(tag) && traits.tags[tag] != 0 ? "no tags" : names[feature]
        }
        return "\(tags.count == 1 ? "tag" : "tags") \(tags.joined(separator: ", "))"
    }

    /// The index of the first feature of a category's bucket.
    private static let categoryStart = 8

    /// The prior means of the weights, in log odds: positive for preferred categories and for the fit to the profile;
    /// negative for time, difficulty and the category of the last skipped challenge.
    static let priorWeights: [Double] = {
        var weights = [Double](repeating: 0, count: count)
        (weights[0], weights[1], weights[4], weights[5], weights[7]) = (1, -0.3, -0.4, 1, -0.3)
        return weights
    }()

    private let preferred: Set<String>
    private let context: ChallengeContext
    /// The profile by the plain names of dimensions.
    private let profile: [String: Double]
    /// The mean of the profile.
    private let usual: Double
    private let streak: Double
    private let mood: Double

    init(preferences: ChallengePreferences, context: ChallengeContext) {
        preferred = Set(preferences.categories.map { Spelling.plain($0) })
        self.context = context
        self.profile = Dictionary(
            context.profile.map { (Spelling.plain($0), $1) }, uniquingKeysWith: { first, _ in first })
        let profile = context.profile.sorted { $0.key < $1.key }
        usual = profile.reduce(0) { $0 + $1.value } / Double(max(1, profile.count))
        streak = Double(min(context.streak, 14)) / 14
        let outcomes = context.outcomes.prefix(5)
        mood = outcomes.isEmpty ? 0 : outcomes.reduce(0, +) / Double(outcomes.count)
    }

    /// Computes the rows of challenges of a catalogue.
    func rows(of places: [Int], in catalog: ChallengeCatalog) throws(KinError) -> Matrix<Double> {
        var elements: [Double] = []
        elements.reserveCapacity(places.count * Self.count)
        for place in places { append(place, of: catalog, to: &elements) }
        return try Matrix(rows: places.count, columns: Self.count, elements: elements)
    }

    private func append(_ place: Int, of catalog: ChallengeCatalog, to row: inout [Double]) {
        // The challenge itself would be a copy, which writes the counts of its texts.
        let traits = catalog.traits[place]
        row.append(preferred.contains(traits.category) ? 1 : 0)
        row.append(traits.time)
        row.append(traits.social)
        row.append(traits.cost)
        row.append(traits.difficulty)
        row.append(profileMatch(traits.dimensions))
        row.append(context.lastCompleted == traits.category ? 1 : 0)
        row.append(context.lastSkipped == traits.category ? 1 : 0)
        for category in 0..<Self.categoryCount { row.append(category == traits.bucket ? 1 : 0) }
        for tag in 0..<Self.tagCount { row.append(traits.tags[tag]) }
        for part in DayPart.allCases { row.append(part == context.part ? traits.time : 0) }
        let weekend = context.weekday.isWeekend ? 1.0 : 0
        row.append(weekend * traits.time)
        row.append(weekend * traits.social)
        row.append(weekend * traits.cost)
        row.append(streak * traits.difficulty)
        row.append(streak * traits.time)
        row.append(mood * traits.difficulty)
        row.append(mood * traits.time)
    }

    /// The mean of the profile over the dimensions named by tags, minus the mean of the whole profile; 0 if no tag
    /// names a dimension.
    private func profileMatch(_ tags: [String]) -> Double {
        guard !context.profile.isEmpty else { return 0 }
        let found = tags.compactMap { profile[$0] }
        guard !found.isEmpty else { return 0 }
        return found.reduce(0, +) / Double(found.count) - usual
    }
}
