package import KinCore
import KinJSON

/// The parameters of a call: the members of a JSON object, read by name.
///
/// Members that no method reads are errors, which ``finish()`` throws.
package struct EngineRequest {
    private var members: [(name: String, value: String)]
    /// The names read so far, for suggestions.
    private var known: [String] = []

    /// Reads the members of a request.
    ///
    /// - Parameter json: A JSON object; empty or white space for an object without members.
    /// - Throws: `.malformedInput`.
    package init(_ json: String) throws(KinError) {
        members =
            json.allSatisfy(\.isWhitespace)
            ? [] : try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
    }

    /// Reads a parameter; nil if it is missing or null.
    ///
    /// - Throws: The errors of `read`, with the parameter's name.
    mutating func optional<Value>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value? {
        known.append(name)
        guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
        let json = members.remove(at: place).value
        do throws(KinError) {
            return try JSONReader.read(json) { reader throws(KinError) in
                if try reader.takesNull() { return nil }
                return try read(&reader)
            }
        } catch {
            throw error.inField(name)
        }
    }

    /// Reads a required parameter.
    ///
    /// - Throws: `.invalidArgument` if it is missing; the errors of `read`.
    mutating func required<Value>(
        _ name: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        guard let value = try optional(name, read) else {
            throw KinError(.invalidArgument, "the parameter \"\(name)\" is missing").inField(name)
        }
        return value
    }

    /// Requires that every parameter was read.
    ///
    /// - Throws: `.invalidArgument` with the unknown parameter and a suggestion.
    func finish() throws(KinError) {
        guard let (name, _) = members.first else { return }
        throw KinError(
            .invalidArgument,
            "there is no parameter \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: known))")
    }
}
