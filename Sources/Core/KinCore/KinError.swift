/// The error type of the library: a stable code, a message for people, and the context of the error.
///
///     do {
///         let start = try Timestamp(parsing: "2026-13-01")
///         print(start)
///     } catch where error.code == .malformedInput {
///         print(error.within("line", 7))    // line 7: "2026-13-01" is not a time: …
///     }
///
/// The ``code`` is the contract, with the same numbers in Swift, C and Python. The ``message`` names the offending
/// field, row, line or file and the next step; it may be reworded in any release. Print the error itself, `"\(error)"`:
/// Foundation's `localizedDescription` does not contain the message.
public struct KinError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// The message for people: one sentence without a trailing full stop.
    public let message: String
    /// The facts that locate the error, outermost first: `[("file", "a.csv"), ("line", "7")]`.
    public let context: [Fact]
    /// The caller's error, if a closure that the caller passed threw it; nil for an error of the library. The code is then
    /// `.cancelled`. A `KinError` of the closure is thrown as it is.
    public var underlying: (any Error)? { cause?.error }
    private let cause: Cause?

    /// An error of the caller. Errors that differ only in their causes are equal.
    private struct Cause: Hashable, Sendable {
        let error: any Error

        static func == (_: Cause, _: Cause) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// One named fact about the location of an error.
    public struct Fact: Hashable, Sendable {
        /// The name of the fact: "file", "line", "row".
        public let name: String
        /// The fact as text.
        public let value: String
    }

    /// Creates an error without context; ``within(_:_:)`` adds it.
    public init(_ code: Code, _ message: String) {
        self.init(code, message, context: [])
    }

    /// Creates an error from all of its parts.
    package init(_ code: Code, _ message: String, context: [Fact]) {
        self.code = code
        self.message = message
        self.context = context
        cause = nil
    }

    /// Creates an error from the error of a caller's closure; a `KinError` stays as it is.
    package init(thrownByCaller error: any Error) {
        let known = error as? KinError
        code = known?.code ?? .cancelled
        message = known?.message ?? "the caller's code ended the call: \(error)"
        context = known?.context ?? []
        cause = known.map(\.cause) ?? Cause(error: error)
    }

    /// The same error with different facts and a different message.
    package init(_ other: KinError, _ message: String? = nil, context: [Fact]) {
        code = other.code
        self.message = message ?? other.message
        self.context = context
        cause = other.cause
    }

    /// The same error with one more fact of context, before the existing facts.
    public func within(_ name: String, _ value: some CustomStringConvertible) -> KinError {
        KinError(self, context: [Fact(name: name, value: value.description)] + context)
    }
}

extension KinError {
    /// An error about the value of a field.
    package static func field(_ name: String, _ message: String, _ code: Code = .invalidArgument) -> KinError {
        KinError(code, message).within("field", name)
    }

    /// Checks the number of a field; nil is valid.
    ///
    /// - Parameter rule: The rule for the error: "0 or more" for "must be 0 or more, not -1.0".
    /// - Throws: `.notFinite`; `.invalidArgument` for a finite number that is not valid.
    package static func check(
        _ number: Double?, _ name: @autoclosure () -> String, _ rule: String, isValid: (Double) -> Bool
    ) throws(KinError) {
        guard let number else { return }
        guard number.isFinite else { throw .field(name(), "must be finite, not \(number)", .notFinite) }
        guard isValid(number) else { throw .field(name(), "must be \(rule), not \(number)") }
    }
}

extension KinError {
    /// Requires that the number of a field is within a range. Default: 0 or more.
    ///
    /// - Throws: `.invalidArgument`.
    package static func requireCount(
        _ count: Int, _ name: String, from least: Int = 0, upTo most: Int = .max
    ) throws(KinError) {
        if (least...most).contains(count) { return }
        throw .field(name, "must be \(most == .max ? "\(least) or more" : "from \(least) to \(most)"), not \(count)")
    }
}

extension KinError: CustomStringConvertible {
    /// The context and the message: "row 17, column 3: all numbers must be finite". The field is the subject of a message
    /// that has none: "method near: k must be from 1 to 1000, not 0".
    public var description: String {
        var (facts, message) = (context, message)
        if message.hasPrefix("must "), let field = facts.lastIndex(where: { $0.name == "field" }) {
            message = "\(facts.remove(at: field).value) \(message)"
        }
        let location = facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return location.isEmpty ? message : "\(location): \(message)"
    }
}

/// Runs a closure of the caller, whose errors become ``KinError/underlying``.
package func callingBack<Result>(_ body: () throws -> Result) throws(KinError) -> Result {
    do { return try body() } catch { throw KinError(thrownByCaller: error) }
}

/// Returns the result of a body that cannot fail, and traps with the reason if it does.
package func infallible<Result>(_ reason: String, _ body: () throws(KinError) -> Result) -> Result {
    do throws(KinError) { return try body() } catch { preconditionFailure("\(reason): \(error)") }
}
