/// A record of an app, and its translation to a record of Kin and back.
///
/// The record's `extra` stores members without a field in Kin, and values in a form that Kin does not write. An
/// unchanged record is exported as it was imported: an original value is written if it still reads as the present
/// value. Otherwise the present value is written.
struct ShapedRecord: Sendable {
    /// The app's noun for the record: "event".
    let name: String
    /// The kind of Kin's record.
    let kind: String
    /// An object is recognized if it has all members of one of these lists.
    let marks: [[String]]
    /// The member and value that distinguish records of one kind, with their paths in both formats; nil for a kind with
    /// one record.
    var variant: (theirs: [String], ours: [String], value: String)?
    let fields: [ShapeField]
    /// The paths of further members of the app's record, which Kin stores without reading.
    var others: [String] = []
    /// The ids of Kin's record.
    var ids: [ShapeID] = []
    /// The path of `extra` in Kin's record.
    var extra = ["extra"]
    /// A record is exported in this form if its `extra` has a member of this list. Empty: every record of the kind.
    var exportedWith: [String] = []
    /// The paths of Kin's fields that the app's record does not contain: an import keeps their stored values.
    var kept: [String] = []
    /// A nested record of the shape, which is also stored: its member and its name.
    var part: (member: String, record: String)?
    /// Removes values that do not count from the app's record.
    var prepare: (@Sendable (inout JSONTree) throws(KinError) -> Void)?
    /// Adds to the app's record (the first tree) values that follow from Kin's record.
    var restore: (@Sendable (inout JSONTree, JSONTree, ShapeContext) -> Void)?
    /// Completes Kin's record (the first tree) from the app's record and data in the store.
    var complete: (@Sendable (inout JSONTree, JSONTree, ShapeLookup) throws -> Void)?
    /// The assumption made in reading the record, in a sentence; nil for none.
    var assumption: String?

    /// Whether the record describes the person whose id it has.
    var isOfPerson: Bool { ids.contains { $0.names.first == ShapeID.uid.names.first } }

    /// Whether an object's members match this record.
    func isRecognized(_ record: JSONTree) -> Bool {
        let names = Set(record.members.map(\.name))
        if let variant {
            guard case .text(let word)? = record[path: variant.theirs], Spelling.plain(word) == variant.value else {
                return false
            }
        }
        return marks.contains { $0.allSatisfy(names.contains) }
    }

    /// Whether an object with the fields of Kin's record has them in an app's form: an id under a different name, or a
    /// value that is converted. A text in the place of such a value is left to Kin's reader.
    func hasOtherForm(_ object: JSONTree) -> Bool {
        ids.contains { object[path: $0.ours] == nil }
            || fields.contains { field in
                guard let value = object[path: field.theirs], value != .null else { return false }
                if case .text = value { return false }
                return (try? field.conversion.read(value, ShapeContext())) != value
            }
    }

    /// Whether a record of Kin is exported in this form. A removed event has no form in an app.
    func isForm(of ours: JSONTree) -> Bool {
        if ours[path: ["event", "removed"]] == .boolean(true) { return false }
        if let variant, ours[path: variant.ours] != .text(variant.value) { return false }
        return exportedWith.isEmpty || exportedWith.contains { ours[path: extra + [$0]] != nil }
    }

    /// Translates an app's record.
    ///
    /// - Parameters:
    ///   - record: An object.
    ///   - given: Ids by the names of options, used if the record lacks them.
    /// - Throws: `.malformedInput` for an unknown member; the errors of conversions, with the name of the field.
    func read(
        _ record: JSONTree, ids given: [String: String], in context: ShapeContext
    ) throws(KinError) -> JSONTree {
        var ours = JSONTree.object([])
        var counting = record
        try prepare?(&counting)
        for field in fields.filter({ $0.rule != .fallback && $0.rule != .alias })
            + fields.filter({ $0.rule == .fallback || $0.rule == .alias })
        {
            guard let value = counting[path: field.theirs], value != .null else { continue }
            let converted = try converted(value, field, context)
            if field.ours.isEmpty || ours[path: field.ours] == nil { ours[path: field.ours] = converted }
        }
        if let variant { ours[path: variant.ours] = .text(variant.value) }
        for id in ids where ours[path: id.ours] == nil { ours[path: id.ours] = id.value(in: record, given) }
        if !context.keepsUnknown { try requireKnown(record) }
        return ours
    }

    /// Adds the members of an app's record that Kin's record cannot reproduce.
    ///
    /// - Parameters:
    ///   - ours: The record as ``read(_:ids:keepsUnknown:in:)`` returned it.
    ///   - stored: The same record as Kin writes it.
    func addExtra(of record: JSONTree, to ours: inout JSONTree, stored: JSONTree, in context: ShapeContext) {
        let rest = Self.difference(of: record, from: write(stored, in: context), to: Set(fields.map(\.theirs)))
        if let rest, !rest.members.isEmpty { ours[path: extra] = rest }
    }

