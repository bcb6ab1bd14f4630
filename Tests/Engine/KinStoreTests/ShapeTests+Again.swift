import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

// Documents that an app puts again, and records of Kin in an app's format.
extension ShapeTests {
    private func put(_ store: Store, _ records: [String], user: String, at now: Timestamp) async throws {
        try await store.importArray(
            "[\(records.joined(separator: ","))]", now: now, options: ShapeOptions(user: user, baby: "b1"))
    }

    private func rotation(day: Int, focus: String = "null", reminder: Bool = false) -> String {
        """
        {"currentDay": \(day), "domainFocus": \(focus), "widgetRefreshTime": "2026-01-18T00:00:00Z",
         "eveningReminderEnabled": \(reminder), "eveningReminderTime": "2026-01-18T20:00:00Z"}
        """
    }

    private func reflection(_ day: Int, _ time: String, _ text: String = "") -> String {
        #"{"dayNumber": \#(day), "completed": true, "reflectionText": "\#(text)", "timestamp": "\#(time)"}"#
    }

    @Test func everyFieldOfKinIsInAnAppsFormatOrStays() {
        let fields: [(kind: String, names: [String], derived: [String])] = [
            ("baby", BabyRecord.form.fields.map(\.name), []),
            ("content_day", ContentItem.form.fields.map(\.name), []),
            (
                "rotation", ContentRotation.form.fields.map(\.name),
                ["date", "is_advanced", "days_in_all", "reached", "segments"]
            ),
            ("reflection", DailyReflection.form.fields.map(\.name), ["date", "domain"]),
            ("challenge", Challenge.form.fields.map(\.name), ["content_hash"]),
            ("user_challenge", UserChallenge.form.fields.map(\.name), ["date"]),
            ("challenge_preferences", ChallengePreferences.form.fields.map(\.name), []),
        ]
        for (kind, names, derived) in fields {
            let records = RecordShape.allCases.flatMap(\.records).filter { $0.kind == kind }
            #expect(!records.isEmpty)
            for record in records where record.exportedWith.isEmpty {
                let known = record.fields.compactMap(\.ours.first) + record.ids.map { $0.ours[0] } + record.kept
                #expect(Set(names).subtracting(known + derived + ["extra"]).isEmpty, "\(record.name)")
            }
        }
        let kept = OutOfBoxShape.records.filter { $0.kind == "challenge_preferences" }.map(\.kept)
        #expect(kept.count == 2 && kept[0] == kept[1])
    }

    @Test func aDocumentPutAgainKeepsWhatItsFormatLacks() async throws {
        let store = try folder.open()
        for user in ["u", "w"] {
            let document = AppDocuments.outOfBox.first {
                $0.contains("\"userID\": \"\(user)\"") && !$0.contains("status")
            }!
            try await put(store, [document])
            try await store.change(.preferences(of: user)) { stored in
                let known = try #require(stored)
                stored = try ChallengePreferences(
                    userID: user, window: known.window, budget: .free,
                    quietHours: [DailyWindow(parsing: "22:00-07:00")], dailyBudget: 3, timeZone: "Asia/Tokyo",
                    recoveryDays: 60, selection: .random, appVersion: AppVersion(parsing: "1.2"), variety: 0.5)
            }
            try await put(store, [document])
            let stored = try #require(try store.challengePreferences(of: user))
            #expect(stored.timeZone == "Asia/Tokyo" && stored.quietHours.count == 1 && stored.dailyBudget == 3)
            #expect(stored.recoveryDays == 60 && stored.selection == .random && stored.variety == 0.5)
            #expect(stored.appVersion?.description == "1.2")
            // The fields of the document are the document's.
            #expect(stored.budget == (user == "u" ? .low : .free))
        }
        // A zone in the document counts.
        let zoned = #"{"userID": "u", "timeWindow": "10:00-20:00", "maxTimeInvestment": 1, "timeZone": "Asia/Seoul"}"#
        try await put(store, [zoned])
        #expect(try store.challengePreferences(of: "u")?.timeZone == "Asia/Seoul")
        let own = """
            {"baby": {"user_id": "mum", "id": "b1", "name": "A", "time_zone": "Asia/Tokyo", "owners": ["mum", "dad"]}},
            {"care_event": {"user_id": "mum", "baby": "b1", "event": {"id": "e1", "type": "feed",
             "start": "2026-05-01T20:00:00Z", "time_zone": "Asia/Seoul"}}},
            {"content_day": {"id": 7, "quote": "\(AppDocuments.quote)", "source": "s", "action": "a", "duration": 5,
             "domain": "health", "difficulty": "beginner", "minimum_app_version": "3.1"}}
            """
        try await put(store, [own])
        for user in ["mum", "dad"] {
            try await put(
                store, [AppDocuments.baby.replacing("\"createdBy\": \"mum\"", with: "\"createdBy\": \"\(user)\"")])
            #expect(try store.babies(of: "mum").first?.baby.zone?.name == "Asia/Tokyo")
            #expect(try store.babies(of: "mum").first?.baby.name == "Ada")
        }
        try await put(store, [AppDocuments.events[0], AppDocuments.danke[0]])
        #expect(try EveryKind.export(store).contains("Asia/Seoul"))
        #expect(try EveryKind.export(store).contains("3.1"))
    }

