import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Recognition, ids and exported forms of records of apps.
extension ShapeTests {
    /// A time of day is exported as an instant that has this time in the person's zone, in every zone.
    @Test(arguments: ["Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "UTC", "Pacific/Kiritimati"])
    func timesOfDayAreExportedAsInstants(zone: String) async throws {
        let store = try folder.open()
        try await put(store, [AppDocuments.danke[2]])
        try await store.put(ChallengePreferences(userID: "v", timeZone: zone))
        let before = try #require(try store.rotation(of: "v"))
        let record = try #require(try export(store, of: "v", as: .danke).first?[path: ["record"]])
        for (name, time) in [("widgetRefreshTime", before.refresh), ("eveningReminderTime", before.reminder)] {
            let value = try #require(record[path: [name]])
            // In UTC the original, and elsewhere the same form, a `Date`.
            let instant = try AppInstant.instant(value)
            #expect(value.double != nil)
            #expect(LocalDateTime(instant, in: try LocalZone(named: zone)).time == time?.description, "\(value)")
        }
        try await put(store, [record.jsonText], ShapeOptions(shape: .danke, user: "v"))
        let after = try #require(try store.rotation(of: "v"))
        #expect(after.refresh == before.refresh && after.reminder == before.reminder)
    }

    /// An enabled reminder without a time is at 20:00, and a disabled one has no time, whatever its form.
    @Test(arguments: ["", #", "eveningReminderTime": null"#, #", "eveningReminderTime": "2026-01-18T18:30:00Z""#])
    func anEnabledReminderHasATime(time: String) async throws {
        for (enabled, isEnabled) in [("true", true), ("1", true), ("\"true\"", true), ("false", false), ("0", false)] {
            let store = try Store()
            let record =
                #"{"currentDay": 3, "domainFocus": null, "eveningReminderEnabled": \#(enabled)\#(time)}"#
            try await put(store, [record], ShapeOptions(user: "u"))
            let expected = time.contains("18:30") ? "18:30" : "20:00"
            #expect(try store.rotation(of: "u")?.reminder?.description == (isEnabled ? expected : nil), "\(record)")
            let back = try #require(try export(store, of: "u", as: .danke).first?[path: ["record"]])
            #expect(back[path: ["eveningReminderEnabled"]]?.truth == isEnabled)
        }
    }

    /// A number in quotation marks is the same length as the number.
    @Test func numbersOfLengthsMayBeTexts() async throws {
        for number in ["0", "1", "2", "3", "4", "5", "15", "90"] {
            let store = try Store()
            let records = [number, "\"\(number)\""].enumerated().map { place, length in
                #"{"id": "c\#(place)", "title": "t", "category": "a", "timeInvestment": \#(length), "costLevel": 0}"#
            }
            try await put(store, records)
            let times = try store.challengeCatalog().challenges.map(\.time)
            #expect(times.count == 2 && times[0] == times[1], "\(number)")
        }
    }

    /// The zone of a person counts wherever it is in the records.
    @Test func preferencesAreReadBeforeTheTimesOfDay() async throws {
        let zone =
            #"{"userID": "v", "timeWindow": "09:00-18:00", "preferredCategories": [], "timeZone": "Asia/Tokyo"}"#
        for records in [[AppDocuments.danke[2], zone], [zone, AppDocuments.danke[2]]] {
            let store = try Store()
            try await put(store, records)
            #expect(try store.rotation(of: "v")?.reminder?.description == "01:00")
        }
    }

    /// Every form of a session of grain is recognized, and read as with the name of the shape.
    @Test func recordsOfGrainAreRecognized() async throws {
        let start = "{\"_seconds\": 1777640400, \"_nanoseconds\": 0}"
        let session = AppDocuments.grain[3]
        let forms = [
            session, session.replacing(start, with: "1777640400"), session.replacing(start, with: "1777640400000"),
            session.replacing(start, with: "{\"__datatype__\": \"timestamp\", \"value\": \(start)}"),
            session.replacing("timestamp_", with: "timestamp").replacing("timestamps", with: "timestampS")
                .replacing("timestampe", with: "timestampE").replacing("user_id", with: "userId")
                .replacing("pleasure_vector", with: "pleasureVector").replacing("state_h", with: "stateH"),
            session.replacing(", \"embedding\"", with: ", \"unused\"").replacing(
                "\"unused\": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
                with: "\"embedding\": {\"_values\": [1]}"),
        ]
        for form in forms {
            let (store, expected) = (try Store(), try Store())
            try await put(store, [form])
            try await put(expected, [form], ShapeOptions(shape: .grain))
            #expect(try EveryKind.export(store) == EveryKind.export(expected), "\(form)")
            let read = try #require(try store.session("s2"))
            #expect(read.start.description == "2026-05-01T13:00:00Z" && read.pleasure.intensities == [.order: 1])
            let report = try ShapeReport.reports(of: form)[0]
            #expect(report.shape == .grain && report.unknown == [], "\(form)")
            #expect(report.unread.first?.hasPrefix("pleasure_vector.embedding") == true, "\(form)")
        }
        // Unknown members of a record that is recognized without a shape.
        for record in AppDocuments.grain + AppDocuments.serenity {
            let odd = String(record.dropLast()) + #", "moonPhase": 1}"#
            let store = try Store()
            await #expect(throws: KinError.self) { try await put(store, [odd]) }
            try await put(store, [odd], ShapeOptions(keepsUnknown: true))
            #expect(try EveryKind.export(store).contains(#""moonPhase":1"#), "\(odd)")
        }
    }

    /// The id of an app's assignment identifies it, whatever its challenge and date.
    @Test func anAssignmentIsReplacedByItsID() async throws {
        let (first, second) = (AppDocuments.outOfBox[2], AppDocuments.outOfBox[3])
        let moved = first.replacing("2026-01-03T08:00", with: "2026-01-02T08:00")
        let other = first.replacing("\"id\": \"c1\"", with: "\"id\": \"c9\"")
        for update in [[moved], [other], [moved, other], [other, moved, first]] {
            let (store, expected) = (try Store(), try Store())
            // The same id of a different person is a different assignment.
            let stranger = first.replacing("\"userID\": \"u\"", with: "\"userID\": \"v\"")
            try await put(store, [first, second, stranger])
            try await put(store, update)
            try await put(expected, [first, other, update.last!, second, stranger].suffix(3))
            #expect(try store.challengeHistory(of: "u") == expected.challengeHistory(of: "u"))
            #expect(try store.challengeHistory(of: "v").count == 1)
            #expect(try store.check().isIntact)
        }
        // Two assignments that exchange their dates.
        let store = try folder.open()
        try await put(store, [first, second])
        let swapped = [
            first.replacing("2026-01-03", with: "2026-01-05").replacing("2026-01-05T08", with: "2026-01-04T08"),
            second.replacing("2026-01-04", with: "2026-01-03"),
        ]
        try await put(store, swapped)
        let history = try store.challengeHistory(of: "u")
        #expect(history.map(\.assigned.description) == ["2026-01-03T08:00:00Z", "2026-01-04T08:00:00Z"])
        #expect(history.map(\.status) == [.pending, .completed])
    }

    /// Content in an app's form is checked as it is imported.
    @Test func contentOfAppsIsChecked() throws {
        func year(_ duration: String) -> [String] {
            (1...ContentLibrary.dayCount).map { day in
                AppDocuments.danke[0].replacing("\"id\": 7", with: "\"id\": \(day)").replacing("\n", with: "")
                    .replacing("15 min", with: duration)
            }
        }
        let days = year("15 min")
        for text in [
            days.joined(separator: "\n"), "[\(days.joined(separator: ","))]",
            #"{"content":[\#(days.joined(separator: ","))]}"#,
        ] {
            let check = ContentCheck.content(text, read: RecordShape.read)
            #expect(check.isSound && check.records.count == ContentLibrary.dayCount, "\(check.problems.prefix(1))")
        }
        let wrong = ContentCheck.content(
            (days.dropLast() + year("soon").suffix(1)).joined(separator: "\n"), read: RecordShape.read)
        #expect(wrong.problems.first?.line == ContentLibrary.dayCount)
        #expect(wrong.problems.first?.error.description.contains("actionDuration") == true, "\(wrong.problems)")
        let challenges = AppDocuments.outOfBox.prefix(2).map { $0.replacing("\n", with: "") }
        let check = ContentCheck.challenges(challenges.joined(separator: "\n"), read: RecordShape.read)
        #expect(check.isSound && check.records.map(\.id) == ["c1", "c2"], "\(check.problems)")
        // A record of a different kind is a problem, even if an app has it.
        #expect(
            !ContentCheck.challenges(days[0], read: RecordShape.read).isSound
                && !ContentCheck.content(challenges[0], read: RecordShape.read).isSound)
    }

    @Test func aStoryIsNoDocumentOfContent() async throws {
        let store = try folder.open()
        for story in [#"{"title":"t","content":"c"}"#, #"{"content":"c","narrativeType":"discovery","title":"t"}"#] {
            #expect(await kinError { try await put(store, [story]) }.says("`contribute`"))
        }
    }

    @Test func recordsOfKinAreExportedInTheFormsOfApps() async throws {
        let store = try folder.open()
        try await put(store, [AppDocuments.grain[1]])
        let preferences = #"{"user_id":"u","max_time":45,"budget_level":"free"}"#
        try await put(store, [#"{"challenge_preferences":\#(preferences)}"#])
        let exported = try export(store, as: .grain)
        #expect(exported.first?[path: ["record", "temporal_tags", "duration_range", "min"]] == .number("30"))
        let written = try export(store, as: .outOfBox)
        #expect(written.first?[path: ["record", "maxTimeInvestment"]] == .number("45"))
        let day = "{\"id\":1,\"quote\":\"\(AppDocuments.quote)\",\"source\":\"s\",\"action\":\"Sit.\",\"duration\":15}"
        try await put(store, [day.replacing("15}", with: "15,\"domain\":\"health\",\"difficulty\":\"beginner\"}")])
        #expect(try export(store, as: .danke).first?[path: ["record", "actionDuration"]] == .text("15 min"))
    }

    /// Any number in any field of an app's record is converted or refused.
    @Test func extremeNumbersAreConvertedOrRefused() throws {
        let numbers = ["0", "-1", "9223372036854775807", "-9223372036854775808", "1e19", "1e308", "-1e308", "5e-324"]
        for field in RecordShape.allCases.flatMap(\.records).flatMap(\.fields) {
            for number in numbers {
                for json in [
                    number, #"{"seconds":\#(number),"nanoseconds":0}"#, #"{"seconds":0,"nanoseconds":\#(number)}"#,
                    #"{"start":\#(number),"end":\#(number)}"#,
                ] {
                    let read = try? field.conversion.read(JSONTree(parsing: json), ShapeContext())
                    _ = read.map { field.conversion.write($0, ShapeContext()) }
                }
            }
        }
    }
}
