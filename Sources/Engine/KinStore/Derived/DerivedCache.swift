import GRDB
import KinCore
import Synchronization

/// The derived data in memory: values of all types in one budget, the least recently used leave first.
final class DerivedCache: Sendable {
    /// The largest number of bytes that are kept; a single larger value is kept alone.
    let budget: Int
    /// An estimate of the bytes that the cache needs beside a value.
    private static let slotByteCount = 400
    private let folder: IndexFolder?
    private let log: StoreLog
    private let state = Mutex(State())

    fileprivate struct State {
        var slots: [SlotID: any DerivedSlot] = [:]
        /// The size and the time of the last use of each value in memory.
        var uses: [SlotID: (bytes: Int, time: UInt64)] = [:]
        var bytes = 0
        var time: UInt64 = 0
        var evictions = 0
    }

    /// The type and key of a value.
    fileprivate struct SlotID: Hashable, Sendable {
        let type: ObjectIdentifier
        let key: AnyKey

        init<Value: DerivedValue>(_: Value.Type, _ key: Value.Key) {
            type = ObjectIdentifier(Value.self)
            self.key = AnyKey(key)
        }
    }

    /// A key of any type.
    fileprivate struct AnyKey: Hashable, Sendable {
        private let key: any Hashable & Sendable

        init(_ key: any Hashable & Sendable) { self.key = key }

        static func == (a: AnyKey, b: AnyKey) -> Bool { AnyHashable(a.key) == AnyHashable(b.key) }
        func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }
    }

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - budget: The largest number of bytes that are kept.
    ///   - folder: The folder of saved values; nil for none.
    ///   - log: Receives what is derived anew and what leaves.
    init(budget: Int, folder: IndexFolder?, log: StoreLog) {
        self.budget = budget
        self.folder = folder
        self.log = log
    }

    /// A value that shows a known version; nil when it has to be brought up to date.
    func value<Value: DerivedValue>(_: Value.Type, for key: Value.Key, at version: StoreVersion) -> Value? {
        let id = SlotID(Value.self, key)
        let slot = state.withLock { state in
            state.use(id)
            return state.slots[id] as? Slot<Value>
        }
        return slot?.value(at: version)
    }

    /// A value at the version that a connection sees.
    ///
    /// - Parameter isLast: Whether a value that is newer than the connection is derived anew for it.
    /// - Returns: nil when the kept value is newer than what the connection sees: read again.
    func current<Value: DerivedValue>(
        _: Value.Type, for key: Value.Key, in database: Database, isLast: Bool = false
    ) throws -> Value? {
        let id = SlotID(Value.self, key)
        let slot = state.withLock { state in
            if let slot = state.slots[id] as? Slot<Value> { return slot }
            let slot = Slot<Value>(key: key, log: log)
            state.slots[id] = slot
            return slot
        }
        guard let found = try slot.current(in: database, folder: folder, isLast: isLast) else { return nil }
        let evicted = state.withLock { state -> (values: Int, bytes: Int) in
            // A value that left meanwhile is not counted.
            guard state.slots[id] === slot else { return (0, 0) }
            state.use(id)
            guard let bytes = found.newByteCount else { return (0, 0) }
            let size = bytes + Self.slotByteCount
            state.bytes += size - (state.uses[id]?.bytes ?? 0)
            state.uses[id] = (size, state.time)
            let (values, before) = (state.evictions, state.bytes)
            state.evict(to: budget, but: id)
            return (state.evictions - values, before - state.bytes)
        }
        log.evicted(evicted.values, byteCount: evicted.bytes)
        return found.value
    }

    /// A value at the version that a connection sees, derived anew for it if the kept one is newer.
    func upToDate<Value: DerivedValue>(_: Value.Type, for key: Value.Key, in database: Database) throws -> Value {
        guard let value = try current(Value.self, for: key, in: database, isLast: true) else {
            preconditionFailure("the last try has a value")
        }
        return value
    }

    /// Keeps a value that a write has made at a version, in place of the one of before; nothing happens when that has left.
    func keep<Value: DerivedValue>(_ value: Value, for key: Value.Key, at version: StoreVersion) {
        let slot = state.withLock { $0.slots[SlotID(Value.self, key)] as? Slot<Value> }
        slot?.keep(value, at: version)
    }

    /// Whether a value is in memory or has a file.
    func isAtHand<Value: SavedValue>(_: Value.Type, for key: Value.Key) throws(KinError) -> Bool {
        let id = SlotID(Value.self, key)
        if state.withLock({ $0.uses[id] != nil }) { return true }
        return try folder?.names().contains("\(Value.fileName(for: key)).kin") ?? false
    }

    /// Releases all values in memory.
    func drop() {
        state.withLock { state in
            state.slots = [:]
            state.uses = [:]
            state.bytes = 0
        }
    }

    /// Saves the values that are worth it and were not saved.
    ///
    /// - Parameter isKnown: Whether the change log reaches a version. A value of another one may contain an erased person, and is
    ///   dropped.
    func save(_ isKnown: (StoreVersion) throws(KinError) -> Bool) throws(KinError) {
        guard let folder else { return }
        for type in SavedKinds.all { try save(type, in: folder, isKnown) }
    }

    private func save<Value: SavedValue>(
        _: Value.Type, in folder: IndexFolder, _ isKnown: (StoreVersion) throws(KinError) -> Bool
    ) throws(KinError) {
        for key in Value.savedKeys {
            let id = SlotID(Value.self, key)
            guard let slot = state.withLock({ $0.slots[id] as? Slot<Value> }), let (value, version) = slot.unsaved
            else {
                continue
            }
            guard try isKnown(version) else {
                state.withLock { $0.remove(id) }
                continue
            }
            try value.save(for: key, version: version, in: folder)
            slot.noteSaved(version)
        }
    }

    /// The budget, the bytes in use, the number of values and of evictions.
    var statistics: DerivedStatistics {
        state.withLock { state in
            DerivedStatistics(
                budget: budget, byteCount: state.bytes, values: state.uses.count, evictions: state.evictions)
        }
    }
}

