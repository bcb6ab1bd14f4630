import Foundation

extension Store {
    /// The names of all kinds of records, in the order of export.
    public static var recordKinds: [String] { RecordKind.all.map(\.name) }

    /// The fields that make up the key of a kind: `["user", "baby", "id"]` for a `care_event`.
    ///
    /// - Throws: `.invalidArgument` for an unknown kind.
    public static func keyNames(of kind: String) throws(KinError) -> [String] {
        try RecordKind.named(kind).kind.key.map { $0 == "person" ? "user" : $0 }
    }

    /// Removes a record of any kind by its key.
    ///
    ///     try await store.remove("care_event", key: ["user": "u42", "baby": "ada", "id": "e7"])
    ///
    /// Its bytes in the database are overwritten, but copies may remain in the log until ``forget(_:)`` removes them.
    /// Inbox items of a removed contribution are removed with it; blocks of its author stay. A person without records
    /// and without a shared log of a baby is unknown, and not in ``users()`` any more.
    ///
    /// An event of a baby with several owners is stored as removed, without its texts: an older version, which a
    /// different device may still send, does not restore it.
    ///
    /// - Parameters:
    ///   - kind: One of ``recordKinds``.
    ///   - key: A value for each of ``keyNames(of:)``: ids, instants and dates as text, numbers as digits.
    ///   - now: The instant of the removal. Default: the present.
    /// - Returns: Whether the record existed.
    /// - Throws: `.invalidArgument` for an unknown kind, a missing or malformed part of the key, or a baby with several
    ///   owners; `.inputOutput`.
    @discardableResult
    public func remove(_ kind: String, key: [String: String], at now: Timestamp? = nil) throws(KinError) -> Bool {
        let type = try RecordKind.named(kind)
        let kind = type.kind
        let user = key["user"]
        return try write("remove a record") { transaction in
            var values = try kind.key.map { column -> SQLValue? in
                guard column == "person" else { return try type.value(of: column, in: key) }
                guard let user else { throw RecordKind.missing("user") }
                return try People.number(of: user, in: transaction.database).map { .integer($0) }
            }
            // A person without a number has no records to remove.
            guard !values.contains(nil) else { return false }
            if let user, kind.babyColumn != nil, let baby = values[1]?.text,
                let keeper = try transaction.keeper(of: user, baby: baby)
            {
                guard kind != BabyRecord.kind else { throw RecordKind.sharedBaby }
                values[0] = .integer(try transaction.number(ofPerson: keeper))
                if kind == CareEvent.kind, let id = values[2] {
                    let key = RecordKey<CareEvent>(user: .text(keeper), .text(baby), id)
                    return try key.change(in: transaction) { event in
                        guard let stored = event, stored.record.note?.isRemoved == false else { return false }
                        event = try stored.removed(at: now ?? Timestamp(seconds: Date().timeIntervalSince1970))
                        return true
                    }
                }
            }
            if kind == OwnContribution.kind, let id = values[0]?.text,
                let author = try OwnContribution.author(of: id, in: transaction.database)
            {
                let name = try NameRecord.name(of: author, in: transaction.database)
                try transaction.keepBlocks(where: ("contribution = ?", [.text(id)]), of: author, named: name)
            }
            return try transaction.remove(kind, key: values.compactMap { $0 })
        }
    }
}

extension StoredRecord {
    /// The value of a key's column, from its text.
    fileprivate static func value(of column: String, in key: [String: String]) throws(KinError) -> SQLValue {
        guard let text = key[column] else { throw RecordKind.missing(column) }
        do throws(KinError) {
            return try table.value(of: column, from: text)
        } catch {
            throw error.names("field") ? error : error.within("field", column)
        }
    }
}

extension RecordKind {
    /// Finds a type of record by its kind's name.
    ///
    /// - Throws: `.invalidArgument` for an unknown name.
    fileprivate static func named(_ name: String) throws(KinError) -> any StoredRecord.Type {
        guard let type = types.first(where: { $0.kind.name == name }) else {
            let advice = Spelling.advice(on: name, among: all.map(\.name))
            throw KinError(.invalidArgument, "there is no kind of record \"\(name.prefix(40))\"; \(advice)")
        }
        return type
    }

    fileprivate static let sharedBaby = KinError(
        .invalidArgument, "the baby has several owners; unshare it with all others before you remove its record")

    fileprivate static func missing(_ name: String) -> KinError {
        KinError(.invalidArgument, "the part \"\(name)\" of the key is missing")
    }
}
