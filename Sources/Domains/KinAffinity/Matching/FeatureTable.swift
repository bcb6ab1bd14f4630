/// The numbers of features: 0…26 are the coordinates of a pattern, 27 is valence, and traits follow in the order of
/// their first use.
struct FeatureTable: Sendable {
    static let valence = SessionPattern.dimension
    /// The first feature that is a trait.
    static let firstTrait = valence + 1

    /// The number of each trait, by block.
    private var numbers: [[String: UInt32]] = SoulBlock.named.map { _ in [:] }
    /// The name of each trait.
    private(set) var names: [String] = []
    /// The features that are goals.
    private(set) var goals: [Int] = []

    /// The blocks of the traits, in their order.
    private(set) var blocks: [SoulBlock] = []

    /// The number of features in the table.
    var count: Int { Self.firstTrait + names.count }

    /// The name of a trait by its feature, which is ``firstTrait`` or more.
    func name(_ feature: UInt32) -> String { names[Int(feature) - Self.firstTrait] }

    /// The number of a trait; a new trait gets the next free number.
    mutating func number(of name: String, in block: SoulBlock) -> UInt32 {
        if let number = numbers[block.rawValue][name] { return number }
        let number = UInt32(count)
        numbers[block.rawValue][name] = number
        names.append(name)
        blocks.append(block)
        if block == .goals { goals.append(Int(number)) }
        return number
    }
}
