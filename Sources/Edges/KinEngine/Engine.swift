public import KinCore
import KinJSON
import KinStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Everything that a store can be asked and told, by name, in JSON: the door for other languages.
///
///     let engine = try Engine(store: "people.db")
///     let answer = try engine.call("near", #"{"session": "s1", "where": "state = drift", "k": 5}"#)
///
/// A call is synchronous and does not share state with another but the store; one engine may be called from many threads
/// at once. ``methods`` names what there is, `Sources/Edges/KinEngine/METHODS.md` says what each takes and gives.
public final class Engine: Sendable {
    private let store: Store?
    /// The process that opened it.
    private let process = getpid()
    private let clock: @Sendable () throws(KinError) -> Timestamp

    private static let table: [String: EngineMethod] = Dictionary(
        uniqueKeysWithValues: (StoreMethods.all + PeopleMethods.all + AffinityMethods.all + RealmsMethods.all
            + RhythmMethods.all + ChallengeMethods.all)
            .map { ($0.name, $0) })

    /// The names of all methods, ascending.
    public static var methods: [String] { table.keys.sorted() }

    /// Opens a store, and makes one where there is none.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - isReadOnly: Whether only to read; any number of processes may, beside the one that writes.
    ///   - namingKey: The key of anonymous names, kept by the caller; nil for the store's own. See `Store`.
    /// - Throws: `.invalidArgument` in a process that was forked from one that had a store or used several threads, and for a naming key that is
    ///   not the store's; `.busy` when another process has it open for writing; `.corruptFile`; `.unsupportedFormat`; `.inputOutput`.
    public convenience init(store path: String, isReadOnly: Bool = false, namingKey: [UInt8]? = nil) throws(KinError) {
        try self.init(store: path, isReadOnly: isReadOnly, namingKey: namingKey, clock: SystemClock.now)
    }

    /// An engine without a store, for the methods that need none.
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

    /// Calls a method.
    ///
    /// - Parameters:
    ///   - method: Its name.
    ///   - request: Its parameters, an object in JSON; empty for none.
    /// - Returns: The answer in JSON, on one line.
    /// - Throws: `.invalidArgument` for a method or parameter that there is not, `.malformedInput` with line and column for broken
    ///   JSON, and what the method throws, naming the parameter.
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

    /// Saves the indexes beside the database and closes it. Whoever forgets loses nothing, but the next to open has more to do.
    ///
    /// - Throws: `.busy`, `.inputOutput`; the engine is closed all the same.
    public func close() throws(KinError) {
        guard let store, getpid() == process else { return }
        try finishing { () async throws in try await store.close() }
    }
}

/// Waits for what a store does; see ``waiting(_:)``.
package func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) throws(KinError) -> Value {
    do {
        return try waiting(work)
    } catch let error as KinError {
        throw error
    } catch {
        throw KinError(.inputOutput, "the store could not do it: \(error)")
    }
}