    @Test func preferencesPutAgainContinueTheYear() async throws {
        let store = try folder.open()
        let start = try Timestamp(parsing: "2025-01-01T10:00:00Z")
        let now = try Timestamp(parsing: "2026-01-10T12:00:00Z")
        try await put(store, [rotation(day: 1)], user: "u", at: start)
        try await store.withRotation(of: "u", at: Timestamp(parsing: "2026-01-02T10:00:00Z")) {
            rotation, library, _ throws(KinError) in try rotation.startAdvancedYear(in: library)
        }
        let before = try store.rotation(of: "u", at: now)
        #expect(before.isAdvanced && before.day == 9)
        // CloudKit writes 1 for true.
        let document = rotation(day: 9, reminder: true).replacing("true", with: "1")
        try await put(store, [document], user: "u", at: now)
        let after = try store.rotation(of: "u", at: now)
        #expect(after.segments == before.segments && after.daysInAll == before.daysInAll)
        #expect(after.reminder?.description == "20:00")
        // A changed day or focus begins on the present date, and the earlier days stay.
        try await put(store, [rotation(day: 1, focus: "\"wealth\"")], user: "u", at: now)
        let changed = try store.rotation(of: "u", at: now)
        #expect(changed.day == 1 && changed.focus == .wealth && changed.isAdvanced)
        #expect(changed.segments.dropLast() == before.segments[...])
        // An export has the day of its instant.
        for days in [0, 8] {
            let later = try Timestamp(microseconds: now.microseconds + Int64(days) * 86_400_000_000)
            let exported = try JSONTree(
                parsing: String(decoding: store.exportRecords(of: "u", as: .danke, at: later), as: UTF8.self))
            #expect(exported[path: ["record", "currentDay"]] == .number("\(1 + days)"))
        }
    }

    @Test func reflectionsBelongToTheirDaysAndNoneIsLost() async throws {
        let store = try folder.open()
        try await store.change(.preferences(of: "u")) {
            $0 = try ChallengePreferences(userID: "u", timeZone: "Europe/Rome")
        }
        let begin = try Timestamp(parsing: "2026-05-01T08:00:00Z")
        try await put(store, [rotation(day: 1, focus: "\"wealth\"")], user: "u", at: begin)
        let late = [
            reflection(1, "2026-05-02T00:30:00+02:00", "late"), reflection(2, "2026-05-02T21:00:00+02:00", "two"),
            reflection(3, "2026-05-06T21:00:00+02:00", "caught up"), reflection(6, "2026-05-06T21:01:00+02:00", "six"),
        ]
        for _ in 0..<2 {
            try await put(store, late, user: "u", at: begin)
            let stored = try store.reflections(of: "u").reversed()
            #expect(stored.map(\.date.description) == ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-06"])
            #expect(stored.map(\.day) == [1, 2, 3, 6])
            #expect(stored.allSatisfy { $0.domain == .wealth })
        }
        // Without a rotation that has the days, in any order.
        for (user, order) in [("v", [5, 6, 7]), ("w", [7, 5, 6]), ("x", [6, 7, 5])] {
            for _ in 0..<2 {
                for day in order {
                    try await put(
                        store, [reflection(day, "2026-05-05T20:0\(day):00Z", "\(day)")], user: user, at: begin)
                }
                #expect(try Set(store.reflections(of: user).map(\.text)) == ["5", "6", "7"], "\(user)")
                #expect(try store.reflections(of: user).map(\.day) == [7, 6, 5], "\(user)")
            }
        }
    }

