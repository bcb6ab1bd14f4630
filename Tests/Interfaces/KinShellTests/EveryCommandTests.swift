import Foundation
import KinEngine
import KinFiles
import KinTestSupport
import Testing

@testable import KinShell

/// Rules for every command and every method. The lists come from the tool, so a new command needs a sample.
@Suite("Every command")
struct EveryCommandTests {
    private let samples: CommandSamples

    init() throws { samples = try CommandSamples() }

    /// The command lines of all commands on files.
    private func lines() throws -> [[String]] {
        let lines = try samples.commandLines()
        #expect(lines.keys.sorted() == KinCommand.all.map(\.name).sorted(), "each command has a sample")
        return lines.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The command lines of all methods whose example needs no file, and some with longer answers.
    private func requests(on store: String) -> [[String]] {
        let requests = MethodTable.groups.flatMap(\.methods)
            .filter { !CommandSamples.needsMore.contains($0.name) }
            .compactMap { samples.example(of: $0, on: store) }
        #expect(requests.count > 50, "most methods have an example without a file")
        return requests
    }

    /// A store of more people, and a baby's log.
    private func people() throws -> String {
        let folder = samples.folder
        let store = folder.path("people-and-more.db")
        let records = ["people", "souls", "images", "challenges", "content"].map { "\(datasets)/\($0).jsonl" }
        #expect(kin(["store", "import"] + records + ["--store", store]).status == 0)
        let log = try RhythmLogFile.read("\(datasets)/babies/baby-1.csv")
        let events = try CareEvent.events(of: log, userID: "u0", babyID: "baby-1")
        let baby = try BabyRecord(userID: "u0", id: "baby-1", baby: log.baby)
        try waiting {
            let writer = try Store(at: store)
            try await writer.put([baby])
            _ = try await writer.put(events)
            try await writer.close()
        }
        return store
    }

    // MARK: Width

    @Test("answers fit 60 and 120 columns without truncated words")
    func width() throws {
        let store = try people()
        let longer = CommandSamples.longer.map { $0 + ["--store", store] }
        for line in try lines() + requests(on: try samples.copy()) + longer { try check(line, 60, 120) }
    }

    @Test("the help of every command and method fits 80 columns")
    func help() throws {
        for form in KinCommand.all as [any CommandSpec] + MethodCommand.all {
            try check(form.name.split(separator: " ").map(String.init) + ["--help", "--store", "x"], 80)
        }
        try check(["help", "all"], 80)
        for topic in HelpTopic.all { try check(["help", topic.name], 80) }
    }

    /// Words that differ between two runs: units of durations, and signs.
    private static let units: Set<Substring> = ["µs", "ms", "s", "min", "%", "-", "×", "×,"]

    /// Checks the output of a command at terminals with some numbers of columns. Requests find a fresh copy of the store.
    private func check(_ line: [String], _ columns: Int...) throws {
        _ = try samples.copy()
        let plain = kin(line)
        #expect(!plain.results.isEmpty, "\(line) prints nothing")
        #expect(line[0] != "rank_images" || !plain.results.contains("nothing"))
        let known = Set((plain.results + plain.notes).split(whereSeparator: \.isWhitespace)).union(Self.units)
        for columns in columns {
            let terminal = Transcript(columns: columns)
            _ = try samples.copy()
            let status = Shell.run(line, console: terminal.console)
            #expect(status == 0, "\(line): \(terminal.notes)")
            check(terminal, of: line, columns, known)
        }
    }

    private func check(_ terminal: Transcript, of line: [String], _ columns: Int, _ known: Set<Substring>) {
        for shown in (terminal.results + terminal.notes).split(separator: "\n") {
            // A progress bar is in the line of the next text.
            let shown = shown.split(separator: "\u{1B}[K").last ?? ""
            let words = shown.split(separator: " ")
            if shown.hasPrefix("{") || shown.contains("\r") { continue }
            #expect(shown.count <= columns || words.count == 1, "\(line): \(shown.count) columns: \(shown)")
            // Words with digits may differ in the second run: times, durations and ids. The demo generates new names.
            for word in words where line[0] != "demo" && !word.contains(where: \.isNumber) && !known.contains(word) {
                // Names are broken after underscores and slashes.
                let isBroken = word.hasSuffix("_") || word.hasSuffix("/")
                let isPart = known.contains { (whole: Substring) -> Bool in
                    if isBroken, whole.contains(word) { return true }
                    return whole.contains("_\(word)") || whole.contains("/\(word)")
                }
                #expect(isPart, "\(line): '\(word)' in '\(shown)'")
            }
        }
    }

    @Test("answers of both REPLs fit 80 and 120 columns", arguments: [80, 120])
    func repls(columns: Int) throws {
        let folder = samples.folder
        let index = folder.path("lists.kin")
        #expect(kin("index", "build", "\(datasets)/sample-16d.csv", "--kind", "ivf", "-o", index).status == 0)
        let common = [":timing on", ":json off", ":explain on", "help", "help near"]
        let onIndex = [
            "near 42", "within 0.3 of 42", "recommend 42,57 unlike 9 k 3", "filter id < 900", "plan 42", "recall 10",
            "head 3", "sample", "get 42", "upsert 42 nature_mirror=0.9 mobility=0.7", "remove 43",
            "save \(folder.path("s.kin"))", "info",
            "lists", "set", ":plot \(folder.path("near.svg"))",
        ]
        let onStore = [
            "set user u1", "map", ":plot \(folder.path("map.svg"))", "world name=Calm goals=sleep",
            ":plot \(folder.path("world.svg"))", "sessions", "missions near 40.7,-73.9 for 90min",
            "suggest", "similar_souls k 2",
        ]
        for (path, lines) in [(index, common + onIndex), (try people(), common + onStore)] {
            let terminal = Transcript(columns: columns)
            let session = try ReplCommand.session(path, threads: 1, console: terminal.console)
            for line in lines {
                let answer = terminal.answer(line, of: session)
                #expect(!answer.isEmpty, "\(line)")
                for shown in answer {
                    #expect(shown.count <= columns || !shown.contains(" "), "\(line): \(shown)")
                }
            }
            for name in path == index ? ["near"] : ["map", "world"] {
                #expect(String(decoding: try folder.bytes("\(name).svg"), as: UTF8.self).hasPrefix("<svg"))
                try FileManager.default.removeItem(atPath: folder.path("\(name).svg"))
            }
            let named = session.forms.filter { $0.method == nil }.map(\.name)
            for name in named where !name.hasPrefix("quit") {
                #expect(lines.contains { $0 == name || $0.hasPrefix(name + " ") }, "\(name) has a line")
            }
        }
    }

    // MARK: Help

    @Test("bare kin and the help of both REPLs fit 24 lines of 80 columns")
    func screens() throws {
        for line in [[], ["help"], ["--help"]] {
            let terminal = Transcript(columns: 80)
            #expect(Shell.run(line, console: terminal.console) == 0)
            #expect(terminal.lines.count <= 24 && terminal.lines.allSatisfy { $0.count <= 80 }, "\(terminal.results)")
        }
        let folder = samples.folder
        let index = folder.path("few.kin")
        #expect(kin("index", "build", "\(datasets)/sample-16d.csv", "-o", index).status == 0)
        for path in [samples.store, index] {
            let terminal = Transcript(columns: 80)
            let session = try ReplCommand.session(path, threads: 1, console: terminal.console)
            for word in ["help", ":help"] {
                let help = terminal.answer(word, of: session)
                #expect(help.count <= 24 && help.allSatisfy { $0.count <= 80 }, "\(help)")
            }
        }
    }

    @Test("each command and method has one topic, and no topic shares a command's name")
    func topics() {
        let names = HelpTopic.all.flatMap { $0.commands.map(\.name) + $0.methods.map(\.name) }
        let all = KinCommand.all.map(\.name).filter { !["demo", "repl", "methods"].contains($0) } + MethodTable.names
        #expect(names.sorted() == all.sorted())
        for topic in HelpTopic.all {
            #expect(Shell.find([topic.name]) == nil, "\(topic.name)")
            #expect(topic.methods.isEmpty == (topic.request == nil), "\(topic.name)")
            let example = topic.example.dropFirst("kin ".count).split(separator: " ").map(String.init)
            #expect(Shell.find(example) != nil, "\(topic.example)")
            if let request = topic.request {
                #expect(CommandAliases.method(request.split(separator: " ").map(String.init)) != nil, "\(request)")
            }
        }
    }

    // MARK: JSON

    @Test("every command prints one value with --json and one per line with --json-lines")
    func json() throws {
        for form in KinCommand.all as [any CommandSpec] + MethodCommand.all {
            #expect(form.parameters.contains { $0.name == "json" }, "\(form.name)")
        }
        let lines = try lines().filter { !["repl"].contains($0[0]) }
        for line in lines { try checkJSON(line) }
        for line in requests(on: try samples.copy()) { try checkJSON(line) }
        let store = try people()
        for line in CommandSamples.longer { try checkJSON(line.filter { $0 != "--explain" } + ["--store", store]) }
    }

    private func checkJSON(_ line: [String]) throws {
        let isLines = ["backtest"].contains(line[0])
        _ = try samples.copy()
        let run = kin(line + ["--json"])
        #expect(run.status == 0, "\(line): \(run.notes)")
        func value(_ text: some StringProtocol) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
        guard let answer = try? value(run.results) else {
            Issue.record("\(line): \(run.results.prefix(300))")
            return
        }
        let form = try #require(Shell.find(line)?.form)
        let hasLines = form.parameters.contains { $0.name == "json_lines" }
        guard let list = answer as? [Any] else { return }
        #expect(
            hasLines || line[0] == "demo" || line.prefix(2) == ["store", "export"], "\(line): a list has --json-lines")
        guard hasLines, !isLines else { return }
        _ = try samples.copy()
        let each = kin(line + ["--json-lines"])
        let parts = each.results.split(separator: "\n")
        #expect(parts.count == list.count, "\(line)")
        for part in parts { #expect((try? value(part)) != nil, "\(line): \(part.prefix(300))") }
    }

    @Test("every member of a command's JSON is on a page")
    func membersInJSON() throws {
        let page = try String(contentsOfFile: repository + "/Sources/Interfaces/KinShell/JSON.md", encoding: .utf8)
        let methods = try String(contentsOfFile: repository + "/Sources/Engine/KinEngine/METHODS.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
        // An export has records, whose fields are in the table of methods, and a session answers as other commands.
        for (name, lines) in try samples.commandLines() where !["store export", "repl"].contains(name) {
            let row = try #require(rows.first { $0[0].contains("`\(name)`") }, "\(name)")
            let text = String(row[1] + (row[1].contains("METHODS.md") ? methods[...] : ""))
            let known = Set(text.matches(of: #/`([a-z0-9_.]+)`/#).flatMap { $0.output.1.split(separator: ".") })
            // Objects with a member for each word of the data: `counts` by variant.
            let byWord = Set(text.matches(of: #/`([a-z_]+)`(?: \([a-z ]+\))? by /#).map(\.output.1))
            func check(_ value: Any, of line: [String]) {
                for element in value as? [Any] ?? [] { check(element, of: line) }
                for (member, value) in value as? [String: Any] ?? [:] {
                    let isOnPage = known.contains(member[...])
                    #expect(isOnPage, "\(line): \(member)")
                    let isByWord = byWord.contains(member[...])
                    for value in isByWord ? Array((value as? [String: Any] ?? [:]).values) : [value] {
                        check(value, of: line)
                    }
                }
            }
            for line in lines {
                _ = try samples.copy()
                let answers = kin(line + ["--json"])
                for answer in answers.objects { check(answer, of: line) }
                let isList = row[1].prefix { $0 != "`" }.contains("list")
                #expect(line != lines[0] || isList == answers.results.hasPrefix("["), "\(line): an object or a list")
            }
        }
    }

    // MARK: Options

    /// The option of a command for a word of its line.
    private func option(_ word: String, of form: any CommandSpec) -> ParameterDescription? {
        let name = word.drop { $0 == "-" }.replacing("-", with: "_")
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return form.parameters.first { $0.name == name } }
        return form.parameters.first { $0.name.hasPrefix(name) }
    }

    @Test("a value may be attached to its option")
    func attached() throws {
        for line in try lines() where line[0] != "demo" || line.contains("near") {
            let form = try #require(Shell.find(line)?.form)
            var words: [String] = []
            for word in line {
                let last = words.last ?? ""
                if last.hasPrefix("-"), let option = option(last, of: form), option.type != .boolean {
                    words[words.count - 1] += (last.hasPrefix("--") ? "=" : "") + word
                } else {
                    words.append(word)
                }
            }
            #expect(try toolRequest(words).json == toolRequest(line).json, "\(words)")
        }
    }

    /// Options whose words depend on a file or on a different option.
    private static let dependent: Set<String> = ["format", "learn", "effect", "floor"]

    @Test("every word and both ends of every range in the help are accepted")
    func offered() throws {
        var count = 0
        for (name, lines) in try samples.commandLines() where !["demo", "backtest", "cluster"].contains(name) {
            let form = try #require(Shell.find(lines[0])?.form)
            for parameter in form.parameters where parameter.presence != .required {
                let option = "--" + parameter.name.replacing("_", with: "-")
                let isDependent = Self.dependent.contains(parameter.name) && !name.hasPrefix("generate")
                let values: [String] =
                    switch parameter.type {
                    case _ where isDependent || lines[0].contains(option) || parameter.help.contains("less than"):
                        []
                    case .choice(let words): words
                    case .number(let range, _) where range.upperBound < 1e30:
                        ["\(range.lowerBound)", "\(range.upperBound)"]
                    default: []
                    }
                for value in values {
                    _ = try samples.copy()
                    let run = kin(lines[0] + [option, value])
                    #expect(run.status == 0, "\(lines[0]) \(parameter.name) \(value): \(run.notes)")
                    count += 1
                }
            }
        }
        #expect(count > 40, "\(count)")
    }

    // MARK: Errors

    /// Words that are invalid for a parameter.
    private static func invalid(_ parameter: ParameterDescription) -> [String] {
        switch parameter.type {
        case .boolean: ["=maybe"]
        case .integer(let range): ["x", "1.5", "\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
        case .number(let range, _):
            ["x", "nan"] + (range.lowerBound > -1e30 ? ["\(range.lowerBound - 1)"] : [])
                + (range.upperBound < 1e30 ? ["\(range.upperBound * 2 + 1)"] : [])
        case .seed: ["x", "-1"]
        case .choice, .choices: ["zzz"]
        case .coordinates: ["3", "x,y", "91,0"]
        case .point: ["3", "food=7", "food=x"]
        case .instant, .localTime, .date: ["yesterday"]
        case .zone: ["Mars/Base"]
        case .timeOfDay: ["25:00"]
        case .filter: ["nonsense"]
        default: []
        }
    }

    @Test("parameter errors show the name as typed, a caret and the allowed values")
    func errors() throws {
        var count = 0
        for form in KinCommand.all as [any CommandSpec] + MethodCommand.all {
            for parameter in form.parameters {
                let name = "--" + parameter.name.replacing("_", with: "-")
                for value in Self.invalid(parameter) {
                    var line = form.name.split(separator: " ").map(String.init)
                    line += value.hasPrefix("=") ? [name + value] : [name, value]
                    for other in form.parameters where other.presence == .required && other.name != parameter.name {
                        line += ["--" + other.name.replacing("_", with: "-"), MethodHelp.notation(of: other).sample]
                    }
                    if form.method != nil { line += ["--store", samples.store] }
                    guard !line.contains(where: { $0.hasPrefix("@") }) else { continue }
                    let run = kin(line)
                    #expect([64, 65].contains(run.status), "\(line): \(run.status) \(run.notes)")
                    #expect(run.notes.contains("^"), "\(line): \(run.notes)")
                    let message = run.notes.split(separator: "\n").last ?? ""
                    #expect(message.contains(name) || parameter.type == .filter, "\(line): \(run.notes)")
                    let isNext = ["must ", "did you mean", "there are ", "write ", "is missing", "expected here"]
                        .contains { message.contains($0) }
                    #expect(isNext, "\(line): \(run.notes)")
                    if value == "yesterday" { #expect(message.contains(value), "\(line): \(run.notes)") }
                    count += 1
                }
            }
        }
        #expect(count > 500, "\(count)")
    }

    @Test("a missing parameter is described by the first sentence of its help")
    func phrases() {
        for form in KinCommand.all as [any CommandSpec] + MethodCommand.all {
            for parameter in form.parameters {
                let phrase = MethodHelp.phrase(parameter.help)
                let words = parameter.help.replacing("`", with: "").lowercased()
                let rest = words.dropFirst(phrase.count)
                #expect(words.hasPrefix(phrase.lowercased()) && (rest.isEmpty || rest == "." || rest.hasPrefix(". ")))
            }
        }
        #expect(MethodHelp.phrase("The `.npy` file to write (-o). It is new.") == "the .npy file to write (-o)")
    }
}
