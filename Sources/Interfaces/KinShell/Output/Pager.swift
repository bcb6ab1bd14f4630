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

    /// Shows text that does not fit on the screen.
    ///
    /// The program is in this one's process group: in another one, which is in the background, it would be stopped as soon as it
    /// read a key.
    ///
    /// - Returns: False when it fits, or the program could not be started; it is not shown then.
    func show(_ text: String) -> Bool {
        guard text.utf8.count(where: { $0 == 0x0A }) > screen else { return false }
        // Less shows colours, and leaves the text on the screen.
        guard let input = unsafe popen("LESS=${LESS-RX}; export LESS; " + command, "w") else { return false }
        // A reader who leaves before the end must not end this program, nor must Ctrl-C, which is the pager's.
        let before = [SIGPIPE, SIGINT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in before { signal(number, handler) } }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, input)
        unsafe pclose(input)
        return true
    }
}
