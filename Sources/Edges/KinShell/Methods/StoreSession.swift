import Foundation
import Kin
import KinEngine
import KinStore

/// The REPL on a store without its terminal: requests in, text out. Queries read; a command opens the store for writing while it works.
final class StoreSession: Conversation {
    let console: Console
    private let engine: Engine
    private let path: String
    private var switches: Set<Command.Switch> = []

    init(_ path: String, console: Console) throws(KinError) {
        engine = try Engine(store: path, isReadOnly: true)
        self.path = path
        self.console = console
    }

    var prompt: String { "kin> " }

    var greeting: String { "\(path): a store of people. `help` lists what can be asked." }

    func mayEnd() -> Bool { true }

    /// The commands beside the methods.
    private static let own: [CommandGuide] = CommandGuide.all.filter {
        [":json", ":timing", "help", "quit"].contains($0.name)
    }

    private static let names = MethodTable.names + own.map(\.name)

    func execute(_ line: String) -> ReplSession.Outcome {
        do {
            let clause = WhereClause(line)
            var words = try Word.words(of: clause.command)
            guard let first = words.first else { return .done }
            if let condition = clause.expression {
                let start = condition.start - 1
                words.append(Word(text: "where", range: max(0, start - 5)..<max(1, start)))
                words.append(Self.condition(condition.text, at: condition.start))
            }
            let name = first.text.lowercased()
            if name == "quit" || name == "exit" { return .quit }
            let start = ContinuousClock.now
            if !first.isQuoted, try carryOut(name, Array(words.dropFirst())) { return .done }
            guard !first.isQuoted, let (method, count) = OldWords.method(words.map(\.text)) else {
                let near = Spelling.nearest(to: name, in: Self.names)
                throw CommandError(
                    message: "there is no command '\(first.text)'", range: first.range,
                    hint: near.map { "did you mean \($0)?" } ?? "`help` lists the commands")
            }
            try ask(method, Array(words.dropFirst(count)))
            if switches.contains(.timing) {
                console.note(console.style.faint("  \(NumberText.duration(ContinuousClock.now - start))"))
            }
            return .done
        } catch let error as CommandError {
            console.note(error.report(line: line, style: console.style))
            return .failed(.usage)
        } catch {
            let failure = error as? Failure ?? Failure(error as? KinError ?? KinError(.inputOutput, "\(error)"))
            console.note(console.style.bad("Error") + ": \(failure)")
            return .failed(failure.status)
        }
    }

    /// A condition as one word; quotes around all of it are left out.
    private static func condition(_ text: String, at start: Int) -> Word {
        if let words = try? Word.words(of: text), words.count == 1, words[0].isQuoted {
            return Word(text: words[0].text, range: start..<start + text.count, isQuoted: true)
        }
        return Word(text: text, range: start..<start + text.count, isQuoted: true)
    }

    private func ask(_ method: EngineMethod, _ words: [Word]) throws {
        var words = words
        let options = try MethodOptions(takingFrom: &words, for: method, isJSON: switches.contains(.json))
        let request = try MethodRequest(words, for: method)
        guard method.isCommand else { return try MethodCommand.answer(request, of: engine, options, on: console) }
        try MethodCommand.answer(request, closing: Engine(store: path), options, on: console)
    }

    /// Carries out a command of the REPL itself; false when it is none.
    private func carryOut(_ name: String, _ words: [Word]) throws -> Bool {
        if name == "help" {
            try help(words.map(\.text))
        } else if name.hasPrefix(":"), let toggle = Command.Switch(rawValue: String(name.dropFirst())),
            toggle != .explain
        {
            guard let word = words.first?.text.lowercased(), ["on", "off"].contains(word) else {
                throw Failure.usage("the form is `\(name) on|off`")
            }
            if word == "on" { switches.insert(toggle) } else { switches.remove(toggle) }
            if !switches.contains(.json) { console.note(console.style.faint("  \(toggle.rawValue) is \(word)")) }
        } else {
            return false
        }
        return true
    }

    private func help(_ topic: [String]) throws {
        if topic.isEmpty {
            for line in MethodHelp.groups(style: console.style) { console.print(line) }
            var table = TextTable([("", .left), ("", .left)])
            for guide in Self.own { table.append([guide.usage, guide.summary]) }
            console.print(console.style.strong("Here"))
            console.print(table)
            return console.print(
                console.style.faint("`help missions` tells more; --name value, name=value or name value; Tab completes")
            )
        }
        if let (method, _) = OldWords.method(topic) {
            for line in MethodHelp.lines(method, options: false, style: console.style) { console.print(line) }
        } else if let lines = CommandGuide.help(on: topic[0], of: Self.own, style: console.style) {
            for line in lines { console.print(line) }
        } else {
            let near = Spelling.nearest(to: topic[0], in: Self.names)
            throw Failure.usage(
                "there is no command '\(topic[0])'; " + (near.map { "did you mean \($0)?" } ?? "`help` lists them"))
        }
    }

    func completion(of text: String) -> Completion {
        let word = String(text.reversed().prefix { !$0.isWhitespace }.reversed())
        let before = text.dropLast(word.count).split { $0.isWhitespace }.map { $0.lowercased() }
        let choices = choices(for: word, after: before)
        return Completion(typed: word.count, candidates: choices.filter { $0.hasPrefix(word) }.sorted())
    }

    private func choices(for word: String, after before: [String]) -> [String] {
        guard let first = before.first else { return Self.names.map { $0 + " " } + ["quit"] }
        if first == "help" { return Self.names }
        if first.hasPrefix(":") { return ["on", "off"] }
        guard let (method, count) = OldWords.method(before) else { return [] }
        if before.contains("where") { return SessionIndex.schema.attributes.map { $0.name + " " } }
        func words(of name: String) -> [String] {
            let name = OldWords.parameter(String(name.drop { $0 == "-" }), of: method.name).name
            guard let parameter = method.parameters.first(where: { $0.name == name }) else { return [] }
            return switch parameter.type {
            case .choice(let words), .choices(let words): words
            case .boolean: ["yes", "no"]
            case .id where name == "user" || name == "other": (try? engine.users()) ?? []
            default: []
            }
        }
        if let equals = word.firstIndex(of: "=") {
            return words(of: String(word[..<equals])).map { word[...equals] + $0 }
        }
        if let last = before.dropFirst(count).last {
            let named = words(of: last)
            if !named.isEmpty { return named }
        }
        var choices = method.parameters.map { $0.name + "=" } + method.parameters.map { "--\($0.name) " }
        if method.parameters.contains(where: { $0.type == .point }) {
            choices += Pleasure.Dimension.names.map { $0 + "=" }
        }
        if method.parameters.contains(where: { $0.type == .filter }) { choices.append("where ") }
        let required = method.parameters.filter { $0.presence == .required }
        if before.count - count < required.count { choices += words(of: required[before.count - count].name) }
        return choices
    }
}
