import GRDB

/// The owners of a baby's log.
///
/// A log is stored under the id of one owner, its keeper, whose ``BabyRecord`` lists all owners. The table `baby_owner`
/// leads from the other owners to the keeper. Every write of a record in a log, and every query, looks up the keeper
/// here, so that the log is the same for all owners. An owner has at most one log of a baby with a given id.
enum BabyOwners {
    /// The keeper of the log that a person shares of a baby; nil if the person shares no log of the baby.
    static func keeper(of user: String, baby: String, in database: Database) throws -> String? {
        try SQLStatement(
            """
            SELECT uid FROM baby_owner JOIN person ON person.number = keeper
                WHERE id = ?1 AND (baby_owner.person = (SELECT number FROM person WHERE uid = ?2)
                    OR keeper = (SELECT number FROM person WHERE uid = ?2)) LIMIT 1
            """, in: database
        ).first([.id(baby, "baby"), .id(user, "user")]) { $0.text(0) }
    }

    /// The SQL condition on records in the logs that a person shares and does not keep; its parameter is the person's
    /// id. nil for records outside logs.
    static func isShared(_ kind: RecordKind) -> String? {
        kind.babyColumn.map { column in
            """
            (\(kind.name).person, \(kind.name).\(column)) IN (SELECT keeper, id FROM baby_owner
                WHERE person = (SELECT number FROM person WHERE uid = ?))
            """
        }
    }

    /// One sentence if the table `baby_owner` has other owners than the records of babies.
    static func problems(in database: Database) throws -> [String] {
        let recorded = """
            SELECT person.number, baby.id, baby.person FROM baby,
                json_each(CASE WHEN json_valid(baby.body) THEN baby.body ELSE '{}' END, '$.owners')
                JOIN person ON uid = value WHERE person.number IS NOT baby.person
            """
        let indexed = "SELECT person, id, keeper FROM baby_owner"
        let differences = [(recorded, indexed), (indexed, recorded)].map { "SELECT * FROM (\($0) EXCEPT \($1))" }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM (\(differences.joined(separator: " UNION ALL ")))")
        return count == 0 ? [] : ["table baby_owner has other owners than the records of babies; restore a backup"]
    }
}

extension WriteTransaction {
    /// The record of a baby that a person owns; nil if there is none.
    func baby(_ id: String, of user: String) throws -> BabyRecord? {
        try RecordQuery<BabyRecord>(of: keeper(of: user, baby: id) ?? user, "AND id = ?", [.id(id, "baby")])
            .first(in: database)
    }

    /// A baby's record for storing: complete, under the keeper of its log, with all owners.
    ///
    /// If the record lists other owners than the stored record, the log is shared with new owners, and moves to a
    /// different keeper if its keeper is no longer an owner. Events that a former owner stored late, and that made a log
    /// of their own, return to the log.
    ///
    /// - Throws: `.duplicateID` if a new owner already has a log of a baby with this id.
    func settled(_ baby: BabyRecord) throws -> BabyRecord {
        let keeper = try keeper(of: baby.userID, baby: baby.id) ?? baby.userID
        let stored = try self.baby(baby.id, of: keeper)
        let baby = baby.completed(by: stored)
        let before = stored?.allOwners ?? [keeper]
        let owners = baby.owners.isEmpty ? stored?.owners ?? [] : baby.owners
        if owners.isEmpty || Set(owners) == Set(before) { return try baby.owned(by: owners, keeper: keeper) }
        for owner in owners where !before.contains(owner) {
            guard try hasLog(of: baby.id, owner) else { continue }
            if try !hasLog(of: baby.id, owner, besides: CareEvent.kind),
                try hasEvents(by: owner, of: baby.id, in: keeper)
            {
                try move(CareEvent.self, from: number(ofPerson: owner), baby: baby.id, to: keeper)
                continue
            }
            throw KinError(
                .duplicateID,
                """
                "\(owner)" already has a log of a baby "\(baby.id)", and two logs are never merged; store one of them under a \
                different id, remove its old records, and share again
                """)
        }
        let next = owners.contains(keeper) ? keeper : owners[0]
        var record = try baby.owned(by: owners, keeper: next)
        let old = try number(ofPerson: keeper)
        try changeOwners(
            of: before, "DELETE FROM baby_owner WHERE keeper = ? AND id = ?", [.integer(old), .text(record.id)])
        if next != keeper {
            // The zone of the keeper's preferences was the log's.
            let zone = try CachedChallenges.knownZone(of: keeper, in: database)
            record.baby.zone = record.baby.zone ?? zone
            try move(CareEvent.self, from: old, baby: record.id, to: next)
            try move(ForecastLedger.self, from: old, baby: record.id, to: next)
            try move(InsightLedger.self, from: old, baby: record.id, to: next)
            _ = try remove(BabyRecord.kind, key: [.integer(old), .text(record.id)])
        }
        let new = try number(ofPerson: next)
        for owner in owners where owner != next {
            try changeOwners(
                of: [owner, next], "INSERT INTO baby_owner VALUES (?, ?, ?)",
                [.integer(number(ofPerson: owner)), .text(record.id), .integer(new)])
        }
        return record
    }

