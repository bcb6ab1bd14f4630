import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Records of apps as databases export them.
@Suite("Exports of databases")
struct DatabaseExportTests {
    /// A baby and its events without the ids that their places in an export have.
    private static let baby = AppDocuments.baby.replacing("\"id\": \"b1\", ", with: "")
    private static let events = AppDocuments.events.map { event in
        (1...6).reduce(event) { $0.replacing("\"id\": \"e\($1)\", ", with: "") }.replacing(
            "\"babyId\": \"b1\", ", with: "")
    }
    private static let byID = events.enumerated().map { "\"e\($0.offset + 1)\": \($0.element)" }.joined(separator: ",")

    /// The value as Firestore's REST interface writes it.
    private static func typed(_ tree: JSONTree) -> JSONTree {
        func one(_ name: String, _ value: JSONTree) -> JSONTree { .object([.init(name: name, value: value)]) }
        switch tree {
        case .null: return one("nullValue", .null)
        case .boolean: return one("booleanValue", tree)
        case .number(let text): return Int(text) == nil ? one("doubleValue", tree) : one("integerValue", .text(text))
        case .text(let text): return one(text.hasSuffix("Z") ? "timestampValue" : "stringValue", tree)
        case .list(let values): return one("arrayValue", one("values", .list(values.map(typed))))
        case .object: return one("mapValue", one("fields", fields(tree)))
        }
    }

    private static func fields(_ tree: JSONTree) -> JSONTree {
        .object(tree.members.map { .init(name: $0.name, value: typed($0.value)) })
    }

