import Foundation
import KinChallenges
import KinCore
import KinJSON
import KinRhythms
import KinStore
import KinTestSupport
import Testing

/// Records in the form of the apps' documents, with ids.
private enum Documents {
    static let baby = """
        {"id": "b1", "name": "Ada", "dateOfBirth": "2026-01-05T00:00:00Z", "gender": "female", "photoURL": null,
         "owners": ["mum", "dad"], "createdBy": "mum", "createdAt": "2026-01-06T08:30:00Z"}
        """
    static let events = [
        """
        {"id": "e1", "babyId": "b1", "type": "feed", "timestamp": "2026-05-01T10:00:00Z", "createdBy": "dad",
         "createdAt": "2026-05-01T10:20:00Z", "updatedAt": "2026-05-01T10:21:00Z", "notes": "sleepy",
         "photoURLs": ["https://a.example/1.jpg"],
         "feedData": {"method": "bottle", "volume": 4.5, "side": null, "duration": 12, "foodType": null}}
        """,
        """
        {"id": "e2", "babyId": "b1", "type": "feed", "timestamp": {"seconds": 1777640400, "nanoseconds": 0},
         "createdBy": "mum", "createdAt": {"_seconds": 1777640400, "_nanoseconds": 5000000},
         "feedData": {"method": "breast", "side": "left", "duration": 20}}
        """,
        """
        {"id": "e3", "babyId": "b1", "type": "sleep", "timestamp": "2026-05-01T14:05:00Z", "createdBy": "mum",
         "sleepData": {"startTime": "2026-05-01T12:30:00Z", "endTime": "2026-05-01T14:00:00Z", "duration": 90,
                       "quality": "good", "napNumber": 2, "isNightSleep": false}}
        """,
        """
        {"id": "e4", "babyId": "b1", "type": "sleep", "timestamp": "2026-05-01T19:30:00Z",
         "sleepData": {"startTime": "2026-05-01T19:30:00Z", "endTime": null, "isNightSleep": true}}
        """,
        """
        {"id": "e5", "babyId": "b1", "type": "diaper", "timestamp": "2026-05-01T09:00:00Z", "diaperData": {"type": "both"}}
        """,
        """
        {"id": "e6", "babyId": "b1", "type": "milestone", "timestamp": "2026-05-01T09:30:00Z",
         "milestoneData": {"title": "Rolled over", "description": "to the left", "category": "physical"}}
        """,
    ]
    static let quote = (1...16).map { "word\($0)" }.joined(separator: " ")
    static let danke = [
        """
        {"id": 7, "quote": "\(quote)", "quoteSource": "The Art of Focus", "action": "Sit still.",
         "actionDuration": "15 min", "domain": "health", "difficulty": "beginner"}
        """,
        """
        {"userId": "u", "currentDay": 3, "domainFocus": "wealth", "widgetRefreshTime": "2026-01-18T00:00:00Z",
         "eveningReminderEnabled": false, "eveningReminderTime": "2026-01-18T20:00:00Z"}
        """,
        """
        {"userId": "v", "currentDay": 1, "domainFocus": null, "widgetRefreshTime": 790387200,
         "eveningReminderEnabled": true, "eveningReminderTime": 790444800}
        """,
        """
        {"userId": "u", "dayNumber": 7, "completed": true, "reflectionText": "Quiet.", "timestamp": "2026-01-19T21:00:00Z"}
        """,
    ]
    static let challenge = """
        {"id": "c1", "title": "Walk", "description": "Walk home.", "category": "nature", "timeInvestment": 15,
         "socialRequirement": 0, "costLevel": 1, "difficultyLevel": 2, "tags": ["out"], "isActive": true,
         "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-02T00:00:00Z"}
        """
    static let outOfBox = [
        challenge,
        """
        {"challengeID": "c2", "title": "Call", "description": "", "category": "social", "timeInvestment": 2,
         "socialRequirement": 2, "costLevel": 0, "difficultyLevel": 1, "tags": [], "isActive": false,
         "minAppVersion": "1.2", "contentHash": "9f86d081"}
        """,
        """
        {"userID": "u", "id": "x1", "challenge": \(challenge), "status": "completed",
         "assignedDate": "2026-01-03T08:00:00Z", "completedDate": "2026-01-03T09:00:00Z", "photoPath": "p/1.jpg",
         "userRating": 4, "completionTime": 600}
        """,
        """
        {"userID": "u", "id": "x2", "challenge": \(challenge), "status": "pending",
         "assignedDate": "2026-01-04T08:00:00Z", "completedDate": null, "photoPath": null, "userRating": null,
         "completionTime": null}
        """,
        """
        {"userID": "u", "id": "p1", "timeWindow": {"start": "09:00", "end": "18:30"}, "preferredCategories": ["nature"],
         "maxTimeInvestment": 30, "budgetLevel": 1, "socialComfortLevel": 2, "notificationsEnabled": true,
         "lastPersonalizationUpdate": "2026-01-01T00:00:00Z"}
        """,
        """
        {"userID": "w", "preferences": "\(encodedPreferences)", "completedChallenges": ["c1"],
         "lastSyncDate": "2026-01-01T00:00:00Z", "deviceIdentifier": "d"}
        """,
    ]
    static let encodedPreferences = Data(
        #"{"timeWindow":{"start":"10:00","end":"20:00"},"budgetLevel":0,"socialComfortLevel":1,"notificationsEnabled":false}"#
            .utf8
    ).base64EncodedString()
    static let grain = [
        """
        {"uid": "u", "pleasure_profile": {"order": 0.6, "enclosure": 0.4, "path": 0.7, "horizon": 0.5, "anxiety": 0.3,
          "ignorance": 0.8, "repetition": 0.5, "post": 0.6, "food": 0.7, "mobility": 0.8, "erotic_uncertainty": 0.4,
          "material_play": 0.6, "power": 0.3, "nature_mirror": 0.7, "serendipity_following": 0.9, "anchor_expansion": 0.5},
         "circadian_profile": {"dawn": ["nature_mirror", "mobility"], "morning": ["order"], "afternoon": ["food"],
          "evening": ["enclosure"], "night": ["horizon"]},
         "current_state": "depleted", "session_state": "idle", "context": "nyc"}
        """,
        """
        {"id": "i1", "name": "Zoom H4n Recorder", "type": "tool", "access_mode": "public_library",
         "location_coords": {"lat": 40.7, "lng": -73.9}, "status": "available",
         "affordances": [{"sense": "auditory", "intensity": "high", "context": "solitude"},
                         {"pleasure_dims": ["material_play", "order"]}],
         "temporal_tags": {"best_times": ["morning"], "duration_range": {"min": 30, "max": 120}, "seasonal": ["all"]}}
        """,
        """
        {"id": "s1", "user_id": "u", "state": "drift", "state_history": ["idle", "drift", "mastery", "drift"],
         "timestamp_start": "2026-01-01T10:00:00Z", "timestamp_end": "2026-01-01T11:00:00Z", "transcript_url": "t",
         "media_urls": ["m"], "pleasure_vector": {"primary": ["mobility"], "secondary": ["horizon"],
          "intensities": {"mobility": 0.7, "horizon": 0.3}}, "notes": "n", "embedding_id": "v1"}
        """,
    ]

