/// The one error type of the library: a stable code, a sentence for people, and where it happened.
///
/// The ``code`` is the contract (the same numbers in Swift, C and Python); the ``message`` names the offending field,
/// row, line or file and says what to do, and may be reworded in any release.
public struct KinError: Error, Hashable, Sendable {
    /// What kind of failure this is.
    public let code: Code
    /// One sentence for a person, without a trailing full stop.
    public let message: String
    /// Facts about the place, outermost first: `[("file", "a.csv"), ("line", "7")]`.
    public let context: [Fact]

    /// One named fact about where an error happened.
    public struct Fact: Hashable, Sendable {
        /// What the fact is about: "file", "line", "row".
        public let name: String
        /// The fact, as text.
        public let value: String
    }

    /// An error without facts about its place; ``within(_:_:)`` adds them.
    public init(_ code: Code, _ message: String) {
        self.init(code: code, message: message, context: [])
    }

    private init(code: Code, message: String, context: [Fact]) {
        self.code = code
        self.message = message
        self.context = context
    }

    /// The same error with one more fact about the place, put before the facts it already carries.
    public func within(_ name: String, _ value: some CustomStringConvertible) -> KinError {
        KinError(code: code, message: message, context: [Fact(name: name, value: value.description)] + context)
    }
}

extension KinError: CustomStringConvertible {
    public var description: String {
        let place = context.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
