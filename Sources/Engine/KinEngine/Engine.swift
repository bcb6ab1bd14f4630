import KinLibC
public import Logging
import Synchronization

/// The entry point for services and apps: queries and commands about people, with all derived data cached.
///
///     let engine = try Engine(store: "people.db")
///     let near = try engine.near(session: "s1", k: 5, where: .equals("state", "drift"))
///     let missions = try engine.missions(for: "u42", near: here, minutes: 45)
///     let answer = try engine.call("near", #"{"session": "s1", "where": "state = drift", "k": 5}"#)
///
/// One table, ``methods``, declares every method; the JSON interface, the tool's commands, the Python methods and
/// METHODS.md are made from it. Each method also has a typed function with the same name. Queries return at once: their
/// data is derived from the records, updated from the store's change log and cached within a memory budget. Commands
/// are asynchronous, because they wait for the disk. All may be called from many threads at once.
public final class Engine: Sendable {
    /// The store that the engine was opened on; nil for an engine in memory.
    private let opened: Store?
    /// The store of an engine in memory, made on first use.
    private let made = AtomicLazyReference<Store>()
    private let settings: Settings
    /// The id of the process that opened the engine.
    private let process = getpid()

    /// Opens an engine on a store, which is created if the file does not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - isReadOnly: Whether commands are refused. Any number of processes may read while one process writes.
    ///   - namingKey: The key of anonymous names, stored by the caller; nil for the store's own. See `Store`.
    ///   - memoryBudget: The largest number of bytes for derived data. Default: `Store.defaultMemoryBudget`. See
    ///     `Store`.
    ///   - answerLimit: The largest number of bytes of a query's answer in ``call(_:_:)``. Commands have no limit, since
    ///     they have changed the store when their answer is complete. Default: ``defaultAnswerLimit``.
    ///   - logger: Receives the store's messages: kinds, counts and times; nil for no logging. See `Store`.
    /// - Throws: `.invalidArgument` in a child of a process that had a store or used several threads, and for a naming
    ///   key that is not the store's; `.busy` if a different process has the store open for writing; `.corruptFile`;
    ///   `.unsupportedFormat`; `.inputOutput`.
    public convenience init(
        store path: String, isReadOnly: Bool = false, namingKey: [UInt8]? = nil,
        memoryBudget: Int = Store.defaultMemoryBudget, answerLimit: Int = Engine.defaultAnswerLimit,
        logger: Logger? = nil
    ) throws(KinError) {
        let settings = Settings(
            namingKey: namingKey, memoryBudget: memoryBudget, answerLimit: answerLimit, logger: logger)
        try self.init(store: path, isReadOnly: isReadOnly, settings)
    }

    /// Creates an engine in memory: it has all methods, and writes nothing to a disk.
    ///
    /// - Parameters:
    ///   - namingKey: The key of anonymous names; nil for a random key.
    ///   - memoryBudget: The largest number of bytes for derived data, in addition to the records.
    ///   - answerLimit: As for an engine on a store.
    ///   - logger: As for an engine on a store.
    public convenience init(
        namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget,
        answerLimit: Int = Engine.defaultAnswerLimit, logger: Logger? = nil
    ) {
        self.init(
            opened: nil,
            Settings(namingKey: namingKey, memoryBudget: memoryBudget, answerLimit: answerLimit, logger: logger))
    }

    /// The default limit of an answer: 1 GiB.
    public static let defaultAnswerLimit = 1 << 30

    /// The settings of an engine; tests also set its clock.
    package struct Settings: Sendable {
        package let namingKey: [UInt8]?
        package let memoryBudget: Int
        package let answerLimit: Int
        package let logger: Logger?
        package let clock: @Sendable () throws(KinError) -> Timestamp
        /// The longest time to wait for one other process, as in `StoreEnvironment`.
        package let timeout: Duration

        package init(
            namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget,
            answerLimit: Int = Engine.defaultAnswerLimit, logger: Logger? = nil, timeout: Duration = .zero,
            clock: @escaping @Sendable () throws(KinError) -> Timestamp = SystemClock.now
        ) {
            self.namingKey = namingKey
            self.memoryBudget = memoryBudget
            self.answerLimit = answerLimit
            self.logger = logger
            self.clock = clock
            self.timeout = timeout
        }
    }

