import CLibEdit
import Foundation

/// The typed lines of all sessions, in a file that libedit reads and writes.
@safe final class LineHistory {
    let lines: OpaquePointer
    private let path: String?
    /// Whether the file has all lines; it has not if it cannot be written.
    private var isInFile = true

    /// Reads the lines of the user's file.
    ///
    /// - Returns: nil if libedit is not installed, or without a locale of UTF-8.
    init?(_ environment: [String: String]) {
        // The environment's locale may have other characters than the terminal, or not exist.
        let locales = ["", "C.UTF-8", "UTF-8", "en_US.UTF-8"]
        guard locales.contains(where: { unsafe kin_edit_use_locale($0) != 0 }),
            let lines = unsafe kin_history_open()
        else { return nil }
        unsafe self.lines = unsafe lines
        path = Self.defaultPath(environment)
        unsafe kin_history_set(lines, H_SETSIZE, 1000)
        unsafe kin_history_set(lines, H_SETUNIQUE, 1)
        load()
    }

    deinit { unsafe kin_history_close(lines) }

    /// Reads the lines of the file again: a different session may have added lines, or forgotten a person.
    private func load() {
        guard let path, isInFile else { return }
        unsafe kin_history_set(lines, H_CLEAR, 0)
        unsafe kin_history_use(lines, H_LOAD, path)
    }

    private func save() {
        guard let path else { return }
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        isInFile = unsafe kin_history_use(lines, H_SAVE, path) >= 0
    }

    /// Adds a typed line.
    func add(_ line: String) {
        load()
        unsafe kin_history_use(lines, H_ENTER, line)
        save()
    }

    /// Removes the lines that name a person from the history and its file.
    func forget(_ user: String) {
        load()
        var all: [String] = []
        var line = unsafe kin_history_line(lines, H_LAST)
        while let found = unsafe line {
            unsafe all.append(String(cString: found))
            unsafe line = unsafe kin_history_line(lines, H_PREV)
        }
        let others = all.filter { !Self.names(user, in: $0) }
        guard others.count < all.count else { return }
        unsafe kin_history_set(lines, H_CLEAR, 0)
        for line in others { unsafe kin_history_use(lines, H_ENTER, line) }
        save()
    }

    /// Whether a line contains an id as a whole word, as it is or escaped in JSON.
    static func names(_ id: String, in line: String) -> Bool {
        [id, String(id.jsonText.dropFirst().dropLast())].contains { line.containsWord($0) }
    }

    /// The path of the history file: `$KIN_HISTORY`; an empty path switches the history off. Default:
    /// `$XDG_STATE_HOME/kin/history`, or in `~/.local/state`.
    static func defaultPath(_ environment: [String: String]) -> String? {
        if let path = environment["KIN_HISTORY"] { return path.isEmpty ? nil : path }
        return KinCommand.userFolder("XDG_STATE_HOME", "/.local/state", environment).map { $0 + "/history" }
    }
}
