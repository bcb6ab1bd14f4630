import Foundation
import Kin
import KinDrawings
import KinEngine
import KinJSON
import KinStore

/// A method of the table as a command: its parameters, and the options of all requests to a store.
struct MethodCommand: CommandSpec {
    private let own: EngineMethod
    let parameters: [ParameterDescription]

    init(_ method: EngineMethod) {
        own = method
        var options = StoreOptions.parameters + ParameterDescription.jsonList
        if ["map", "world"].contains(method.name) { options.append(.option("plot", .output, "Draw it, as SVG.")) }
        if ["suggest", "similar_souls"].contains(method.name) {
            options.append(.flag("explain", "Show the reasons for each."))
        }
        parameters = (method.parameters + options).withForce
    }

    var name: String { own.name }
    var summary: String { own.summary }
    var ordered: [ParameterDescription] { own.ordered }
    var takesBareNames: Bool { true }
    var details: [String] { own.details }
    var method: EngineMethod? { own }

    /// All methods, in the order of the documentation.
    static let all = MethodTable.groups.flatMap(\.methods).map { MethodCommand($0) }

    /// Finds the method of a command line; nil if it is a different command.
    ///
    /// A command on files has priority over a method of the same name, unless the command line has `--store`, or
    /// `--baby` for a log in a store.
    static func find(_ arguments: [String]) -> (form: any CommandSpec, count: Int)? {
        guard let (method, count) = CommandAliases.method(arguments) else { return nil }
        let asksStore = arguments.contains { word in
            ["--store", "--baby"].contains { word == $0 || word.hasPrefix($0 + "=") }
        }
        return asksStore || KinCommand.find(arguments) == nil ? (MethodCommand(method), count) : nil
    }
}

/// A request to a store, and the output of its answer.
struct StoreCall {
    let request: MethodRequest
    let method: EngineMethod
    let console: Console

    /// Calls the method of an engine on the store, or of an engine in memory if the request contains all data.
    ///
    /// - Parameter path: The path of the store. Default: the request's.
    @discardableResult
    func run(at path: String? = nil, asJSON isJSON: Bool = false) throws -> any JSONWritable & Sendable {
        let options = StoreOptions(request)
        let path = path ?? options.path
        let engine: Engine
        let isNew = !FileManager.default.fileExists(atPath: path)
        if ["put", "import"].contains(method.name) || !isNew {
            engine = try Engine(
                store: path, isReadOnly: !method.isCommand, namingKey: StoreOptions.key(at: options.namingKey))
        } else {
            guard !request.isGiven("store"), !method.isCommand, bringsAll else { throw StoreOptions.missing(path) }
            engine = Engine()
        }
        do {
            let answer = try answer(of: engine, asJSON: isJSON)
            try engine.close()
            return answer
        } catch {
            // A new store is useless if the request failed.
            let isEmpty = try isNew && engine.store.isEmpty && !engine.store.path.isEmpty
            try? engine.close()
            if isEmpty { Store.removeFiles(at: path) }
            throw error
        }
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
            case .object, .list: true
            case .text: parameter.presence == .required
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
        if let path = request.text("plot"), let drawing = Self.drawing(of: answer) {
            try withOverwriting(request.isOverwriting) { try drawing.write(to: path) }
            console.note("note: drawn in \(path)")
        }
        guard isJSON || request.isJSON else {
            try AnswerText(request, engine: engine, console: console).show(answer)
            return answer
        }
        if request.isOn("json_lines"), let elements = try? JSONTable.elements(answer.jsonText) {
            console.print(jsonList: elements, for: request)
        } else {
            console.print(json: answer.jsonText)
        }
        if let report = answer as? StoreReport, !report.isIntact { throw ProcessStatus.dataError }
        return answer
    }
}
