import CLibEdit
import Foundation

/// Line editing, history and completion at a terminal, by libedit.
///
/// Keys are libedit's emacs set, plus the settings of the user's `~/.editrc`. Ctrl-C discards the line, Ctrl-Z suspends
/// the program, and Ctrl-D on an empty line ends the input.
@safe final class LineEditor {
    private let editor: OpaquePointer
    private let history: OpaquePointer
    private let historyPath: String?
    /// Whether the file has all lines; it has not if it cannot be written.
    private var isInFile = true
    private let console: Console
    /// The function that finds the completions for the text before the cursor.
    private let complete: (String) -> Completion
    private var prompt: UnsafeMutablePointer<CChar>?

    /// Prepares the terminal for editing, with history and completion.
    ///
    /// - Parameters:
    ///   - historyPath: The file that stores the history of all sessions, line by line; nil: no history.
    /// - Returns: nil if libedit is not installed or does not support the terminal.
    init?(historyPath: String?, console: Console, complete: @escaping (String) -> Completion) {
        unsafe setlocale(LC_CTYPE, "")
        guard let editor = unsafe kin_edit_open("kin"), let history = unsafe kin_history_open() else { return nil }
        unsafe self.editor = unsafe editor
        unsafe self.history = unsafe history
        self.historyPath = historyPath
        self.console = console
        self.complete = complete
        unsafe kin_history_set(history, H_SETSIZE, 1000)
        unsafe kin_history_set(history, H_SETUNIQUE, 1)
        loadHistory()
        unsafe kin_edit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
        unsafe kin_edit_set_prompt(editor, { unsafe LineEditor.of($0)?.prompt }, 1)
        unsafe kin_edit_set_emacs(editor)
        unsafe kin_edit_set_history(editor, history)
        bindKeys()
        unsafe kin_edit_read_settings(editor)
    }

    deinit {
        unsafe kin_edit_close(editor)
        unsafe kin_history_close(history)
        unsafe free(prompt)
    }

    /// Reads one line; nil at the end of the input.
    func line(prompt text: String) -> String? {
        console.flush()
        unsafe free(prompt)
        unsafe prompt = unsafe strdup(text)
        var count: Int32 = 0
        guard let raw = unsafe kin_edit_read_line(editor, &count), count > 0 else { return nil }
        let line = unsafe String(cString: raw)
        let content = line.hasSuffix("\n") ? String(line.dropLast()) : line
        if !content.allSatisfy(\.isWhitespace) {
            loadHistory()
            unsafe kin_history_use(history, H_ENTER, line)
            saveHistory()
        }
        return content
    }

    /// Reads the lines of the file again: a different session may have added lines, or forgotten a person.
    private func loadHistory() {
        guard let historyPath, isInFile else { return }
        unsafe kin_history_set(history, H_CLEAR, 0)
        unsafe kin_history_use(history, H_LOAD, historyPath)
    }

