import Foundation

/// Shows long text a screen at a time, with the reader's own program for that: `$PAGER`, or less.
struct Pager {
    private let command: String
    private let screen: Int

    /// A pager for a terminal; nil where nothing is to be paged: `PAGER` is empty or cat, or there is no less.
    ///
    /// - Parameter rows: The rows of the terminal.
    init?(_ environment: [String: String], rows: Int) {
        guard rows > 2 else { return nil }
        screen = rows - 1
        if let chosen = environment["PAGER"] {
            guard !chosen.isEmpty, chosen != "cat" else { return nil }
            command = chosen
            return
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: $0 + "/less") }) else {
            return nil
        }
        command = "less"
    }

    /// The rows of the terminal that standard output is; 0 when it is none.
    static var terminalRows: Int {
        var size = winsize()
        return unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_row) : 0
    }

    /// Shows text that does not fit on the screen.
    ///
    /// - Returns: False when it fits, or the program could not be started; it is not shown then.
    func show(_ text: String) -> Bool {
        guard text.utf8.count(where: { $0 == 0x0A }) > screen else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        // Less shows colours, and leaves the text on the screen.
        process.environment = ProcessInfo.processInfo.environment.merging(["LESS": "RX"]) { own, _ in own }
        let pipe = Pipe()
        process.standardInput = pipe
        // A reader who leaves before the end must not end this program.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        guard (try? process.run()) != nil else { return false }
        try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return true
    }
}
