/// The identity of one state of an index or of an attribute table, shared by all copies of that state.
///
/// A value takes a new version before it changes, unless no other value holds the present one. So two values with the same version (`===`)
/// have the same content, however they were copied in between.
final class ContentVersion: Sendable {}

/// A token that all copies of a value share, to find out whether another copy is alive.
struct CopyToken: Sendable {
    private final class Shared: Sendable {}

    private var shared = Shared()

    /// Whether no other value holds the token.
    mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&shared) }
}
