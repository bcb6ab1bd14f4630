import Foundation
import GRDB

// Traces of a forgotten person in the records of other people.

extension CareEvent {
    private static let author = "CASE WHEN json_valid(body) THEN json_extract(body, '$.event.author') END"
    private static let candidates = "FROM care_event WHERE instr(body, '\"author\"')"

    /// The authors of events as received, in any form of Unicode, by their ids in normal form.
    ///
    /// - Complexity: O(events); only those that name an author are parsed.
    static func authors(in database: Database) throws -> [String: [String]] {
        let names = try SQLStatement("SELECT DISTINCT \(author) \(candidates)", in: database).all { $0.text(0) }
        return Dictionary(grouping: names) { (try? RecordID.checked($0, field: "author")) ?? "" }
    }

    /// The row numbers of the events that a person entered in other people's logs.
    ///
    /// - Parameter authors: All authors (``authors(in:)``).
    /// - Complexity: O(events) for an author.
    static func numbers(by user: String, among authors: [String: [String]], in database: Database) throws -> [Int64] {
        let user = try RecordID.checked(user, field: "user")
        return try (authors[user] ?? []).flatMap { name in
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
    /// - Returns: The keeper and the baby of each log.
    /// - Throws: `.corruptFile` for a damaged event.
    static func disown(_ numbers: [Int64], in transaction: WriteTransaction) throws -> Set<[String]> {
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
        return Set(names.keys)
    }
}

extension WriteTransaction {
    /// Removes the apps' members that contain a person's id, such as the creator or the path of a picture, from the
    /// babies and events of logs.
    ///
    /// - Parameter logs: The keeper and the baby of each log that the person shared or entered events in.
    /// - Returns: The number of records that contained the id.
    func removeTraces(of user: String, from logs: Set<[String]>) throws -> Int {
        var count = 0
        func clean<Record: StoredRecord>(_ log: [String], _ extra: WritableKeyPath<Record, String?>) throws {
            var cleaned: [Record] = []
            let condition = "AND \(Record.kind.babyColumn ?? "") = ? AND instr(body, '\"extra\"')"
            try RecordQuery<Record>(of: log[0], condition, [.text(log[1])]).forEach(in: database) { record, _ in
                let members = try JSONTree(parsing: record[keyPath: extra] ?? "{}")
                let others = members.without(user)
                guard others != members else { return }
                var record = record
                record[keyPath: extra] = others?.jsonText
                cleaned.append(record)
            }
            for record in cleaned { try put(record) }
            count += cleaned.count
        }
        for log in logs {
            try clean(log, \BabyRecord.extra)
            try clean(log, \CareEvent.extra)
        }
        return count
    }

    /// Removes inbox items with content that contain a person's anonymous name. Blocks of the person lose the name and
    /// stay, and so do blocks by a name that other authors have too.
    func removeName(of user: String) throws {
        let name = try NameRecord.name(of: user, in: database).map { SQLValue.text($0.description) } ?? .null
        try SQLStatement(
            "DELETE FROM inbox WHERE content IS NOT NULL AND json_extract(body, '$.author') = ?", in: database
        ).run([name])
        let condition = """
            contribution IN (SELECT id FROM contribution WHERE person = (SELECT number FROM person WHERE uid = ?1))
                OR author = ?2 AND NOT EXISTS (SELECT 1 FROM contribution WHERE id = block.contribution)
                    AND (SELECT count(*) FROM anonymous_name WHERE json_extract(body, '$.name') = ?2) = 1
            """
        try keepBlocks(where: (condition, [.id(user, "user"), name]), of: user, named: nil)
    }
}

extension JSONTree {
    /// The value without the innermost members and elements whose name or text contains an id; nil if the value
    /// itself is such a text.
    fileprivate func without(_ id: String) -> JSONTree? {
        switch self {
        case .object(let members):
            .object(
                members.compactMap { member in
                    guard !Self.contains(id, member.name), let value = member.value.without(id) else { return nil }
                    return Member(name: member.name, value: value)
                })
        case .list(let values): .list(values.compactMap { $0.without(id) })
        case .text(let text): Self.contains(id, text) ? nil : self
        case .number(let text): text == id ? nil : self
        case .null, .boolean: self
        }
    }

    /// Whether a text contains an id as a whole word, as it is or with percent-encoded bytes. The parts of an instant
    /// are not words.
    private static func contains(_ id: String, _ text: String) -> Bool {
        var forms = [text]
        if text.contains("%") {
            forms.append(text.replacing(/(?:%[0-9A-Fa-f]{2})+/) { String($0.output).removingPercentEncoding ?? "%" })
        }
        guard forms.contains(where: { $0.containsWord(id) }) else { return false }
        return text == id || (try? Timestamp(parsing: text)) == nil
    }
}
