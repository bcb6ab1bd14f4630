import KinCore
import KinJSON

/// A record of an app, and its translation to a record of Kin and back.
///
/// What Kin has no field for, or has in another form, is stored in the record's `extra`, so that a record that nobody changed is returned as it
/// came: a value of the app's form is returned if reading it again gives the present value, and is written anew otherwise.
struct ShapedRecord: Sendable {
    /// The app's noun for the record: "event".
    let name: String
    /// The kind of Kin's record.
    let kind: String
    /// Sets of members, of which a record has one whole.
    let marks: [[String]]
    /// The member and value that tell records of one kind apart, at their two places; nil for a kind with one record.
    var variant: (theirs: [String], ours: [String], value: String)?
    let fields: [ShapeField]
    /// Values that Kin's record has if another path has one: the unit of a volume.
    var constants: [(path: [String], value: String, with: [String])] = []
    /// The paths of further members of the app's record, which Kin stores without reading.
    var others: [String] = []
    /// The ids of Kin's record.
    var ids: [ShapeID] = []
    /// The place of `extra` in Kin's record.
    var extra = ["extra"]
    /// Members of `extra`, one of which a record has that is exported in this form; empty for every record.
    var exportedWith: [String] = []
    /// A nested record of the shape, which is stored too: its member and its name.
    var part: (member: String, record: String)?
    /// Removes from the app's record what does not count.
    var prepare: (@Sendable (inout JSONTree) -> Void)?
    /// Adds to the app's record what follows from Kin's: the app's record, and Kin's.
    var restore: (@Sendable (inout JSONTree, JSONTree) -> Void)?
    /// Completes Kin's record by what the store knows.
    var complete: (@Sendable (inout JSONTree, ShapeLookup) throws -> Void)?
    /// The assumption that reading the record makes, in a sentence; nil for none.
    var assumption: String?

    /// Whether an object is such a record, by its members.
    func isRecognized(_ record: JSONTree) -> Bool {
        let names = Set(record.members.map(\.name))
        if let variant, record[path: variant.theirs] != .text(variant.value) { return false }
        return marks.contains { $0.allSatisfy(names.contains) }
    }

    /// Whether a record of Kin is exported in this form.
    func isForm(of ours: JSONTree) -> Bool {
        if let variant, ours[path: variant.ours] != .text(variant.value) { return false }
        return exportedWith.isEmpty || exportedWith.contains { ours[path: extra + [$0]] != nil }
    }

    /// Translates an app's record.
    ///
    /// - Parameters:
    ///   - record: An object.
    ///   - given: Ids by the names of options, which count where the record has none.
    ///   - keepsUnknown: Whether members of unknown names are stored; they are errors otherwise.
    /// - Throws: `.malformedInput` for an unknown member, `.invalidArgument` for a missing id; the errors of conversions, naming the field.
    func read(
        _ record: JSONTree, ids given: [String: String], keepsUnknown: Bool, in context: ShapeContext
    ) throws(KinError) -> JSONTree {
        var ours = JSONTree.object([])
        var counting = record
        prepare?(&counting)
        for field in fields.filter({ $0.rule != .fallback }) + fields.filter({ $0.rule == .fallback }) {
            guard let value = counting[path: field.theirs], value != .null else { continue }
            let converted = try converted(value, field, context)
            if field.ours.isEmpty || ours[path: field.ours] == nil { ours[path: field.ours] = converted }
        }
        if let variant { ours[path: variant.ours] = .text(variant.value) }
        for constant in constants where ours[path: constant.with] != nil {
            ours[path: constant.path] = .text(constant.value)
        }
        for id in ids where ours[path: id.ours] == nil { ours[path: id.ours] = id.value(in: record, given) }
        if !keepsUnknown { try requireKnown(record) }
        let rest = Self.difference(of: record, from: write(ours, in: context))
        if let rest, !rest.members.isEmpty { ours[path: extra] = rest }
        return ours
    }

    /// Requires that the app's document has all members of a record.
    private func requireKnown(_ record: JSONTree) throws(KinError) {
        guard let name = fieldPaths(of: record).unknown.first else { return }
        let names = Set(knownPaths.map { $0.joined(separator: ".") }).sorted()
        throw KinError(
            .malformedInput,
            "a record \"\(self.name)\" has no such field, \(Spelling.advice(on: name, among: names)); set \"extra\" to store unknown fields unread"
        ).inField(name)
    }

