import Kin
import KinEngine
import KinStore

/// The REPL on a store, without its terminal: requests in, text out. Only commands open the store for writing, and only
/// while they run.
final class StoreSession: Conversation {
    let console: Console
    private let engine: Engine
    private let path: String
    var switches: Set<Switch> = []

    init(_ path: String, console: Console) throws(KinError) {
        engine = try Engine(store: path, isReadOnly: true)
        self.path = path
        self.console = console
    }

    var prompt: String { "kin> " }
    var greeting: String { "\(path): a store of people. `help` lists what can be asked." }
    var forms: [any CommandSpec] { MethodCommand.all + ReplBuiltins.commands }
    var dimensions: [String] { Pleasure.Dimension.names }
    var attributes: [String] { SessionIndex.schema.attributes.map(\.name) }

    func perform(_ request: MethodRequest) throws {
        if let command = request.form as? Command<any Conversation> { return try command.run(self, request) }
        guard let method = request.form.method else { return }
        let call = StoreCall(request: request, method: method, console: console)
        let isJSON = switches.contains(.json)
        guard method.isCommand else { return try call.answer(of: engine, asJSON: isJSON) }
        try call.run(at: path, asJSON: isJSON)
    }

    func values(of parameter: ParameterDescription, beginningWith text: String) -> [String] {
        guard parameter.type == .id, ["user", "other"].contains(parameter.name) else { return [] }
        return (try? engine.store.users()) ?? []
    }
}