    static let all: [(RecordShape, [String])] = [
        (.babysync, [baby] + events), (.danke, danke), (.outOfBox, outOfBox), (.grain, grain),
    ]
}

@Suite("Records of apps")
struct ShapeTests {
    private let folder = StoreFolder()

    private func export(_ store: Store, of user: String? = nil, as shape: RecordShape) throws -> [JSONTree] {
        var records: [JSONTree] = []
        try JSONLines.forEach(in: try store.exportRecords(of: user, as: shape)[...]) { reader, _ throws(KinError) in
            records.append(try JSONTree(from: &reader))
        }
        return records
    }

    private func put(_ store: Store, _ records: [String], _ options: ShapeOptions = ShapeOptions()) async throws {
        try await store.importArray("[\(records.joined(separator: ","))]", now: hour(0), options: options)
    }

    /// The record, independent of the order of members.
    private func canonical(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .object(let members):
            .object(
                members.map { JSONTree.Member(name: $0.name, value: canonical($0.value)) }.sorted { $0.name < $1.name })
        case .list(let values): .list(values.map(canonical))
        case .number: tree.double.map { .number($0) } ?? tree
        default: tree
        }
    }

    private func canonical(_ json: String) throws -> JSONTree { canonical(try JSONTree(parsing: json)) }

    @Test(arguments: Documents.all) func aRecordIsReturnedAsItCame(shape: RecordShape, records: [String]) async throws {
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

    @Test(arguments: Documents.all) func anExportImportsToTheSameStore(shape: RecordShape, records: [String])
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

    @Test func valuesMeanWhatTheDocumentsSay() async throws {
        let store = try folder.open()
        for (_, records) in Documents.all { try await put(store, records) }
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
        #expect(try store.challengeCatalog().challenges.first { $0.id == "c2" }?.time == .rough(.medium))
        let rotation = try #require(try store.rotation(of: "v"))
        #expect(rotation.refresh.description == "00:00" && rotation.reminder?.description == "16:00")
        #expect(try store.rotation(of: "u")?.reminder == nil)
        let reflection = try #require(try store.reflections(of: "u").first)
        #expect(reflection.date.description == "2026-01-19" && reflection.day == 7 && reflection.text == "Quiet.")
    }

    @Test func aChangedRecordIsReturnedAsItIsNow() async throws {
        let store = try folder.open()
        try await put(store, Documents.outOfBox)
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
        #expect(inner[path: ["timeWindow", "start"]] == .text("10:00"))
    }

    @Test func forgettingAPersonErasesTheirMembers() async throws {
        let store = try folder.open()
        try await put(store, [Documents.baby] + Documents.events)
        try await store.forget("mum")
        #expect(try store.exportRecords(as: .babysync).isEmpty)
        #expect(try folder.found(["a.example", "to the left"]) == nil)
    }

    @Test func idsComeFromTheOptionsTheRecordOrTheStore() async throws {
        let store = try folder.open()
        let bare = #"{"type": "diaper", "timestamp": "2026-05-01T09:00:00Z", "diaperData": {"type": "wet"}}"#
        await #expect(throws: KinError.self) { try await put(store, [bare]) }
        try await put(store, [bare], ShapeOptions(user: "mum", baby: "b1"))
        let first = try #require(try store.rhythmLog(of: "mum", baby: "b1")?.records.first)
        #expect(first.note?.id == "diaper-2026-05-01T09:00:00Z")
        // Storing an event again gives the same event; the store already knows the baby's caregiver.
        try await put(store, [Documents.baby, bare], ShapeOptions(baby: "b1"))
        #expect(try store.rhythmLog(of: "mum", baby: "b1")?.records.count == 1)
        let other = #"{"record": {"type": "diaper", "timestamp": "2026-05-01T11:00:00Z"}, "baby": "b1", "id": "x"}"#
        try await put(store, [other])
        let ids = try store.rhythmLog(of: "mum", baby: "b1")?.records.map { $0.note?.id }
        #expect(ids == ["diaper-2026-05-01T09:00:00Z", "x"])
    }

    @Test func unknownMembersAreErrorsUnlessTheyAreKept() async throws {
        let store = try folder.open()
        for (shape, records) in Documents.all {
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
    ]) func anErrorNamesTheAppsField(record: String, field: String) async throws {
        let store = try folder.open()
        do {
            try await put(store, [record], ShapeOptions(user: "u", baby: "b"))
            Issue.record("\(record) was taken")
        } catch let error as KinError {
            #expect(error.description.contains(field), "\(error)")
        }
    }

    @Test func aDocumentMayBePrettyAndHaveComments() async throws {
        let path = "\(folder.path)/records.json"
        let text = """
            \u{FEFF}// What the app wrote.
            [
              \(Documents.events[0]), /* and
              the next */ \(Documents.events[1])
            ]
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        let store = try folder.open()
        #expect(
            try await store.importLines(from: path, now: hour(0), options: ShapeOptions(user: "mum"))
                == ["care_event": 2])
        // Pretty-printed records in sequence, and lines after a byte order mark.
        for text in [
            Documents.baby + "\n" + Documents.events[2], "\u{FEFF}" + Documents.baby.replacing("\n", with: ""),
        ] {
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(try await store.importLines(from: path, now: hour(0))["baby"] == 1)
        }
        try Data("[{\"type\": 1}\n /* open".utf8).write(to: URL(filePath: path))
        await #expect(throws: KinError.self) { try await store.importLines(from: path, now: hour(0)) }
    }

    @Test func aReportSaysWhatBecomesOfEachField() throws {
        let odd = #"{"type": "feed", "timestamp": "2026-05-01T10:00:00Z", "feedData": {"volume": 4, "brand": "x"}}"#
        let reports = try ShapeReport.reports(of: "[\(odd), \(Documents.events[4]), {\"a\": 1}]")
        #expect(reports.map(\.record) == ["feed", "diaper", nil])
        let feed = reports[0]
        #expect(feed.fields.map(\.becomes) == ["event.start", "event.volume"])
        #expect(feed.fields[1].conversion == "ounces to millilitres")
        #expect(feed.unknown == ["feedData.brand"] && feed.needs == ["baby", "user", "id"])
        #expect(reports[1].needs == ["user"] && reports[2].unknown == ["a"])
    }
}
