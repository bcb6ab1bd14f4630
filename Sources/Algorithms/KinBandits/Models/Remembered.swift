/// A cached value that follows from other properties, and so takes no part in comparisons.
struct Remembered<Value: Sendable>: Sendable, Hashable {
    /// The value; nil when it is not known.
    var value: Value?

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}
}
