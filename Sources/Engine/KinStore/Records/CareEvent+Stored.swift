import KinCore
import KinJSON
import KinRhythms

extension BabyRecord: StoredRecord {
    static let table = RecordTable<BabyRecord>(
        "baby", owner: \.userID, .text("id", \.id), key: ["person", "id"], order: ["id"])
}

extension CareEvent: StoredRecord {
    static let table = RecordTable<CareEvent>(
        "care_event", owner: \.userID, .text("baby", \.babyID), .text("id", \.id),
        .integer("start", { @Sendable in Int($0.record.start.microseconds) }),
        key: ["person", "baby", "id"], order: ["baby", "start", "id"])
    static let idPaths = [["user_id"], ["baby"], ["event", "id"]]
    var updated: Timestamp? { record.note?.updated }
    var needsStoreContext: Bool { lacksZone }
    static let adoption: (@Sendable (CareEvent, WriteTransaction) throws -> CareEvent)? = { event, transaction in
        let zone = try CachedChallenges.knownZone(of: event.userID, in: transaction.database)
        return zone.map(event.read(in:)) ?? event
    }
}