    /// The value as MongoDB writes it.
    private static func extended(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .text(let text) where text.hasSuffix("Z"): .object([.init(name: "$date", value: tree)])
        case .number(let text) where Int(text) != nil: .object([.init(name: "$numberLong", value: .text(text))])
        case .list(let values): .list(values.map(extended))
        case .object(let members): .object(members.map { .init(name: $0.name, value: extended($0.value)) })
        default: tree
        }
    }

    private static func documents(_ root: String) throws -> String {
        let events = try events.enumerated().map { number, event in
            "{\"name\": \"\(root)/events/b1/events/e\(number + 1)\", \"fields\": \(fields(try JSONTree(parsing: event)).jsonText)}"
        }
        let baby = fields(try JSONTree(parsing: baby)).jsonText
        return
            ([
                "{\"name\": \"\(root)/babies/b1\", \"fields\": \(baby), \"createTime\": \"2026-01-06T08:30:00Z\"}"
            ] + events).joined(separator: ",")
    }

    private func filled(_ records: [String]) async throws -> Store {
        let store = try Store()
        let counts = try await store.importArray("[\(records.joined(separator: ","))]", now: hour(0))
        #expect(counts == ["baby": 1, "care_event": 6])
        return store
    }

    @Test func everyFormOfAnExportIsReadAsTheRecords() async throws {
        let events = Self.events.enumerated().map {
            "{\"baby\": \"b1\", \"id\": \"e\($0.offset + 1)\", \"record\": \($0.element)}"
        }
        let withPaths = try await filled(["{\"id\": \"b1\", \"record\": \(Self.baby)}"] + events)
        let plain = [AppDocuments.baby] + AppDocuments.events
        let withIDs = try await filled(plain)
        let mongo = try plain.map {
            Self.extended(try JSONTree(parsing: $0)).jsonText
                .replacing(/"id":("[a-z]\d")/) { "\"_id\":{\"$oid\":\($0.1)}" }
        }
        let root = "projects/p/databases/(default)/documents"
        let exportsWithPaths = [
            "{\"babies\": {\"b1\": \(Self.baby)}, \"events\": {\"b1\": {\"events\": {\(Self.byID)}}}}",
            "{\"babies\": {\"b1\": \(Self.baby.dropLast()), \"events\": {\(Self.byID)}}}}",
            """
            {"__collections__": {"babies": {"b1": \(Self.baby.dropLast()), "__collections__": {}}},
             "events": {"b1": {"__collections__": {"events": {\(Self.byID)}}}}}}
            """,
            "{\"documents\": [\(try Self.documents(root))], \"nextPageToken\": \"x\"}", "[\(try Self.documents(root))]",
        ]
        let exportsWithIDs = [
            "{\"count\": 7, \"next\": null, \"results\": [\(plain.joined(separator: ","))]}",
            "[\(mongo.joined(separator: ","))]",
        ]
        for (exports, expected) in [(exportsWithPaths, withPaths), (exportsWithIDs, withIDs)] {
            for export in exports {
                let store = try Store()
                let counts = try await store.importArray(export.hasPrefix("[") ? export : "[\(export)]", now: hour(0))
                #expect(counts == ["baby": 1, "care_event": 6], "\(export)")
                #expect(try EveryKind.export(store) == EveryKind.export(expected), "\(export)")
            }
        }
        // A description finds the same records.
        for export in exportsWithPaths + exportsWithIDs {
            #expect(try described(export) == described("[\(plain.joined(separator: ","))]"), "\(export)")
        }
        // In lists of documents with ids, and for a baby that the caller names.
        let listed = Self.events.enumerated().map { "{\"id\": \"e\($0.offset + 1)\", \"data\": \($0.element)}" }
        let store = try Store()
        try await store.importArray("[{\"id\": \"b1\", \"record\": \(Self.baby)}]", now: hour(0))
        try await store.importArray(
            "[\(listed.joined(separator: ","))]", now: hour(0), options: ShapeOptions(baby: "b1"))
        #expect(try EveryKind.export(store) == EveryKind.export(withPaths))
    }

    /// The names of the objects around each element of a list are no ids.
    @Test(arguments: [
        #"{"data": {"events": {"edges": [N]}}}"#, #"{"hits": {"hits": [N]}}"#, #"{"items": [N]}"#, "N",
    ])
    func envelopesAreNoIDs(form: String) async throws {
        let baby = "{\"id\": \"b1\", \"record\": \(Self.baby)}"
        let expected = try Store()
        let options = ShapeOptions(baby: "b1")
        try await expected.importArray("[\(baby)]", now: hour(0))
        try await expected.importArray("[\(Self.events.joined(separator: ","))]", now: hour(0), options: options)
        for name in ["node", "_source", "document", "event"] {
            let nodes = Self.events.map { "{\"score\": 1, \"\(name)\": \($0)}" }.joined(separator: ",")
            let store = try Store()
            try await store.importArray("[\(baby)]", now: hour(0))
            try await store.importArray("[\(form.replacing("N", with: nodes))]", now: hour(0), options: options)
            #expect(try EveryKind.export(store) == EveryKind.export(expected), "\(name)")
        }
    }

    /// CloudKit has the values of a record's fields with or without their types, and its id next to them.
    @Test(arguments: ["[N]", "{\"records\": [N]}"])
    func recordsOfCloudKit(form: String) async throws {
        for text in AppDocuments.outOfBox {
            let record = try JSONTree(parsing: text)
            let expected = try Store()
            try await expected.importArray("[\(text)]", now: hour(0))
            for type in [nil, "STRING"] {
                let fields = record.members.filter { $0.name != "id" && $0.value != .null }.map { member in
                    let types = type.map { [JSONTree.Member(name: "type", value: .text($0))] } ?? []
                    return JSONTree.Member(
                        name: member.name, value: .object([.init(name: "value", value: member.value)] + types))
                }
                let id = record[path: ["id"]] ?? .text("r1")
                let whole = JSONTree.object([
                    .init(name: "recordName", value: id), .init(name: "recordType", value: .text("Challenge")),
                    .init(name: "fields", value: .object(fields)),
                ])
                let store = try Store()
                let document = form.replacing("N", with: whole.jsonText)
                try await store.importArray(document.hasPrefix("[") ? document : "[\(document)]", now: hour(0))
                #expect(try plain(store) == plain(expected), "\(document)")
            }
        }
    }

    /// A reference of CloudKit is the name of a record.
    @Test func referencesOfCloudKit() async throws {
        let fields =
            #""userID": {"value": "u"}, "status": {"value": "pending"}, "assignedDate": {"value": 1767427200000}"#
        let reference = #"{"value": {"recordName": "c1", "action": "NONE"}, "type": "REFERENCE"}"#
        let store = try Store()
        try await store.importArray("[\(AppDocuments.challenge)]", now: hour(0))
        try await store.importArray(
            "[{\"recordName\": \"x1\", \"fields\": {\(fields), \"challengeID\": \(reference)}}]", now: hour(0))
        #expect(try store.challengeHistory(of: "u").map(\.challengeID) == ["c1"])
    }

    /// The records without the values that Kin does not use.
    private func plain(_ store: Store) throws -> [JSONTree] {
        try EveryKind.export(store).split(separator: "\n").map { line in
            var tree = try JSONTree(parsing: String(line))
            for name in tree.members.map(\.name) { tree[path: [name, "extra"]] = nil }
            return tree
        }
    }

    /// The kinds of an app's records in a document, and the number of each.
    private func described(_ document: String) throws -> [String: Int] {
        try Dictionary(
            uniqueKeysWithValues: ShapeReport.reports(of: document).map {
                ("\($0.kind ?? "") \($0.record ?? "")", $0.count)
            })
    }

    /// A session of grain has its id and its person in its place only.
    @Test func sessionsHaveTheIdsOfTheirPlaces() async throws {
        let session =
            #"{"timestamp_start": "2026-05-01T13:00:00Z", "state": "drift", "pleasure_vector": {"intensities": {"order": 1}}}"#
        let store = try Store()
        let export = "[{\"users\": {\"ada\": {\"sessions\": {\"s1\": \(session), \"s2\": \(session)}}}}]"
        #expect(try await store.importArray(export, now: hour(0)) == ["session": 2])
        #expect(try store.session("s2")?.userID == "ada")
    }

    /// A person of grain without an id.
    private static let profile = AppDocuments.grain[0].replacing("\"uid\": \"u\", ", with: "")

    /// Documents of people have their id in their place only.
    @Test(arguments: [
        (#"{"users": {"ada": A, "ben": B}}"#, Self.profile, "profile"),
        (#"{"souls": {"ada": A, "ben": B}}"#, #"{"goals": {"sleep": N}}"#, "soul"),
        (#"{"__collections__": {"users": {"ada": A, "ben": B}}}"#, #"{"goals": {"sleep": N}}"#, "soul"),
        (
            #"{"documents": [{"name": "projects/p/databases/d/documents/users/ada", "fields": A}, {"name": "projects/p/databases/d/documents/users/ben", "fields": B}]}"#,
            #"{"goals": {"mapValue": {"fields": {"sleep": {"integerValue": "N"}}}}}"#, "soul"
        ),
    ])
    func peopleHaveTheIdsOfTheirPlaces(form: String, record: String, kind: String) async throws {
        let text = ["A": "1", "B": "0"].reduce(form) { text, entry in
            text.replacing(" \(entry.key)", with: " " + record.replacing("N", with: entry.value))
        }
        for user in [nil, "x"] {
            let store = try Store()
            let counts = try await store.importArray("[\(text)]", now: hour(0), options: ShapeOptions(user: user))
            #expect(counts == [kind: 2], "\(text)")
            #expect(try store.users() == ["ada", "ben"], "\(text)")
        }
    }

    /// An option for one person never makes one of several.
    @Test func severalPeopleWithoutIdsAreRefused() async throws {
        let store = try Store()
        for text in [
            #"[{"goals": {"sleep": 1}}, {"goals": {"sleep": 2}}]"#,
            #"[{"a": {"goals": {"sleep": 1}}, "b": {"goals": {"sleep": 2}}}]"#,
        ] {
            let error = await kinError {
                try await store.importArray(text, now: hour(0), options: ShapeOptions(user: "x"))
            }
            #expect(error.says("names only one") && error.says("uid"), "\(String(describing: error))")
        }
        #expect(try store.users().isEmpty)
        // Two records of one person.
        let one = #"[{"goals": {"sleep": 1}}, "# + Self.profile + "]"
        #expect(
            try await store.importArray(one, now: hour(0), options: ShapeOptions(user: "x")).values.sorted() == [1, 1])
    }

    /// A table of reflections has the columns of a database.
    @Test func rowsOfReflectionsAreRead() async throws {
        let store = try Store()
        let row =
            #"[{"id": "7d", "user_id": "u1", "day_number": 3, "completed": true, "reflection_text": "x", "created_at": "2026-03-03 20:00:00+00"}]"#
        #expect(try await store.importArray(row, now: hour(0)) == ["reflection": 1])
        let reflection = try #require(try store.reflections(of: "u1").first)
        #expect(reflection.day == 3 && reflection.text == "x" && reflection.date.description == "2026-03-03")
    }

    @Test func anInvalidRecordOfAnExportIsNamed() async throws {
        let store = try Store()
        let export =
            "{\"events\": {\"e1\": {\"type\": \"feed\", \"timestamp\": \"soon\", \"feedData\": {\"method\": \"bottle\"}}}}"
        let error = await kinError {
            try await store.importArray("[\(export)]", now: hour(0), options: .init(baby: "b1"))
        }
        #expect(
            error.says("timestamp") && error.says("not an instant"), "\(String(describing: error))")
        let unknown = await kinError { try await store.importArray("[{\"results\": [{\"a\": 1}]}]", now: hour(0)) }
        #expect(unknown.says("this is not a record of Kin"))
    }
}
