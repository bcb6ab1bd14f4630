extension BabyRecord: StoredRecord {
    static let table = RecordTable<BabyRecord>(
        "baby", owner: \.userID, .text("id", \.id), key: ["person", "id"], order: ["id"])
    var needsStoreContext: Bool { true }
    func adopted(by transaction: WriteTransaction) throws -> BabyRecord { try transaction.settled(self) }

    func taking(_ companions: LineCompanions) throws(KinError) -> BabyRecord {
        var (record, others) = (self, companions)
        (record.isPartial, others.merge) = (companions.merge, false)
        try others.requireNone()
        return record
    }
}

extension CareEvent: StoredRecord {
    static let table = RecordTable<CareEvent>(
        "care_event", owner: \.userID, .text("baby", \.babyID), .text("id", \.id),
        .integer("start", { @Sendable in Int($0.record.start.microseconds) }),
        key: ["person", "baby", "id"], order: ["baby", "start", "id"])
    static let idPaths = [["user_id"], ["baby"], ["event", "id"]]
    static let isEarlier: (@Sendable (CareEvent, CareEvent) -> Bool)? = {
        isBefore($0.record.note?.updated, $1.record.note?.updated)
    }
}

extension ForecastLedger: StoredRecord {
    static let table = RecordTable<ForecastLedger>(
        "forecast_ledger", owner: \.userID, .text("baby", \.babyID), .integer("period", \.period),
        key: ["person", "baby", "period"], order: ["baby", "period"])
}
