public import KinCore

/// Traits by name, each with how much or how often: `["anxiety": 5, "sleep": 2]`.
///
/// The amounts are finite and positive; what is given as 0 is not there. There are at most 65,535.
public struct SoulTraits: Sendable, Hashable {
    /// One trait.
    public struct Trait: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// How much or how often, above 0.
        public let amount: Double
    }

    /// The traits by ascending name.
    public let list: [Trait]

    /// The most traits there may be.
    package static let most = 65_535

    /// No traits.
    public init() { list = [] }

    /// Traits with their amounts.
    ///
    /// - Throws: `.notFinite` for an amount that is no finite number, `.invalidArgument` for a negative one or an empty name, naming the
    ///   trait as a field; `.capacityExceeded` for more than 65,535.
    public init(_ amounts: [String: Double]) throws(KinError) {
        try self.init(pairs: Array(amounts))
    }

    /// - Parameter pairs: Names and amounts, in any order.
    package init(pairs: [(key: String, value: Double)]) throws(KinError) {
        for (name, amount) in pairs {
            guard !name.isEmpty else { throw KinError(.invalidArgument, "a trait without a name") }
            guard amount.isFinite else { throw KinError(.notFinite, "it is \(amount)").within("field", name) }
            guard amount >= 0 else {
                throw KinError(.invalidArgument, "it is \(amount), and must not be negative").within("field", name)
            }
        }
        list = pairs.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { Trait(name: $0.key, amount: $0.value) }
        guard list.count <= Self.most else {
            throw KinError(.capacityExceeded, "there are \(list.count) traits; a block has at most \(Self.most)")
        }
        for (a, b) in zip(list, list.dropFirst()) where a.name == b.name {
            throw KinError(.invalidArgument, "the trait is there twice").within("field", a.name)
        }
    }

    /// Whether there are none.
    public var isEmpty: Bool { list.isEmpty }

    /// The amount of a trait, 0 when it is not there. O(n).
    public subscript(name: String) -> Double { list.first { $0.name == name }?.amount ?? 0 }
}
