import Foundation
import GRDB
import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Traces of a forgotten person in other people's records.
@Suite("Forgetting the author of events in other people's records")
struct SharedTraceTests {
    private let folder = StoreFolder()
    /// The id in two Unicode forms: one person.
    private let dad = "dad-to-forget-\u{E9}", decomposed = "dad-to-forget-e\u{301}"
    private let traces = ["dad-to-forget", "secret-words"]

    /// Three logs of two people, with their own events and events of the person to forget.
    private func filled() async throws -> Store {
        let store = try folder.open()
        for (user, baby) in [("anna", "ada"), ("anna", "ben"), ("mum", "ada")] {
            try await store.put(
                (0..<9).map { number in
                    let author = number % 3 == 0 ? user : number % 3 == 1 ? dad : decomposed
                    return try bottle(
                        "e\(number)", of: user, baby: baby, by: author, minute: 100 * number,
                        text: author == user ? "plain" : "secret-words \(number)")
                })
        }
        return store
    }

    private func events(_ store: Store, _ user: String, _ baby: String) throws -> [RhythmRecord] {
        try #require(try store.rhythmLog(of: user, baby: baby)).records
    }

    @Test(arguments: [true, false])
    func eventsInOtherLogsGetARandomName(_ hasRecords: Bool) async throws {
        let store = try await filled()
        if hasRecords {
            var sample = SampleRecords()
            try await store.put([sample.session("s", of: dad, notes: "secret-words")])
            try await store.put([bottle("own", of: dad, baby: "eve", by: "anna", minute: 1, text: "secret-words")])
        }
        let logs = [("anna", "ada"), ("anna", "ben"), ("mum", "ada")]
        let before = try logs.map { try events(store, $0.0, $0.1) }
        try store.deriveSavedValues()
        try await store.saveIndexes()
        #expect(try folder.found(traces) != nil)

        let counts = try await store.forget(dad)
        #expect(counts == (hasRecords ? ["session": 1, "care_event": 1, "shared_event": 18] : ["shared_event": 18]))
        #expect(try folder.found(traces) == nil)
        var names: Set<String> = []
        for ((user, baby), old) in zip(logs, before) {
            let new = try events(store, user, baby)
            let authors = Set(new.compactMap(\.note?.author))
            #expect(authors.count == 2 && authors.contains(user), "one name in a log: \(authors)")
            names.formUnion(authors.subtracting([user]))
            for (old, new) in zip(old, new) {
                var expected = old
                if old.note?.author != user {
                    expected.note?.author = authors.subtracting([user]).first
                    expected.note?.text = nil
                }
                #expect(new == expected)
            }
        }
        #expect(names.count == 3, "another name in each log: \(names)")
        #expect(try store.check().problems == [])
        try await store.close()
        #expect(try folder.found(traces) == nil)
        let again = try folder.open()
        #expect(try again.check().isIntact)
        #expect(try await again.forget(dad).isEmpty)
        #expect(try events(again, "mum", "ada").count == 9)
    }

    /// A damaged event prevents forgetting, and all records stay unchanged.
    @Test func aDamagedEventPreventsForgetting() async throws {
        let store = try await filled()
        try await store.pool.write {
            try $0.execute(
                sql: "UPDATE care_event SET body = replace(body, 'secret-words 4', 'secret-words 5') WHERE number = 5")
        }
        let before = try await store.pool.read { try String.fetchAll($0, sql: "SELECT body FROM care_event") }
        #expect(await errorCode { try await store.forget(dad) } == .corruptFile)
        #expect(try await store.pool.read { try String.fetchAll($0, sql: "SELECT body FROM care_event") } == before)
    }

