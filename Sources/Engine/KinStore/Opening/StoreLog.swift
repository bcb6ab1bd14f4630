package import Logging

/// The messages of a store to a logger: kinds of events and data, counts and times, never an id, a text or a path.
struct StoreLog: Sendable {
    /// The logger; nil for none.
    let logger: Logger?

    /// Logs that a store was opened.
    ///
    /// - Parameters:
    ///   - note: The note of the previous writer.
    ///   - version: The version of the database.
    ///   - start: The beginning of the opening.
    func opened(
        _ access: Store.Access, after note: WriterNote?, at version: StoreVersion, since start: ContinuousClock.Instant
    ) {
        guard let logger else { return }
        if let note, !note.isClosed {
            logger.notice(
                "the last writer ended without closing the store; its writes were recovered",
                metadata: ["acknowledged": "\(note.change)", "change": "\(version.number)"])
        }
        logger.info(
            "opened a store",
            metadata: [
                "access": "\(access)", "change": "\(version.number)", "milliseconds": Self.milliseconds(since: start),
            ])
    }

    /// Logs that a store was closed, and whether without an error.
    func closed(_ failure: KinError?) {
        guard let failure else { return logger?.info("closed a store") ?? () }
        logger?.warning("closed a store with an error", metadata: ["code": "\(failure.code)"])
    }

    /// Logs that another program removed SQLite's log while the store was open.
    func restoredLog() { logger?.warning("another program removed the log of an open store; the store put it back") }

    /// Logs that data was derived from records.
    func derived(_ type: Any.Type, byteCount: @autoclosure () -> Int, since start: ContinuousClock.Instant) {
        logger?.debug(
            "derived data anew",
            metadata: [
                "kind": "\(type)", "bytes": "\(byteCount())", "milliseconds": Self.milliseconds(since: start),
            ])
    }

    /// Logs that derived data was evicted to meet the budget.
    func evicted(_ count: Int, byteCount: Int) {
        guard count > 0 else { return }
        logger?.debug("evicted derived data", metadata: ["values": "\(count)", "bytes": "\(byteCount)"])
    }

    /// Logs that the oldest entries of the change log were deleted, or that the note of a change could not be written.
    func wrote(_ version: StoreVersion, after before: StoreVersion?, unnoted: KinError?) {
        guard let logger else { return }
        let piece = ChangeLog.length / 4
        if let before, version.number / piece > before.number / piece {
            logger.debug("cut the change log", metadata: ["change": "\(version.number)"])
        }
        if let unnoted {
            logger.warning("cannot note the last change", metadata: ["code": "\(unnoted.code)"])
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Logger.MetadataValue {
        "\(Int((ContinuousClock.now - start) / .milliseconds(1)))"
    }
}

/// The environment of a store: its file operations and its logger.
package struct StoreEnvironment: Sendable {
    /// The file operations of indexes.
    package var files: any FileOperations = SystemFiles()
    /// The logger; nil for none.
    package var logger: Logger?
    /// Whether the files are locked against other programs (``FileGuard``); false only in tests.
    package var locksFiles = true
    /// The longest time to wait for a process that creates or writes the store. A process that
    /// has had it open for longer is not waited for.
    package var timeout: Duration

    /// Creates an environment from file operations, a logger and a timeout. Default: the system's file operations, no
    /// logger, no waiting.
    package init(files: any FileOperations = SystemFiles(), logger: Logger? = nil, timeout: Duration = .zero) {
        self.files = files
        self.logger = logger
        self.timeout = timeout
    }
}
