/// All methods of an ``Engine``, in the order of the documentation.
package enum MethodTable {
    /// The groups of methods, one for each section of METHODS.md.
    package static let groups = [
        RecordMethods.group, PleasureMethods.group, RealmMethods.group, RhythmMethods.group, AffinityMethods.group,
        ChallengeMethods.group, PolicyMethods.group,
    ]

    private static let table: [String: EngineMethod] = {
        let methods: [EngineMethod] = groups.flatMap { $0.methods }
        return Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }()

    /// The names of all methods, ascending.
    package static let names = table.keys.sorted()

    /// Finds a method by its name.
    ///
    /// - Throws: `.invalidArgument` with a suggestion.
    package static func method(named name: String) throws(KinError) -> EngineMethod {
        if let found = table[name] { return found }
        throw KinError(
            .invalidArgument,
            "there is no method \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: names))")
    }

    /// The table as JSON, the source for documentation and for functions in other languages. `groups` contains each
    /// group's title, prose and methods with their parameters, `records` the fields of each kind of record.
    package static var json: String {
        JSONWriter.object { writer in
            writer.objects("groups", groups) { group, writer in
                writer.member("title", group.title)
                writer.member("prose", group.prose)
                writer.member("methods", group.methods)
            }
            writer.member("records", RecordReference.all)
        }
    }
}

extension Engine {
    /// The names of all methods, ascending.
    public static var methods: [String] { MethodTable.names }
}

extension RecordReference: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        writer.member("fields", fields)
    }
}

extension FieldDescription: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("type", type)
        writer.member("required", presence == .required)
        if case .standard(let json) = presence { writer.member("default") { $0.raw(json) } }
        if !meaning.isEmpty { writer.member("meaning", meaning) }
    }
}

extension EngineMethod: DeclaredObject {
    package static let schema = ObjectSchema<EngineMethod>(
        .field("name", \.name),
        .field("summary", \.summary),
        .field("is_command", \.isCommand),
        .field("answer", \.answerType),
        .field("fields", \.fields),
        .field("parameters", \.parameters))
}

extension ParameterDescription: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("help", help)
        writer.member("required", presence == .required)
        if case .standard(let json) = presence { writer.member("default") { $0.raw(json) } }
        type.write(to: &writer)
    }
}

extension ParameterType {
    /// Writes the members of a parameter that depend on its type.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let range):
            writer.member("minimum", range.lowerBound)
            writer.member("maximum", range.upperBound)
        case .number(let range, let unit):
            writer.member("minimum", range.lowerBound)
            writer.member("maximum", range.upperBound)
            if !unit.isEmpty { writer.member("unit", unit) }
        case .choice(let words), .choices(let words): writer.member("words", words)
        case .object(let kind), .list(let kind): writer.member("of", kind)
        default: break
        }
        // The name of the case in words: "local time".
        let name = self == .document ? "text" : "\(self)".prefix { $0.isLetter }
        writer.member("type", Spelling.snakeCase(String(name)).replacing("_", with: " "))
    }
}
