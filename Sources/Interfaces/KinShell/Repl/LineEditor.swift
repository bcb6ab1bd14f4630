import CLibEdit
import Foundation

/// Line editing, history and completion at a terminal, by libedit.
///
/// Keys are libedit's emacs set, plus the settings of the user's `~/.editrc`. Ctrl-C discards the line, Ctrl-Z suspends
/// the program, and Ctrl-D on an empty line ends the input.
@safe final class LineEditor {
    private let editor: OpaquePointer
    private let history: LineHistory
    private let console: Console
    /// The function that finds the completions for the text before the cursor.
    private let complete: (String) -> Completion
    private var prompt: UnsafeMutablePointer<CChar>?

    /// Prepares the terminal for editing, with history and completion.
    ///
    /// - Returns: nil if libedit is not installed or does not support the terminal, or without a locale of UTF-8.
    init?(console: Console, complete: @escaping (String) -> Completion) {
        guard let history = console.history, let editor = unsafe kin_edit_open("kin") else {
            return nil
        }
        unsafe self.editor = unsafe editor
        self.history = history
        self.console = console
        self.complete = complete
        unsafe kin_edit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
        unsafe kin_edit_set_prompt(editor, { unsafe LineEditor.of($0)?.prompt }, 1)
        unsafe kin_edit_set_emacs(editor)
        unsafe kin_edit_set_history(editor, history.lines)
        bindKeys()
        unsafe kin_edit_read_settings(editor)
    }

    deinit {
        unsafe kin_edit_close(editor)
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
        if !content.allSatisfy(\.isWhitespace) { history.add(line) }
        return content
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