    @Test func anEarlierReflectionDoesNotReplaceALaterOne() async throws {
        let store = try folder.open()
        try await store.put(ChallengePreferences(userID: "u"))
        let day = try Timestamp(parsing: "2026-05-01T08:00:00Z")
        let evening = try Timestamp(parsing: "2026-05-01T20:00:00Z")
        try await store.reflect("u", completed: true, text: "final", at: evening)
        let answer = try await store.reflect("u", completed: false, text: "draft", at: day)
        #expect(answer.text == "final" && answer.isCompleted)
        let document = reflection(1, "2026-05-01T09:00:00Z", "draft")
        #expect(
            try await store.importArray("[\(document)]", now: day, options: ShapeOptions(user: "u"))
                == [Store.olderCount: 1])
        #expect(try store.reflections(of: "u").map(\.text) == ["final"])
    }

    @Test func nullDataOfOtherTypesIsMissing() async throws {
        let store = try folder.open()
        let data = [
            "feed": #"{"method": "bottle", "volume": 3}"#, "diaper": #"{"type": "wet"}"#,
            "sleep": #"{"startTime": "2026-05-01T20:00:00Z", "endTime": null, "isNightSleep": true}"#,
            "milestone": #"{"title": "t", "category": "social"}"#,
        ]
        for (type, own) in data {
            let members = data.keys.map { "\"\($0)Data\": \($0 == type ? own : "null")" }
            let event = """
                {"id": "\(type)", "type": "\(type)", "timestamp": "2026-05-01T20:00:00Z", \(members.joined(separator: ", "))}
                """
            try await put(store, [event], user: "mum", at: hour(0))
        }
        #expect(try store.rhythmLog(of: "mum", baby: "b1")?.records.count == 4)
        let error = await kinError {
            try await put(
                store, [#"{"type": "feed", "timestamp": "2026-05-01T20:00:00Z", "feedData": {"x": 1}}"#], user: "mum",
                at: hour(0))
        }
        #expect(error.says("feedData.x") && !error.says("sleepData") && !error.says("milestoneData"))
    }

    @Test func recordsOfKinReturnFromAnAppsFormat() async throws {
        let (store, copy) = (try folder.open(), StoreFolder())
        var own = """
            {"baby": {"user_id": "mum", "id": "b1", "name": "A", "time_zone": "Europe/Rome"}},
            {"care_event": {"user_id": "mum", "baby": "b1", "event": {"id": "e", "type": "sleep",
             "start": "2026-05-01T10:00:30", "end": "2026-05-01T11:00"}}}
            """
        for minutes in ["0.5", "1", "3", "4", "4.5", "5", "60"] {
            own += """
                , {"challenge": {"id": "c\(minutes)", "title": "t", "category": "c", "time_investment": \(minutes)}},
                {"challenge_preferences": {"user_id": "u\(minutes)", "max_time": \(minutes)}}
                """
        }
        own += #", {"challenge_preferences": {"user_id": "long", "max_time": 1e300}}"#
        try await put(store, [own])
        let other = try copy.open()
        for shape in [RecordShape.babysync, .outOfBox] {
            try await put(other, export(store, as: shape).map(\.jsonText))
            try await put(other, export(store, as: shape).map(\.jsonText), ShapeOptions(shape: shape))
        }
        #expect(try other.challengeCatalog().challenges.map(\.time) == store.challengeCatalog().challenges.map(\.time))
        for minutes in ["0.5", "1", "3", "4", "4.5", "5", "60"] {
            #expect(try other.challengePreferences(of: "u\(minutes)")?.longestMinutes == Double(minutes))
        }
        #expect(try other.challengePreferences(of: "long")?.longestMinutes == 1e300)
        #expect(try other.babies(of: "mum").map(\.owners) == [["mum"]])
        let events = try #require(try other.rhythmLog(of: "mum", baby: "b1")).records
        #expect(events.map(\.start.description) == ["2026-05-01T08:00:30Z"])
        #expect(events.map { $0.end?.description } == ["2026-05-01T09:00:00Z"])
        // A removed event has no form in the app.
        try await put(store, [AppDocuments.baby.replacing("\"b1\"", with: "\"b2\"")])
        try await put(store, [AppDocuments.events[0].replacing("\"b1\"", with: "\"b2\"")])
        let shared = try export(store, as: .babysync).count
        _ = try await store.remove("care_event", key: ["user": "dad", "baby": "b2", "id": "e1"], at: hour(9000))
        #expect(try EveryKind.export(store).contains(#""removed":true"#))
        #expect(try export(store, as: .babysync).count == shared - 1)
    }

    @Test(arguments: [
        ("isActive", "1", "is_active", "true"), ("isActive", "0", "is_active", "false"),
        ("difficultyLevel", "4", "difficulty_level", "\"advanced\""),
        ("difficultyLevel", "5", "difficulty_level", "\"advanced\""),
    ]) func aChallengeOfCloudKitIsReadAndReturned(name: String, value: String, field: String, expected: String)
        async throws
    {
        let store = try folder.open()
        let record = #"{"id": "c", "title": "t", "category": "c", "timeInvestment": 9, "\#(name)": \#(value)}"#
        try await put(store, [record])
        #expect(try EveryKind.export(store).contains("\"\(field)\":\(expected)"))
        #expect(try export(store, as: .outOfBox)[0][path: ["record", name]] == .number(value))
    }

    @Test(arguments: [
        (#""status": "completed""#, "completed", Timestamp?.some(Timestamp(unchecked: 1_767_427_200_000_000))),
        (
            #""status": "completed", "completedDate": null, "userRating": 4"#, "completed",
            Timestamp(unchecked: 1_767_427_200_000_000)
        ),
        (#""status": "skipped", "completedDate": "2026-01-03T09:00:00Z", "userRating": 2"#, "skipped", nil),
        (#""status": "pending", "completionTime": 30"#, "pending", nil),
    ]) func incompleteOutcomesOfAssignmentsAreRead(members: String, status: String, completed: Timestamp?) async throws
    {
        let store = try folder.open()
        let record = #"{"id": "x", "challenge": "c", "assignedDate": "2026-01-03T08:00:00Z", \#(members)}"#
        try await put(store, [record], user: "u", at: hour(0))
        let given = try #require(try store.challengeHistory(of: "u").first)
        #expect(given.status.rawValue == status && given.completed == completed)
        let returned = try export(store, as: .outOfBox)[0][path: ["record"]] ?? .null
        for member in try JSONTree(parsing: "{\(members)}").members where member.value != .null {
            #expect(returned[path: [member.name]] == member.value, "\(member.name)")
        }
    }

    @Test(arguments: [
        #"{"start": 9, "end": 17.5}"#, #"{"startHour": 9, "endHour": "17:30"}"#, #"{"start": 32400, "end": 63000}"#,
        #"{"start": "2026-01-03T09:00:00Z", "end": "2026-01-03T17:30:00Z"}"#, #""09:00-17:30""#,
    ]) func windowsAreReadInEachForm(window: String) async throws {
        let store = try folder.open()
        let record =
            #"{"id": "p", "timeWindow": \#(window), "preferredCategories": "nature, calm", "maxTimeInvestment": 2}"#
        try await put(store, [record], user: "u", at: hour(0))
        let stored = try #require(try store.challengePreferences(of: "u"))
        #expect(stored.window.description == "09:00-17:30" && stored.categories == ["nature", "calm"])
        let returned = try export(store, as: .outOfBox)[0]
        #expect(try returned[path: ["record", "timeWindow"]] == JSONTree(parsing: window))
        #expect(returned[path: ["record", "preferredCategories"]] == .text("nature, calm"))
    }

    @Test(arguments: [
        ("All day", 1440.0), ("10-15 min", 15), ("10–15 minutes", 15), ("1-2 hours", 120), ("90 sec", 1.5),
        ("1 h 30 min", 90),
    ]) func durationsAreReadInWords(text: String, minutes: Double) async throws {
        let store = try folder.open()
        try await put(store, [AppDocuments.danke[0].replacing("15 min", with: text)])
        #expect(try EveryKind.export(store).contains("\"duration\":\(minutes)") || minutes.rounded() == minutes)
        let days = try JSONTree(parsing: EveryKind.export(store))
        #expect(days[path: ["content_day", "duration"]]?.double == minutes)
        #expect(try export(store, as: .danke)[0][path: ["record", "actionDuration"]] == .text(text))
    }

    @Test func nullIsReturnedWhereKinWritesItsDefault() async throws {
        let store = try folder.open()
        let record =
            #"{"dayNumber": 7, "completed": true, "reflectionText": null, "timestamp": "2026-01-19T21:00:00Z"}"#
        try await put(store, [record], user: "u", at: hour(0))
        #expect(try export(store, as: .danke)[0][path: ["record", "reflectionText"]] == .null)
        try await store.transaction { transaction in
            try transaction.writer.put(
                DailyReflection(
                    userID: "u", date: LocalDay(parsing: "2026-01-19"), day: 7, domain: .health, completed: true,
                    text: "changed", time: Timestamp(parsing: "2026-01-19T22:00:00Z")))
        }
        #expect(try export(store, as: .danke)[0][path: ["record", "reflectionText"]] == .text("changed"))
    }

    @Test func anEqualProfileAddsNoVersion() async throws {
        let store = try folder.open()
        let profile = AppDocuments.grain[0]
        // In Kin's form, and in a form that a shape reads.
        let without = profile.replacing("\"uid\": \"u\", ", with: "")
        for number in 0..<6 { try await put(store, [number % 2 == 0 ? profile : without], user: "u", at: hour(number)) }
        #expect(try store.profileHistory(of: "u").map(\.since) == [hour(0)])
        try await put(store, [profile.replacing("nyc", with: "rome")], user: "u", at: hour(7))
        try await put(store, [profile], user: "u", at: hour(8))
        try await put(store, ["{\"profile\": \(profile), \"since\": \"\(hour(9))\"}"], user: "u", at: hour(10))
        #expect(try store.profileHistory(of: "u").map(\.since) == [hour(0), hour(7), hour(8), hour(9)])
    }

    @Test func forgettingAPersonErasesTheirIDInsideTexts() async throws {
        let store = try folder.open()
        let uid = "Xq81Rt5uidOfMum"
        let photo = "https://a.example/o/users%2F\(uid)%2Fbaby.jpg"
        try await put(
            store,
            [
                AppDocuments.baby.replacing("null", with: "\"\(photo)\"").replacing("\"mum\"", with: "\"\(uid)\""),
                AppDocuments.events[0].replacing("https://a.example/1.jpg", with: photo),
            ], user: "dad", at: hour(0))
        try await store.forget(uid)
        #expect(try folder.found([uid]) == nil)
        let records = try export(store, as: .babysync)
        #expect(records.count == 2 && records[0][path: ["record", "gender"]] == .text("female"))
    }

    @Test func outcomesOfAnAppTeachThePolicyOnce() async throws {
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(60))
        for user in ["u", "v"] { try await store.put(ChallengePreferences(userID: user)) }
        var documents: [String] = []
        for day in 0..<20 {
            let now = try hour(24 * day + 10)
            for user in ["u", "v"] {
                let today = try await store.withSelector(for: user) { selector throws(KinError) in
                    try selector.today(at: now)
                }
                guard case .given(let given, let challenge) = today else { throw KinError(.invalidArgument, "none") }
                let isLiked = challenge?.category == "nature" || day % 3 == 0
                if user == "v" {
                    try await store.withSelector(for: "v") { selector throws(KinError) in
                        if isLiked {
                            try selector.complete(given.challengeID, rating: 5, at: now)
                        } else {
                            try selector.skip(given.challengeID, at: now)
                        }
                    }
                    continue
                }
                // The app rounds its times to the second.
                documents.append(
                    """
                    {"id": "x\(day)", "challenge": "\(given.challengeID)", "assignedDate": "\(given.assigned)",
                     "status": "\(isLiked ? "completed" : "skipped")", "userRating": \(isLiked ? "5" : "null")}
                    """)
                try await put(store, [documents.last!], user: "u", at: now)
            }
        }
        let decisions = try store.challengeDecisions(of: "u").filter { !$0.isOpen }
        #expect(decisions.count >= 20 && decisions.filter { !$0.isWithdrawn }.allSatisfy { $0.reward != nil })
        let learned = try store.selector(for: "u").state.policy.observations
        #expect(try learned == store.selector(for: "v").state.policy.observations && learned == 20)
        try await put(store, documents, user: "u", at: hour(600))
        #expect(try store.selector(for: "u").state.policy.observations == learned)
        // The history of a new person, whose challenges the app chose.
        try await put(store, documents, user: "new", at: hour(600))
        try await put(store, documents, user: "new", at: hour(600))
        #expect(try store.selector(for: "new").state.policy.observations == learned)
        #expect(try store.challengeDecisions(of: "new").isEmpty)
    }

    @Test func anAssignmentKeepsItsTimeIfAnAppRoundsIt() async throws {
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(60))
        try await store.put(ChallengePreferences(userID: "u"))
        let now = try Timestamp(microseconds: hour(10).microseconds + 123_456)
        let today = try await store.withSelector(for: "u") { selector throws(KinError) in try selector.today(at: now) }
        guard case .given(let given, _) = today else { throw KinError(.invalidArgument, "none") }
        let document = """
            {"id": "x", "challenge": "\(given.challengeID)", "status": "completed",
             "assignedDate": "\(try hour(10))", "completedDate": "\(try hour(10))"}
            """
        try await put(store, [document], user: "u", at: now)
        let history = try store.challengeHistory(of: "u")
        #expect(history.map(\.assigned) == [now] && history.map(\.status) == [.completed])
        #expect(try store.challengeDecisions(of: "u").contains { $0.reward == 0.85 })
    }
}
