/// The tool without its process: arguments in, exit status out.
public enum Shell {
    /// Runs the command line of a process with its standard streams.
    ///
    /// - Parameters:
    ///   - count: The number of arguments, with the program's name.
    ///   - arguments: The arguments, C strings in UTF-8; nil for none.
    /// - Returns: The exit status, as for ``run(_:console:)``.
    public static func run(_ count: Int32, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
        let console = Console.standard()
        var words: [String] = []
        for index in 1..<max(1, Int(count)) {
            guard let word = unsafe arguments?[index] else { continue }
            guard let text = unsafe String(validatingCString: word) else {
                let repaired = unsafe String(cString: word)
                return console.report(Failure.usage("'\(repaired)' must be UTF-8; rename the file")).rawValue
            }
            words.append(text)
        }
        return run(words, console: console)
    }

    /// Runs one command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - console: The destination of results and notes.
    /// - Returns: The exit status, 0 for success; see `kin --help` for the others.
    public static func run(_ arguments: [String], console: Console) -> Int32 {
        var status = ProcessStatus.success
        do { try execute(arguments, on: console) } catch  where console.failure == nil {
            status = console.report(error)
        } catch {
            // Errors after a failed output are consequences of that failure.
        }
        console.flush()
        if let failure = console.failure { status = console.report(Failure(.inputOutput, failure)) }
        return status.rawValue
    }

    /// Executes a command line: a method of the table, or a command on files.
    static func execute(_ arguments: [String], on console: Console) throws {
        var arguments = arguments
        if arguments.isEmpty || [["help"], ["--help"], ["-h"]].contains(arguments) {
            return console.print(KinCommand.help(style: console.style))
        }
        if arguments == ["help", "all"] { return console.print(KinCommand.fullHelp(style: console.style)) }
        if arguments.count == 2, arguments[0] == "help", let topic = HelpTopic.named(arguments[1]) {
            return console.print(topic.lines(style: console.style))
        }
        if [["--version"], ["version"]].contains(arguments) { return console.print("kin \(Release.version)") }
        if arguments[0] == "--generate-completion-script" { return console.print(completionScript) }
        if arguments[0] == "--complete" { return console.print(candidates(Array(arguments.dropFirst()))) }
        if arguments[0] == "help" { arguments = Array(arguments.dropFirst()) + ["--help"] }
        let (line, words) = Word.words(of: arguments)
        do {
            guard let (form, count) = find(arguments) else { return try showGroup(words, on: console) }
            var rest = Array(words.dropFirst(count))
            if rest.prefix(while: { $0.text != Word.endOfOptions }).contains(where: {
                ["--help", "-h"].contains($0.text)
            }) {
                return console.print(MethodHelp.lines(form, style: console.style))
            }
            if form.takesBareNames { rest = Word.joiningCondition(rest, of: line) }
            let request = try MethodRequest(rest, for: form)
            if let command = form as? Command<Console> {
                if command.name == "repl" {
                    try command.run(console, request)
                } else {
                    try ProgressBar.following("working", on: console) { try command.run(console, request) }
                }
            }
            if let method = form.method { try StoreCall(request: request, method: method, console: console).run() }
        } catch let error as CommandError {
            throw error.located(in: line)
        }
    }

    /// The method or command of a command line, and the number of words in its name.
    ///
    /// A command on files has priority over a method of the same name, unless the command line has `--store`, or
    /// `--baby` for a log in a store.
    static func find(_ arguments: [String]) -> (form: any CommandSpec, count: Int)? {
        let asksStore = arguments.prefix { $0 != Word.endOfOptions }.contains { word in
            ["--store", "--baby"].contains { word == $0 || word.hasPrefix($0 + "=") }
        }
        let method = CommandAliases.method(arguments).map { (form: MethodCommand($0.method), count: $0.count) }
        if let method, asksStore { return method }
        for count in [2, 1] where arguments.count >= count {
            let name = arguments.prefix(count).joined(separator: " ").lowercased()
            if let command = KinCommand.all.first(where: { $0.name == (name == "colors" ? "colours" : name) }) {
                return (command, count)
            }
        }
        return method
    }

    /// The completion script for bash and zsh, which runs the tool to get the candidates.
    private static let completionScript = """
        [ -n "$ZSH_VERSION" ] && autoload -U +X bashcompinit && bashcompinit
        _kin() { COMPREPLY=($(kin --complete "${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)); }
        complete -o default -F _kin kin
        """

    /// The possible completions of the last word: commands or options.
    static func candidates(_ words: [String]) -> [String] {
        let (typed, before) = (words.last ?? "", Array(words.dropLast()))
        let names = (KinCommand.all.map(\.name) + MethodTable.names).map { $0.split(separator: " ").map(String.init) }
        let following = names.filter { $0.count > before.count && $0.starts(with: before) }.map { $0[before.count] }
        let form = before.isEmpty ? nil : find(before)?.form
        let options = form.map { $0.parameters.map { "--" + $0.name.replacing("_", with: "-") } + ["--help"] } ?? []
        return Set(following + options).filter { $0.hasPrefix(typed) }.sorted()
    }

    /// Lists the commands that begin with a word.
    ///
    /// - Throws: `CommandError` if there are no such commands, or if a further word follows.
    private static func showGroup(_ words: [Word], on console: Console) throws(CommandError) {
        let prefix = words[0].text.lowercased() + " "
        let group: [any CommandSpec] =
            KinCommand.all.filter { $0.name.hasPrefix(prefix) } + CommandAliases.methods(beginningWith: prefix)
        let others = words.dropFirst().filter { !["--help", "-h"].contains($0.text) }
        if !group.isEmpty, others.isEmpty { return console.print(MethodHelp.list(group, style: console.style)) }
        let word = group.isEmpty ? words[0] : others[0]
        let forms: [any CommandSpec] = group.isEmpty ? KinCommand.all : group
        func last(_ name: String) -> String { name.split(separator: " ").last.map(String.init) ?? name }
        let names = group.isEmpty ? KinCommand.names.sorted() + MethodTable.names + ["--version"] : []
        let before = group.isEmpty ? "kin" : "kin \(words[0].text)"
        // The last word of a name is enough: `kin index search` for search.
        func named(_ word: String?) -> String? { forms.first { last($0.name) == word }?.name }
        let near =
            named(word.text) ?? Spelling.nearest(to: word.text, in: names)
            ?? named(Spelling.nearest(to: word.text, in: forms.map { last($0.name) }))
        let isOption = word.text.hasPrefix("-")
        throw CommandError(
            message: "there is no command '\(word.text)'", range: word.range,
            hint: near.map { "did you mean 'kin \($0)'?" }
                ?? (isOption ? "options follow the command" : "`\(before) --help` lists them"))
    }
}