    private func saveHistory() {
        guard let historyPath else { return }
        let folder = (historyPath as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        isInFile = unsafe kin_history_use(history, H_SAVE, historyPath) >= 0
    }

    /// Removes the lines that name a person from the history and its file.
    func forget(_ user: String) {
        loadHistory()
        var lines: [String] = []
        var line = unsafe kin_history_line(history, H_LAST)
        while let found = unsafe line {
            unsafe lines.append(String(cString: found))
            unsafe line = unsafe kin_history_line(history, H_PREV)
        }
        unsafe kin_history_set(history, H_CLEAR, 0)
        for line in lines where !Self.names(user, in: line) { unsafe kin_history_use(history, H_ENTER, line) }
        saveHistory()
    }

    /// Whether a line contains an id as a whole word, as it is or escaped in JSON.
    static func names(_ id: String, in line: String) -> Bool {
        [id, String(id.jsonText.dropFirst().dropLast())].contains { line.containsWord($0) }
    }

    /// The path of the history file: `$KIN_HISTORY`; an empty path switches the history off. Default:
    /// `$XDG_STATE_HOME/kin/history`, or in `~/.local/state`.
    static func defaultHistoryPath(_ environment: [String: String]) -> String? {
        if let path = environment["KIN_HISTORY"] { return path.isEmpty ? nil : path }
        return KinCommand.userFolder("XDG_STATE_HOME", "/.local/state", environment).map { $0 + "/history" }
    }

    // MARK: - Keys

    private func bindKeys() {
        unsafe kin_edit_add_function(editor, "kin-complete", "complete the word") { editor, _ in
            unsafe LineEditor.of(editor)?.completeWord() ?? UInt8(CC_ERROR)
        }
        unsafe kin_edit_add_function(editor, "kin-drop-line", "drop the line") { editor, _ in
            unsafe LineEditor.of(editor)?.dropLine() ?? UInt8(CC_ERROR)
        }
        unsafe kin_edit_add_function(editor, "kin-suspend", "suspend the program") { editor, _ in
            unsafe LineEditor.of(editor)?.suspend() ?? UInt8(CC_ERROR)
        }
        unsafe kin_edit_free_signal_keys(editor)
        unsafe kin_edit_bind(editor, "^I", "kin-complete")
        unsafe kin_edit_bind(editor, "^C", "kin-drop-line")
        unsafe kin_edit_bind(editor, "^Z", "kin-suspend")
        unsafe kin_edit_bind(editor, "^R", "em-inc-search-prev")
    }

    private static func of(_ editor: OpaquePointer?) -> LineEditor? {
        guard let editor = unsafe editor, let client = unsafe kin_edit_client(editor) else { return nil }
        return unsafe Unmanaged<LineEditor>.fromOpaque(client).takeUnretainedValue()
    }

    private func completeWord() -> UInt8 {
        guard let line = unsafe kin_edit_line(editor) else { return UInt8(CC_ERROR) }
        let start = unsafe line.pointee.buffer
        let length = unsafe line.pointee.cursor - line.pointee.buffer
        let bytes = unsafe UnsafeBufferPointer(start: start, count: length).map { UInt8(bitPattern: $0) }
        let completion = complete(String(decoding: bytes, as: UTF8.self))
        guard !completion.candidates.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
        if !completion.addition.isEmpty {
            unsafe kin_edit_insert(editor, completion.addition)
            return UInt8(CC_REFRESH)
        }
        guard completion.candidates.count > 1 else { return UInt8(CC_REFRESH) }
        console.print()
        let width = (TerminalSize(of: STDOUT_FILENO)?.columns ?? 80) - 2
        for line in LineEditor.columns(completion.candidates, width: width) { console.print(line) }
        return UInt8(CC_REDISPLAY)
    }

    private func dropLine() -> UInt8 {
        guard let line = unsafe kin_edit_line(editor) else { return UInt8(CC_ERROR) }
        let rest = unsafe Int32(line.pointee.lastchar - line.pointee.cursor)
        let all = unsafe Int32(line.pointee.lastchar - line.pointee.buffer)
        unsafe kin_edit_delete(editor, rest, all)
        console.print("^C")
        return UInt8(CC_REDISPLAY)
    }

    private func suspend() -> UInt8 {
        unsafe kin_edit_take_terminal(editor, 0)
        raise(SIGTSTP)
        unsafe kin_edit_take_terminal(editor, 1)
        return UInt8(CC_REDISPLAY)
    }

    /// Words in equal columns, as many as fit the width.
    static func columns(_ words: [String], width: Int) -> [String] {
        let cell = (words.map { Style.columns($0) }.max() ?? 0) + 2
        let perLine = max(1, width / cell)
        return stride(from: 0, to: words.count, by: perLine).map { first in
            let line = words[first..<min(first + perLine, words.count)].map { TextWidth.padded($0, to: cell) }
            return TextWidth.trimmed("  " + line.joined())
        }
    }
}
