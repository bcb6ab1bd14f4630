/// The records in an export of a database: Firestore, Firebase's Realtime Database, MongoDB, or a page of an API.
///
/// The records are in lists or in objects by id, at any depth. An object around a record has the ids of its person and
/// its baby: `{"users": {"ada": {"reflections": {"r1": {…}}}}}`. Values with types, such as `{"stringValue": "feed"}`,
/// `{"$date": 1772355600000}` or CloudKit's `{"value": 2}`, are read as plain values.
struct DatabaseExport {
    /// The records in the export. Ids that an app's record lacks are those of its path.
    private(set) var records: [JSONTree] = []
    /// The documents in the export that are not records, such as accounts.
    private(set) var leftOut: [JSONTree] = []
    private let options: ShapeOptions

    /// Finds the records of an export; none if it is a record with plain values itself.
    ///
    /// - Complexity: O(members at all depths).
    init(_ export: JSONTree, _ options: ShapeOptions) {
        self.options = options
        let plain = export.withoutTypes
        if plain != export || !isRecord(plain) { add(plain, at: []) }
    }

    private func isRecord(_ tree: JSONTree) -> Bool {
        let names = tree.members.map { Spelling.snakeCase($0.name) }
        return RecordLineReader.isLabelled(names) || RecordKind.types.contains { $0.isRecognized(by: names) }
            || RecordShape.recognized(tree, as: options.shape) != nil
    }

    /// Adds the records in a value.
    ///
    /// - Parameters:
    ///   - path: The names of the objects around it; empty for an element of a list.
    ///   - isInside: Whether an object around it was left out.
    private mutating func add(_ tree: JSONTree, at path: [String], isInside: Bool = false) {
        if case .list(let elements) = tree {
            for element in elements { add(element, at: path + [""], isInside: isInside) }
        } else if isRecord(tree) {
            let below = tree.members.filter { $0.name == Self.collections || isCollection($0.value) }
            for member in below { add(member.value, at: self.path(of: member, in: tree, at: path)) }
            records.append(withIDs(.object(tree.members.filter { !below.contains($0) }), at: path))
        } else {
            let isLeftOut = !isInside && isDocument(tree, at: path)
            if isLeftOut { leftOut.append(tree) }
            for member in tree.members {
                add(member.value, at: self.path(of: member, in: tree, at: path), isInside: isInside || isLeftOut)
            }
        }
    }

    /// Whether an object that is not a record is a document of a collection: it has values, and is not an object around a
    /// document.
    private func isDocument(_ tree: JSONTree, at path: [String]) -> Bool {
        let isNamed = (Self.ids + ["name"]).contains { tree[path: [$0]] != nil }
        return path.count > 1 && path[path.count - 2] != ""
            && tree.members.contains { if case .object = $0.value { false } else { true } }
            && !tree.members.contains { isNamed && ["fields", "data"].contains($0.name) || isRecord($0.value) }
    }

    /// Whether a value is an object of records by id.
    private func isCollection(_ tree: JSONTree) -> Bool {
        !tree.members.isEmpty && tree.members.allSatisfy { isRecord($0.value) }
    }

    private static let collections = "__collections__"
    /// The names around records in the pages of an API, which are not ids.
    private static let wrappers: Set = [
        "edges", "hits", "items", "node", "nodes", "pageInfo", "records", "results", "rows",
    ]

    /// The path of a member. A document may be in an object with its id, `{"id": "e1", "data": {…}}` or `{"name":
    /// "projects/…/documents/users/ada", "fields": {…}}`; so may each element of a list, `[{"event": {…}, "score": 1}]`.
    private func path(of member: JSONTree.Member, in object: JSONTree, at path: [String]) -> [String] {
        let name = member.name
        guard name != Self.collections, !Self.wrappers.contains(name) else { return path }
        let isLone =
            (path.last == "" || path.isEmpty && object.members.count > 1) && isRecord(member.value)
            && !object.members.contains { $0.name != name && isRecord($0.value) }
        guard name == "fields" || name == "data" || isLone else {
            return path + [name]
        }
        if case .text(let place)? = object[path: ["name"]] {
            let names = place.split(separator: "/").map(String.init)
            if let root = names.firstIndex(of: "documents") { return Array(names[(root + 1)...]) }
        }
        guard case .text(let id)? = Self.ids.lazy.compactMap({ object[path: [$0]] }).first else { return path }
        return path.dropLast(path.last == "" ? 1 : 0) + [id]
    }

