/// The parameters of a call: the members of a JSON object, read by name.
///
/// Other members are errors, which ``requireKnown(_:)`` throws.
package struct EngineRequest {
    private let members: [(name: String, value: String)]

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
    /// - Throws: The errors of the form, with the parameter's name.
    func optional<Value>(_ name: String, _ form: ParameterForm<Value>) throws(KinError) -> Value? {
        guard let json = members.first(where: { $0.name == name })?.value else { return nil }
        do throws(KinError) {
            return try JSONReader.read(json) { reader throws(KinError) in
                if try reader.takesNull() { return nil }
                return try form.read(&reader, name)
            }
        } catch {
            // Positions in the value alone would mislead.
            throw error.without(["line", "column"]).inField(name)
        }
    }

    /// Requires that the method has every parameter of the request.
    ///
    /// - Throws: `.invalidArgument` with the unknown parameter and a suggestion.
    func requireKnown(_ parameters: [ParameterDescription]) throws(KinError) {
        func isKnown(_ name: String) -> Bool { parameters.contains { $0.name == name } }
        guard let name = members.first(where: { !isKnown($0.name) })?.name else { return }
        throw KinError(
            .invalidArgument,
            "there is no parameter \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: parameters.map(\.name)))")
    }
}
