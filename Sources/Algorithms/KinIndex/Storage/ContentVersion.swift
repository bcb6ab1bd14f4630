/// The identity of one state of an index or of an attribute table, shared by all copies of that state.
///
/// A value takes a new version before it changes, unless it is the only holder of its version. So two values with the
/// same version (`===`) have the same content, regardless of copies in between.
final class ContentVersion: Sendable {}

/// A token shared by all copies of a value, to detect whether a further copy exists.
struct CopyToken: Sendable {
    private final class Shared: Sendable {}

    private var shared = Shared()

    /// Whether no other value holds the token.
    mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&shared) }
}
