extension InsightLedger: StoredRecord {
    static let table = RecordTable<InsightLedger>(
        "insight_ledger", owner: \.userID, .text("baby", \.babyID), key: ["person", "baby"], order: ["baby"])
}

extension Store {
    /// The insights that were reported or dismissed for a baby; nil if there are none.
    ///
    /// - Throws: `.corruptFile` if the record is damaged; `.inputOutput`.
    package nonisolated func insightLedger(of user: String, baby: String) throws(KinError) -> InsightLedger? {
        try read("read the insights of \(baby)") { database in
            let keeper = try BabyOwners.keeper(of: user, baby: baby, in: database) ?? user
            return try RecordQuery(of: keeper, "AND baby = ?", [.id(baby, "baby")]).first(in: database)
        }
    }
}

extension StoreTransaction {
    /// Changes the insights that were reported or dismissed for a baby.
    ///
    /// - Throws: The errors of `change`; `.invalidArgument` for a malformed id; `.corruptFile`, `.inputOutput`.
    package func changeInsights<Result>(
        of user: String, baby: String, _ change: (inout InsightLedger) throws -> Result
    ) throws -> Result {
        let keeper = try writer.keeper(of: user, baby: baby) ?? user
        let key = try RecordKey<InsightLedger>(user: .id(keeper, "user"), .id(baby, "baby"))
        return try key.change(in: writer) { stored in
            var ledger = try stored ?? InsightLedger(userID: keeper, babyID: baby)
            let result = try change(&ledger)
            stored = ledger
            return result
        }
    }
}