    /// Inbox items that were imported without their author are found by the anonymous name.
    @Test func contentUnderAnAnonymousNameIsErased() async throws {
        let sample = try await EveryKind()
        let store = try folder.open()
        try await store.importLines(EveryKind.export(sample.store, of: EveryKind.reader), now: hour(99))
        let names = try EveryKind.export(sample.store, of: EveryKind.person).split(separator: "\n")
            .filter { $0.hasPrefix("{\"anonymous_name\"") }
        try await store.importLines(names.joined(separator: "\n"), now: hour(99))
        #expect(try folder.found(EveryKind.traces) != nil)
        try await store.forget(EveryKind.person)
        #expect(try folder.found(EveryKind.traces) == nil)
        #expect(try store.check().problems == [])
        #expect(try store.inbox(of: EveryKind.reader).count < sample.store.inbox(of: EveryKind.reader).count)
    }

    /// Members that contain the id as a whole word are removed from the logs that the person shared or entered events
    /// in, and nothing else changes.
    @Test(arguments: ["dad77", "anna@example.com", "zo\u{E9}x", "12", "a/b", "q\"q"])
    func onlyMembersWithTheIDAreRemoved(_ id: String) async throws {
        let encoded = id.addingPercentEncoding(withAllowedCharacters: .urlUserAllowed) ?? id
        let others = """
            "created":"2026-12-12T12:12:12Z","day":"2026-12-12",\
            "longer":"x\(id.jsonText.dropFirst().dropLast()) \(id.jsonText.dropFirst().dropLast())9","count":1212,"rate":"1%2x"}
            """
        let kept = "{\"map\":{\"gran\":{\"role\":\"gran\"}},\"people\":[\"gran\",{}],\(others)"
        let full = """
            {"map":{\(id.jsonText):{"role":"dad"},"gran":{"role":"gran",\(("by-" + id).jsonText):1}},\
            "people":[\(id.jsonText),"gran",{"id":\(id.jsonText)}],"photo":"https://x/users%2F\(encoded)%2Fbaby.jpg?alt=5%",\
            "form":\("/users/\(id.decomposedStringWithCanonicalMapping)_1.jpg".jsonText),"image":\("\(id).jpg".jsonText),\
            \(others)
            """
        func event(_ user: String, _ baby: String, _ event: String, by author: String) -> String {
            """
            {"care_event":{"user_id":"\(user)","baby":"\(baby)","event":{"id":"\(event)","type":"feed","method":"bottle",\
            "start":"2026-05-01T10:00:00Z","author":\(author.jsonText),"extra":\(full)}}}
            """
        }
        let store = try folder.open()
        try await store.importLines(
            [
                #"{"baby":{"user_id":"mum","id":"b1","name":"B","owners":["mum",\#(id.jsonText)],"extra":\#(full)}}"#,
                #"{"baby":{"user_id":"gran","id":"b2","name":"C","extra":\#(full)}}"#,
                #"{"baby":{"user_id":"aunt","id":"b3","name":"D","extra":\#(full)}}"#,
                event("mum", "b1", "e1", by: "mum"), event("gran", "b2", "e2", by: "gran"),
                event("aunt", "b3", "e3", by: "aunt"), event("aunt", "b3", "e4", by: id),
            ].joined(separator: "\n"), now: hour(1))
        let stranger = try EveryKind.export(store, of: "gran")
        for nobody in ["2026", "05", "gra", "photo2"] { #expect(try await store.forget(nobody).isEmpty) }
        #expect(try EveryKind.export(store, of: "gran") == stranger)

        let counts = try await store.forget(id)
        #expect(counts == ["shared_baby": 1, "shared_event": 1, "shared_extra": 4], "\(counts)")
        #expect(try EveryKind.export(store, of: "gran") == stranger)
        for user in ["mum", "aunt"] {
            let lines = try EveryKind.export(store, of: user).split(separator: "\n").map(String.init)
            let extras = try lines.compactMap { line in
                let record = try #require(JSONTree(parsing: line).members.first?.value)
                return record[path: ["extra"]] ?? record[path: ["event", "extra"]]
            }
            #expect(try extras == [JSONTree(parsing: kept), JSONTree(parsing: kept)], "\(lines)")
        }
        #expect(try store.check().problems == [])
    }

    /// The text members of every kind of record, by name. A new member is added to `known` or `empty` once it is known
    /// whether the text can name a person other than the owner. Members with such texts are added to the sample of this suite.
    @Test func everyTextMemberIsListed() async throws {
        let sample = try await EveryKind()
        let withAuthor = try bottle("e", of: EveryKind.reader, baby: "b", by: "a", minute: 0, text: "t").jsonText
        var (found, filled): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        let lines = try EveryKind.export(sample.store).split(separator: "\n").map(String.init)
        for line in lines + ["{\"care_event\":\(withAuthor)}"] {
            let object = try jsonObject(line)
            for (kind, value) in object where RecordKind.all.contains(where: { $0.name == kind }) {
                Self.texts(in: value, "", &found[kind, default: []])
                filled[kind, default: []].formUnion((value as? [String: Any] ?? [:]).keys)
            }
        }
        for kind in RecordKind.all {
            let known = Set((Self.known[kind.name] ?? "").split(separator: " ").map(String.init))
            #expect(found[kind.name] ?? [] == known, "\(kind.name): \(found[kind.name]?.sorted() ?? [])")
        }
        for record in RecordReference.all {
            let known = Set((Self.empty[record.kind] ?? "").split(separator: " ").map(String.init))
            let empty = Set(record.fields.map(\.name)).subtracting(filled[record.kind] ?? []).subtracting(["extra"])
            #expect(empty == known, "\(record.kind): fill a new field in SampleRecords or EveryKind, or list it")
        }
    }

    private static func texts(in value: Any, _ path: String, _ found: inout Set<String>) {
        switch value {
        case is String: found.insert(path)
        case let values as [Any]: for value in values { texts(in: value, path, &found) }
        case let object as [String: Any]:
            for (name, value) in object { texts(in: value, path.isEmpty ? name : "\(path).\(name)", &found) }
        default: break
        }
    }

    /// The declared fields that the sample leaves empty, by kind. None has a text that can name a person other than the
    /// owner. `extra` has a test of its own.
    private static let empty: [String: String] = [
        "soul": "goals realms objects patterns history",
        "baby": "time_zone",
        "affinity_model": "shrink quantiles minimum_coverage minimum_events",
        "challenge_preferences": "max_time app_version variety",
        "user_challenge": "completed_date rating completion_time",
        "challenge_decision": "reward learned ignored weight is_withdrawn",
        "challenge": "description created_at minimum_app_version",
        "content_day": "minimum_app_version",
        "insight_ledger": "reported before",
    ]

    private static let known: [String: String] = [
        "profile": "circadian_profile.dawn context.city current_state session_state uid",
        "session": """
        id notes pleasure_vector.primary pleasure_vector.secondary state state_history timestamp_start \
        user_id
        """,
        "session_embedding": "model session_id user_id vector",
        "soul": "note uid",
        "anonymous_name": "name uid",
        "contribution": """
        contribution.story.content contribution.story.narrativeType contribution.story.title \
        contribution.story.triggerZone id made uid
        """,
        "inbox": "arrived author connection contribution item state uid",
        "block": "author contribution uid",
        "baby": "date_of_birth id name owners user_id",
        "forecast_ledger": "baby forecasts user_id",
        "insight_ledger": "baby insights.expires insights.id insights.title user_id",
        "care_event": """
        baby event.author event.created event.id event.kind event.method event.notes event.start event.type \
        event.unit event.updated user_id
        """,
        "inventory_item": """
        access_mode affordances.context affordances.intensity affordances.pleasure_dims affordances.sense id \
        name status temporal_tags.best_times temporal_tags.seasonal type
        """,
        "image": "image_id",
        "challenge_preferences": """
        budget_level preferred_categories selection social_comfort time_window time_zone user_id
        """,
        "user_challenge": "assigned_date challenge_id date status user_id",
        "challenge_decision": "candidates.actions challenge_id made user_id",
        "challenge_state": "policy queue.challenge_id user_id",
        "notification": "local_time sent user_id weekday",
        "rotation": "date reached refresh_time segments.from user_id",
        "reflection": "date domain text time user_id",
        "challenge": "category content_hash cost_level difficulty_level id social_requirement title updated_at",
        "content_day": "action difficulty domain quote source",
        "policy": "name policy",
    ]
}
