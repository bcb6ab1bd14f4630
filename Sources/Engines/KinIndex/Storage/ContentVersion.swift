/// The identity of one state of an index or of an attribute table, shared by all copies of that state.
///
/// A value takes a new version before it changes, unless no other value holds the present one. So two values with the same version (`===`)
/// have the same content, however they were copied in between.
final class ContentVersion: Sendable {}

/// Shared by all copies of a value, so that the value can tell whether another copy is alive.
struct CopyToken: Sendable {
    private final class Shared: Sendable {}

    private var shared = Shared()

    /// Whether the value that holds the token is the only one that does.
    mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&shared) }
}