    /// An app's record with the ids in its path, in the form of an export.
    private func withIDs(_ record: JSONTree, at path: [String]) -> JSONTree {
        guard let match = RecordShape.recognized(record, as: options.shape), options.translates(match) else {
            return record
        }
        var ids: [String: String] = [:]
        for (collection, id) in zip(path, path.dropFirst()).dropLast() {
            if let name = Self.owners[collection] { ids[name] = id }
        }
        ids["id"] = path.last
        if let id = path.last, match.record.isOfPerson, ids["user"] == nil,
            Self.people.contains(path.dropLast().last ?? "")
        {
            ids["user"] = id
        }
        let members = ids.filter { $0.value != "" }.sorted { $0.key < $1.key }
        return .object(
            members.map { JSONTree.Member(name: $0.key, value: .text($0.value)) }
                + [JSONTree.Member(name: "record", value: record)])
    }

    /// The names of a document's id.
    private static let ids = ["id", "_id", "recordName"]
    /// The ids that the documents of collections have.
    private static let owners = ["users": "user", "babies": "baby", "events": "baby"]
    /// The collections whose documents are people.
    private static let people: Set = ["users", "souls", "profiles", "people"]
}

extension JSONTree {
    /// The value without the types of Firestore's REST interface, MongoDB's extended JSON and CloudKit.
    var withoutTypes: JSONTree {
        switch self {
        case .list(let elements): .list(elements.map(\.withoutTypes))
        case .object(let members):
            (members.count == 1 ? Self.value(members[0]) : nil)
                ?? .object(
                    members.map {
                        let value = $0.name == "fields" ? $0.value.valuesOfCloudKit : nil
                        return Member(name: $0.name, value: (value ?? $0.value).withoutTypes)
                    })
        default: self
        }
    }

    /// The values in the fields of a record of CloudKit, `{"title": {"value": "Walk", "type": "STRING"}}`; of a reference
    /// the name of its record. nil for other values.
    private var valuesOfCloudKit: JSONTree? {
        let values = members.compactMap { field in
            (field.value[path: ["value", "recordName"]] ?? field.value[path: ["value"]]).map {
                Member(name: field.name, value: $0)
            }
        }
        return values.isEmpty || values.count < members.count ? nil : .object(values)
    }

    /// Whether a value at any depth has a type of MongoDB, such as `{"$date": …}`.
    var hasMongoTypes: Bool {
        switch self {
        case .list(let elements): elements.contains(where: \.hasMongoTypes)
        case .object(let members):
            members.contains { (members.count == 1 && $0.name.hasPrefix("$")) || $0.value.hasMongoTypes }
        default: false
        }
    }

    private static func value(_ typed: Member) -> JSONTree? {
        switch typed.name {
        case "stringValue", "booleanValue", "timestampValue", "referenceValue", "$oid", "$date":
            return typed.value.withoutTypes
        case "integerValue", "doubleValue", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal":
            guard case .text(let digits) = typed.value else { return typed.value }
            if let number = Int64(digits) { return .number("\(number)") }
            return Double(digits).flatMap { $0.isFinite ? .number($0) : nil } ?? typed.value
        case "nullValue": return .null
        case "mapValue": return typed.value[path: ["fields"]]?.withoutTypes ?? .object([])
        case "arrayValue": return typed.value[path: ["values"]]?.withoutTypes ?? .list([])
        default: return nil
        }
    }
}
