/// Shared by all copies of a value, so that the value can tell whether another copy is alive.
struct CopyToken: Sendable {
    private final class Shared: Sendable {}

    private var shared = Shared()

    /// Whether the value that holds the token is the only one that does.
    mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&shared) }
}
