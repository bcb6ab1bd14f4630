package import KinCore
import KinJSON
import KinStore

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

    /// Finds a method by its name or a deprecated one.
    ///
    /// - Throws: `.invalidArgument` with a suggestion.
    package static func method(named name: String) throws(KinError) -> EngineMethod {
        if let found = table[DeprecatedNames.methods[name] ?? name] { return found }
        throw KinError(
            .invalidArgument,
            "there is no method \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: names))")
    }

    /// The table as JSON, of which programs make documentation and functions in other languages: under `groups` each group's title, prose
    /// and methods with their parameters, under `records` the fields of each kind of record, under `deprecated` the tables of ``DeprecatedNames``.
    package static var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("groups") {
                $0.array(groups) { group, writer in
                    writer.object { writer in
                        writer.member("title") { $0.string(group.title) }
                        writer.member("prose") { $0.string(group.prose) }
                        writer.member("methods") { $0.array(group.methods) { $0.write(to: &$1) } }
                    }
                }
            }
            writer.member("records") { $0.array(RecordReference.all) { $0.write(to: &$1) } }
            writer.member("deprecated") { writer in
                writer.object { writer in
                    writer.member("methods") { names(DeprecatedNames.methods).write(to: &$0) }
                    for (name, table) in [
                        ("parameters", DeprecatedNames.parameters), ("answer_members", DeprecatedNames.answerMembers),
                    ] {
                        writer.member(name) { Members(table) { names($0).write(to: &$1) }.write(to: &$0) }
                    }
                }
            }
        }
        return writer.text
    }

    private static func names(_ table: [String: String]) -> Members<String> { Members(table) { $1.string($0) } }
}

extension Engine {
    /// The names of all methods, ascending.
    public static var methods: [String] { MethodTable.names }
}

extension RecordReference {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind") { $0.string(kind) }
            writer.member("fields") { writer in
                writer.array(fields) { field, writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(field.name) }
                        writer.member("type") { $0.string(field.type) }
                        writer.member("required") { $0.boolean(field.presence == .required) }
                        if case .standard(let json) = field.presence { writer.member("default") { $0.raw(json) } }
                    }
                }
            }
        }
    }
}

extension EngineMethod {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name") { $0.string(name) }
            writer.member("summary") { $0.string(summary) }
            writer.member("is_command") { $0.boolean(isCommand) }
            writer.member("answer") { $0.string(answer) }
            writer.member("parameters") { $0.array(parameters) { $0.write(to: &$1) } }
        }
    }
}

extension ParameterDescription {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name") { $0.string(name) }
            writer.member("help") { $0.string(help) }
            writer.member("required") { $0.boolean(presence == .required) }
            if case .standard(let json) = presence { writer.member("default") { $0.raw(json) } }
            type.write(to: &writer)
        }
    }
}

extension ParameterType {
    /// Writes the members `type` and, as the type has them, `words`, `minimum`, `maximum`, `unit` and `of`.
    fileprivate func write(to writer: inout JSONWriter) {
        let name: String
        switch self {
        case .id: name = "id"
        case .text: name = "text"
        case .boolean: name = "boolean"
        case .instant: name = "instant"
        case .localTime: name = "local time"
        case .zone: name = "zone"
        case .timeOfDay: name = "time of day"
        case .seed: name = "seed"
        case .filter: name = "filter"
        case .point: name = "point"
        case .coordinates: name = "coordinates"
        case .path: name = "path"
        case .output: name = "output"
        case .integer(let range):
            name = "integer"
            writer.member("minimum") { $0.integer(range.lowerBound) }
            writer.member("maximum") { $0.integer(range.upperBound) }
        case .number(let range, let unit):
            name = "number"
            writer.member("minimum") { $0.number(range.lowerBound) }
            writer.member("maximum") { $0.number(range.upperBound) }
            if !unit.isEmpty { writer.member("unit") { $0.string(unit) } }
        case .choice(let words):
            name = "choice"
            writer.member("words") { $0.array(words) }
        case .choices(let words):
            name = "choices"
            writer.member("words") { $0.array(words) }
        case .object(let kind):
            name = "object"
            writer.member("of") { $0.string(kind) }
        case .list(let kind):
            name = "list"
            writer.member("of") { $0.string(kind) }
        }
        writer.member("type") { $0.string(name) }
    }
}
