import GRDB
import KinAffinity
import KinJSON
import KinRhythms

// Traces of a forgotten person in the records of other people.

extension CareEvent {
    /// The row numbers of the events that a person entered in other people's logs.
    ///
    /// - Complexity: O(events); only those that name an author are parsed.
    static func numbers(by user: String, in database: Database) throws -> [Int64] {
        let user = try RecordID.checked(user, field: "user")
        let author = "CASE WHEN json_valid(body) THEN json_extract(body, '$.event.author') END"
        let candidates = "FROM care_event WHERE instr(body, '\"author\"')"
        // Authors are stored as received, in any form of Unicode.
        let names = try SQLStatement("SELECT DISTINCT \(author) \(candidates)", in: database).all { $0.text(0) }
            .filter { (try? RecordID.checked($0, field: "author")) == user }
        return try names.flatMap { name in
            try SQLStatement(
                """
                SELECT number \(candidates) AND \(author) = ?
                    AND person IS NOT (SELECT number FROM person WHERE uid = ?) ORDER BY number
                """, in: database
            ).all([.text(name), .text(user)]) { $0.integer(0) }
        }
    }

    /// Replaces the author of events and removes their notes and apps' members.
    ///
    /// Each log gets a random name per author: the name still separates the authors of the log, and does not connect
    /// two logs.
    ///
    /// - Throws: `.corruptFile` for a damaged event.
    static func disown(_ numbers: [Int64], in transaction: WriteTransaction) throws {
        var names: [[String]: String] = [:]
        var generator = SystemRandomNumberGenerator()
        for number in numbers {
            let query = RecordQuery<CareEvent>("WHERE number = ?", [.integer(number)])
            guard var event = try query.first(in: transaction.database) else { continue }
            let log = [event.userID, event.babyID]
            let name = names[log] ?? "caregiver-\(String(generator.next(), radix: 16))"
            names[log] = name
            event.disown(as: name)
            try transaction.put(event)
        }
    }
}

extension WriteTransaction {
    /// Removes the members of apps' records that contain a person's id, such as the creator or the path of a picture, from
    /// other people's babies and events.
    ///
    /// - Returns: Whether a record contained the id.
    func removeTraces(of user: String) throws -> Bool {
        let user = try RecordID.checked(user, field: "user")
        let name = String(JSONTree.text(user).jsonText.dropFirst().dropLast())
        let condition = """
            WHERE instr(body, '"extra"') AND instr(body, ?) AND person IS NOT (SELECT number FROM person WHERE uid = ?)
            """
        let values = [SQLValue.text(name), .text(user)]
        var found = false
        func clean<Record: StoredRecord>(_ extra: WritableKeyPath<Record, String?>) throws {
            for var record in try RecordQuery<Record>(condition, values).all(in: database) {
                let members = try JSONTree(parsing: record[keyPath: extra] ?? "{}").members
                let others = members.filter { !$0.value.jsonText.contains(name) }
                guard others.count < members.count else { continue }
                found = true
                record[keyPath: extra] = JSONTree.object(others).jsonText
                try put(record)
            }
        }
        try clean(\BabyRecord.extra)
        try clean(\CareEvent.extra)
        return found
    }
}

extension NameRecord {
    /// Removes inbox items with content, and blocks, that contain a person's anonymous name.
    static func removeTraces(of user: String, in database: Database) throws {
        guard let name = try name(of: user, in: database)?.description else { return }
        for condition in [
            "inbox WHERE content IS NOT NULL AND json_extract(body, '$.author') = ?", "block WHERE author = ?",
        ] {
            try SQLStatement("DELETE FROM \(condition)", in: database).run([.text(name)])
        }
    }
}
