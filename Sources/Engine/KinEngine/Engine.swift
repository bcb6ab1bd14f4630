public import KinCore
package import KinJSON
import KinLibC
public import KinStore
public import Logging
import Synchronization

/// Queries and commands about people, with everything that they need kept ready: the entry point for services and apps.
///
///     let engine = try Engine(store: "people.db")
///     let near = try engine.near(session: "s1", k: 5, where: "state = drift")
///     let missions = try engine.missions(for: "u42", near: here, minutes: 45)
///     let answer = try engine.call("near", #"{"session": "s1", "where": "state = drift", "k": 5}"#)
///
/// Every method stands in one table, ``methods``, from which the JSON interface, the tool's commands, the Python methods and METHODS.md
/// are made; a typed function of the same name belongs to each. Queries return at once, from data that is derived from the records,
/// brought up to date by the store's change log and kept within a budget of memory; commands are asynchronous, since they wait for the
/// disk. All may be called from many threads at once.
public final class Engine: Sendable {
    /// The store that the engine was opened on; nil for an engine in memory.
    private let opened: Store?
    /// The store of an engine in memory, made when it is first needed.
    private let made = AtomicLazyReference<Store>()
    private let namingKey: [UInt8]?
    private let memoryBudget: Int
    private let logger: Logger?
    /// The id of the process that opened the engine.
    private let process = getpid()
    private let clock: @Sendable () throws(KinError) -> Timestamp

    /// Opens an engine on a store, which is created when there is no file.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - isReadOnly: Whether commands are refused; any number of processes may read beside the one that writes.
    ///   - namingKey: The key of anonymous names, kept by the caller; nil for the store's own. See `Store`.
    ///   - memoryBudget: The largest number of bytes for derived data, `Store.defaultMemoryBudget` by default. See `Store`.
    ///   - logger: Receives what the store does, by kinds, counts and times; nothing is logged without one. See `Store`.
    /// - Throws: `.invalidArgument` in a child of a process that had a store or used several threads, and for a naming
    ///   key that is not the store's; `.busy` when another process has the store open for writing; `.corruptFile`;
    ///   `.unsupportedFormat`; `.inputOutput`.
    public convenience init(
        store path: String, isReadOnly: Bool = false, namingKey: [UInt8]? = nil,
        memoryBudget: Int = Store.defaultMemoryBudget, logger: Logger? = nil
    ) throws(KinError) {
        try self.init(
            store: path, isReadOnly: isReadOnly, namingKey: namingKey, memoryBudget: memoryBudget, logger: logger,
            clock: SystemClock.now)
    }

    /// Creates an engine that keeps its records in memory: every method is there, and nothing is written to a disk.
    ///
    /// - Parameters:
    ///   - namingKey: The key of anonymous names; nil for one drawn at random.
    ///   - memoryBudget: The largest number of bytes for derived data, beside the records themselves.
    ///   - logger: As that of an engine on a store.
    public convenience init(
        namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget, logger: Logger? = nil
    ) {
        self.init(
            opened: nil, namingKey: namingKey, memoryBudget: memoryBudget, logger: logger, clock: SystemClock.now)
    }

    package convenience init(
        store path: String, isReadOnly: Bool, namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget,
        logger: Logger? = nil, clock: @escaping @Sendable () throws(KinError) -> Timestamp
    ) throws(KinError) {
        try Self.requireThreads()
        let store = try Store(
            at: path, for: isReadOnly ? .reading : .writing, check: isReadOnly ? .brief : .automatic,
            namingKey: namingKey, memoryBudget: memoryBudget, logger: logger)
        self.init(opened: store, namingKey: namingKey, memoryBudget: memoryBudget, logger: logger, clock: clock)
    }

    package convenience init(
        namingKey: [UInt8]? = nil, clock: @escaping @Sendable () throws(KinError) -> Timestamp
    ) {
        self.init(
            opened: nil, namingKey: namingKey, memoryBudget: Store.defaultMemoryBudget, logger: nil, clock: clock)
    }

