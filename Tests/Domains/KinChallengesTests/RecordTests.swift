import KinJSON
import KinSamples
import KinTestSupport
import Testing

@Suite("Challenge records")
struct ChallengeRecordTests {
    @Test("records survive a round trip and are also read in camel case")
    func roundTrip() throws {
        for challenge in ChallengeGenerator(seed: 3).challenges(400, created: try Timestamp(parsing: "2026-01-01")) {
            #expect(try Challenge(json: challenge.json) == challenge)
            #expect(try Challenge(json: challenge.json).json == challenge.json)
        }
        let camel =
            """
            {"id":"c1","title":"Walk","category":"movement","timeInvestment":"short","socialRequirement":"partner","costLevel":"low",
            "difficultyLevel":"advanced","tags":["path"],"isActive":false,"createdAt":"2026-01-01"}
            """
        let challenge = try Challenge(json: camel)
        #expect(challenge.time == .rough(.short) && challenge.social == .partner && !challenge.isActive)
        #expect(try Challenge(json: challenge.json) == challenge)
        let preferences = try ChallengePreferences(
            json:
                #"{"userId":"u1","timeWindow":"20:00-02:00","maxTime":30,"quietHours":["23:00-23:30"],"timeZone":"Asia/Tokyo"}"#
        )
        #expect(try ChallengePreferences(json: preferences.json) == preferences)
        let given = try UserChallenge(
            json:
                #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-01","status":"completed","completed_date":"2026-01-02","rating":4,"date":"2025-12-31"}"#
        )
        #expect(try UserChallenge(json: given.json) == given && given.rating == 4)
    }

    @Test("records of other apps are read: windows as objects, lengths in words, other names")
    func otherShapes() throws {
        let preferences = try ChallengePreferences(
            json: """
                {"userId":"u1","timeWindow":{"start":"09:00","end":"21:30"},"preferredCategories":["calm"],"maxTime":"30 min",
                 "budgetLevel":"Low","socialComfort":"Solo","notificationsEnabled":false,"selection":"Random","appVersion":"1.4.0"}
                """)
        #expect(preferences.window.description == "09:00-21:30" && preferences.longestMinutes == 30)
        #expect(!preferences.wantsNotifications && preferences.social == .solo && preferences.budget == .low)
        #expect(preferences.selection == .random && preferences.appVersion?.description == "1.4")
        #expect(try ChallengePreferences(json: preferences.json) == preferences)
        #expect(try ChallengePreferences(json: #"{"user_id":"u","max_time":"long"}"#).longestMinutes == 60)
        let given = try UserChallenge(
            json: #"{"user":"u","challenge":"c","assignedDate":"2026-01-01","status":"Skipped"}"#)
        #expect(given.challengeID == "c" && given.status == .skipped)
        #expect(ChallengePreferences.isSameField("notificationsOn", "notifications"))
        #expect(!ChallengePreferences.isSameField("notifications", "time_window"))
        for wrong in [#""timeWindow":{"start":"09:00"}"#, #""maxTime":"soon""#, #""appVersion":"1.x""#] {
            let error = #expect(throws: KinError.self) {
                try ChallengePreferences(json: "{\"user_id\":\"u\",\(wrong)}")
            }
            #expect(error?.names("field") == true || "\(error!)".contains("window"), "\(error!)")
        }
    }

    @Test("app versions are ordered by their numbers")
    func versions() throws {
        let ascending = try ["0", "0.0.1", "1", "1.2", "1.2.0.3", "1.10", "2.0", "999999999"].map(
            AppVersion.init(parsing:))
        #expect(ascending == ascending.sorted() && Set(ascending).count == ascending.count)
        #expect(try AppVersion(parsing: "1.2") == AppVersion(parsing: "1.2.0.0"))
        #expect(
            ascending.map(\.description) == ["0.0", "0.0.1", "1.0", "1.2", "1.2.0.3", "1.10", "2.0", "999999999.0"])
        for version in ascending { #expect(try AppVersion(parsing: version.description) == version) }
        for wrong in ["", ".", "1.", "1..2", "1.2.3.4.5", "v1", "-1", "+1", "1.2b", "1 2", "9999999999", "١"] {
            #expect(throws: KinError.self, "\(wrong)") { try AppVersion(parsing: wrong) }
        }
    }

    @Test("the content hash depends only on the content")
    func hash() throws {
        let one = try Challenge(id: "a", title: "ab", text: "c", category: "x", time: .minutes(15))
        let renamed = try Challenge(
            id: "b", title: "ab", text: "c", category: "x", time: .rough(.short), isActive: false)
        let other = try Challenge(id: "a", title: "a", text: "bc", category: "x", time: .minutes(15))
        #expect(one.contentHash == renamed.contentHash && one.contentHash != other.contentHash)
        let damaged = one.json.replacing("\"ab\"", with: "\"abc\"")
        #expect(kinError { try Challenge(json: damaged) }.says("content_hash"))
    }

