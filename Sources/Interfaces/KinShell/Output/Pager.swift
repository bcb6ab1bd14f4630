import Foundation

/// Shows long text one screen at a time, with the user's own pager: `$PAGER`, or less.
struct Pager {
    private let command: String
    private let screen: Int

    /// Creates a pager for a terminal; nil if `PAGER` is empty or cat, or less is not installed.
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

    /// Shows text that does not fit on the screen.
    ///
    /// The program is in this process's group. In a group of its own, which would be in the background, it would be
    /// stopped as soon as it read a key.
    ///
    /// - Returns: False if the text fits, if lines wait in the input, as after a paste, which the program would read as
    ///   keys, or if the program could not be started; the text is not shown then.
    func show(_ text: String) -> Bool {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard text.utf8.count(where: { $0 == 0x0A }) > screen, unsafe poll(&waiting, 1, 0) == 0 else { return false }
        // Less shows colours, and leaves the text on the screen.
        guard let input = unsafe popen("LESS=${LESS-RX}; export LESS; " + command, "w") else { return false }
        // If the reader leaves early, SIGPIPE must not end this process; Ctrl-C belongs to the pager.
        let before = [SIGPIPE, SIGINT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in before { signal(number, handler) } }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, input)
        unsafe pclose(input)
        return true
    }
}
