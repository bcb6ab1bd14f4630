import Foundation
import GRDB
import KinJSON
import KinTestSupport
import Testing

@testable import KinRhythms
@testable import KinStore

@Suite("The owners of a baby's log")
struct BabyOwnersTests {
    private let folder = StoreFolder()

    private func baby(_ user: String, _ id: String = "ada", owners: [String] = []) throws -> BabyRecord {
        try BabyRecord(userID: user, id: id, baby: RhythmLog.Baby(name: "Ada"), owners: owners)
    }

    private func events(_ store: Store, _ user: String, _ baby: String = "ada") throws -> [RhythmRecord]? {
        try store.rhythmLog(of: user, baby: baby)?.records
    }

    @Test func sharingIsIdempotentAndCoversEventsWithoutABabyRecord() async throws {
        let store = try folder.open()
        try await store.put([bottle("e", of: "mum")])
        for _ in 0..<2 {
            #expect(try await store.shareBaby("ada", of: "mum", with: "dad") == ["mum", "dad"])
            #expect(try await store.shareBaby("ada", of: "dad", with: "mum") == ["mum", "dad"])
        }
        #expect(try store.babies(of: "dad").map(\.owners) == [["mum", "dad"]])
        #expect(try events(store, "dad") == events(store, "mum") && events(store, "dad")?.count == 1)
        for user in ["gran", "dad"] {
            #expect(try await store.unshareBaby("ada", of: "mum", with: "nobody") == ["mum", "dad"], "\(user)")
        }
        let stranger = await #expect(throws: KinError.self) { try await store.shareBaby("ada", of: "x", with: "x") }
        let unknown = await #expect(throws: KinError.self) {
            try await store.unshareBaby("bob", of: "dad", with: "mum")
        }
        #expect(stranger?.code == .unknownID && unknown?.code == .unknownID)
        #expect(try await store.unshareBaby("ada", of: "dad", with: "dad") == ["mum"])
        #expect(try events(store, "dad") == nil && store.babies(of: "dad") == [])
        let last = await #expect(throws: KinError.self) { try await store.unshareBaby("ada", of: "mum", with: "mum") }
        #expect(last?.code == .invalidArgument && last?.message.contains("only owner") == true)
        #expect(try store.check().problems == [])
    }

    /// In whatever order some owners' events and the app's document arrive, all owners have one log with all events.
    @Test func documentsTakeInEarlierEvents() async throws {
        let people = ["mum", "dad", "gran"]
        for (number, some) in [["mum"], ["dad"], ["gran", "dad"], ["dad", "mum"], people].enumerated() {
            let folder = StoreFolder()
            let store = try folder.open()
            for (place, user) in some.enumerated() {
                let event = #"{"type":"diaper","timestamp":"2026-05-01T0\#(place):00:00Z","diaperData":{"type":"wet"}}"#
                let both =
                    #"{"id":"both","type":"diaper","timestamp":"2026-05-01T08:00:00Z","updatedAt":"2026-05-0\#(place + 1)T09:00:00Z","diaperData":{"type":"wet"}}"#
                let options = ShapeOptions(user: user, baby: "b1")
                try await store.importArray("[\(event),\(both)]", now: hour(0), options: options)
                #expect(try store.babies(of: user).map(\.id) == ["b1"])
            }
            let owners = number % 2 == 0 ? people : people.reversed()
            let list = owners.map { "\"\($0)\"" }.joined(separator: ",")
            let document =
                #"{"id":"b1","name":"Ada","dateOfBirth":"2026-01-05T00:00:00Z","owners":[\#(list)],"createdBy":"x"}"#
            for _ in 0..<2 { try await store.importArray("[\(document)]", now: hour(1)) }
            for user in people {
                let log = try #require(try store.rhythmLog(of: user, baby: "b1"))
                #expect(log.records.count == some.count + 1, "\(user) \(some)")
                #expect(log.records.last?.note?.updated == (try Timestamp(parsing: "2026-05-0\(some.count)T09:00:00Z")))
                #expect(try store.babies(of: user).map { Set($0.owners) } == [Set(people)])
            }
            // A document under a new first owner continues the log of any other.
            let later = document.replacing(list, with: "\"aunt\",\"gran\"")
            try await store.importArray("[\(later)]", now: hour(2))
            for user in ["aunt", "gran"] {
                #expect(try store.rhythmLog(of: user, baby: "b1")?.records.count == some.count + 1)
            }
            #expect(try store.rhythmLog(of: "mum", baby: "b1") == nil && store.babies(of: "dad") == [])
            #expect(try store.check().problems == [])
        }
    }

    /// An app's event of a baby that the user does not own is refused in the words of an unknown baby. A record of Kin is
    /// stored, because two families of an export may have used one id.
    @Test func strangersHaveNoLogOfTheBaby() async throws {
        let store = try folder.open()
        try await store.importArray("[\(AppDocuments.baby)]", now: hour(0))
        try await store.put([baby("aunt", "b2"), baby("aunt", "b3", owners: ["aunt", "uncle"])])
        let before = try EveryKind.export(store)
        for (user, id) in [("eve", "b1"), ("aunt", "b1"), ("mum", "b2"), ("mum", "b3"), ("dad", "b3")] {
            for event in AppDocuments.events {
                let event = event.replacing("\"babyId\": \"b1\"", with: "\"babyId\": \"\(id)\"")
                    .replacing("\"id\":", with: "\"userId\": \"\(user)\", \"id\":")
                let error = await #expect(throws: KinError.self) {
                    try await store.importArray("[\(event)]", now: hour(0))
                }
                #expect(
                    error?.code == .unknownID && error?.message.hasPrefix("the store has no baby \(id)") == true)
            }
        }
        #expect(try EveryKind.export(store) == before)
        for (user, id) in [("mum", "b1"), ("dad", "b1"), ("uncle", "b3"), ("eve", "new")] {
            let options = ShapeOptions(user: user, baby: id)
            let event = AppDocuments.events[4].replacing(", \"babyId\": \"b1\"", with: "")
            #expect(try await store.importArray("[\(event)]", now: hour(0), options: options) == ["care_event": 1])
        }
        try await store.put([bottle("own", of: "eve", baby: "b1")])
        #expect(try store.babies(of: "eve").map(\.id) == ["b1", "new"])
    }

    /// Whatever owner writes, all read one log, and removed owners read nothing.
    @Test func allOwnersWriteOneLog() async throws {
        let store = try folder.open()
        try await store.put([baby("mum", owners: ["mum", "dad", "gran"])])
        try await store.put([
            bottle("a", of: "mum"), bottle("b", of: "dad", minute: 90),
            bottle("c", of: "gran", by: "nanny", minute: 180),
        ])
        let lines =
            #"{"care_event":{"user_id":"dad","baby":"ada","event":{"id":"d","type":"diaper","start":"2025-06-16T10:00","kind":"wet"}}}"#
        for threads in 1...2 { try await store.importLines(lines, now: hour(0), threads: threads) }
        let log = try #require(try events(store, "mum"))
        #expect(
            Set(log.map { "\($0.note?.id ?? "") \($0.note?.author ?? "-")" }) == ["a -", "b dad", "c nanny", "d dad"])
        for user in ["dad", "gran"] { #expect(try events(store, user) == log) }
        // A later owner changes the record, and its owners stay.
        try await store.put([BabyRecord(userID: "gran", id: "ada", baby: RhythmLog.Baby(name: "Adele"))])
        #expect(
            try store.babies(of: "mum") == [
                BabyRecord(
                    userID: "mum", id: "ada", baby: RhythmLog.Baby(name: "Adele"), owners: ["mum", "dad", "gran"])
            ])
        // The first owner leaves, and what mum logged before has her name.
        #expect(try await store.unshareBaby("ada", of: "gran", with: "mum") == ["dad", "gran"])
        #expect(try events(store, "mum") == nil)
        let left = try #require(try events(store, "gran"))
        #expect(
            left.map(\.start) == log.map(\.start) && Set(left.compactMap(\.note?.author)) == ["mum", "dad", "nanny"])
        #expect(try store.babies(of: "dad").map(\.owners) == [["dad", "gran"]])
        let shared = await #expect(throws: KinError.self) {
            try await store.remove("baby", key: ["user": "dad", "id": "ada"])
        }
        #expect(shared?.message.contains("unshare") == true)
        #expect(try store.check().problems == [])
    }

    /// A person with a log of a different baby with the same id is refused, in every way to share, and nothing changes.
    @Test func aSecondBabyWithTheSameIDIsRefused() async throws {
        let store = try folder.open()
        try await store.put([baby("mum"), baby("dad")])
        try await store.put([bottle("e", of: "gran"), bottle("e", of: "mum")])
        try await store.put([baby("aunt", owners: ["aunt", "uncle"])])
        let before = try EveryKind.export(store)
        for other in ["dad", "gran", "aunt", "uncle"] {
            let line = #"{"baby":{"user_id":"mum","id":"ada","owners":["mum","\#(other)"]}}"#
            let errors = [
                await #expect(throws: KinError.self) { try await store.shareBaby("ada", of: "mum", with: other) },
                await #expect(throws: KinError.self) { try await store.put([baby("mum", owners: ["mum", other])]) },
                await #expect(throws: KinError.self) { try await store.importLines(line, now: hour(0)) },
            ]
            for error in errors {
                #expect(error?.code == .duplicateID && error?.message.contains("different id") == true, "\(other)")
            }
        }
        #expect(try EveryKind.export(store) == before)
        let without = #expect(throws: KinError.self) { try baby("mum", owners: ["dad"]) }
        #expect(without?.fact("field") == "owners")
    }

    /// A removal wins over versions from before it, in either order of arrival and from any device; a version from after
    /// it counts.
    @Test(arguments: [true, false], [true, false]) func removalsWinOverOlderEdits(
        isCommand: Bool, isFirst: Bool
    ) async throws {
        let store = try folder.open()
        try await store.put([baby("mum", owners: ["mum", "dad"])])
        try await store.put([bottle("e", of: "mum", updated: 1, text: "secret")])
        func remove() async throws {
            if isCommand {
                #expect(
                    try await store.remove("care_event", key: ["user": "dad", "baby": "ada", "id": "e"], at: hour(20)))
            } else {
                try await store.put([bottle("e", of: "dad", updated: 20, removed: true)])
            }
        }
        if isFirst { try await remove() }
        for (user, updated) in [("mum", 19), ("dad", 12)] {
            let skipped = try await store.put([bottle("e", of: user, updated: updated, text: "older")])
            #expect(skipped == (isFirst || updated == 12 ? 1 : 0))
        }
        if !isFirst { try await remove() }
        let removed = try #require(try events(store, "mum")?.first)
        #expect(removed.note?.isRemoved == true && removed.note?.text == nil)
        #expect(try store.rhythmLog(of: "dad", baby: "ada")?.counted.isEmpty == true)
        #expect(try await !store.remove("care_event", key: ["user": "mum", "baby": "ada", "id": "e"], at: hour(30)))
        try await store.put([bottle("e", of: "mum", updated: 40)])
        #expect(try store.rhythmLog(of: "dad", baby: "ada")?.counted.count == 1)
        // The version that was removed does not come back, even if its device's clock was ahead.
        try await store.put([bottle("e", of: "mum", updated: 60)])
        #expect(try await store.remove("care_event", key: ["user": "mum", "baby": "ada", "id": "e"], at: hour(50)))
        #expect(try await store.put([bottle("e", of: "mum", updated: 60)]) == 1)
        #expect(try store.rhythmLog(of: "dad", baby: "ada")?.counted.isEmpty == true)
        try await store.put([bottle("e", of: "mum", updated: 61)])
        // An event of one owner is erased.
        try await store.unshareBaby("ada", of: "mum", with: "dad")
        #expect(try await store.remove("care_event", key: ["user": "mum", "baby": "ada", "id": "e"]))
        #expect(try events(store, "mum") == [])
        #expect(try store.check().isIntact)
    }

    /// Random households forget one person after the other: no byte of a forgotten id remains, the others keep their
    /// logs, forecasts and recorded forecasts, and the last owner's log is erased.
    @Test func forgettingKeepsTheLogForTheOthers() async throws {
        var random = TestSeed().generator
        let store = try folder.open()
        let people = (0..<6).map { "person-\($0)-to-forget" }
        var owners: [String: Set<String>] = [:]
        for number in 0..<5 {
            let id = "baby-\(number)-to-erase"
            var some = Array(people.shuffled(using: &random).prefix(1 + random.below(4)))
            owners[id] = Set(some)
            let keeper = some[0]
            some.shuffle(using: &random)
            let list = some.map { "\"\($0)\"" }.joined(separator: ",")
            let app = """
                {"id":"\(id)","name":"Ada","dateOfBirth":"2025-05-05T00:00:00Z","owners":[\(list)],\
                "createdBy":"\(people[random.below(6)])","createdAt":"2025-06-01T08:30:00Z"}
                """
            try await store.importArray("[\(app)]", now: hour(0), options: ShapeOptions(user: keeper))
            for minute in 0..<40 {
                let author = random.below(3) == 0 ? nil : people[random.below(6)]
                try await store.put([
                    bottle(
                        "e\(minute)", of: some[random.below(some.count)], baby: id, by: author, minute: 100 * minute,
                        text: "words")
                ])
            }
            for number in 0..<3 {
                let now = LoggedTime(localMinutes: 29_166_666 + 60 * Double(number + 60))
                try await store.transaction { transaction in
                    let predictions = try #require(try transaction.forecaster(of: keeper, baby: id)).predictions(
                        at: now)
                    try transaction.record(predictions, of: keeper, baby: id)
                }
            }
        }
        struct Answers: Equatable {
            let rows: [RhythmRecord]
            let predictions: String
            let scores: [ForecastScore]
        }
        func answers(_ user: String, _ baby: String) throws -> Answers? {
            guard let log = try store.rhythmLog(of: user, baby: baby) else { return nil }
            let rows = log.records.map { row in
                var row = row
                row.note = nil
                return row
            }
            return Answers(
                rows: rows, predictions: try log.predictions(at: #require(log.latest)).json,
                scores: try #require(try store.forecastScores(of: user, baby: baby)))
        }
        var truth: [String: Answers] = [:]
        for (id, some) in owners {
            for user in people {
                let answers = try answers(user, id)
                #expect((answers != nil) == some.contains(user), "\(user) \(id)")
                if let answers { #expect(truth.updateValue(answers, forKey: id) ?? answers == answers) }
            }
        }
        #expect(truth.values.contains { $0.scores.contains { $0.count > 0 } })
        for (number, person) in people.shuffled(using: &random).enumerated() {
            let shared = owners.values.count { $0.contains(person) && $0.count > 1 }
            let counts = try await store.forget(person)
            #expect(counts[Store.sharedBabyCount] ?? 0 == shared, "\(counts)")
            for id in owners.keys { owners[id]?.remove(person) }
            let erased = owners.filter { $0.value.isEmpty }.map(\.key)
            #expect(try folder.found([person] + erased) == nil)
            for (id, some) in owners {
                for user in some {
                    #expect(try answers(user, id) == truth[id], "\(id) after \(number)")
                    #expect(try Set(store.babies(of: user).first { $0.id == id }?.owners ?? []) == some)
                    #expect(try EveryKind.export(store, of: user).contains(id))
                }
            }
            #expect(try store.check().problems == [])
        }
        #expect(try store.counts().records.isEmpty && store.users().isEmpty)
    }

    /// Each owner's export has the whole log under that owner's id, and restores it in an empty store.
    @Test func everyOwnersExportHasTheLog() async throws {
        let store = try folder.open()
        try await store.importArray(
            "[\(([AppDocuments.baby] + AppDocuments.events).joined(separator: ","))]", now: hour(0))
        try await store.put([baby("dad", "own")])
        let exports = try ["mum", "dad"].map { try EveryKind.export(store, of: $0) }
        let shared = exports[1].split(separator: "\n").filter { !$0.contains("\"own\"") }.joined(separator: "\n") + "\n"
        #expect(shared.replacing("\"user_id\":\"dad\"", with: "\"user_id\":\"mum\"") == exports[0])
        #expect(shared.contains(#""owners":["mum","dad"]"#) && !shared.contains("\"user_id\":\"mum\""))
        for export in exports {
            let other = StoreFolder()
            let copy = try other.open()
            try await copy.importLines(export, now: hour(1))
            for user in ["mum", "dad"] {
                #expect(try events(copy, user, "b1") == events(store, "mum", "b1"))
            }
            // The exports of all owners are of one log.
            for export in exports { try await copy.importLines(export, now: hour(1)) }
            #expect(try copy.babies(of: "mum") == store.babies(of: "mum"))
            #expect(try copy.check().problems == [])
            // The same holds in the store of the export, and for the app's form.
            try await store.importLines(export, now: hour(1))
        }
        for user in ["mum", "dad"] {
            let records = try JSONTree(
                parsing:
                    "[\(String(decoding: store.exportRecords(of: user, as: .babysync), as: UTF8.self).split(separator: "\n").joined(separator: ","))]"
            )
            guard case .list(let list) = records else { throw KinError(.malformedInput, "no list") }
            let own = list.filter { $0[path: ["kind"]] == .text("baby") && $0[path: ["id"]] == .text("b1") }
            #expect(own.map { $0[path: ["record", "owners"]] } == [.list([.text("mum"), .text("dad")])])
        }
        #expect(try store.check().isIntact)
    }

    /// The document's owners are the owners, also without its creator.
    @Test func aDocumentSetsTheOwners() async throws {
        let store = try folder.open()
        func put(_ owners: String) async throws {
            let record = AppDocuments.baby.replacing(#"["mum", "dad"]"#, with: owners)
            try await store.importArray("[\(record)]", now: hour(0))
        }
        for (owners, expected) in [
            (#"["mum", "dad"]"#, ["mum", "dad"]), (#"["dad", "gran", "mum"]"#, ["dad", "gran", "mum"]),
            ("[]", ["dad", "gran", "mum"]),
            (#"["mum"]"#, ["mum"]), (#"["gran", "mum"]"#, ["gran", "mum"]),
        ] {
            try await put(owners)
            for user in ["mum", "dad", "gran"] {
                #expect(
                    try store.babies(of: user).map(\.owners) == (expected.contains(user) ? [expected] : []), "\(owners)"
                )
            }
        }
        let other = StoreFolder()
        let second = try other.open()
        let record = AppDocuments.baby.replacing(#"["mum", "dad"]"#, with: #"["gran", "dad"]"#)
        try await second.importArray("[\(record)]", now: hour(0))
        #expect(try second.babies(of: "mum") == [] && second.babies(of: "gran").map(\.owners) == [["gran", "dad"]])
    }

    /// Damage to the table of owners, which decides access, is found.
    @Test func damageOfTheOwnersIsFound() async throws {
        let store = try folder.open()
        try await store.put([baby("mum", owners: ["mum", "dad"]), baby("gran", "bob")])
        #expect(try store.check().isIntact)
        for change in [
            "DELETE FROM baby_owner", "UPDATE baby_owner SET id = 'bob'",
            "UPDATE baby_owner SET person = (SELECT number FROM person WHERE uid = 'gran')",
            "UPDATE baby_owner SET keeper = (SELECT number FROM person WHERE uid = 'gran')",
            "INSERT INTO baby_owner SELECT number, 'ada', 1 FROM person WHERE uid = 'gran'",
        ] {
            try await store.pool.write { database in
                try database.execute(sql: "CREATE TEMP TABLE kept AS SELECT * FROM baby_owner")
                try database.execute(sql: change)
            }
            #expect(try !store.check().isIntact, "\(change)")
            try await store.pool.write { database in
                try database.execute(
                    sql: "DELETE FROM baby_owner; INSERT INTO baby_owner SELECT * FROM kept; DROP TABLE kept")
            }
        }
        #expect(try store.check().isIntact)
    }
}