    @Test(
        "errors name the record and the field",
        arguments: [
            (#"{"id":"c1","title":"Walk","category":"m"}"#, "time_investment"),
            (#"{"id":"c1","title":"Walk","category":"m","time_investment":0}"#, "time_investment"),
            (#"{"id":"c1","title":"Walk","category":"m","time_investment":"eternal"}"#, "eternal"),
            (
                #"{"id":"c1","title":"Walk","category":"m","time_investment":5,"social_requirement":"grup"}"#,
                "did you mean \"group\"?"
            ),
            (#"{"id":"c1","title":"Walk","category":"m","time_investment":5,"timeInvestment":5}"#, "twice"),
            (#"{"id":"c1","title":"Walk","category":"m","time_investment":5,"tags":["a","a"]}"#, "tags"),
            (#"{"id":"c1","title":"Walk","category":"m","time_investment":5,"colour":1}"#, "colour"),
            (#"{"id":"c1","title":"","category":"m","time_investment":5}"#, "challenge c1"),
        ])
    func mistakes(json: String, word: String) {
        #expect(kinError { try Challenge(json: json) }.says(word))
    }

    @Test(
        "impossible records are refused",
        arguments: [
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","status":"completed"}"#,
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","status":"completed","completed_date":"2026-01-01"}"#,
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","status":"skipped","rating":3}"#,
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","status":"completed","completed_date":"2026-01-03","rating":6}"#,
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","completed_date":"2026-01-03"}"#,
            #"{"user_id":"u","challenge_id":"c","assigned_date":"2026-01-02","date":"2026-01-04"}"#,
        ])
    func impossible(json: String) { #expect(throws: KinError.self) { try UserChallenge(json: json) } }
}

@Suite("Content files")
struct ContentTests {
    private let library = ContentGenerator().library()

    @Test("a generated year is complete, valid and different every day", arguments: [0, 364, 7] as [UInt64])
    func year(seed: UInt64) throws {
        let library = ContentGenerator(seed: seed).library()
        #expect(library.items.map(\.id) == Array(1...364))
        #expect(Set(library.items.map(\.quote)).count == 364)
        for domain in ContentDomain.allCases {
            #expect(library.count(focus: domain) == 91 && library.count(focus: domain, advancedOnly: true) == 26)
        }
        for item in library.items { #expect(item.action.hasSuffix(".") && !item.quote.contains("#")) }
        #expect(library == ContentGenerator(seed: seed).library())
        let text = library.items.map(\.json).joined(separator: "\n")
        #expect(try ContentLibrary(jsonLines: text) == library)
        #expect(ContentCheck.content(text).isSound)
    }

    @Test("a check reports all problems by line")
    func problems() throws {
        var lines = library.items.map(\.json)
        lines[6] = lines[6].replacing(/"quote":"[^"]*"/, with: "\"quote\":\"Too short.\"")
        lines[9] = "{"
        lines[19] = lines[0]
        lines.remove(at: 29)
        lines.insert("", at: 3)
        let check = ContentCheck.content(lines.joined(separator: "\n"))
        #expect(check.problems.map(\.line) == [8, 11, 21, nil])
        let texts = check.problems.map { "\($0.error)" }
        #expect(texts[0].contains("day 7") && texts[0].contains("quote") && texts[0].contains("2 words"))
        #expect(texts[1].contains("line 11"))
        #expect(texts[2].contains("day 1 is on line 1 too"))
        #expect(texts[3].contains("days 7, 10, 20, 30 are missing"), "\(texts[3])")
        let error = #expect(throws: KinError.self) { try ContentLibrary(jsonLines: lines.joined(separator: "\n")) }
        #expect("\(error!)" == texts[0])
        let challenges = ChallengeGenerator().challenges(5).map(\.json)
        let doubled = ContentCheck.challenges((challenges + [challenges[1], "[]"]).joined(separator: "\n"))
        #expect(doubled.records.count == 5 && doubled.problems.map(\.line) == [6, 7])
    }

    @Test("content of the seed app is read with its field names, units and spellings")
    func seedShapes() throws {
        let text = String(repeating: "word ", count: 20)
        func day(_ id: Int, _ duration: String) -> String {
            """
            {"id": \(id), "quote": "\(text)", "quoteSource": "Somebody", "action": "Walk.",
             "duration": \(duration), "domain": "Health", "difficulty": "BEGINNER"}
            """
        }
        let lengths = [
            ("15", 15.0), ("\"15 min\"", 15), ("\"15min\"", 15), ("\"15\"", 15), ("\"1 hour\"", 60),
            ("\"1 h 30 min\"", 90), ("\"0.5 Hours\"", 30), ("\"10 Minutes\"", 10),
        ]
        for (duration, minutes) in lengths {
            let item = try ContentItem(json: day(3, duration))
            #expect(item.minutes == minutes && item.source == "Somebody" && item.domain == .health, "\(duration)")
            #expect(item.difficulty == .beginner)
            #expect(try ContentItem(json: item.json) == item)
        }
        for wrong in [
            "\"soon\"", "\"\"", "\"15 parsecs\"", "\"min 15\"", "\"-5 min\"", "\"1e308 h\"", "1e308", "0", "[15]",
        ] {
            let error = #expect(throws: KinError.self) { try ContentItem(json: day(3, wrong)) }
            #expect(error?.context.contains { $0.value == "duration" } == true, "\(wrong): \(error as Any)")
        }
        let year = "[\n" + library.items.map(\.json).joined(separator: ",\n\n") + "\n]\n"
        #expect(try ContentLibrary(jsonLines: year) == library)
        let days = [day(1, "5"), day(2, "\"soon\""), day(3, "5"), day(1, "5"), "{\"id\": 5}"]
        let check = ContentCheck.content("\n[" + days.joined(separator: ",\n") + "]")
        #expect(check.records.map(\.id) == [1, 3])
        // Each day has two lines, and the array begins on the second of the text.
        #expect(check.problems.map(\.line) == [5, 8, 10, nil])
        #expect(ContentCheck.content("[{\"id\": 1,").problems.first?.line == 1)
        // A bad number in one record hides no other.
        for bad in ["NaN", "-Infinity", "1e999", "nul", ""] {
            let list = [day(1, "5"), day(2, "5").replacing("2", with: bad), day(3, "5")]
            let check = ContentCheck.content("[" + list.joined(separator: ",\n") + "]")
            #expect(check.records.map(\.id) == [1, 3], "\(bad): \(check.problems)")
        }
        let challenge = try Challenge(
            json: #"{"id": "c", "title": "t", "category": "Sleep", "time_investment": "20 min", "cost_level": "Free"}"#)
        #expect(challenge.time == .minutes(20) && challenge.cost == .free)
        #expect(
            try Challenge(json: #"{"id":"c","title":"t","category":"x","time_investment":"Quick"}"#).time
                == .rough(.quick))
    }

    @Test("a content document is read whole, and its app version applies to every item")
    func documents() throws {
        let year = library.items.map { item in
            item.id == 5 ? item.json.replacing("}", with: ",\"minimumAppVersion\":\"3.1\"}") : item.json
        }.joined(separator: ",\n")
        let challenge = #"{"id":"c","title":"t","category":"x","timeInvestment":"Quick"}"#
        let document = """
            {"version": 7, "language": {"code": "en"},
            "challenges": [\(challenge)],
            "content": [\(year)],
            "minimumAppVersion": "2.0"}
            """
        let read = try ContentLibrary(jsonLines: document)
        #expect(read.items.map(\.minimumAppVersion?.description) == (1...364).map { $0 == 5 ? "3.1" : "2.0" })
        #expect(read.items.map(\.quote) == library.items.map(\.quote))
        #expect(ContentCheck.challenges(document).records.map(\.minimumAppVersion?.description) == ["2.0"])
        let whole = try JSONReader.read(document) { reader throws(KinError) in try ContentDocument(from: &reader) }
        #expect(whole.days == read.items && whole.challenges == ContentCheck.challenges(document).records)
        let wrong = document.replacing("\"id\":7,", with: "\"id\":0,")
        #expect(ContentCheck.content(wrong).problems.map(\.line) == [9, nil])
        #expect(ContentCheck.content(document.replacing("2.0", with: "two")).problems.count > 0)
        #expect(throws: KinError.self) { try ContentLibrary(jsonLines: wrong) }
    }

    @Test("quotes have 15 to 50 words", arguments: [(14, false), (15, true), (50, true), (51, false)])
    func words(count: Int, isRight: Bool) {
        let quote = (0..<count).map { "w\($0)" }.joined(separator: " ")
        // A dash alone is not a word.
        for quote in [quote, quote + " \u{2014}", "- " + quote] {
            let item = try? ContentItem(
                id: 1, quote: quote, source: "s", action: "a", minutes: 5, domain: .health, difficulty: .beginner)
            #expect((item != nil) == isRight)
        }
    }
}
