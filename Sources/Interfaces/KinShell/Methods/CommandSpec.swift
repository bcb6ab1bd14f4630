import Foundation

/// The declaration of a request's target: a method of the table, a command of the tool, or a command of a REPL.
///
/// Parser, help and completion are derived only from this declaration.
protocol CommandSpec: Sendable {
    var name: String { get }
    var summary: String { get }
    var parameters: [ParameterDescription] { get }
    /// The parameters that are given by position, in their order.
    var ordered: [ParameterDescription] { get }
    /// Whether `name value` and `name=value` are read like `--name value`; file names could be mistaken for names.
    var takesBareNames: Bool { get }
    /// The lines under the options in the help.
    var details: [String] { get }
    /// The method of the table; nil for a command.
    var method: EngineMethod? { get }
}

extension CommandSpec {
    var method: EngineMethod? { nil }
    /// The parameters that can be given without dashes.
    var bareParameters: [ParameterDescription] { method?.parameters ?? (takesBareNames ? parameters : []) }
}

/// A command on files or of a REPL: its declaration and its implementation.
struct Command<Subject>: CommandSpec {
    let name: String
    let summary: String
    let parameters: [ParameterDescription]
    let ordered: [ParameterDescription]
    var takesBareNames: Bool { Subject.self != Console.self }
    let details: [String]
    private let body: @Sendable (Subject, MethodRequest) throws -> Void

    /// Declares a command and its parameters.
    ///
    /// - Parameters:
    ///   - name: The name of the command, which may have several words: `index build`.
    ///   - summary: One sentence: the effect of the command.
    ///   - details: Further text of the help: conditions, examples.
    ///   - ordered: The parameters that are given by position, in their order.
    ///   - options: The other parameters.
    init(
        _ name: String, _ summary: String, details: String = "", _ ordered: [ParameterDescription] = [],
        options: [ParameterDescription] = [],
        run: @escaping @Sendable (Subject, MethodRequest) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.details = details.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.ordered = ordered
        body = run
        parameters = (ordered + options).withForce
    }

    /// Runs the command for a request.
    func run(_ subject: Subject, _ request: MethodRequest) throws {
        try withOverwriting(request.isOverwriting) { try body(subject, request) }
    }
}

extension ParameterDescription {
    /// A parameter that is mandatory in every request.
    static func required(_ name: String, _ type: ParameterType, _ help: String) -> ParameterDescription {
        ParameterDescription(name, type, .required, help)
    }

    /// An optional parameter, with its default in JSON, if it has one.
    static func option(
        _ name: String, _ type: ParameterType, default json: String? = nil, _ help: String
    ) -> ParameterDescription {
        ParameterDescription(name, type, json.map { .standard($0) } ?? .optional, help)
    }

    /// A parameter that is off unless it is given.
    static func flag(_ name: String, _ help: String) -> ParameterDescription {
        option(name, .boolean, default: "false", help)
    }

    static let json = flag("json", "Print the answer as JSON.")
    /// The options of commands whose answer is a list.
    static let jsonList = [json, flag("json_lines", "Print each element of the answer as a line of JSON.")]
    static let mapped = option(
        "mapped", .boolean, default: "true",
        "Map the index file; `no` reads it into memory, so later changes of the file have no effect.")
    static let threads = option(
        "threads", .count, "The number of threads. Default: all cores. Results never depend on it.")
    /// The parameter `metric`, one of some metrics.
    static func metric(_ metrics: [Metric] = Metric.allCases) -> ParameterDescription {
        option("metric", .choice(metrics.map(\.rawValue)), default: "\"l2\"", "\(metrics.summaries).")
    }
    static let mode = option(
        "mode", .object("mode"), default: "\"exact\"",
        "exact, recall=0.95 (the fewest lists that find that share of neighbours) or probes=8 (that number of lists).")

    /// The parameter `seed`; the same seed gives the same result on every machine.
    static func seed(_ value: UInt64 = 0) -> ParameterDescription {
        option("seed", .seed, default: "\(value)", "The seed; the same seed gives the same result.")
    }

    /// The parameter `k`, a number of results.
    static func k(_ value: Int?, _ help: String) -> ParameterDescription {
        option("k", .count, default: value.map { "\($0)" }, help)
    }
}

extension [ParameterDescription] {
    /// The parameters, with `force` if one of them is a file to write.
    var withForce: [ParameterDescription] {
        guard contains(where: { $0.type == .output }) else { return self }
        return self + [.flag("force", "Replace an existing file of any kind except a database.")]
    }
}

