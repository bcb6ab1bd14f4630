/// A person's pseudonym for other people, such as "Peaceful Wanderer #4721".
///
/// It is one of 40,960,000 names, chosen by a keyed hash of the person's id. A person always has the same name, and
/// without the key, hashing all ids reveals nothing. Two people may share a name.
public struct AnonymousName: Sendable, Hashable, CustomStringConvertible {
    /// The name as text.
    public let description: String

    /// Creates a name from its stored text.
    package init(_ text: String) { description = text }

    /// Creates the name of a digest, whose first eight bytes are mapped evenly onto all names.
    ///
    /// - Parameter digest: A keyed hash of the person's id.
    /// - Precondition: At least eight bytes.
    public init(digest: some Sequence<UInt8>) {
        let bytes = Array(digest.prefix(8))
        precondition(bytes.count == 8, "a name takes eight bytes of a digest")
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The upper half of the product is uniform to within one part in 2³⁸.
        let name = Int(value.multipliedFullWidth(by: UInt64(Self.count)).high)
        let (words, number) = name.quotientAndRemainder(dividingBy: 10_000)
        let (adjective, noun) = words.quotientAndRemainder(dividingBy: Self.nouns.count)
        let digits = String(number)
        description =
            "\(Self.adjectives[adjective]) \(Self.nouns[noun]) #" + String(repeating: "0", count: 4 - digits.count)
            + digits
    }

    /// The number of different names.
    static var count: Int { adjectives.count * nouns.count * 10_000 }

    private static let adjectives = [
        "Amber", "Ancient", "Autumn", "Blooming", "Brave", "Bright", "Calm", "Candid", "Clear", "Crimson", "Curious",
        "Dancing",
        "Dawning", "Deep", "Distant", "Dreaming", "Earnest", "Evening", "Faithful", "Floating", "Gentle", "Glowing",
        "Golden", "Grateful",
        "Hidden", "Hopeful", "Humble", "Indigo", "Kind", "Lasting", "Light", "Listening", "Lucid", "Lunar", "Mellow",
        "Misty",
        "Morning", "Nimble", "Open", "Patient", "Peaceful", "Playful", "Quiet", "Radiant", "Resting", "Rising",
        "Roaming", "Serene",
        "Shining", "Silent", "Silver", "Singing", "Slow", "Soft", "Steady", "Still", "Sunlit", "Tender", "Tranquil",
        "Velvet",
        "Wandering", "Warm", "Whispering", "Wild",
    ]
    private static let nouns = [
        "Acorn", "Alder", "Aurora", "Badger", "Birch", "Brook", "Cedar", "Cloud", "Comet", "Crane", "Cypress", "Deer",
        "Dolphin", "Drifter", "Dune", "Ember", "Falcon", "Fern", "Finch", "Garden", "Glacier", "Harbor", "Heron",
        "Horizon",
        "Island", "Ivy", "Juniper", "Lantern", "Lark", "Lotus", "Lynx", "Maple", "Marten", "Meadow", "Moon", "Moss",
        "Mountain", "Nomad", "Oak", "Ocean", "Orchid", "Otter", "Owl", "Pebble", "Pilgrim", "Pine", "Raven", "Reed",
        "River", "Robin", "Sage", "Seeker", "Shore", "Sparrow", "Spring", "Star", "Stone", "Swallow", "Thistle",
        "Traveler",
        "Wanderer", "Wave", "Willow", "Wren",
    ]
}