    /// A record of an app, once the store has admitted it to the log of its baby.
    ///
    /// A baby's document continues the log of any of its owners, and takes in the events that the others stored before
    /// the document. An event of a person without the baby is refused if the baby exists.
    ///
    /// - Throws: `.unknownID` for an event of a baby that only other people own.
    func admitted(_ record: any StoredRecord) throws -> any StoredRecord {
        if let event = record as? CareEvent, try !hasLog(of: event.babyID, event.userID),
            try SQLStatement("SELECT 1 FROM baby WHERE id = ?", in: database)
                .first([.id(event.babyID, "baby")], { _ in true }) ?? false
        {
            throw KinError.unknownBaby(event.babyID, of: event.userID)
        }
        guard let baby = record as? BabyRecord else { return record }
        let known = try ([baby.userID] + baby.owners).first { try self.baby(baby.id, of: $0) != nil }
        let keeper = try known.map { try self.keeper(of: $0, baby: baby.id) ?? $0 } ?? baby.userID
        for owner in baby.owners where owner != keeper {
            guard let number = try People.number(of: owner, in: database),
                try !hasLog(of: baby.id, owner, besides: CareEvent.kind)
            else { continue }
            try move(CareEvent.self, from: number, baby: baby.id, to: keeper)
        }
        return try known.map { try baby.kept(by: $0) } ?? baby
    }

    /// Removes a person from the owners of every log that they share.
    ///
    /// - Returns: The keeper and the baby of each log.
    func leaveSharedLogs(_ user: String) throws -> [[String]] {
        let babies = try SQLStatement(
            "SELECT DISTINCT id FROM baby_owner, person WHERE uid = ? AND number IN (baby_owner.person, keeper)",
            in: database
        ).all([.id(user, "user")]) { $0.text(0) }
        return try babies.compactMap { id in
            guard let baby = try baby(id, of: user) else { return nil }
            let others = baby.owners.filter { $0 != user }
            _ = try adopt(baby.owned(by: others, keeper: others[0]))
            return [others.contains(baby.userID) ? baby.userID : others[0], id]
        }
    }

    private func move<Record: StoredRecord>(
        _: Record.Type, from person: Int64, baby: String, to keeper: String
    ) throws {
        let query = RecordQuery<Record>("WHERE person = ? AND baby = ?", [.integer(person), .text(baby)])
        for (number, record) in try query.numbered(in: database) {
            try remove(Record.kind, number, person: person)
            try put(record.kept(by: keeper), isReport: true)
        }
    }

    /// Whether a log of a different person has events that a person entered, as an owner at that time.
    private func hasEvents(by author: String, of baby: String, in keeper: String) throws -> Bool {
        let find = try SQLStatement(
            "SELECT 1 FROM care_event WHERE number = ? AND baby = ? AND person = ?", in: database)
        let person = try SQLValue.integer(number(ofPerson: keeper))
        return try CareEvent.numbers(by: author, among: CareEvent.authors(in: database), in: database).contains {
            try find.first([.integer($0), .text(baby), person]) { _ in true } ?? false
        }
    }

    /// Whether a person has a log of a baby, alone or shared.
    ///
    /// - Parameter ignored: A kind whose records alone do not make a log.
    func hasLog(of baby: String, _ user: String, besides ignored: RecordKind? = nil) throws -> Bool {
        if try keeper(of: user, baby: baby) != nil { return true }
        let values = try [SQLValue.id(user, "user"), .id(baby, "baby")]
        return try RecordKind.all.contains { kind in
            guard let column = kind.babyColumn, kind != ignored else { return false }
            let person = "person = (SELECT number FROM person WHERE uid = ?)"
            return try SQLStatement("SELECT 1 FROM \(kind.name) WHERE \(person) AND \(column) = ?", in: database)
                .first(values) { _ in true } ?? false
        }
    }
}
