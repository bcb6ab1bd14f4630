import GRDB

/// The cached scores of a baby's shown forecasts, with the events that they are measured by.
struct CachedScores: DerivedValue {
    static var sources: [RecordKind] { CachedForecaster.sources + [ForecastLedger.kind] }

    private var events: CachedForecaster
    private(set) var scores: [ForecastScore] = []

    static func person(of key: CachedForecaster.Key) -> String? { key.user }

    init(for key: CachedForecaster.Key, in database: Database) throws {
        events = try CachedForecaster(for: key, in: database)
        try score(for: key, in: database)
    }

    mutating func apply(
        _ changes: [RecordChange], for key: CachedForecaster.Key, in database: Database
    ) throws -> Bool {
        let changes = changes.filter { $0.kind != ForecastLedger.kind.name }
        guard try changes.isEmpty || events.apply(changes, for: key, in: database) else { return false }
        try score(for: key, in: database)
        return true
    }

    private mutating func score(for key: CachedForecaster.Key, in database: Database) throws {
        let ledgers = try RecordQuery<ForecastLedger>(
            of: key.user, "AND baby = ? ORDER BY period", [.id(key.baby, "baby")]
        ).all(in: database)
        scores = events.forecaster.scores(of: ledgers.flatMap(\.moments))
    }

    /// Whether the store has the baby or an event of it.
    var isKnown: Bool { events.isKnown }

    var byteCount: Int { events.byteCount + 16_384 }
}

extension Store {
    /// The accuracy of the forecasts that ``StoreTransaction/record(_:of:baby:)`` recorded, for each kind, by
    /// the present log; nil if neither the baby nor an event is stored.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - zone: As for ``withForecaster(of:baby:in:_:)``.
    /// - Throws: As ``withForecaster(of:baby:in:_:)``.
    /// - Complexity: O(1); O(recorded + events) after changes of the log or the ledger.
    public nonisolated func forecastScores(
        of user: String, baby: String, in zone: LocalZone? = nil
    ) throws(KinError) -> [ForecastScore]? {
        try withDerivedFromLog(CachedScores.self, of: user, baby: baby, in: zone) { $0.isKnown ? $0.scores : nil }
    }
}

extension StoreTransaction {
    /// The forecasts of a baby, as the transaction sees its events; nil if neither the baby nor an event
    /// is stored.
    ///
    /// - Throws: As ``Store/withForecaster(of:baby:in:_:)``.
    public func forecaster(of user: String, baby: String, in zone: LocalZone? = nil) throws -> RhythmForecaster? {
        let keeper = try writer.keeper(of: user, baby: baby) ?? user
        let key = try CachedForecaster.Key(user: keeper, baby: baby, zone: zone)
        let cached = try writer.derived(CachedForecaster.self, for: key)
        return cached.isKnown ? cached.forecaster : nil
    }

    /// Records forecasts in a baby's ledger as shown.
    ///
    /// Times are recorded in whole minutes; of several predictions in one minute, the last counts. Predictions without
    /// a forecast are not recorded.
    ///
    /// - Throws: `.invalidArgument` for a malformed id; `.corruptFile`, `.inputOutput`.
    /// - Complexity: Constant: the moments of 30 days are read and written, about 10 KB for one every half-hour.
    public func record(_ predictions: RhythmPredictions, of user: String, baby: String) throws {
        guard let shown = ShownForecasts(predictions) else { return }
        let user = try writer.keeper(of: user, baby: baby) ?? user
        let query = try RecordQuery<ForecastLedger>(
            of: user, "AND baby = ? AND period = ?",
            [.id(baby, "baby"), .integer(Int64(ForecastLedger.period(of: shown)))])
        var ledger =
            try query.first(in: writer.database)
            ?? ForecastLedger(userID: user, babyID: baby, moments: [shown])
        ledger.upsert(shown)
        try writer.put(ledger)
    }
}