    /// Kin's record from its JSON, and its JSON as Kin writes it.
    func stored(
        _ json: JSONTree, now: Timestamp
    ) throws(KinError) -> (record: any StoredRecord, json: JSONTree) {
        let type = RecordKind.types.first { $0.kind.name == kind }!
        let record = try JSONReader.read(json.jsonText) { reader throws(KinError) in
            try type.read(&reader, now: now)
        }
        return (record, try JSONTree(parsing: String(decoding: record.body, as: UTF8.self)))
    }

    /// An error about a field of Kin's record, with the app's name of the field and the app's value.
    func renamed(_ error: KinError, of record: JSONTree) -> KinError {
        guard let path = error.context.first(where: { $0.name == "field" })?.value else { return error }
        /// The rest of the path after a field of Kin's; the fields of an event may be without `event`.
        func rest(_ ours: [String]) -> String? {
            let names = [ours, Array(ours.dropFirst())].map { $0.joined(separator: ".") }.filter { !$0.isEmpty }
            return names.first { path == $0 || path.hasPrefix($0 + ".") }.map { String(path.dropFirst($0.count)) }
        }
        let found = fields.compactMap { field in rest(field.ours).map { (field, rest: $0) } }
        guard let (field, rest) = found.first(where: { record[path: $0.0.theirs] != nil }) ?? found.first else {
            return error
        }
        var message = error.message.replacing("\"\(field.ours.last!)\"", with: "\"\(field.theirs.last!)\"")
        if let conversion = field.conversion.description, let value = record[path: field.theirs], value.double != nil {
            message += "; the record has \(value.jsonText) (\(conversion))"
        }
        return KinError(error.code, message, context: error.without(["field"]).context)
            .within("field", field.theirs.joined(separator: ".") + rest)
    }

    /// Requires that all members of a record are in the app's document.
    private func requireKnown(_ record: JSONTree) throws(KinError) {
        guard let name = fieldPaths(of: record).unknown.first else { return }
        let names = Set(knownPaths.map { $0.joined(separator: ".") }).sorted()
        throw KinError(
            .malformedInput,
            "a record \"\(self.name)\" has no such field, \(Spelling.advice(on: name, among: names)); set \"extra\" to store unknown fields unread"
        ).inField(name)
    }

    /// The fields of an object that are read, the paths of fields that are stored unread, and the paths that are not in
    /// the app's document.
    func fieldPaths(of record: JSONTree) -> (read: [ShapeField], unread: [String], unknown: [String]) {
        let read = fields.filter { record[path: $0.theirs].map { $0 != .null } ?? false }
        let known = knownPaths
        var (unread, unknown): ([String], [String]) = ([], [])
        for path in Self.leaves(of: record) {
            let name = path.joined(separator: ".")
            if !known.contains(where: { path.starts(with: $0) || $0.starts(with: path) }) {
                // Null is the same as a missing member: an app may write all its members into each record.
                if path.count > 1 || record[path: path] != .null { unknown.append(name) }
            } else if others.contains(where: { path.starts(with: ShapeField.path($0)) }) {
                unread.append(name)
            }
        }
        return (read, unread, unknown)
    }

    /// The paths of all members that the record may have.
    private var knownPaths: [[String]] {
        fields.map(\.theirs) + others.map(ShapeField.path) + ids.flatMap { $0.names.map { [$0] } }
            + (variant.map { [$0.theirs] } ?? [])
    }

    private func converted(
        _ value: JSONTree, _ field: ShapeField, _ context: ShapeContext
    ) throws(KinError) -> JSONTree {
        do throws(KinError) {
            return try field.conversion.read(value, context)
        } catch {
            throw error.inField(field.theirs.joined(separator: "."))
        }
    }

    /// Translates Kin's record to the app's, with the members of its `extra`.
    func record(of ours: JSONTree, in context: ShapeContext) -> JSONTree {
        var theirs = write(ours, in: context)
        guard let extra = ours[path: extra] else { return theirs }
        for path in Self.leaves(of: extra, to: Set(fields.map(\.theirs))) {
            let original = extra[path: path]
            let field = fields.first { $0.theirs == path && $0.rule != .fallback && $0.rule != .alias }
            if let field, let original {
                guard isUnchanged(original, field, ours, context) else { continue }
            }
            theirs[path: path] = original
        }
        // Times that have changed get the form of the original ones.
        let times = fields.filter(\.conversion.isTime).map(\.theirs)
        if let form = times.lazy.compactMap({ extra[path: $0] }).first(where: AppInstant.isForm) {
            for path in times where theirs[path: path] != extra[path: path] {
                theirs[path: path] = theirs[path: path].map { AppInstant.written($0, as: form) }
            }
        }
        return theirs
    }

