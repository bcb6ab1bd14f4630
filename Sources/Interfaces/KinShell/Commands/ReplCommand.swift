import Foundation

/// A REPL on an index or a store: at the terminal, or with commands from a script, an option or a pipe.
struct ReplCommand {
    let request: MethodRequest
    let console: Console

    func run() throws {
        let commands = request.texts("command")
        let (path, file) = (request.word("index"), request.text("file"))
        if !commands.isEmpty && file != nil { throw request.refusal("file", "give -c or -f, not both") }
        let isInteractive = commands.isEmpty && file == nil && isatty(STDIN_FILENO) == 1 && console.isTerminal
        let script = try file.map { path throws(KinError) in try ByteReader(path: path).lines() }
        let session = try Self.session(
            path, mapped: request.isOn("mapped"), threads: request.threads, isInteractive: isInteractive,
            console: console)
        if request.isJSON { session.switches.insert(.json) }
        if isInteractive { return try converse(session) }
        let typed = AnySequence(
            zip(1..., commands.isEmpty ? AnySequence { AnyIterator { readLine() } } : AnySequence(commands)))
        for (number, line) in script.map({ AnySequence($0.lazy.map { ($0.number, $0.text) }) }) ?? typed {
            switch ProgressBar.following("working", on: console, { session.execute(line) }) {
            case .done: continue
            case .quit: return
            case .failed(let status):
                if commands.isEmpty { console.note("\(file ?? "standard input"), line \(number): stopped here") }
                throw status
            }
        }
        _ = session.mayEnd()
    }

    /// A session with a store or an index, depending on the file.
    static func session(
        _ path: String, mapped isMapped: Bool = true, threads: Int, isInteractive: Bool = false, console: Console
    ) throws -> any Conversation {
        let isNamedAsStore = (path as NSString).pathExtension.lowercased() == "db"
        let content = try FileContent(of: path)
        if isNamedAsStore, content == .nothing { throw StoreOptions.missing(path) }
        if content.isDatabase { return try StoreSession(path, console: console) }
        return ReplSession(
            try IndexFile.open(path, mapped: isMapped), path: path, threads: threads, isInteractive: isInteractive,
            console: console)
    }

    private func converse(_ session: any Conversation) throws {
        let editor = LineEditor(console: console) { session.completion(of: $0) }
        if editor == nil {
            console.note("note: without libedit or a locale of UTF-8, lines have no editing, history or completion")
        }
        console.print(session.greeting)
        while true {
            guard let line = editor.map({ $0.line(prompt: session.prompt) }) ?? plainLine(session.prompt) else {
                console.print()
                if session.mayEnd() { return }
                continue
            }
            let rows = TerminalSize(of: STDOUT_FILENO)?.rows ?? 0
            let pager = Pager(ProcessInfo.processInfo.environment, rows: rows)
            let outcome = console.paging(pager) {
                ProgressBar.following("working", on: console, outlivesInterrupts: true) { session.execute(line) }
            }
            if outcome == .quit { return }
        }
    }

    /// Reads one line without an editor; nil at the end of the input.
    private func plainLine(_ prompt: String) -> String? {
        console.flush()
        try? StandardStream.output.write(Array(prompt.utf8))
        return readLine()
    }
}
