import Foundation
import Kin
import KinEngine
import KinJSON

/// A method of the table as a command of `kin`.
struct MethodCommand {
    private let method: EngineMethod
    private let words: [Word]
    private let line: String

    /// Finds the method of a command line; nil when it is for another command.
    ///
    /// A command on files keeps its name unless a store is asked: by `--store`, or by the `--baby` whose log is there.
    init?(_ arguments: [String]) {
        var arguments = arguments
        if arguments.first == "help" { arguments = Array(arguments.dropFirst()) + ["--help"] }
        guard let (method, count) = OldWords.method(arguments) else { return nil }
        let asksStore = arguments.contains { word in
            ["--store", "--baby"].contains { word == $0 || word.hasPrefix($0 + "=") }
        }
        guard asksStore || !KinCommand.names.contains(arguments[0]) || count == 2 else { return nil }
        self.method = method
        let (line, words) = Word.words(of: arguments)
        self.line = line
        self.words = Array(words.dropFirst(count))
    }

    /// Calls the method and prints its answer.
    func run(on console: Console) throws {
        do {
            try call(on: console)
        } catch let error as CommandError {
            console.note(error.report(line: line, style: console.style))
            throw ProcessStatus.usage
        }
    }

    private func call(on console: Console) throws {
        var words = words
        let options = try MethodOptions(takingFrom: &words, for: method)
        if options.wantsHelp {
            for line in MethodHelp.lines(method, options: true, style: console.style) { console.print(line) }
            return
        }
        let hasFilter = method.parameters.contains { $0.type == .filter }
        let request = try MethodRequest(hasFilter ? Word.joiningCondition(words) : words, for: method)
        try Self.answer(request, closing: open(request, options), options, on: console)
    }

    /// Calls a method of an engine, prints the answer and closes the engine.
    static func answer(
        _ request: MethodRequest, closing engine: Engine, _ options: MethodOptions, on console: Console
    ) throws {
        do {
            try answer(request, of: engine, options, on: console)
        } catch {
            try? engine.close()
            throw error
        }
        try engine.close()
    }

    /// Calls a method of an engine and prints the answer.
    static func answer(
        _ request: MethodRequest, of engine: Engine, _ options: MethodOptions, on console: Console
    ) throws {
        let answer: any JSONWritable & Sendable
        do throws(KinError) {
            answer = try engine.answer(request.method.name, request.json)
        } catch {
            throw request.located(error)
        }
        if let path = options.plot, let map = answer as? SessionMap {
            let title = "The pleasures of \(map.user)"
            let plot = PleasurePlot(title: title, map: map.map, types: map.types, sessions: map.sessions)
            try plot.drawing.write(to: path)
            console.note("note: the map is drawn in \(path)")
        }
        if options.isJSON { return console.print(answer.jsonText) }
        try AnswerText(request, engine: engine, isExplaining: options.isExplaining, console: console).show(answer)
    }

    /// Opens the store, or an engine in memory for a question about nothing but what comes with it.
    private func open(_ request: MethodRequest, _ options: MethodOptions) throws -> Engine {
        let makesStore = ["put", "import"].contains(method.name)
        if !makesStore, !FileManager.default.fileExists(atPath: options.path) {
            let bringsAll = method.parameters.contains { parameter in
                guard request.values[parameter.name] != nil else { return false }
                return switch parameter.type {
                case .object, .list: true
                case .text: parameter.presence == .required
                default: false
                }
            }
            if options.store == nil, !method.isCommand, bringsAll { return Engine() }
            throw StoreOptions.missing(options.path)
        }
        return try Engine(
            store: options.path, isReadOnly: !method.isCommand, namingKey: StoreOptions.key(at: options.namingKey))
    }
}