/// The memory that derived data takes.
public struct DerivedStatistics: Sendable, Hashable {
    /// The largest number of bytes that are kept.
    public let budget: Int
    /// An estimate of the bytes in use.
    public let byteCount: Int
    /// The number of values: indexes, matchers, learned profiles and the like.
    public let values: Int
    /// The number of values that left since the opening to keep the budget.
    public let evictions: Int
}

extension DerivedCache.State {
    fileprivate mutating func use(_ id: DerivedCache.SlotID) {
        time += 1
        uses[id]?.time = time
    }

    fileprivate mutating func remove(_ id: DerivedCache.SlotID) {
        slots[id] = nil
        if let use = uses.removeValue(forKey: id) { bytes -= use.bytes }
    }

    /// Removes the least recently used values until the budget is kept, but one; a tenth of the budget is freed at once, so that the
    /// search for the oldest is rare.
    fileprivate mutating func evict(to budget: Int, but id: DerivedCache.SlotID) {
        guard bytes > budget else { return }
        for (oldest, _) in uses.sorted(by: { $0.value.time < $1.value.time }) where oldest != id {
            remove(oldest)
            evictions += 1
            if bytes <= budget - budget / 10 { return }
        }
    }
}

/// A place for one value, of any type.
private protocol DerivedSlot: AnyObject, Sendable {}

/// A place for one value.
private final class Slot<Value: DerivedValue>: DerivedSlot {
    private struct Held: Sendable {
        var value: Value
        var version: StoreVersion
        var isSaved: Bool
    }

    private let key: Value.Key
    private let log: StoreLog
    private let held = Mutex<Held?>(nil)
    /// Serializes derivations and updates, so that each is done once; readers of a current value do not wait.
    private let working = Mutex(())