extension ParameterType {
    /// A number of items, at least one.
    static let count = ParameterType.integer(1...1_000_000_000)
    /// A number of items, which may be zero.
    static let amount = ParameterType.integer(0...1_000_000_000)
    /// A number of any size and sign.
    static let anyNumber = ParameterType.number(-1e38...1e38, unit: "")
    /// Paths of files, each in a separate word.
    static let paths = ParameterType.list("path")
    /// Whether a value is an id, or several ids of people, each in a separate word.
    var isID: Bool { self == .id || self == .list("user id") }
}

extension MethodRequest {
    /// The value of a parameter with one part, or its default; nil if there is neither.
    private func value(_ name: String) -> ParameterPart? {
        if let given = values[name] { return given.parts.last }
        guard case .standard(let json) = form.parameters.first(where: { $0.name == name })?.presence else { return nil }
        return ParameterPart(json)
    }

    private func required<Value>(_ value: Value?, _ name: String) -> Value {
        guard let value else { preconditionFailure("\(name) is required or has a default") }
        return value
    }

    /// The text of a parameter; nil if it is missing.
    func text(_ name: String) -> String? {
        if case .text(let text) = value(name) { text } else { nil }
    }

    /// The value for the word of a choice; nil if it is missing.
    func choice<Value: RawRepresentable<String>>(_ name: String) -> Value? { text(name).flatMap(Value.init(rawValue:)) }

    /// The text of a parameter that is required or has a default.
    func word(_ name: String) -> String { required(text(name), name) }

    func optionalInt(_ name: String) -> Int? { value(name).flatMap { Int($0.json) } }

    /// The whole number of a parameter that is required or has a default.
    func int(_ name: String) -> Int { required(optionalInt(name), name) }

    func optionalNumber(_ name: String) -> Double? { value(name).flatMap { Double($0.json) } }

    /// The number of a parameter that is required or has a default.
    func number(_ name: String) -> Double { required(optionalNumber(name), name) }

    /// The unsigned number of a parameter that is required or has a default.
    func seed(_ name: String = "seed") -> UInt64 { required(value(name).flatMap { UInt64($0.json) }, name) }

    func optionalFlag(_ name: String) -> Bool? { value(name).flatMap { Bool($0.json) } }

    /// Whether a flag is given, or a Boolean parameter is true.
    func isOn(_ name: String) -> Bool { optionalFlag(name) ?? false }

    /// The elements of a list; empty if it is missing.
    func texts(_ name: String) -> [String] {
        values[name]?.parts.flatMap(\.texts) ?? []
    }

    /// The numbers of a list; empty if it is missing.
    func numbers(_ name: String) -> [Double] { values[name]?.parts.map { Double($0.json) ?? .nan } ?? [] }

    var isJSON: Bool { isOn("json") || isOn("json_lines") }
    var threads: Int { optionalInt("threads") ?? ProcessInfo.processInfo.activeProcessorCount }
    var metric: Metric { choice("metric") ?? .squaredL2 }
    /// The search mode; exact if it is missing.
    var mode: SearchMode { text("mode").flatMap { try? SearchMode(text: $0) } ?? .exact }
    /// The condition on attributes; nil if it is missing.
    var condition: FilterExpression? { text("where").flatMap { try? FilterExpression.parse($0) } }
    /// The dimensions that a search compares.
    var compared: ComparedDimensions { text("compare").flatMap(ComparedDimensions.init) ?? .named }
    /// A usage error at the word of a parameter, or after the last word. A message that begins with "must" follows the
    /// name of the parameter as it was typed.
    func refusal(_ name: String, _ message: String) -> CommandError {
        let subject = message.hasPrefix("must ") ? (spellings[name] ?? name) + " " : ""
        return CommandError(message: subject + message, range: values[name]?.word.range ?? end..<end + 1)
    }

    /// Reads the value of a parameter; errors have the position of the parameter's word.
    func reading<Value>(_ name: String, _ body: () throws(KinError) -> Value) throws(CommandError) -> Value {
        do throws(KinError) { return try body() } catch { throw refusal(name, error.message) }
    }

    /// Requires that exactly one of several parameters is given.
    func requireOne(of names: [String]) throws(CommandError) {
        let given = names.filter { values[$0] != nil }
        guard given.count != 1 else { return }
        let list = names.map { "--" + $0.replacing("_", with: "-") }
        throw refusal(
            given.last ?? "",
            "give exactly one of \(list.dropLast().joined(separator: ", ")) and \(list[list.count - 1])")
    }
}
