/// A REPL: reads one line at a time and answers it.
protocol Conversation: AnyObject {
    var console: Console { get }
    /// The prompt before the cursor.
    var prompt: String { get }
    /// The greeting at the start in a terminal.
    var greeting: String { get }
    var switches: Set<Switch> { get set }
    /// All commands, in the order of the help.
    var forms: [any CommandSpec] { get }
    /// The names of the dimensions of points and vectors.
    var dimensions: [String] { get }
    /// The names of the attributes that conditions compare.
    var attributes: [String] { get }

    /// The texts of parameters that a request for a method leaves out.
    var defaults: [String: String] { get }

    /// Performs a request for one of the commands.
    func perform(_ request: MethodRequest) throws
    /// Whether the end of the input, or a quit command, may end the session.
    func mayEnd() -> Bool
    /// Clears the warning about unsaved changes.
    func forgetWarning()
    /// The values that Tab offers for a parameter, in addition to the words of its type.
    func values(of parameter: ParameterDescription, beginningWith text: String) -> [String]
}

/// The settings that can be on or off.
enum Switch: String, CaseIterable {
    case timing, explain, json
}

/// The outcome of a line.
enum Outcome: Equatable {
    case done
    case failed(ProcessStatus)
    case quit
}

extension Conversation {
    var defaults: [String: String] { [:] }
    func mayEnd() -> Bool { true }
    func forgetWarning() {}
    func values(of parameter: ParameterDescription, beginningWith text: String) -> [String] { [] }

    /// Executes one line and writes the result, or the error with its position in the line.
    func execute(_ line: String) -> Outcome {
        do {
            guard let (form, words) = try read(line) else { return .done }
            let request = try MethodRequest(words, for: form, dimensions: dimensions, defaults: defaults)
            let name = form.name
            if name == "quit" || name == "quit!" {
                return name == "quit!" || mayEnd() ? .quit : .done
            }
            forgetWarning()
            let start = ContinuousClock.now
            try perform(request)
            if switches.contains(.timing), form.method != nil {
                console.note(console.style.faint("  \(NumberText.duration(ContinuousClock.now - start))"))
            }
            return .done
        } catch let error as CommandError {
            return .failed(console.report(error.located(in: line)))
        } catch {
            return .failed(console.report(error))
        }
    }

    /// The command of a line, and the words after its name; nil for an empty line or a comment.
    func read(_ line: String) throws(CommandError) -> (form: any CommandSpec, words: [Word])? {
        var words = try Word.words(of: line)
        guard let first = words.first else { return nil }
        guard let (form, count) = find(words) else { throw unknown(first) }
        if form.parameters.contains(where: { $0.type == .filter }) {
            words = Word.joiningCondition(words, of: line, behind: form.name == "filter" ? 1 : nil)
        }
        return (form, Array(words.dropFirst(count)))
    }

    /// The command for the first words, and the number of words in its name.
    private func find(_ words: [Word]) -> (form: any CommandSpec, count: Int)? {
        guard !words[0].isQuoted else { return nil }
        let name = ReplBuiltins.otherNames[words[0].text.lowercased()] ?? words[0].text.lowercased()
        if let form = forms.first(where: { $0.name == name }) { return (form, 1) }
        guard forms.contains(where: { $0.method != nil }) else { return nil }
        return CommandAliases.method(words.map(\.text)).map { (MethodCommand($0.method), $0.count) }
    }

    private func unknown(_ word: Word) -> CommandError {
        let near = Spelling.nearest(to: word.text, in: forms.map(\.name))
        return CommandError(
            message: "there is no command '\(word.text)'", range: word.range,
            hint: near.map { "did you mean \($0)?" } ?? "`help` lists the commands")
    }

    /// Prints a remark, unless the output is JSON.
    func say(_ text: String) {
        if !switches.contains(.json) { console.print("  " + text) }
    }

    /// Prints an answer as JSON if that is on, else as text.
    func print<Failure: Error>(_ record: @autoclosure () -> Record, text: () throws(Failure) -> Void) throws(Failure) {
        if switches.contains(.json) { console.print(json: record()) } else { try text() }
    }

    fileprivate func help(_ topic: String?) throws {
        guard let topic else {
            let topics = forms.contains { $0.method != nil } ? HelpTopic.all.filter { $0.request != nil } : []
            if !topics.isEmpty {
                console.print(console.style.strong("Topics") + " (`help TOPIC` lists the requests)")
                console.print(["", "", ""], of: topics) { [$0.name, $0.summary, $0.request ?? ""] }
                console.print(console.style.strong("Here"))
            }
            console.print(["", ""], of: forms.filter { $0.method == nil }) { [$0.name, $0.summary] }
            return console.print(
                console.style.faint("`help near` explains a command. Tab completes. # starts a comment."))
        }
        if forms.contains(where: { $0.method != nil }), let topic = HelpTopic.named(topic), topic.request != nil {
            return console.print(topic.lines(style: console.style, methodsOnly: true))
        }
        // The condition of a method is not a separate command.
        if topic.lowercased() == "filter", !forms.contains(where: { $0.name == "filter" }) {
            console.print("A condition, such as that of `near … where CONDITION`. " + FilterExpression.examples)
            return console.print("Attributes: " + attributes.joined(separator: ", "))
        }
        let words = topic.split(separator: " ").map { Word(text: String($0), range: 0..<0) }
        guard
            let form = words.first.flatMap({ _ in find(words)?.form }) ?? forms.first(where: { $0.name == ":\(topic)" })
        else {
            let near = Spelling.nearest(to: topic, in: forms.map(\.name))
            throw Failure.usage(
                "there is no command '\(topic)'; " + (near.map { "did you mean \($0)?" } ?? "`help` lists them"))
        }
        console.print(MethodHelp.lines(form, style: console.style))
    }
}

/// The commands that every REPL has.
enum ReplBuiltins {
    /// Other names of commands.
    static let otherNames = ["exit": "quit", ":help": "help", ":quit": "quit", ":set": "set"]

    static let commands: [Command<any Conversation>] = [
        toggle(.json, "Prints answers as JSON, one object a line."),
        toggle(.timing, "Shows how long each search took."),
        Command("help", "This list, or more about a topic or a command.", [.option("command", .text, "The command.")]) {
            try $0.help($1.text("command"))
        },
        Command("quit", "Leaves; also exit or Ctrl-D.", details: "Asks once if changes are unsaved.") { _, _ in },
    ]

    /// A command that switches a setting on or off.
    static func toggle(_ toggle: Switch, _ summary: String, details: String = "") -> Command<any Conversation> {
        Command(
            ":\(toggle.rawValue)", summary, details: details,
            [.required("state", .choice(["on", "off"]), "Whether it is on.")]
        ) { session, request in
            let state = request.word("state")
            if state == "on" { session.switches.insert(toggle) } else { session.switches.remove(toggle) }
            session.say("\(toggle.rawValue) is \(state)")
        }
    }
}
