import GRDB
import HashTreeCollections
import Synchronization

/// The derived data in memory: values of all types within one budget. The least recently used values are evicted first.
///
/// Reading a value that shows the present version takes no lock: slots and values are ``Published``.
final class DerivedCache: Sendable {
    /// The largest number of bytes of cached values; a single larger value is cached alone.
    let budget: Int
    /// An estimate of the bytes that the cache needs per value, in addition to the value.
    private static let slotByteCount = 400
    private let folder: IndexFolder?
    private let log: StoreLog
    private let slots = Published<TreeDictionary<SlotID, any DerivedSlot>>([:])
    /// The number of values that were made or updated: the time of a use.
    private let clock = Atomic<UInt64>(0)
    private let sizes = Mutex(Sizes())

    private struct Sizes {
        /// The size of each value in memory.
        var each: [SlotID: Int] = [:]
        var bytes = 0
        var evictions = 0
    }

    /// The type and key of a value.
    private struct SlotID: Hashable, Sendable {
        private let type: ObjectIdentifier
        private let key: any Hashable & Sendable

        init<Value: DerivedValue>(_: Value.Type, _ key: Value.Key) {
            type = ObjectIdentifier(Value.self)
            self.key = key
        }

        static func == (a: SlotID, b: SlotID) -> Bool { a.type == b.type && a.key.isEqual(toSameType: b.key) }

        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            key.hash(into: &hasher)
        }
    }

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - budget: The largest number of bytes of cached values.
    ///   - folder: The folder of saved values; nil for none.
    ///   - log: Receives derivations and evictions.
    init(budget: Int, folder: IndexFolder?, log: StoreLog) {
        self.budget = budget
        self.folder = folder
        self.log = log
    }

    /// Reads a value that reflects a known version; nil if it must be updated first.
    func read<Value: DerivedValue, Answer>(
        _: Value.Type, for key: Value.Key, at version: StoreVersion, _ body: (Value) throws(KinError) -> Answer
    ) throws(KinError) -> Answer? {
        let id = SlotID(Value.self, key)
        return try slots.read { (slots) throws(KinError) -> Answer? in
            guard let slot = slots[id] as? Slot<Value> else { return nil }
            slot.noteUse(at: clock.load(ordering: .relaxed))
            return try slot.read(at: version, body)
        }
    }

    /// A value at the version that a connection sees.
    ///
    /// - Parameter isLast: If the cached value is newer than the connection: whether to derive a value for the
    ///   connection.
    /// - Returns: nil if the cached value is newer than the connection: start a new read.
    func current<Value: DerivedValue>(
        _: Value.Type, for key: Value.Key, in database: Database, isLast: Bool = false
    ) throws -> Value? {
        let id = SlotID(Value.self, key)
        let slot =
            slot(of: Value.self, id)
            ?? change { slots in
                if let slot = slots[id] as? Slot<Value> { return slot }
                let slot = Slot<Value>(key: key, log: log)
                slots[id] = slot
                return slot
            }
        slot.noteUse(at: clock.add(1, ordering: .relaxed).newValue)
        guard let found = try slot.current(in: database, folder: folder, isLast: isLast) else { return nil }
        guard let bytes = found.newByteCount else { return found.value }
        let size = bytes + Self.slotByteCount
        let evicted = sizes.withLock { sizes -> (values: Int, bytes: Int) in
            // A value that was evicted in the meantime is not counted.
            guard self.slot(of: Value.self, id) === slot else { return (0, 0) }
            sizes.bytes += size - (sizes.each.updateValue(size, forKey: id) ?? 0)
            let (values, before) = (sizes.evictions, sizes.bytes)
            evict(&sizes, but: id)
            return (sizes.evictions - values, before - sizes.bytes)
        }
        log.evicted(evicted.values, byteCount: evicted.bytes)
        return found.value
    }

    private func slot<Value: DerivedValue>(of _: Value.Type, _ id: SlotID) -> Slot<Value>? {
        slots.read { $0[id] as? Slot<Value> }
    }

    private func change<Result: Sendable>(
        _ body: (inout TreeDictionary<SlotID, any DerivedSlot>) -> Result
    ) -> Result {
        slots.update(isShort: { _ in true }, isUnique: { _ in true }, body)
    }

    /// A value at the version that a connection sees. If the cached value is newer, a value is derived for the
    /// connection.
    func upToDate<Value: DerivedValue>(_: Value.Type, for key: Value.Key, in database: Database) throws -> Value {
        guard let value = try current(Value.self, for: key, in: database, isLast: true) else {
            preconditionFailure("the last try has a value")
        }
        return value
    }

    /// Replaces a cached value by a value that a write made at a version. Does nothing if the cached value was evicted.
    func keep<Value: DerivedValue>(_ value: Value, for key: Value.Key, at version: StoreVersion) {
        slot(of: Value.self, SlotID(Value.self, key))?.keep(value, at: version)
    }

    /// Whether a value is in memory or has a file.
    func isAtHand<Value: SavedValue>(_: Value.Type, for key: Value.Key) throws(KinError) -> Bool {
        let id = SlotID(Value.self, key)
        if sizes.withLock({ $0.each[id] != nil }) { return true }
        return try folder?.names().contains("\(Value.fileName(for: key)).kin") ?? false
    }

    /// Releases all values in memory.
    func drop() {
        sizes.withLock { sizes in
            change { $0 = [:] }
            sizes.each = [:]
            sizes.bytes = 0
        }
    }

    /// Removes a person who was forgotten from the values in memory; values that have no such update are dropped.
    func followForgetting(in database: Database) {
        for (id, slot) in slots.read({ $0 }) where (try? slot.update(in: database)) != true {
            sizes.withLock { remove(id, from: &$0) }
        }
    }

    /// Saves the values that are worth saving and are not saved yet.
    ///
    /// - Parameter isKnown: Whether the change log reaches a version and no person was forgotten since. A value of a
    ///   different version may contain an erased person, and is dropped.
    func save(_ isKnown: (StoreVersion) throws(KinError) -> Bool) throws(KinError) {
        guard let folder else { return }
        for type in SavedKinds.all { try save(type, in: folder, isKnown) }
    }

    private func save<Value: SavedValue>(
        _: Value.Type, in folder: IndexFolder, _ isKnown: (StoreVersion) throws(KinError) -> Bool
    ) throws(KinError) {
        for key in Value.savedKeys {
            let id = SlotID(Value.self, key)
            guard let slot = slot(of: Value.self, id), let (value, version) = slot.unsaved else { continue }
            guard try isKnown(version) else {
                sizes.withLock { remove(id, from: &$0) }
                continue
            }
            try value.save(for: key, version: version, in: folder)
            slot.noteSaved(version)
        }
    }

    /// The budget, the bytes in use, the number of values and of evictions. Values grow: searches build parts of an index.
    var statistics: DerivedStatistics {
        sizes.withLock { sizes in
            let bytes = slots.read { all in sizes.each.reduce(0) { $0 + max($1.value, all[$1.key]?.byteCount ?? 0) } }
            return DerivedStatistics(
                budget: budget, byteCount: bytes, values: sizes.each.count, evictions: sizes.evictions)
        }
    }

    private func remove(_ id: SlotID, from sizes: inout Sizes) {
        change { $0[id] = nil }
        sizes.bytes -= sizes.each.removeValue(forKey: id) ?? 0
    }

    /// Evicts the least recently used values, except one, until the budget is met. A tenth of the budget is freed at
    /// once, so that the search for the oldest values is rare.
    private func evict(_ sizes: inout Sizes, but id: SlotID) {
        guard sizes.bytes > budget else { return }
        let uses = slots.read { slots in slots.map { (id: $0.key, time: $0.value.lastUse) } }
        for (oldest, _) in uses.sorted(by: { $0.time < $1.time }) where oldest != id && sizes.each[oldest] != nil {
            remove(oldest, from: &sizes)
            sizes.evictions += 1
            if sizes.bytes <= budget - budget / 10 { return }
        }
    }
}

