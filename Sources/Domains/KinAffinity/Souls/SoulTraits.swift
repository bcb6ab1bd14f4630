/// Named traits with amounts, such as `["anxiety": 5, "sleep": 2]`.
///
///     let goals = try SoulTraits(["sleep": 2, "anxiety": 5, "grief": 0])
///     goals["anxiety"]         // 5.0
///     goals["grief"]           // 0.0
///     goals.list.map(\.name)   // ["anxiety", "sleep"]
///
/// The amounts are finite and positive; traits with an amount of 0 are dropped. There are at most 65,535.
public struct SoulTraits: Sendable, Hashable {
    /// A trait, with its amount.
    public struct Trait: Sendable, Hashable {
        /// The name of the trait.
        public let name: String
        /// The amount or the number of times, above 0.
        public let amount: Double
    }

    /// The traits by ascending name.
    public let list: [Trait]

    /// The largest number of traits.
    package static let maximumCount = 65_535

    /// Creates an empty set of traits.
    public init() { list = [] }

    /// Creates traits from names and amounts.
    ///
    /// - Parameter amounts: The amounts by name, 0 or more.
    /// - Throws: `.notFinite` for an amount that is not finite, `.invalidArgument` for a negative one or an empty name,
    ///   naming the trait as a field; `.capacityExceeded` for more than 65,535.
    public init(_ amounts: [String: Double]) throws(KinError) {
        try self.init(pairs: Array(amounts))
    }

    /// Creates traits from pairs of names and amounts.
    ///
    /// - Parameter pairs: The names and amounts, in any order; each name once.
    package init(pairs: [(key: String, value: Double)]) throws(KinError) {
        for (name, amount) in pairs {
            guard !name.isEmpty else { throw KinError(.invalidArgument, "a trait without a name") }
            try KinError.check(amount, name, "0 or more") { $0 >= 0 }
        }
        list = pairs.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { Trait(name: $0.key, amount: $0.value) }
        guard list.count <= Self.maximumCount else {
            throw KinError(
                .capacityExceeded, "there are \(list.count) traits; a block has at most \(Self.maximumCount)")
        }
        for (a, b) in zip(list, list.dropFirst()) where a.name == b.name {
            throw .field(a.name, "the trait appears twice")
        }
    }

    /// Whether there are no traits.
    public var isEmpty: Bool { list.isEmpty }

    /// The amount of a trait, 0 when it is missing; in O(n).
    public subscript(name: String) -> Double { list.first { $0.name == name }?.amount ?? 0 }
}
