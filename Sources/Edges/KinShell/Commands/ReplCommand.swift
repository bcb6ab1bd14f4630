import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin repl`: a conversation with an index.
struct ReplCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract: "Talk to an index, or to a store of people.",
        discussion: """
            At a terminal: line editing, history in ~/.local/state/kin/history, Tab completes, `help` explains. \
            From a script (-f), a command (-c) or a pipe there are no prompts, and the first error ends the session \
            with its exit status.

            Examples:

              kin repl profiles.kin
              kin repl profiles.kin -c "near 42" -c "within 0.3 of 42"
              kin repl profiles.kin -f morning.txt
              kin repl kin.db -c "near session:u1-7 where state = drift"
              echo "near nature_mirror=0.9 mobility=0.7" | kin repl profiles.kin
            """
    )

    @Argument(help: "The index file, or a store's database.")
    var index: String

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp("Run this command and leave; may be repeated.", valueName: "command"))
    var command: [String] = []

    @Option(
        name: [.customShort("f"), .long],
        help: ArgumentHelp("Run the commands in this file and leave.", valueName: "file"))
    var file: String?

    @OptionGroup var threads: ThreadOption

    func validate() throws {
        if !command.isEmpty && file != nil { throw ValidationError("give -c or -f, not both") }
    }

    func run(on console: Console) throws {
        let isInteractive = command.isEmpty && file == nil && isatty(STDIN_FILENO) == 1 && console.isTerminal
        let script = try file.map { path throws(KinError) in try ReplCommand.script(path) }
        let session: any Conversation =
            StoreFile.isStore(index)
            ? try StoreSession(index, console: console)
            : ReplSession(
                try IndexFile(opening: index), path: index, threads: threads.count, isInteractive: isInteractive,
                console: console)
        if isInteractive { return try converse(session, console) }
        var lines: any IteratorProtocol<String> =
            if !command.isEmpty { command.makeIterator() } else if let script { script.makeIterator() } else {
                StandardInputLines()
            }
        try ReplCommand.run(session, lines: &lines, source: file ?? (command.isEmpty ? "standard input" : nil))
    }

    /// Runs lines until they end, one fails or one quits.
    static func run(_ session: any Conversation, lines: inout any IteratorProtocol<String>, source: String?) throws {
        var number = 0
        while let line = lines.next() {
            number += 1
            switch session.execute(line) {
            case .done: continue
            case .quit: return
            case .failed(let status):
                if let source { session.console.note("\(source), line \(number): stopped here") }
                throw status
            }
        }
        _ = session.mayEnd()
    }

    private static func script(_ path: String) throws(KinError) -> [String] {
        try ByteReader(path: path).text().split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
    }

    private func converse(_ session: any Conversation, _ console: Console) throws {
        let path = LineEditor.defaultHistoryPath(ProcessInfo.processInfo.environment)
        let editor = LineEditor(historyPath: path, console: console) { session.completion(of: $0) }
        guard let editor else {
            throw Failure(.inputOutput, KinError(.inputOutput, "this terminal cannot be used: try -c or a pipe"))
        }
        defer { editor.saveHistory() }
        console.print(session.greeting)
        while true {
            guard let line = editor.line(prompt: session.prompt) else {
                console.print()
                if session.mayEnd() { return }
                continue
            }
            let pager = Pager(ProcessInfo.processInfo.environment, rows: Pager.terminalRows)
            if console.paging(pager, { session.execute(line) }) == .quit { return }
        }
    }
}

/// The lines of standard input, one by one as they arrive.
private struct StandardInputLines: IteratorProtocol {
    func next() -> String? { readLine() }
}