/// The memory use of derived data.
public struct DerivedStatistics: Sendable, Hashable {
    /// The largest number of bytes of cached values.
    public let budget: Int
    /// An estimate of the bytes in use.
    public let byteCount: Int
    /// The number of values: indexes, matchers, learned profiles and the like.
    public let values: Int
    /// The number of values evicted since the opening to meet the budget.
    public let evictions: Int
}

/// A slot for one value of any type.
private protocol DerivedSlot: AnyObject, Sendable {
    /// The time of the last use.
    var lastUse: UInt64 { get }
    /// The bytes of the value; 0 without one.
    var byteCount: Int { get }
    /// Applies the changes since the value's version; false if the value must be derived again.
    func update(in database: Database) throws -> Bool
}

/// A slot for one value. Derivations and updates run one at a time, so that each is done once.
private final class Slot<Value: DerivedValue>: DerivedSlot {
    /// An object, because a read of an optional structure would copy the value, and with it write reference counts that
    /// all threads share.
    private final class Held: Sendable {
        let value: Value
        let version: StoreVersion
        let isSaved: Bool
        let origin: Origin

        init(value: Value, version: StoreVersion, isSaved: Bool, origin: Origin = .rows) {
            (self.value, self.version, self.isSaved, self.origin) = (value, version, isSaved, origin)
        }
    }

    /// The origin of a value. A person who is forgotten is removed from values made of rows, which are not saved any more:
    /// traces such as names of traits may remain. A file's pages contain the person, so a changed value is derived again.
    private enum Origin { case rows, file, withoutPerson }

    private let key: Value.Key
    private let log: StoreLog
    private let held = Published<Held?>(nil)
    private let used = Atomic<UInt64>(0)

    init(key: Value.Key, log: StoreLog) {
        self.key = key
        self.log = log
    }

    var lastUse: UInt64 { used.load(ordering: .relaxed) }
    var byteCount: Int { held.read { $0?.value.byteCount ?? 0 } }

    /// Records a use; writes nothing if the same time is stored already.
    func noteUse(at time: UInt64) {
        if used.load(ordering: .relaxed) != time { used.store(time, ordering: .relaxed) }
    }

