/// The names and kinds of the attributes that rows can have.
///
///     let schema = try AttributeSchema(["user": .category, "start": .time, "visits": .integer])
///
/// A name is 1 to 128 bytes of UTF-8 without control characters, quotes, backslashes or points, and is not `id`, which
/// every row has. In an expression, names with blanks and names that are words of the filter language must be in
/// quotes.
public struct AttributeSchema: Sendable, Hashable {
    /// One attribute: its name and kind.
    public struct Attribute: Sendable, Hashable {
        /// The name of the attribute.
        public let name: String
        /// The kind of its values.
        public let kind: AttributeKind
    }

    /// The attributes in order of declaration.
    public private(set) var attributes: [Attribute] = []
    private var indices: [String: Int] = [:]

    /// Creates a schema without attributes.
    public init() {}

    /// Creates a schema of attributes in this order.
    ///
    /// - Throws: `.invalidArgument` for an invalid or repeated name, `.capacityExceeded` for more than
    ///   ``largestCount``.
    public init(_ attributes: KeyValuePairs<String, AttributeKind>) throws(KinError) {
        for (name, kind) in attributes { try append(name, kind) }
    }

    /// The largest number of attributes in a schema.
    public static let largestCount = 1000

    /// The name of the ids in an expression.
    static let id = "id"

    /// Appends an attribute to the schema.
    ///
    /// - Throws: As ``init(_:)``.
    public mutating func append(_ name: String, _ kind: AttributeKind) throws(KinError) {
        try Self.check(name)
        guard indices[name] == nil else {
            throw KinError(.invalidArgument, "the attribute \"\(name)\" is declared twice")
        }
        guard attributes.count < Self.largestCount else {
            throw KinError(.capacityExceeded, "there are at most \(Self.largestCount) attributes")
        }
        indices[name] = attributes.count
        attributes.append(Attribute(name: name, kind: kind))
    }

    /// Whether the schema has no attributes.
    public var isEmpty: Bool { attributes.isEmpty }

    /// The kind of an attribute; nil if no attribute has this name.
    public subscript(name: String) -> AttributeKind? { index(of: name).map { attributes[$0].kind } }

    /// The index of an attribute in ``attributes``; nil if no attribute has this name.
    func index(of name: String) -> Int? { indices[name] }

    private static func check(_ name: String) throws(KinError) {
        guard (1...128).contains(name.utf8.count) else {
            throw KinError(
                .invalidArgument, "the name of an attribute must have 1 to 128 bytes, not \"\(name.prefix(40))\"")
        }
        guard
            name.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && $0.value != 0x7F && !"\"'.\\".unicodeScalars.contains($0)
            })
        else {
            throw KinError(
                .invalidArgument,
                "the name \"\(name)\" of an attribute has a quote, a point, a backslash or a control character; leave it out"
            )
        }
        guard name.lowercased() != id else {
            throw KinError(.invalidArgument, "every row already has an id; choose a different name for the attribute")
        }
    }
}

extension AttributeSchema: CustomStringConvertible {
    public var description: String { attributes.map { "\($0.name): \($0.kind.rawValue)" }.joined(separator: ", ") }
}
