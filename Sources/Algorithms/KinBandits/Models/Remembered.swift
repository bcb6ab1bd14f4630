/// A cached value derived from other properties, which comparisons and hashes ignore.
struct Remembered<Value: Sendable>: Sendable, Hashable {
    /// The value; nil if it is not cached.
    var value: Value?

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}
}