    /// Reads the value if it shows a version.
    func read<Answer>(
        at version: StoreVersion, _ body: (Value) throws(KinError) -> Answer
    ) throws(KinError) -> Answer? {
        try held.read { (held) throws(KinError) -> Answer? in
            guard let held, held.version == version else { return nil }
            return try body(held.value)
        }
    }

    func current(in database: Database, folder: IndexFolder?, isLast: Bool) throws -> (
        value: Value, newByteCount: Int?
    )? {
        let version = try ChangeLog.version(in: database)
        if let value = try read(at: version, { $0 }) { return (value, nil) }
        return try change { held in
            if let held, held.version == version { return (held.value, nil) }
            if let newer = held?.version.number, newer >= version.number {
                return isLast ? (try derived(in: database), nil) : nil
            }
            // Taken out of the slot, so that it is changed in place unless a reader has a copy.
            var before = held.take() ?? saved(in: folder)
            let found =
                try updated(&before, to: version, in: database)
                ?? Held(value: derived(in: database), version: version, isSaved: false)
            held = found
            return (found.value, found.value.byteCount)
        }
    }

    private func change<Result: Sendable>(_ body: (inout Held?) throws -> Result) rethrows -> Result {
        try held.update(isShort: { _ in true }, isUnique: { _ in true }, body)
    }

    private func saved(in folder: IndexFolder?) -> Held? {
        folder.flatMap { Value.saved(for: key, in: $0) }.map {
            Held(value: $0.value, version: $0.version, isSaved: true, origin: .file)
        }
    }

    func update(in database: Database) throws -> Bool {
        let version = try ChangeLog.version(in: database)
        return try change { held in
            if let held, held.version.number >= version.number { return true }
            var before = held.take()
            held = try updated(&before, to: version, in: database)
            return held != nil
        }
    }

    /// Stores a value of a newer version.
    func keep(_ value: Value, at version: StoreVersion) {
        change { held in
            guard let before = held, before.version.number < version.number else { return }
            held = Held(value: value, version: version, isSaved: false)
        }
    }

    /// Applies the changes since a value's version in place; nil if the value must be derived from all records.
    private func updated(_ old: inout Held?, to version: StoreVersion, in database: Database) throws -> Held? {
        guard let (before, origin) = old.map({ ($0.version, $0.origin) }),
            case let hasForgotten = try ChangeLog.hasForgotten(since: before, in: database),
            Value.self is any SavedValue.Type || !hasForgotten,
            let changes = try ChangeLog.changes(
                of: Value.sources, person: Value.person(of: key), since: before, in: database),
            changes.isEmpty || !hasForgotten || origin != .file,
            // Out of the object, so that the value is changed in place.
            case (var value, let isSaved)? = old.take().map({ ($0.value, $0.isSaved) }),
            try changes.isEmpty || value.apply(changes, for: key, in: database)
        else { return nil }
        return Held(
            value: value, version: version, isSaved: isSaved && changes.isEmpty && !hasForgotten,
            origin: hasForgotten && !changes.isEmpty ? .withoutPerson : origin)
    }

    /// Derives the value from all records.
    private func derived(in database: Database) throws -> Value {
        let start = ContinuousClock.now
        let value = try Value(for: key, in: database)
        log.derived(Value.self, byteCount: value.byteCount, since: start)
        return value
    }

    /// The value with its version; nil if it is saved, must not be saved or is not in memory.
    var unsaved: (value: Value, version: StoreVersion)? {
        held.read { held in
            held.flatMap { $0.isSaved || $0.origin == .withoutPerson ? nil : ($0.value, $0.version) }
        }
    }

    /// Marks the value of a version as saved.
    func noteSaved(_ version: StoreVersion) {
        change { held in
            guard let saved = held, saved.version == version else { return }
            held = Held(value: saved.value, version: version, isSaved: true, origin: saved.origin)
        }
    }
}

extension Hashable {
    /// Whether a value of the same type is equal. `AnyHashable` would look up generic types for every comparison.
    fileprivate func isEqual(toSameType other: any Hashable) -> Bool { self == other as! Self }
}

extension Store {
    /// A derived value at the present version.
    nonisolated func derived<Value: DerivedValue>(_ type: Value.Type, for key: Value.Key) throws(KinError) -> Value {
        try derived(type, for: key) { $0 }
    }

    /// Runs a body on a derived value at the present version. If the value is cached, this takes no lock and makes no
    /// copy.
    nonisolated func derived<Value: DerivedValue, Answer>(
        _ type: Value.Type, for key: Value.Key, _ body: (Value) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        if let version = presentVersion, let answer = try cache.read(type, for: key, at: version, body) {
            try CommandScope.record(.read)
            return answer
        }
        return try body(withDerived(type, for: key) { value, _ in value })
    }

    /// Runs a body on a derived value and the version of the database that it reflects.
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

    /// The memory use of derived data.
    public nonisolated var derivedStatistics: DerivedStatistics { cache.statistics }
}
