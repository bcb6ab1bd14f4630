import GRDB

/// A baby's cached events with the state of their forecasts.
struct CachedForecaster: DerivedValue {
    /// The ids of a person and their baby, and the time zone of the request.
    struct Key: Hashable, Sendable {
        let user: String
        let baby: String
        let zone: LocalZone?

        /// Creates a key, with the ids in their normal form.
        ///
        /// - Throws: `.invalidArgument` for a malformed id.
        init(user: String, baby: String, zone: LocalZone?) throws(KinError) {
            self.user = try RecordID.checked(user, field: "user")
            self.baby = try RecordID.checked(baby, field: "baby")
            self.zone = zone
        }
    }

    static var sources: [RecordKind] { [BabyRecord.kind, CareEvent.kind, ChallengePreferences.kind] }

    private(set) var forecaster: RhythmForecaster
    /// Whether the baby itself has a record.
    private let isRecorded: Bool
    /// The ids of the events by row number.
    private var ids: [Int64: String] = [:]

    static func person(of key: Key) -> String? { key.user }

    init(for key: Key, in database: Database) throws {
        let baby = try SQLValue.id(key.baby, "baby")
        let known = try RecordQuery<BabyRecord>(of: key.user, "AND id = ?", [baby]).first(in: database)
        let events = try RecordQuery<CareEvent>(of: key.user, "AND baby = ? ORDER BY start, id", [baby])
            .numbered(in: database)
        let zone = try known?.baby.zone ?? key.zone ?? CachedChallenges.knownZone(of: key.user, in: database)
        forecaster = RhythmForecaster(events.map(\.record), of: known?.baby ?? RhythmLog.Baby(), zone: zone)
        isRecorded = known != nil
        for row in events { ids[row.number] = row.record.id }
    }

    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool {
        // A change of the baby's record changes its age and so every forecast; preferences may change the time zone.
        guard !changes.contains(where: { $0.kind != CareEvent.kind.name }),
            let events = try ChangedRows<CareEvent>(changes, limit: 1000, in: database)
        else { return false }
        for number in events.gone {
            if let id = ids.removeValue(forKey: number) { forecaster.remove(id) }
        }
        for (number, event) in events.present where event.userID == key.user && event.babyID == key.baby {
            forecaster.upsert(event)
            ids[number] = event.id
        }
        return true
    }

    /// Whether the store has the baby or an event of it.
    var isKnown: Bool { isRecorded || forecaster.count > 0 }

    var byteCount: Int { forecaster.byteCount + ids.count * 64 }
}

extension Store {
    /// Runs a body on the cached forecasts of a baby, without a copy.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - zone: The time zone of the log if the baby has none; nil for the zone in the person's preferences.
    ///   - body: Receives the forecasts.
    /// - Throws: `.unknownID` if neither the baby nor an event is stored; as ``babies(of:)``; `.invalidArgument` for a
    ///   malformed id; the errors of the body (see `KinError.underlying`).
    /// - Complexity: O(1); O(changes) after changes; O(events) if the forecasts are not in memory.
    public nonisolated func withForecaster<Result, Failure: Error>(
        of user: String, baby: String, in zone: LocalZone? = nil,
        _ body: (RhythmForecaster) throws(Failure) -> Result
    ) throws(KinError) -> Result {
        try withDerivedFromLog(CachedForecaster.self, of: user, baby: baby, in: zone) { cached throws(KinError) in
            guard cached.isKnown else { throw KinError.unknownBaby(baby, of: user) }
            return try callingBack { try body(cached.forecaster) }
        }
    }

    /// Runs a body on a value derived from the log that a person has of a baby, alone or shared, at the present version.
    nonisolated func withDerivedFromLog<Value: DerivedValue, Result>(
        _ type: Value.Type, of user: String, baby: String, in zone: LocalZone?,
        _ body: (Value) throws(KinError) -> Result
    ) throws(KinError) -> Result where Value.Key == CachedForecaster.Key {
        let key = try CachedForecaster.Key(user: user, baby: baby, zone: zone)
        if let version = presentVersion,
            let log = try cache.read(CachedKeeper.self, for: key, at: version, { $0.log(for: key) }),
            let result = try cache.read(type, for: log, at: version, body)
        {
            try CommandScope.record(.read)
            return result
        }
        // Both from one version, so that a log that moves to a different keeper is never missing.
        let value = try withDerived(CachedKeeper.self, for: key) { keeper, database in
            try cache.upToDate(type, for: keeper.log(for: key), in: database)
        }
        // After the read, so that the body may read the store.
        return try body(value)
    }
}

/// The cached keeper of a log; see ``BabyOwners``.
private struct CachedKeeper: DerivedValue {
    static var sources: [RecordKind] { [BabyRecord.kind] }

    /// The key of the log that the owners share; nil for a log that is not shared.
    private let shared: CachedForecaster.Key?

    static func person(of key: CachedForecaster.Key) -> String? { key.user }

    init(for key: CachedForecaster.Key, in database: Database) throws {
        shared = try BabyOwners.keeper(of: key.user, baby: key.baby, in: database).map {
            try CachedForecaster.Key(user: $0, baby: key.baby, zone: key.zone)
        }
    }

    /// The key of the log for a request's key.
    func log(for key: CachedForecaster.Key) -> CachedForecaster.Key { shared ?? key }

    var byteCount: Int { 64 }
}
