import Foundation

/// A method of the table as a command: its parameters, and the options of all requests to a store.
struct MethodCommand: CommandSpec {
    let method: EngineMethod?
    let name: String
    let summary: String
    let parameters: [ParameterDescription]
    let ordered: [ParameterDescription]
    let takesBareNames = true
    let details: [String]

    init(_ method: EngineMethod) {
        var options = StoreOptions.parameters + ParameterDescription.jsonList
        if ["map", "world"].contains(method.name) { options.append(.option("plot", .output, "Draw it, as SVG.")) }
        if ["suggest", "similar_souls"].contains(method.name) {
            options.append(.flag("explain", "Show the reasons for each."))
        }
        (self.method, name, summary) = (method, method.name, method.summary)
        parameters = (method.parameters + options).withForce
        let required = method.parameters.filter { $0.presence == .required }
        ordered = required + method.parameters.filter { $0.presence != .required && $0.type == .id }
        details = [
            "Answer: \(method.answer.replacing("`", with: ""))", "", "Example: kin \(MethodHelp.example(of: method))",
        ]
    }

    /// All methods, in the order of the documentation.
    static let all = MethodTable.groups.flatMap(\.methods).map { MethodCommand($0) }
}

/// A request to a store, and the output of its answer.
struct StoreCall {
    let request: MethodRequest
    let method: EngineMethod
    let console: Console
    /// Whether the request is a line of a REPL, not of a shell.
    var isInRepl = false

    /// Calls the method of an engine on the store, or of an engine in memory if the request contains all data.
    ///
    /// - Parameter path: The path of the store. Default: the request's.
    @discardableResult
    func run(at path: String? = nil, asJSON isJSON: Bool = false) throws -> any JSONWritable & Sendable {
        let options = StoreOptions(request)
        let path = path ?? options.path
        let opensStore = try ["put", "import"].contains(method.name) || FileContent(of: path) != .nothing
        guard opensStore || !request.isGiven("store") && !method.isCommand && bringsAll else {
            throw StoreOptions.missing(path)
        }
        return try StoreOptions.closing(
            path, opensStore ? try options.engine(at: path, isReadOnly: !method.isCommand) : Engine()
        ) { try answer(of: $0, asJSON: isJSON) }
    }

    /// The drawing of an answer; nil for answers without one.
    static func drawing(of answer: any JSONWritable & Sendable) -> SVGDrawing? {
        switch (answer as? any EitherAnswer)?.answer ?? answer {
        case let map as SessionMap:
            PleasurePlot(
                title: "The pleasures of \(map.user)", map: map.map, types: map.types, sessions: map.sessions
            ).drawing
        case let world as RealmWorld: WorldPlot(world).drawing
        default: nil
        }
    }

    /// Whether the request contains the records that it is about.
    private var bringsAll: Bool {
        method.parameters.contains { parameter in
            guard request.isGiven(parameter.name) else { return false }
            return switch parameter.type {
            case .object, .list, .document: true
            default: false
            }
        }
    }

    /// Calls the method of an engine, and prints and returns the answer.
    func answer(of engine: Engine, asJSON isJSON: Bool = false) throws -> any JSONWritable & Sendable {
        let answer: any JSONWritable & Sendable
        do throws(KinError) {
            answer = try ProgressBar.following(method.name, on: console) { () throws(KinError) in
                try engine.answer(method.name, request.json)
            }
        } catch {
            throw request.located(error)
        }
        if method.name == "forget" { request.texts("user").forEach { console.history?.forget($0) } }
        if let counts = answer as? Members<Int>, counts.values.isEmpty, ["put", "import"].contains(method.name) {
            throw StoreCommands.noRecords
        }
        if let path = request.text("plot"), let drawing = Self.drawing(of: answer) {
            try withOverwriting(request.isOverwriting) { try drawing.write(to: path) }
            console.note("note: drawn in \(path)")
        }
        // The methods about a stored log have a zone, too.
        if let user = request.text("user"), let baby = request.text("baby"), !request.isGiven("zone"),
            method.parameters.contains(where: { $0.name == "zone" }),
            let log = try? engine.log(of: user, baby: baby), let remark = log.clock.remark(on: log.records)
        {
            console.note("note: \(remark)")
        }
        if !isJSON, !request.isJSON {
            try AnswerText(request: request, console: console, engine: engine, isInRepl: isInRepl).show(answer)
        } else if request.isOn("json_lines"), let elements = try? JSONTable.elements(answer.jsonText) {
            console.print(jsonList: elements, for: request)
        } else {
            console.print(json: answer.jsonText)
        }
        // The answers of checks.
        let isSound =
            (answer as? StoreReport)?.isIntact ?? (answer as? StoreCheckPart)?.problems.isEmpty
            ?? (answer as? ContentReport)?.problems.isEmpty ?? true
        if !isSound { throw ProcessStatus.dataError }
        return answer
    }
}
