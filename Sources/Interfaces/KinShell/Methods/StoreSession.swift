/// The REPL on a store, without its terminal: requests in, text out. Only commands open the store for writing, and only
/// while they run.
final class StoreSession: Conversation {
    let console: Console
    private let engine: Engine
    private let path: String
    var switches: Set<Switch> = []
    /// The values of `set`, by parameter.
    private var settings: [String: String] = [:]
    /// The drawing of the last answer that has one, for `:plot`.
    private var lastDrawing: SVGDrawing?

    init(_ path: String, console: Console) throws(KinError) {
        engine = try Engine(store: path, isReadOnly: true)
        self.path = path
        self.console = console
    }

    var prompt: String { "kin> " }
    var greeting: String { "\(path): a store of people. `help` lists the topics." }
    var forms: [any CommandSpec] { MethodCommand.all + Self.commands + ReplBuiltins.commands }
    var defaults: [String: String] { settings.merging(switches.contains(.explain) ? ["explain": "yes"] : [:]) { $1 } }
    var dimensions: [String] { Pleasure.Dimension.names }
    var attributes: [String] { SessionIndex.schema.attributes.map(\.name) }

    func perform(_ request: MethodRequest) throws {
        try (request.form as? Command<any Conversation>)?.run(self, request)
        try (request.form as? Command<StoreSession>)?.run(self, request)
        guard let method = request.form.method else { return }
        let call = StoreCall(request: request, method: method, console: console, isInRepl: true)
        let isJSON = switches.contains(.json)
        let answer =
            try method.isCommand ? call.run(at: path, asJSON: isJSON) : call.answer(of: engine, asJSON: isJSON)
        // After `forget`, it might show the person.
        lastDrawing = method.name == "forget" ? nil : StoreCall.drawing(of: answer) ?? lastDrawing
    }

    /// The commands of this REPL that are not methods.
    private static let commands: [any CommandSpec] = [
        Command<StoreSession>(
            "set", "Sets values for all later requests, or shows them.",
            details:
                "A request's own value has priority. A session, a point or a log takes the place of the person.\n\nExamples:\n  set user u42\n  set k 5\n  set reset",
            options: [
                .option("user", .id, "The person."), .option("k", .count, "The number of answers."),
                .option("zone", .zone, "The time zone."), .flag("reset", "Remove all values."),
            ]
        ) { $0.set($1) },
        Command<StoreSession>(
            ":plot", "Draws the last answer of `map` or `world`.", details: "Example:\n  :plot map.svg",
            [.required("file", .output, "The file, SVG.")]
        ) { try $0.plot(to: $1.word("file")) },
        ReplBuiltins.toggle(.explain, "Shows the reasons of `suggest` and `similar_souls`."),
    ]

    private func set(_ request: MethodRequest) {
        if request.isOn("reset") { settings = [:] }
        for parameter in request.form.parameters where parameter.type != .boolean {
            settings[parameter.name] =
                request.text(parameter.name) ?? request.optionalInt(parameter.name).map(String.init)
                ?? settings[parameter.name]
        }
        print(Record(settings)) {
            say(
                settings.isEmpty
                    ? "nothing is set" : settings.sorted { $0 < $1 }.map { "\($0) \($1)" }.joined(separator: ", "))
        }
    }

    private func plot(to path: String) throws {
        guard let drawing = lastDrawing else {
            throw Failure.usage("there is nothing to draw; ask for `map` or `world` first")
        }
        try drawing.write(to: path)
        print(["drawn": path]) { say("drawn: \(path)") }
    }

    func values(of parameter: ParameterDescription, beginningWith text: String) -> [String] {
        guard parameter.type.isID, ["user", "other"].contains(parameter.name) else { return [] }
        return (try? engine.store.users()) ?? []
    }
}