    package convenience init(store path: String, isReadOnly: Bool = false, _ settings: Settings) throws(KinError) {
        try Self.requireThreads()
        let store = try Store(
            at: path, for: isReadOnly ? .reading : .writing, check: isReadOnly ? .brief : .automatic,
            namingKey: settings.namingKey, memoryBudget: settings.memoryBudget,
            in: StoreEnvironment(logger: settings.logger, timeout: settings.timeout))
        self.init(opened: store, settings)
    }

    package init(opened store: Store? = nil, _ settings: Settings) {
        opened = store
        self.settings = settings
    }

    deinit {
        // Its connections belong to the parent: closing them would release SQLite's locks.
        if getpid() != process, let store = opened ?? made.load() { _ = unsafe Unmanaged.passRetained(store) }
    }

    private static func requireThreads() throws(KinError) {
        guard canUseThreadPool() else {
            throw KinError(
                .invalidArgument,
                """
                this process was forked from one that used a store or several threads, and has none of its threads; start a \
                new process instead of forking ("spawn" in Python's multiprocessing)
                """)
        }
    }

    /// The store of the engine's records, for everything without a method here.
    ///
    /// - Throws: `.invalidArgument` in a child of the process that opened the engine; `.inputOutput`.
    public var store: Store {
        get throws(KinError) {
            if let store = try storeInUse { return store }
            try Self.requireThreads()
            return made.storeIfNil(
                try Store(
                    namingKey: settings.namingKey, memoryBudget: settings.memoryBudget, logger: settings.logger))
        }
    }

    /// The store; nil if the engine is in memory and has made no store yet.
    var storeInUse: Store? {
        get throws(KinError) {
            guard let store = opened ?? made.load() else { return nil }
            guard getpid() == process else {
                throw KinError(
                    .invalidArgument,
                    "the store was opened before this process was forked, and belongs to its parent; start a new process"
                )
            }
            return store
        }
    }

    /// The present instant, by the engine's clock.
    func now() throws(KinError) -> Timestamp { try settings.clock() }

    /// A given instant, or the present by the engine's clock. Throws the clock's error.
    func instant(_ given: Timestamp?) throws(KinError) -> Timestamp {
        if let given { return given }
        return try settings.clock()
    }

    /// The time zone of a person: the given zone, else the zone in their preferences, else UTC.
    func zone(of user: String, _ given: LocalZone?) throws(KinError) -> LocalZone {
        if let given { return given }
        return try store.zone(of: user)
    }

    /// Calls a method by its name.
    ///
    /// The call blocks until the answer is ready; from asynchronous code, use the typed functions.
    ///
    /// - Parameters:
    ///   - method: One of ``methods``.
    ///   - request: The parameters, a JSON object; empty for none.
    /// - Returns: The answer as JSON on one line.
    /// - Throws: `.invalidArgument` for an unknown method or parameter; `.malformedInput` with line and column for
    ///   malformed JSON; `.capacityExceeded` for a query's answer above the limit of the engine; the errors of the method, with
    ///   the parameter.
    public func call(_ method: String, _ request: String = "") throws(KinError) -> String {
        let isCommand = try MethodTable.method(named: method).isCommand
        guard let text = try answer(method, request).jsonText(limit: isCommand ? .max : settings.answerLimit) else {
            throw KinError(
                .capacityExceeded,
                """
                the answer has more than \(settings.answerLimit) bytes; ask for less, for example by a smaller `k` or `count`, or open \
                the engine with a larger `answer_limit`
                """
            ).within("method", method)
        }
        return text
    }

    /// The typed answer of a method called by its name; see ``call(_:_:)``.
    package func answer(_ method: String, _ request: String) throws(KinError) -> any JSONWritable & Sendable {
        let found = try MethodTable.method(named: method)
        do throws(KinError) {
            let request = try EngineRequest(request)
            return try found.run(self, request)
        } catch {
            throw error.within("method", found.name)
        }
    }

    /// Saves the indexes to their files and closes the store. If an engine is not closed, nothing is lost, but the next
    /// opening has more to do.
    ///
    /// - Throws: `.busy`, `.inputOutput`; the engine is closed even if this throws.
    public func close() throws(KinError) {
        guard getpid() == process, let store = opened ?? made.load() else { return }
        try finishing { () async throws in try await store.close() }
    }
}

/// The real-time clock of the system.
package enum SystemClock {
    /// The present instant in microseconds.
    ///
    /// - Throws: `.invalidArgument` if the clock is set to a year after 9999.
    package static func now() throws(KinError) -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return try Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