    /// Whether an original value of the app still reads as the value of Kin's record.
    private func isUnchanged(
        _ original: JSONTree, _ field: ShapeField, _ ours: JSONTree, _ context: ShapeContext
    ) -> Bool {
        guard let present = ours[path: field.ours], present != .null else {
            return [.null, .text(""), .list([]), .object([])].contains(original) || field.rule == .mayNotCount
        }
        // For null, Kin writes its default.
        let read = original == .null ? nil : try? field.conversion.read(original, context)
        guard original == .null ? !field.ours.isEmpty : read != nil else { return false }
        if read == present { return true }
        // Kin may write the value in a different form, such as a rough length in minutes.
        var candidate = ours
        let values: [([String], JSONTree?)] =
            field.ours.isEmpty ? (read ?? .null).members.map { ([$0.name], $0.value) } : [(field.ours, read)]
        for (path, value) in values { candidate[path: path] = value }
        let stored = try? stored(candidate, now: Timestamp(unchecked: 0)).json.withWholeNumbers
        guard let stored, case let ours = ours.withWholeNumbers else { return false }
        return values.allSatisfy { path, _ in stored[path: path] == ours[path: path] }
    }

    /// The app's record from the fields alone, without `extra`.
    func write(_ ours: JSONTree, in context: ShapeContext) -> JSONTree {
        var theirs = JSONTree.object([])
        if let variant { theirs[path: variant.theirs] = .text(variant.value) }
        let ours = ours.withWholeNumbers
        for field in fields where field.rule != .alias {
            guard let value = ours[path: field.ours], value != .null, value != .object([]) else { continue }
            theirs[path: field.theirs] = field.conversion.write(value, context).withWholeNumbers
        }
        restore?(&theirs, ours, context)
        return theirs
    }

    /// The members of an object that a second object lacks or has in a different form. Nested objects are compared too,
    /// except those at some paths. nil if all are equal.
    private static func difference(
        of a: JSONTree, from b: JSONTree?, to ends: Set<[String]>, under path: [String] = []
    ) -> JSONTree? {
        guard case .object(let members) = a, case .object? = b, !ends.contains(path) else { return a == b ? nil : a }
        return .object(
            members.compactMap { member in
                difference(of: member.value, from: b?[path: [member.name]], to: ends, under: path + [member.name])
                    .map { JSONTree.Member(name: member.name, value: $0) }
            }.filter { $0.value != .object([]) || a[path: [$0.name]] == .object([]) }.sorted { $0.name < $1.name })
    }

    /// The paths of all plain values, lists and empty objects; the given paths are not descended into.
    private static func leaves(of tree: JSONTree, to ends: Set<[String]> = [], under path: [String] = []) -> [[String]]
    {
        guard !tree.members.isEmpty, !ends.contains(path) else { return [path] }
        return tree.members.flatMap { leaves(of: $0.value, to: ends, under: path + [$0.name]) }
    }
}

extension JSONTree {
    /// The value with whole numbers in the form of apps: 30 instead of 30.0.
    var withWholeNumbers: JSONTree {
        switch self {
        case .number(let text) where text.hasSuffix(".0"): .number(String(text.dropLast(2)))
        case .list(let values): .list(values.map(\.withWholeNumbers))
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.withWholeNumbers) })
        default: self
        }
    }
}

/// An id of Kin's record, which the app's record contains or a caller passes.
struct ShapeID: Sendable {
    /// The path in Kin's record.
    let ours: [String]
    /// The members of the app's record that may contain it, in order of preference.
    let names: [String]
    /// The name of the option that passes it.
    let option: String
    /// A member whose value is used if all others are missing.
    var fallback: String?
    /// A further option that passes it, for callers.
    var callers: String?

    /// The id, as a text.
    func value(in record: JSONTree, _ given: [String: String]) -> JSONTree? {
        func own(_ name: String) -> JSONTree? {
            guard let value = record[path: [name]], value != .null else { return nil }
            return value.double == nil ? value : .text(value.jsonText)
        }
        let option = given[option] ?? callers.flatMap { given[$0] }
        return names.lazy.compactMap(own).first ?? option.map { .text($0) } ?? fallback.flatMap(own)
    }

    /// The id of a record that has the same name in Kin.
    static let id = ShapeID(ours: ["id"], names: ["id"], option: "id")

    /// The id of the person that the record describes.
    static let uid = ShapeID(ours: ["uid"], names: ["uid", "userId", "userID", "user_id"], option: "user")

    /// The id of the person who owns the record.
    static let user = ShapeID(
        ours: ["user_id"], names: ["userId", "userID", "user_id", "uid"], option: "user")
}
