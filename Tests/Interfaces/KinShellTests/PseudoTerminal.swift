import Foundation
import KinLibC
import KinTestSupport
import Testing

/// The tool at a terminal: typed text is its input, and the screen shows its output.
final class PseudoTerminal {
    private let master: FileHandle
    private let process: pid_t
    /// The exit status of the tool; nil while it is unknown.
    private var status: Int32?
    private(set) var screen = ""

    /// Starts the tool that was built with these tests.
    init(
        _ arguments: [String], home: String, rows: UInt16 = 50, columns: UInt16 = 200,
        environment extra: [String: String] = [:]
    ) throws {
        let tool = try builtProgram("kin")
        let (descriptor, name) = try #require(Self.open())
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var environment = ProcessInfo.processInfo.environment
        environment.merge(["TERM": "xterm", "HOME": home, "NO_COLOR": "1", "PAGER": "cat"]) { $1 }
        environment["XDG_STATE_HOME"] = nil
        environment.merge(extra) { $1 }
        process = try #require(
            Self.start([tool] + arguments, environment: environment.map { "\($0)=\($1)" }, on: name))
    }

    /// Starts a program in a new session with the named terminal. The program is in the foreground there, reads keys
    /// and is interrupted by Ctrl-C.
    private static func start(_ words: [String], environment: [String], on terminal: String) -> pid_t? {
        #if canImport(Darwin)
            var (files, attributes) = unsafe (posix_spawn_file_actions_t(nil), posix_spawnattr_t(nil))
        #else
            var (files, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        unsafe posix_spawn_file_actions_init(&files)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&files)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        #if canImport(Darwin)
            let newSession = Int16(POSIX_SPAWN_SETSID)
        #else
            // The C library's POSIX_SPAWN_SETSID is hidden from Swift.
            let newSession = Int16(0x80)
        #endif
        // Tests in the background may ignore Ctrl-C and the end of the terminal, and their threads block signals;
        // processes that they start would inherit this.
        var (none, interrupts) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&interrupts)
        for number in [SIGINT, SIGHUP] { unsafe sigaddset(&interrupts, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &interrupts)
        unsafe posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        unsafe posix_spawn_file_actions_addopen(&files, 0, terminal, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&files, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&files, 0, 2)
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        let error = unsafe posix_spawn(&process, words[0], &files, &attributes, arguments, variables)
        return error == 0 ? process : nil
    }

    /// Whether the tool has not ended yet.
    private var isRunning: Bool {
        guard status == nil else { return false }
        var ended = Int32()
        guard unsafe waitpid(process, &ended, WNOHANG) == process else { return true }
        // If a signal ended the program, the status is 128 plus the signal's number, as in shells.
        status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + ended & 0x7F
        return false
    }

    /// A new pair of terminals: the descriptor of the first, and the name of the second.
    private static func open() -> (descriptor: Int32, name: String)? {
        #if canImport(Darwin)
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
            return (descriptor, unsafe String(cString: ptsname(descriptor)))
        #else
            // The C library's functions for this are hidden from Swift; these are the requests they make.
            let (lock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
            let descriptor = unsafe KinLibC.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (isLocked, terminal) = (Int32(0), Int32(0))
            guard descriptor >= 0, unsafe ioctl(descriptor, lock, &isLocked) == 0,
                unsafe ioctl(descriptor, number, &terminal) == 0
            else { return nil }
            return (descriptor, "/dev/pts/\(terminal)")
        #endif
    }

    deinit {
        guard isRunning else { return }
        kill(process, SIGKILL)
        var ended = Int32()
        unsafe _ = waitpid(process, &ended, 0)
    }

    /// Types text, and waits until the screen shows the expected text after it.
    ///
    /// - Returns: The new text on the screen, without the codes that move the cursor.
    @discardableResult
    func type(_ text: String, until isThere: (String) -> Bool) throws -> String {
        try master.write(contentsOf: Data(text.utf8))
        return try read(until: isThere)
    }

    /// Types a line, and waits for the next prompt and the expected text before it.
    @discardableResult
    func say(_ line: String, expecting shown: String = "") throws -> String {
        try type(line + "\r") { text in
            // The first line is the typed text.
            Self.isAtPrompt(text) && (shown.isEmpty || text.drop { $0 != "\n" }.contains(shown))
        }
    }

    /// Waits for the prompt.
    func greeting() throws -> String { try read { Self.isAtPrompt($0) } }

    /// Ends the input and waits for the end of the tool.
    func finish(_ line: String) throws -> Int32 {
        try master.write(contentsOf: Data((line + "\r").utf8))
        return try ended()
    }

    /// Sends a signal and waits for the end of the tool.
    func end(by signal: Int32) throws -> Int32 {
        kill(process, signal)
        return try ended()
    }

    private func ended() throws -> Int32 {
        let end = Date(timeIntervalSinceNow: 60)
        while isRunning && Date() < end { usleep(20_000) }
        return try #require(status, "the tool ends")
    }

    /// A prompt at the end, after a line end: typed text appears after the previous prompt.
    private static func isAtPrompt(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return ["kin> ", "kin*> "].contains(String(lines.last ?? "")) && (lines.count > 1)
    }

    private func read(until isThere: (String) -> Bool) throws -> String {
        var bytes: [UInt8] = []
        let end = Date(timeIntervalSinceNow: 120)
        while Date() < end {
            var wait = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, 200) > 0 else { continue }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe Foundation.read(master.fileDescriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
            let text = Self.plain(String(decoding: bytes, as: UTF8.self))
            if isThere(text) {
                screen += text
                return text
            }
        }
        let seen = Self.plain(String(decoding: bytes, as: UTF8.self))
        throw Missing(seen: seen)
    }

    /// The expected text did not appear.
    struct Missing: Error, CustomStringConvertible {
        let seen: String
        var description: String { "the screen shows only: \(seen)" }
    }

    /// Text without the codes that move the cursor, with the line ends of files.
    private static func plain(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "").replacing("\r\n", with: "\n").replacing("\r", with: "")
    }
}
