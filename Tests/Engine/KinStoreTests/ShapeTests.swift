import Foundation
import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Records of apps")
struct ShapeTests {
    let folder = StoreFolder()

    func export(_ store: Store, of user: String? = nil, as shape: RecordShape) throws -> [JSONTree] {
        var records: [JSONTree] = []
        try JSONLines.forEach(in: try store.exportRecords(of: user, as: shape)[...]) { reader, _ throws(KinError) in
            records.append(try JSONTree(from: &reader))
        }
        return records
    }

    func put(_ store: Store, _ records: [String], _ options: ShapeOptions = ShapeOptions()) async throws {
        try await store.importArray("[\(records.joined(separator: ","))]", now: hour(0), options: options)
    }

    /// The record, independent of the order of members.
    private func canonical(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .object(let members):
            .object(
                members.map { JSONTree.Member(name: $0.name, value: canonical($0.value)) }.sorted { $0.name < $1.name })
        case .list(let values): .list(values.map(canonical))
        default: tree
        }
    }

    private func canonical(_ json: String) throws -> JSONTree { canonical(try JSONTree(parsing: json)) }

    @Test(arguments: AppDocuments.all) func recordsAreReturnedUnchanged(shape: RecordShape, records: [String])
        async throws
    {
        for options in [ShapeOptions(), ShapeOptions(shape: shape)] {
            let folder = StoreFolder()
            let store = try folder.open()
            try await put(store, records, options)
            let returned = try export(store, as: shape).map { canonical($0[path: ["record"]] ?? .null) }
            for record in records {
                let isReturned = returned.contains(try canonical(record))
                #expect(isReturned, "\(shape), \(record): \(returned.map(\.jsonText))")
            }
            #expect(returned.count == records.count)
            #expect(try store.check().isIntact)
        }
    }

    @Test(arguments: AppDocuments.all) func anExportImportsToTheSameStore(shape: RecordShape, records: [String])
        async throws
    {
        let others = [StoreFolder(), StoreFolder()]
        let (store, copy, plain) = (try folder.open(), try others[0].open(), try others[1].open())
        try await put(store, records)
        let exported = try export(store, as: shape)
        try await put(copy, exported.map(\.jsonText), ShapeOptions(shape: shape))
        #expect(try EveryKind.export(copy) == EveryKind.export(store))
        // The app's own members also survive an export in Kin's form.
        try await plain.importLines(EveryKind.export(store), now: hour(1))
        #expect(try export(plain, as: shape) == exported)
    }

    @Test func aMissingIDNamesItsOptionOrIsGenerated() async throws {
        let bare = [
            (AppDocuments.grain[0].replacing("\"uid\": \"u\", ", with: ""), "profile"),
            (AppDocuments.grain[2].replacing("\"user_id\": \"u\", ", with: ""), "session"),
            (AppDocuments.serenity[0].replacing("\"uid\": \"u\", ", with: ""), "soul"),
            (#"{"goals": {"sleep": 1}}"#, "soul"), (#"{"valence": -0.5}"#, "soul"),
        ]
        for (record, kind) in bare {
            let folder = StoreFolder()
            let store = try folder.open()
            #expect(await kinError { try await put(store, [record]) }.says("set \"user\""), "\(record)")
            try await put(store, [record], ShapeOptions(user: "z"))
            #expect(try store.users() == ["z"])
            #expect(try EveryKind.export(store).contains("\"\(kind)\""))
            // An id in the record takes precedence over the option.
            let named = String(record.dropLast()) + #", "userId": "y"}"#
            let other = StoreFolder()
            let second = try other.open()
            try await put(second, [named], ShapeOptions(user: "z"))
            #expect(try second.users() == ["y"], "\(named)")
        }
        let store = try folder.open()
        for record in [AppDocuments.grain[1].replacing("\"id\": \"i1\", ", with: "")] {
            let error = await #expect(throws: KinError.self) {
                try await put(store, [record], ShapeOptions(user: "z"))
            }
            #expect(error?.description.contains("write it in \"id\"") == true, "\(String(describing: error))")
        }
    }

    @Test func valuesMatchTheDocuments() async throws {
        let store = try folder.open()
        for (_, records) in AppDocuments.all { try await put(store, records) }
        let events = try #require(try store.rhythmLog(of: "mum", baby: "b1")).records
        #expect(events.count == 6)
        let feed = try #require(events.first { $0.note?.id == "e1" })
        guard case .feed(let bottle) = feed.event else { throw KinError(.invalidArgument, "no feed") }
        #expect(abs((bottle.millilitres ?? 0) - 4.5 * 29.5735) < 1e-9)
        #expect(feed.note?.author == "dad" && bottle.minutes == 12)
        let nap = try #require(events.first { $0.note?.id == "e3" })
        #expect(nap.start.description == "2026-05-01T12:30:00Z" && nap.end?.description == "2026-05-01T14:00:00Z")
        let given = try store.challengeHistory(of: "u")
        #expect(given.map(\.minutes) == [10, nil] && given[0].rating == 4)
        let preferences = try #require(try store.challengePreferences(of: "u"))
        #expect(preferences.budget == .low && preferences.social == .partner && preferences.longestMinutes == 30)
        #expect(try store.challengePreferences(of: "w")?.wantsNotifications == false)
        let challenges = try store.challengeCatalog().challenges
        #expect(challenges.first { $0.id == "c2" }?.time == .rough(.medium))
        #expect(["c2", "c1"].map { id in challenges.first { $0.id == id }?.difficulty } == [.beginner, .intermediate])
        let rotation = try #require(try store.rotation(of: "v"))
        #expect(rotation.refresh.description == "00:00" && rotation.reminder?.description == "16:00")
        #expect(try store.rotation(of: "u")?.reminder == nil)
        let reflection = try #require(try store.reflections(of: "u").first)
        #expect(reflection.date.description == "2026-01-19" && reflection.day == 7 && reflection.text == "Quiet.")
    }

    @Test func theEndOfASleepFollowsFromItsDuration() async throws {
        let store = try folder.open()
        let sleep = """
            {"id": "e7", "babyId": "b1", "type": "sleep", "timestamp": "2026-05-01T12:30:00Z", "createdBy": "mum",
             "sleepData": {"startTime": "2026-05-01T12:30:00Z", "endTime": null, "duration": 95}}
            """
        try await put(store, [AppDocuments.baby, sleep])
        let records = try #require(try store.rhythmLog(of: "mum", baby: "b1")).records
        #expect(records.map { $0.end?.description } == ["2026-05-01T14:05:00Z"])
    }

    @Test func aChangedRecordIsReturnedWithItsChanges() async throws {
        let store = try folder.open()
        try await put(store, AppDocuments.outOfBox)
        try await store.change(.preferences(of: "u")) { $0?.budget = .high }
        let record = try #require(
            try export(store, of: "u", as: .outOfBox).first { $0[path: ["kind"]] == .text("challenge_preferences") })
        #expect(record[path: ["record", "budgetLevel"]] == .number("3"))
        #expect(record[path: ["record", "lastPersonalizationUpdate"]] == .text("2026-01-01T00:00:00Z"))
        try await store.change(.preferences(of: "w")) { $0?.wantsNotifications = true }
        let synced = try #require(try export(store, of: "w", as: .outOfBox).first)
        guard case .text(let encoded)? = synced[path: ["record", "preferences"]] else {
            throw KinError(.invalidArgument, "no preferences")
        }
        let inner = try JSONTree(parsing: String(decoding: Data(base64Encoded: encoded) ?? Data(), as: UTF8.self))
        #expect(inner[path: ["notificationsEnabled"]] == .boolean(true))
        // The other members of the encoded object have their original form.
        #expect(inner[path: ["timeWindow"]] == .text("10:00-20:00"))
        #expect(inner[path: ["maxTimeInvestment"]] == .number("2") && inner[path: ["id"]] == .text("p3"))
        #expect(inner[path: ["lastPersonalizationUpdate"]] == .text("2026-01-01T00:00:00Z"))
    }

    @Test func forgettingAPersonErasesTheirMembers() async throws {
        let store = try folder.open()
        try await put(store, [AppDocuments.baby] + AppDocuments.events)
        // The other owner keeps the log, with the members of that owner's events.
        try await store.forget("mum")
        #expect(try store.exportRecords(as: .babysync).isEmpty == false)
        #expect(try folder.found(["mum", "to the left"]) == nil && folder.found(["a.example"]) != nil)
        try await store.forget("dad")
        #expect(try store.exportRecords(as: .babysync).isEmpty)
        #expect(try folder.found(["dad", "a.example", "Ada"]) == nil)
    }

    @Test func idsComeFromTheOptionsTheRecordOrTheStore() async throws {
        let store = try folder.open()
        let bare = #"{"type": "diaper", "timestamp": "2026-05-01T09:00:00Z", "diaperData": {"type": "wet"}}"#
        await #expect(throws: KinError.self) { try await put(store, [bare]) }
        try await put(store, [bare], ShapeOptions(user: "mum", baby: "b1"))
        let first = try #require(try store.rhythmLog(of: "mum", baby: "b1")?.records.first)
        #expect(first.note?.id?.hasPrefix("diaper-2026-05-01T09:00:00Z-") == true)
        // Storing an event again gives the same event; the store already knows the baby's caregiver.
        try await put(store, [AppDocuments.baby, bare], ShapeOptions(baby: "b1"))
        #expect(try store.rhythmLog(of: "mum", baby: "b1")?.records.count == 1)
        let other = #"{"record": {"type": "diaper", "timestamp": "2026-05-01T11:00:00Z"}, "baby": "b1", "id": "x"}"#
        try await put(store, [other])
        let ids = try store.rhythmLog(of: "mum", baby: "b1")?.records.map { $0.note?.id }
        #expect(ids == [first.note?.id, "x"])
    }

    @Test func unknownMembersAreErrorsUnlessPreserved() async throws {
        let store = try folder.open()
        for (shape, records) in AppDocuments.all {
            for record in records {
                let odd = String(record.dropLast()) + #", "moonPhase": {"angle": 0.5}}"#
                await #expect(throws: KinError.self, "\(shape)") {
                    try await put(store, [odd], ShapeOptions(shape: shape))
                }
                try await put(store, [odd], ShapeOptions(shape: shape, keepsUnknown: true))
                let isReturned = try export(store, as: shape).contains {
                    $0[path: ["record", "moonPhase", "angle"]] == .number("0.5")
                }
                #expect(isReturned, "\(shape), \(record)")
            }
        }
    }

    @Test(arguments: [
        (#"{"type":"feed","timestamp":"2026-05-01T10:00","feedData":{}}"#, "timestamp"),
        (#"{"type":"feed","timestamp":"2026-05-01T10:00:00Z","feedData":{"volume":"4 oz"}}"#, "feedData.volume"),
        (#"{"type":"sleep","timestamp":"2026-05-01T10:00:00Z","sleepData":{"endtime":null}}"#, "sleepData.endtime"),
        (#"{"title":"t","timeInvestment":9,"difficultyLevel":7,"category":"c"}"#, "difficultyLevel"),
        (#"{"dayNumber":1,"completed":true,"timestamp":"yesterday"}"#, "timestamp"),
        (#"{"type":"feed","timestamp":"2026-05-01T10:00:00Z","feedData":{"method":"x"}}"#, "feedData.method"),
        (#"{"type":"diaper","timestamp":"2026-05-01T10:00:00Z","diaperData":{"type":"x"}}"#, "diaperData.type"),
        (
            #"{"type":"sleep","timestamp":"2026-05-01T10:00:00Z","sleepData":{"isNightSleep":3}}"#,
            "sleepData.isNightSleep"
        ),
        (
            #"{"challengeID":"c","assignedDate":"2026-05-01T10:00:00Z","status":"completed","userRating":9}"#,
            "userRating"
        ),
        (
            #"""
            {"challengeID":"c","assignedDate":"2026-05-01T10:00:00Z","completedDate":"2026-05-01T11:00:00Z",
             "status":"completed","completionTime":-1}
            """#,
            "the record has -1 (seconds to minutes)"
        ),
        (#"{"title":"t","timeInvestment":9,"socialRequirement":4,"category":"c","id":"d"}"#, "not 4"),
        (#"{"currentDay":0,"domainFocus":null}"#, "currentDay"),
        (#"{"challenge":"c","assignedDate":true}"#, "assignedDate"),
    ]) func anErrorNamesTheAppsField(record: String, field: String) async throws {
        let store = try folder.open()
        do {
            try await put(store, [record], ShapeOptions(user: "u", baby: "b"))
            Issue.record("\(record) was taken")
        } catch let error as KinError {
            #expect(error.description.contains(field) && !error.description.contains("4.0"), "\(error)")
        }
    }

    @Test func aDocumentMayBePrettyAndHaveComments() async throws {
        let path = "\(folder.path)/records.json"
        let text = """
            \u{FEFF}// What the app wrote.
            [
              \(AppDocuments.events[0]), /* and
              the next */ \(AppDocuments.events[1])
            ]
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        let store = try folder.open()
        #expect(
            try await store.importLines(from: path, now: hour(0), options: ShapeOptions(user: "mum"))
                == ["care_event": 2])
        // Pretty-printed records in sequence, and lines after a byte order mark.
        for text in [
            AppDocuments.baby + "\n" + AppDocuments.events[2], "\u{FEFF}" + AppDocuments.baby.replacing("\n", with: ""),
        ] {
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(try await store.importLines(from: path, now: hour(0))["baby"] == 1)
        }
        try Data("[{\"type\": 1}\n /* open".utf8).write(to: URL(filePath: path))
        await #expect(throws: KinError.self) { try await store.importLines(from: path, now: hour(0)) }
    }

    @Test func aReportDescribesTheConversionOfEachField() throws {
        let odd = #"{"type": "feed", "timestamp": "2026-05-01T10:00:00Z", "feedData": {"volume": 4, "brand": "x"}}"#
        let reports = try ShapeReport.reports(of: "[\(odd), \(AppDocuments.events[4]), {\"a\": 1}]")
        #expect(reports.map(\.record) == ["feed", "diaper", nil])
        let feed = reports[0]
        #expect(feed.fields.map(\.becomes) == ["event.start", "event.volume"])
        #expect(feed.fields[1].conversion == "ounces to millilitres")
        #expect(feed.unknown == ["feedData.brand"] && feed.needs == ["baby", "user", "id"])
        #expect(reports[1].needs == ["user"] && reports[2].unknown == ["a"])
    }
}
