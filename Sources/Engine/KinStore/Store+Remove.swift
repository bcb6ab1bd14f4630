public import KinCore
import KinJSON

extension Store {
    /// The names of all kinds of records, in the order of export.
    public static var recordKinds: [String] { RecordKind.all.map(\.name) }

    /// The fields that make up the key of a kind: `["user", "baby", "id"]` for a `care_event`.
    ///
    /// - Throws: `.invalidArgument` for an unknown kind.
    public static func keyNames(of kind: String) throws(KinError) -> [String] {
        try RecordKind.named(kind).key.map { $0 == "person" ? "user" : $0 }
    }

    /// Removes a record of any kind by its key.
    ///
    ///     try await store.remove("care_event", key: ["user": "u42", "baby": "ada", "id": "e7"])
    ///
    /// Its bytes in the database are overwritten, but copies may remain in the log until ``forget(_:)`` removes them.
    /// Inbox items of a removed contribution are removed with it.
    ///
    /// - Parameters:
    ///   - kind: One of ``recordKinds``.
    ///   - key: A value for each of ``keyNames(of:)``: ids, instants and dates as text, numbers as digits.
    /// - Returns: Whether the record existed.
    /// - Throws: `.invalidArgument` for an unknown kind, or a missing or malformed part of the key; `.inputOutput`.
    @discardableResult
    public func remove(_ kind: String, key: [String: String]) throws(KinError) -> Bool {
        let kind = try RecordKind.named(kind)
        let user = key["user"]
        return try write("remove a record") { transaction in
            let values = try kind.key.map { column -> SQLValue? in
                guard column == "person" else { return try RecordKind.value(of: column, in: key) }
                guard let user else { throw RecordKind.missing("user") }
                return try People.number(of: user, in: transaction.database).map { .integer($0) }
            }
            // A person without a number has no records to remove.
            guard !values.contains(nil) else { return false }
            return try transaction.remove(kind, key: values.compactMap { $0 })
        }
    }
}

extension RecordKind {
    /// Finds a kind by its name.
    ///
    /// - Throws: `.invalidArgument` for an unknown name.
    fileprivate static func named(_ name: String) throws(KinError) -> RecordKind {
        guard let kind = all.first(where: { $0.name == name }) else {
            let advice = Spelling.advice(on: name, among: all.map(\.name))
            throw KinError(.invalidArgument, "there is no kind of record \"\(name.prefix(40))\"; \(advice)")
        }
        return kind
    }

    /// The value of a key's column, from its text.
    fileprivate static func value(of column: String, in key: [String: String]) throws(KinError) -> SQLValue {
        guard let text = key[column] else { throw missing(column) }
        do throws(KinError) {
            switch column {
            case "since", "assigned", "sent": return .integer(try Timestamp(parsing: text).microseconds)
            case "date": return .integer(Int64(try LocalDay(parsing: text).number))
            case "day", "decision", "period":
                if let number = Int64(text) { return .integer(number) }
                throw KinError(.invalidArgument, "\"\(text.prefix(40))\" is not a whole number")
            default: return .text(try RecordID.checked(text, field: column))
            }
        } catch {
            throw error.names("field") ? error : error.within("field", column)
        }
    }

    fileprivate static func missing(_ name: String) -> KinError {
        KinError(.invalidArgument, "the part \"\(name)\" of the key is missing")
    }
}