    /// The fields of an object: those that are read, and the paths of those that are stored unread and of those that the app's document does not
    /// have.
    func fieldPaths(of record: JSONTree) -> (read: [ShapeField], unread: [String], unknown: [String]) {
        let read = fields.filter { record[path: $0.theirs].map { $0 != .null } ?? false }
        let known = knownPaths
        var (unread, unknown): ([String], [String]) = ([], [])
        for path in Self.leaves(of: record) {
            let name = path.joined(separator: ".")
            if !known.contains(where: { path.starts(with: $0) || $0.starts(with: path) }) {
                unknown.append(name)
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
            if let field = fields.first(where: { $0.theirs == path && $0.rule != .fallback }), let original {
                guard isUnchanged(original, field, ours, context) else { continue }
            }
            theirs[path: path] = original
        }
        return theirs
    }

    /// Whether a value of the app still says what Kin's record has.
    private func isUnchanged(
        _ original: JSONTree, _ field: ShapeField, _ ours: JSONTree, _ context: ShapeContext
    ) -> Bool {
        guard let present = ours[path: field.ours], present != .null else {
            return original == .null || field.rule == .mayNotCount
        }
        guard original != .null, let read = try? field.conversion.read(original, context) else { return false }
        return Self.agree(read, present)
    }

    /// The app's record as far as the fields say it.
    private func write(_ ours: JSONTree, in context: ShapeContext) -> JSONTree {
        var theirs = JSONTree.object([])
        if let variant { theirs[path: variant.theirs] = .text(variant.value) }
        for field in fields {
            guard let value = ours[path: field.ours], value != .null, value != .object([]) else { continue }
            theirs[path: field.theirs] = field.conversion.write(value, context)
        }
        restore?(&theirs, ours)
        return theirs
    }

    /// The members of an object that a second one lacks or has in another form, inside nested objects too; nil for none.
    private static func difference(of a: JSONTree, from b: JSONTree?) -> JSONTree? {
        guard case .object(let members) = a, case .object? = b else { return a == b ? nil : a }
        return .object(
            members.compactMap { member in
                difference(of: member.value, from: b?[path: [member.name]]).map {
                    JSONTree.Member(name: member.name, value: $0)
                }
            }.filter { $0.value != .object([]) || a[path: [$0.name]] == .object([]) })
    }

    /// The paths of all values that are no objects, of empty objects, and of some paths as a whole.
    private static func leaves(of tree: JSONTree, to ends: Set<[String]> = [], under path: [String] = []) -> [[String]]
    {
        guard !tree.members.isEmpty, !ends.contains(path) else { return [path] }
        return tree.members.flatMap { leaves(of: $0.value, to: ends, under: path + [$0.name]) }
    }

    /// Whether two values mean the same: equal values, numbers and instants, or an object of which the second has all members.
    private static func agree(_ a: JSONTree, _ b: JSONTree) -> Bool {
        if a == b { return true }
        switch (a, b) {
        case (.number, .number): return a.double == b.double
        case (.text(let a), .text(let b)):
            guard let first = try? Timestamp(parsing: a), let second = try? Timestamp(parsing: b) else { return false }
            // Logs keep whole seconds.
            return abs(first.microseconds - second.microseconds) < 1_000_000
        case (.object(let members), .object):
            return members.allSatisfy { agree($0.value, b[path: [$0.name]] ?? .null) }
        default: return false
        }
    }
}

/// An id of Kin's record, which the app's record has, or a caller gives.
struct ShapeID: Sendable {
    /// The path in Kin's record.
    let ours: [String]
    /// The members of the app's record that may have it, the first one first.
    let names: [String]
    /// The name of the option that gives it.
    let option: String
    /// A member that has a value for want of all others.
    var fallback: String?

    /// The id, as a text.
    func value(in record: JSONTree, _ given: [String: String]) -> JSONTree? {
        func own(_ name: String) -> JSONTree? {
            guard let value = record[path: [name]], value != .null else { return nil }
            return value.double == nil ? value : .text(value.jsonText)
        }
        return names.lazy.compactMap(own).first ?? given[option].map { .text($0) } ?? fallback.flatMap(own)
    }

    /// The person who keeps the record.
    static let user = ShapeID(
        ours: ["user_id"], names: ["userId", "userID", "user_id", "uid"], option: "user")
}
