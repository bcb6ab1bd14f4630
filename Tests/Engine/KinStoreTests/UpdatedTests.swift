import KinJSON
import KinSamples
import Testing

@testable import KinStore

@Suite("The latest update wins")
struct UpdatedTests {
    private let storeFolder = StoreFolder()

    /// Every kind whose JSON has a time of update compares that time.
    @Test func anOlderUpdateChangesNothing() async throws {
        let sample = try await EveryKind()
        var tried: [String] = []
        for (type, line) in try EveryKind.lines(sample.store) where line.contains("\"updated") {
            let before = try EveryKind.export(sample.store)
            let name = type.kind.name
            tried.append(name)
            let older = line.replacing("2026-03-02T10", with: "2026-03-01T10").replacing(
                "\"notes\":\"plain\"", with: "\"notes\":\"older\""
            )
            .replacing("Run 0", with: "older").replacing(
                /"content_hash":"[0-9a-f]*"/, with: "\"content_hash\":null")
            #expect(older != line)
            #expect(try await sample.store.importLines(older, now: hour(99)) == [Store.olderCount: 1], "\(name)")
            #expect(try EveryKind.export(sample.store) == before, "\(name)")
            let newer = older.replacing("2026-03-01T10", with: "2026-03-03T10")
            #expect(
                try await sample.store.importLines(newer + "\n" + older, now: hour(99)) == [
                    name: 1, Store.olderCount: 1,
                ])
            let after = try EveryKind.export(sample.store)
            #expect(after != before && after.contains("2026-03-03T10"), "\(name)")
            // With the same time, or without one, the later call wins.
            #expect(try await sample.store.importLines(newer, now: hour(99)) == [name: 1])
        }
        #expect(tried == ["care_event", "challenge"])
        #expect(try sample.store.check().isIntact)
    }

    /// Exports of a growing store in any order, by any number of threads, make the latest state of each kind with an order
    /// of versions.
    @Test(arguments: 1...2) func anEarlierExportChangesNothing(threads: Int) async throws {
        let store = try storeFolder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(20))
        try await store.put(ChallengePreferences(userID: "u", recoveryDays: 3))
        try await store.put([PleasureSession(id: "s", userID: "u", start: hour(0))])
        var exports: [String] = []
        for step in 0..<4 {
            let now = try hour(24 * step + 10)
            try await store.withSelector(for: "u") { selector throws(KinError) in
                _ = try selector.today(at: now)
                if step == 2 { try selector.skip(at: now) }
                if step == 3 {
                    for given in selector.history where given.status == .pending {
                        try selector.complete(given.challengeID, rating: 5, at: now)
                    }
                }
            }
            try await store.reflect("u", completed: step > 1, text: "\(step)", at: hour(24 + step), in: .utc)
            try await store.change(.session("s")) { session in
                if step == 3 {
                    try session?.end(at: hour(5))
                } else {
                    try session?.advance(to: [.drift, .mastery, .drift][step])
                }
            }
            let lines = try EveryKind.export(store).split(separator: "\n").filter { !$0.hasPrefix("{\"rotation") }
            exports.append(lines.joined(separator: "\n"))
        }
        var kinds: Set<String> = []
        for first in exports.indices {
            for second in exports.indices where first != second {
                let other = StoreFolder()
                let copy = try other.open()
                _ = try await copy.importLines(exports[first], now: hour(99), threads: threads)
                let counts = try await copy.importLines(exports[second], now: hour(99), threads: threads)
                #expect((counts[Store.olderCount] ?? 0 > 0) == (second < first), "\(first) \(second) \(counts)")
                let latest = exports[max(first, second)]
                #expect(try EveryKind.export(copy) == latest + "\n", "\(first) \(second)")
                #expect(try copy.check().isIntact)
            }
        }
        for type in RecordKind.types where exports[3].contains("{\"\(type.kind.name)\":") {
            if Self.hasVersions(type) { kinds.insert(type.kind.name) }
        }
        // The others are in the test above.
        let all = Set(RecordKind.types.filter { Self.hasVersions($0) }.map { $0.kind.name })
        #expect(kinds.union(["care_event"]) == all)
    }

    private static func hasVersions<Record: StoredRecord>(_: Record.Type) -> Bool { Record.isEarlier != nil }

    /// The newer event is the one with the later instant of change, for any offsets. A time without an offset, as in
    /// earlier stores, is in UTC.
    @Test(arguments: [
        ("2026-01-20T12:00:00+02:00", "2026-01-20T11:00:00Z"), ("2026-10-25T00:50:00Z", "2026-10-25T01:10:00Z"),
        ("2026-01-21T00:30:00+09:00", "2026-01-20T16:00:00"),
        ("2026-01-20T10:59:59.999999", "2026-01-20T06:00:00-05:00"),
    ]) func theLaterInstantOfChangeWins(first: String, second: String) async throws {
        for zone in ["", #","time_zone":"Europe/Berlin""#] {
            let folder = StoreFolder()
            defer { withExtendedLifetime(folder) {} }
            let store = try folder.open()
            func line(_ updated: String, _ ml: Int) -> String {
                let event =
                    #"{"id":"x","type":"feed","start":"2026-01-20T10:00","volume":\#(ml),"updated":"\#(updated)"}"#
                return #"{"care_event":{"user_id":"u","baby":"b","event":\#(event)\#(zone)}}"#
            }
            func amounts() throws -> [Double]? { try store.rhythmLog(of: "u", baby: "b")?.days.map(\.millilitres) }
            for (updated, ml, isNewer) in [(first, 100, true), (second, 150, true), (first, 100, false)] {
                let counts = try await store.importLines(line(updated, ml), now: hour(0))
                #expect(counts == [isNewer ? "care_event" : Store.olderCount: 1], "\(updated) \(counts)")
                #expect(try amounts() == [isNewer ? Double(ml) : 150])
            }
            #expect(try store.check().isIntact)
        }
    }

    /// A text that names its author is refused, in any letter case of the text and the id.
    @Test func noContributionNamesItsAuthor() async throws {
        let store = try storeFolder.open()
        try await store.contribute(story("7 breaths"), by: "7", at: hour(0))
        let letters = [
            "Anna-7", "straße", "ὀδυσσεύς", "Ǆungla", "ﬁnn", "Żółw", "ıspanak", "ẞar", "ᾳσμα", "ann42", "e\u{301}lan",
        ]
        for id in letters {
            let author = try RecordID.checked(id, field: "user")
            for form in [id, id.lowercased(), id.uppercased(), id.uppercased().lowercased(), author] {
                for (before, after) in [("", ""), ("of ", "!"), ("“", "”"), ("(", ", and")] {
                    let text = before + form + after
                    for tale in try [
                        StoryContribution(title: text, content: "x"), StoryContribution(title: "x", content: text),
                        StoryContribution(title: "x", content: "x", triggerZone: text),
                    ] {
                        let error = await #expect(throws: KinError.self, "\(id) \(text)") {
                            try await store.contribute(.story(tale), by: author, at: hour(0))
                        }
                        #expect(error?.code == .invalidArgument)
                        let own = try OwnContribution(
                            author: author, id: "k", made: hour(0), isRouted: false, contribution: .story(tale))
                        let put = await #expect(throws: KinError.self, "\(id) \(text)") {
                            try await store.importLines("{\"contribution\":\(own.jsonText)}", now: hour(0))
                        }
                        #expect(put?.code == .invalidArgument)
                    }
                }
                // A part of a longer word is not a name.
                for text in ["x\(form)", "\(form)x", "\(form)9"] {
                    let tale = try StoryContribution(title: "\(form.count) \(text)", content: "x")
                    _ = try await store.contribute(.story(tale), by: author, at: hour(0))
                }
            }
        }
    }

    /// Submitting the same contribution again, at once or later, adds nothing.
    @Test func aContributionIsAcceptedOnce() async throws {
        let store = try storeFolder.open()
        let tale = Contribution.story(try StoryContribution(title: "a \"tale\"", content: "of é"))
        let id = try await store.contribute(tale, by: "a", at: hour(0))
        #expect(try await store.contribute(tale, by: "a", at: hour(1)) == id)
        #expect(try await store.contribute(tale, by: "b", at: hour(1)) != id)
        let other = Contribution.story(try StoryContribution(title: "a \"tale\"", content: "of é", triggerZone: "x"))
        #expect(try await store.contribute(other, by: "a", at: hour(1)) != id)
        #expect(try store.contributionsToRoute() == 3)
    }

    /// Contributions of a person without a soul still wait for the router.
    @Test func contributionsWaitForTheAuthorsSoul() async throws {
        let store = try storeFolder.open()
        try await EveryKind.compareByValence(store)
        try await store.put([Soul(userID: "reader", valence: 0.5), Soul(userID: "early", valence: 0.5)])
        for (number, author) in ["late", "early", "late"].enumerated() {
            try await store.contribute(
                .story(StoryContribution(title: "tale \(number)", content: "words")), by: author, at: hour(number))
        }
        let before = try store.matcher()
        #expect(
            try await store.route(with: before, at: hour(5))
                == RoutingReport(contributions: 1, deliveries: 1, newcomers: 2, waiting: 2))
        #expect(try store.contributionsToRoute() == 2)
        try await store.put([Soul(userID: "late", valence: 0.5)])
        // A matcher created before does not have the new soul.
        #expect(
            try await store.route(with: before, at: hour(6))
                == RoutingReport(contributions: 0, deliveries: 0, waiting: 2))
        #expect(try await store.route(with: store.matcher(), at: hour(7), limit: 1).contributions == 1)
        #expect(try await store.route(with: store.matcher(), at: hour(7)).contributions == 1)
        #expect(try store.inbox(of: "reader").count == 3)
        #expect(try await store.route(with: store.matcher(), at: hour(8)) == RoutingReport())
    }
}