    init(key: Value.Key, log: StoreLog) {
        self.key = key
        self.log = log
    }

    func value(at version: StoreVersion) -> Value? {
        held.withLock { held in held.flatMap { $0.version == version ? $0.value : nil } }
    }

    func current(in database: Database, folder: IndexFolder?, isLast: Bool) throws -> (
        value: Value, newByteCount: Int?
    )? {
        let version = try ChangeLog.version(in: database)
        if let value = value(at: version) { return (value, nil) }
        return try working.withLock { _ in
            if let value = value(at: version) { return (value, nil) }
            if let newer = held.withLock({ $0?.version.number }), newer >= version.number {
                return isLast ? (try derived(in: database), nil) : nil
            }
            // Taken out, so that it is changed in place unless a reader has a copy.
            var before = held.withLock { $0.take() }
            if before == nil { before = saved(in: folder) }
            let found = try bringUpToDate(&before, to: version, in: database)
            held.withLock { $0 = found }
            return (found.value, found.value.byteCount)
        }
    }

    private func saved(in folder: IndexFolder?) -> Held? {
        folder.flatMap { Value.saved(for: key, in: $0) }.map {
            Held(value: $0.value, version: $0.version, isSaved: true)
        }
    }

    /// Keeps a value of a newer version; a value that is being brought up to date meanwhile takes its place.
    func keep(_ value: Value, at version: StoreVersion) {
        held.withLock { held in
            guard let before = held, before.version.number < version.number else { return }
            held = Held(value: value, version: version, isSaved: false)
        }
    }

    /// Applies the changes since a value's version in place, or derives it anew.
    private func bringUpToDate(
        _ old: inout Held?, to version: StoreVersion, in database: Database
    ) throws -> Held {
        if let before = old?.version,
            let changes = try ChangeLog.changes(
                of: Value.sources, person: Value.person(of: key), since: before, in: database),
            var found = old.take()
        {
            found.isSaved = found.isSaved && changes.isEmpty
            found.version = version
            if try changes.isEmpty || found.value.apply(changes, for: key, in: database) { return found }
        }
        return Held(value: try derived(in: database), version: version, isSaved: false)
    }

    /// Derives the value from all records.
    private func derived(in database: Database) throws -> Value {
        let start = ContinuousClock.now
        let value = try Value(for: key, in: database)
        log.derived(Value.self, byteCount: value.byteCount, since: start)
        return value
    }

    /// The value with its version, if it is in memory and not saved.
    var unsaved: (value: Value, version: StoreVersion)? {
        held.withLock { held in held.flatMap { $0.isSaved ? nil : ($0.value, $0.version) } }
    }

    /// Notes that the value of a version is saved.
    func noteSaved(_ version: StoreVersion) {
        held.withLock { held in
            if held?.version == version { held?.isSaved = true }
        }
    }
}

extension Store {
    /// A derived value at the present version.
    nonisolated func derived<Value: DerivedValue>(_ type: Value.Type, for key: Value.Key) throws(KinError) -> Value {
        if let version = presentVersion, let value = cache.value(type, for: key, at: version) {
            try CommandScope.record(.read)
            return value
        }
        return try withDerived(type, for: key) { value, _ in value }
    }

    /// Runs a body on a derived value and the version of the database that it shows.
    nonisolated func withDerived<Value: DerivedValue, Result>(
        _ type: Value.Type, for key: Value.Key, _ body: (Value, Database) throws -> Result
    ) throws(KinError) -> Result {
        var tries = 0
        while true {
            tries += 1
            let result = try read("bring data up to date") { database -> Result? in
                guard let value = try cache.current(type, for: key, in: database, isLast: tries == 8) else {
                    return nil
                }
                return try body(value, database)
            }
            if let result { return result }
        }
    }

    /// The memory that derived data takes.
    public nonisolated var derivedStatistics: DerivedStatistics { cache.statistics }
}
