/// A set of tags: the value of one row in an attribute of the kind ``AttributeKind/tags``.
///
///     let tags = try TagSet(["quiet", "garden"])
///     try index.setAttribute("tags", to: .tags(tags), for: 42)
///
/// A tag is a text of at least one byte without control characters. Two tags are the same if their bytes are equal. A
/// set without tags is a value, and not the same as a missing value.
public struct TagSet: Sendable, Hashable {
    /// The tags in ascending order of their bytes, with ``separator`` between two of them.
    package let joined: String

    /// The byte between tags: U+001F, the unit separator, which no tag contains.
    static let separator: UInt8 = 0x1F

    /// Creates a set of tags in any order; repeated tags count once.
    ///
    /// - Throws: `.invalidArgument` for an empty tag or one with a control character.
    /// - Complexity: O(m log m) for m tags.
    public init(_ tags: some Sequence<some StringProtocol>) throws(KinError) {
        var distinct: [String] = []
        let sorted = tags.map { String($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for tag in sorted where !(distinct.last.map { tag.utf8.elementsEqual($0.utf8) } ?? false) {
            guard !tag.isEmpty, !tag.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw KinError(
                    .invalidArgument,
                    "a tag has at least one character and no control characters, \(FilterText.quoted(tag)) has not")
            }
            distinct.append(tag)
        }
        joined = distinct.joined(separator: "\u{1F}")
    }

    /// Creates the set of the tags in a text, with U+001F between two of them; the empty set for an empty text.
    ///
    /// - Throws: As ``init(_:)``.
    package init(separated text: String) throws(KinError) {
        let tags = text.utf8.split(separator: Self.separator, omittingEmptySubsequences: false)
        try self.init(text.isEmpty ? [] : tags.map { Substring($0) })
    }

    /// Creates a set in its stored form.
    init(joined: String) { self.joined = joined }

    /// The tags in ascending order of their bytes.
    public var tags: [String] {
        joined.utf8.split(separator: Self.separator).map { String(Substring($0)) }
    }
}

extension TagSet: CustomStringConvertible {
    /// The tags, with a comma between two.
    public var description: String { tags.joined(separator: ", ") }
}
