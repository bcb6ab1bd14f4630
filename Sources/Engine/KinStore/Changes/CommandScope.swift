import Synchronization

/// The reads and writes of one command, checked in debug builds: a command that writes must read inside its write
/// transaction.
///
/// A command that reads first and writes later loses the changes that other commands write in between.
/// ``Store/transaction(_:_:)`` has reads and writes in one transaction, and ``Store/change(after:)`` repeats a
/// computation whose sources have changed.
///
/// Release builds check nothing, so that reads cost nothing extra.
package final class CommandScope: Sendable {
    /// The scope of the command that the current task runs; nil outside of commands.
    @TaskLocal package static var current: CommandScope?

    /// An access of a command to the store.
    enum Access {
        case read, write
    }

    private let seen = Mutex<Set<Access>>([])
    private let pause: @Sendable () -> Void

    /// Creates the scope of one command.
    ///
    /// - Parameter pause: Called after each read outside the write transaction. A different command may run at this
    ///   point.
    package init(pause: @escaping @Sendable () -> Void = {}) { self.pause = pause }

    /// Records an access of the current command.
    ///
    /// - Throws: `.invalidArgument` if the command both reads outside a write transaction and writes.
    static func record(_ access: Access) throws(KinError) {
        #if DEBUG
            guard let scope = current else { return }
            let isMixed = scope.seen.withLock { seen in
                seen.insert(access)
                return seen.count > 1
            }
            if access == .read { scope.pause() }
            guard isMixed else { return }
            throw KinError(
                .invalidArgument, "a command reads the store outside the transaction that it writes in; read inside it")
        #endif
    }

    /// Runs a computation whose sources are compared again in the transaction that writes its result.
    static func computing<Result>(_ body: () throws(KinError) -> Result) throws(KinError) -> Result {
        #if DEBUG
            let scope = current
            let result = $current.withValue(nil) { Swift.Result { () throws(KinError) in try body() } }
            scope?.pause()
            return try result.get()
        #else
            return try body()
        #endif
    }
}
