public import KinCore
import KinJSON
import KinLibC
import KinStore

/// The queries and commands of a store by name, in JSON: the interface for other languages.
///
///     let engine = try Engine(store: "people.db")
///     let answer = try engine.call("near", #"{"session": "s1", "where": "state = drift", "k": 5}"#)
///
/// Calls are synchronous, and may come from many threads at once. ``methods`` lists the names;
/// `Sources/Edges/KinEngine/METHODS.md` documents parameters and answers.
public final class Engine: Sendable {
    private let store: Store?
    /// The id of the process that opened the engine.
    private let process = getpid()
    private let clock: @Sendable () throws(KinError) -> Timestamp

    private static let table: [String: EngineMethod] = Dictionary(
        uniqueKeysWithValues: (StoreMethods.all + PeopleMethods.all + AffinityMethods.all + RealmsMethods.all
            + RhythmMethods.all + ChallengeMethods.all)
            .map { ($0.name, $0) })

    /// The names of all methods, ascending.
    public static var methods: [String] { table.keys.sorted() }

    /// Opens an engine on a store, which is created when there is no file.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - isReadOnly: Whether commands are refused; any number of processes may read beside the one that writes.
    ///   - namingKey: The key of anonymous names, kept by the caller; nil for the store's own. See `Store`.
    /// - Throws: `.invalidArgument` in a child of a process that had a store or used several threads, and for a naming
    ///   key that is not the store's; `.busy` when another process has the store open for writing; `.corruptFile`;
    ///   `.unsupportedFormat`; `.inputOutput`.
    public convenience init(store path: String, isReadOnly: Bool = false, namingKey: [UInt8]? = nil) throws(KinError) {
        try self.init(store: path, isReadOnly: isReadOnly, namingKey: namingKey, clock: SystemClock.now)
    }

    /// Creates an engine without a store, for the methods that need none.
    public convenience init() {
        self.init(opened: nil, clock: SystemClock.now)
    }

    package convenience init(
        store path: String, isReadOnly: Bool, namingKey: [UInt8]? = nil,
        clock: @escaping @Sendable () throws(KinError) -> Timestamp
    ) throws(KinError) {
        guard threadsAreHere() else {
            throw KinError(
                .invalidArgument,
                """
                this process was forked from one that used a store or several threads, and has none of its threads; start \
                it anew instead of forking ("spawn" in Python's multiprocessing)
                """)
        }
        let store = try Store(
            at: path, for: isReadOnly ? .reading : .writing, check: isReadOnly ? .brief : .automatic,
            namingKey: namingKey)
        self.init(opened: store, clock: clock)
    }

    private init(opened store: Store?, clock: @escaping @Sendable () throws(KinError) -> Timestamp) {
        self.store = store
        self.clock = clock
    }

    deinit {
        // Its connections are the parent's: SQLite's locks would go with them.
        if let store, getpid() != process { _ = unsafe Unmanaged.passRetained(store) }
    }

    /// Calls a method by its name.
    ///
    /// - Parameters:
    ///   - method: One of ``methods``.
    ///   - request: The parameters, a JSON object; empty for none.
    /// - Returns: The answer in JSON, on one line.
    /// - Throws: `.invalidArgument` for an unknown method or parameter; `.malformedInput` with line and column for
    ///   malformed JSON; the errors of the method, with the parameter.
    public func call(_ method: String, _ request: String = "") throws(KinError) -> String {
        let method = DeprecatedNames.methods[method] ?? method
        guard let found = Self.table[method] else {
            let near = Spelling.nearest(to: method, in: Self.methods)
            throw KinError(
                .invalidArgument,
                "there is no method \"\(method.prefix(40))\"; "
                    + (near.map { "did you mean \"\($0)\"?" } ?? "there are \(Self.methods.joined(separator: ", "))"))
        }
        do throws(KinError) {
            guard store == nil || getpid() == process else {
                throw KinError(
                    .invalidArgument,
                    "the store was opened before this process was forked, and belongs to its parent; start the process anew"
                )
            }
            var request = try EngineRequest(request, renaming: DeprecatedNames.parameters[method] ?? [:])
            return try found.run(EngineCall(store: store, now: try clock()), &request)
        } catch {
            throw error.within("method", method)
        }
    }

    /// Saves the indexes beside the database and closes the store. Without it nothing is lost, but the next opening has
    /// more to do.
    ///
    /// - Throws: `.busy`, `.inputOutput`; the engine is closed all the same.
    public func close() throws(KinError) {
        guard let store, getpid() == process else { return }
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