    private init(
        opened store: Store?, namingKey: [UInt8]?, memoryBudget: Int, logger: Logger?,
        clock: @escaping @Sendable () throws(KinError) -> Timestamp
    ) {
        self.memoryBudget = memoryBudget
        self.logger = logger
        opened = store
        self.namingKey = namingKey
        self.clock = clock
    }

    deinit {
        // Its connections are the parent's: SQLite's locks would go with them.
        if getpid() != process, let store = opened ?? made.load() { _ = unsafe Unmanaged.passRetained(store) }
    }

    private static func requireThreads() throws(KinError) {
        guard canUseThreadPool() else {
            throw KinError(
                .invalidArgument,
                """
                this process was forked from one that used a store or several threads, and has none of its threads; start \
                it anew instead of forking ("spawn" in Python's multiprocessing)
                """)
        }
    }

    /// The store of the engine's records, for everything that has no method here.
    ///
    /// - Throws: `.invalidArgument` in a child of the process that opened the engine; `.inputOutput`.
    public var store: Store {
        get throws(KinError) {
            if let store = try storeInUse { return store }
            try Self.requireThreads()
            return made.storeIfNil(try Store(namingKey: namingKey, memoryBudget: memoryBudget, logger: logger))
        }
    }

    /// The store; nil when the engine keeps its records in memory and has none yet.
    var storeInUse: Store? {
        get throws(KinError) {
            guard let store = opened ?? made.load() else { return nil }
            guard getpid() == process else {
                throw KinError(
                    .invalidArgument,
                    "the store was opened before this process was forked, and belongs to its parent; start the process anew"
                )
            }
            return store
        }
    }

    /// The present instant, by the engine's clock.
    func now() throws(KinError) -> Timestamp { try clock() }

    /// A given instant, or the present by the engine's clock, whose error it throws.
    func instant(_ given: Timestamp?) throws(KinError) -> Timestamp {
        if let given { return given }
        return try clock()
    }

    /// The time zone of a person: the given one, that of their preferences, or UTC.
    func zone(of user: String, _ given: LocalZone?) throws(KinError) -> LocalZone {
        if let given { return given }
        return try store.zone(of: user)
    }

    /// Calls a method by its name.
    ///
    /// Calls block until the answer is there; from asynchronous code the typed functions are better.
    ///
    /// - Parameters:
    ///   - method: One of ``methods``.
    ///   - request: The parameters, a JSON object; empty for none.
    /// - Returns: The answer in JSON, on one line.
    /// - Throws: `.invalidArgument` for an unknown method or parameter; `.malformedInput` with line and column for
    ///   malformed JSON; the errors of the method, with the parameter.
    public func call(_ method: String, _ request: String = "") throws(KinError) -> String {
        try answer(method, request).jsonText
    }

    /// The typed answer of a method that is called by its name; see ``call(_:_:)``.
    package func answer(_ method: String, _ request: String) throws(KinError) -> any JSONWritable & Sendable {
        let found = try MethodTable.method(named: method)
        do throws(KinError) {
            var request = try EngineRequest(request)
            return try found.run(self, &request)
        } catch {
            throw error.within("method", found.name)
        }
    }

    /// Saves the indexes beside the database and closes the store. Without it nothing is lost, but the next opening has
    /// more to do.
    ///
    /// - Throws: `.busy`, `.inputOutput`; the engine is closed all the same.
    public func close() throws(KinError) {
        guard getpid() == process, let store = opened ?? made.load() else { return }
        try finishing { () async throws in try await store.close() }
    }
}

/// The real-time clock of the system.
package enum SystemClock {
    /// The present instant in microseconds.
    ///
    /// - Throws: `.invalidArgument` when the clock is set to a year after 9999.
    package static func now() throws(KinError) -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return try Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
