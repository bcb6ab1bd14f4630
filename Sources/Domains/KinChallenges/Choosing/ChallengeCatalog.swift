/// The available challenges, with the numbers that features are computed from.
public struct ChallengeCatalog: Sendable {
    /// The challenges, by ascending id.
    public let challenges: [Challenge]
    /// The traits of the challenges, in the same order.
    let traits: [ChallengeTraits]
    private let places: [String: Int]

    /// Creates a catalogue of challenges.
    ///
    /// - Parameter challenges: The challenges in any order.
    /// - Throws: `.duplicateID` if two have the same id.
    public init(_ challenges: some Sequence<Challenge>) throws(KinError) {
        let sorted = challenges.sorted { $0.id < $1.id }
        for (challenge, next) in zip(sorted, sorted.dropFirst()) where challenge.id == next.id {
            throw KinError(.duplicateID, "challenge \(next.id) appears twice").within("challenge", next.id)
        }
        self.challenges = sorted
        traits = sorted.map(ChallengeTraits.init)
        places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.id, $0) })
    }

    /// Whether the catalogue is empty.
    public var isEmpty: Bool { challenges.isEmpty }

    /// The challenge with an id; nil for an unknown id.
    public func challenge(_ id: String) -> Challenge? { place(of: id).map { challenges[$0] } }

    func place(of id: String) -> Int? { places[id] }

    /// The plain category (`Spelling.plain`) of the challenge with an id; nil for an unknown id.
    func comparedCategory(of id: String) -> String? { place(of: id).map { traits[$0].category } }
}

/// The numbers of a challenge that depend on neither the person nor the time.
struct ChallengeTraits: Sendable {
    /// The time as log₂(minutes ∕ 15) ∕ 4: −0.4 for five minutes, 0 for a quarter of an hour, 0.9 for three hours.
    let time: Double
    /// The social requirement, 0…1.
    let social: Double
    /// The cost level, 0…1.
    let cost: Double
    /// The difficulty level, 0…1.
    let difficulty: Double
    /// The plain category (`Spelling.plain`).
    let category: String
    /// The hash bucket of the category, 0 ..< ``ChallengeFeatures/categoryCount``.
    let bucket: Int
    /// The sum of the signs of the tags in each hash bucket, with a length of a half (hashing trick: Weinberger et al.
    /// 2009, doi:10.1145/1553374.1553516).
    ///
    /// The uncertainty of a score grows with the length of its features, so all challenges have the same: otherwise those
    /// with most tags would always be tried first. Without tags, or if all signs cancel, the empty text is the only tag.
    let tags: SIMD8<Double>
    /// The plain tags (`Spelling.plain`), for comparison with names of dimensions.
    let dimensions: [String]

    init(_ challenge: Challenge) {
        time = Self.log2(challenge.time.longestMinutes / 15) / 4
        social = Double(challenge.social.level) / 3
        cost = Double(challenge.cost.level) / 3
        difficulty = Double(challenge.difficulty.level) / 2
        category = Spelling.plain(challenge.category)
        bucket = Int(Self.hash(category) % UInt64(ChallengeFeatures.categoryCount))
        dimensions = challenge.tags.map { Spelling.plain($0) }
        func signs(_ tags: [String]) -> SIMD8<Double> {
            tags.reduce(into: .zero) { $0[Self.bucket(of: $1)] += Self.hash($1) >> 63 == 0 ? 1 : -1 }
        }
        var sum = signs(challenge.tags)
        if sum == .zero { sum = signs([""]) }
        tags = sum / (2 * (sum * sum).sum().squareRoot())
    }

    /// The hash bucket of a tag, 0 ..< ``ChallengeFeatures/tagCount``.
    static func bucket(of tag: String) -> Int { Int(hash(tag) % UInt64(ChallengeFeatures.tagCount)) }

    private static func hash(_ text: String) -> UInt64 {
        var hash = ContentHash()
        hash.mix(text)
        // The low bits of FNV alone mix poorly (RFC 9923, section 4).
        return (hash.value ^ hash.value >> 32) &* 0x9E37_79B9_7F4A_7C15 ^ hash.value >> 29
    }

    /// The logarithm to base 2 of a number above 0, linear between powers of two, bit-identical on every machine.
    private static func log2(_ x: Double) -> Double { Double(x.exponent) + (x.significand - 1) }
}
