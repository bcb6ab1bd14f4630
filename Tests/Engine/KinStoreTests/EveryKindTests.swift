import Foundation
import GRDB
import KinJSON
import KinStoreTrials
import KinTestSupport
import Testing

@testable import KinStore

/// Rules for every kind of record, tested with each kind on the list, so that no new kind can escape them.
@Suite("Records of every kind")
struct EveryKindTests {
    private let copyFolder = StoreFolder()
    private let thirdFolder = StoreFolder()

    @Test func theSampleHasEveryKind() async throws {
        let sample = try await EveryKind()
        #expect(try EveryKind.lines(sample.store).map { $0.type.kind.name } == RecordKind.all.map(\.name))
        #expect(try sample.store.check().isIntact)
        #expect(try sample.store.check().counts.values.allSatisfy { $0 > 0 })
    }

    /// Changes a byte of any column of any kind's row, or of a person's id, directly in the database.
    @Test func damageOfAnyFieldIsFound() async throws {
        let sample = try await EveryKind()
        var random = TestSeed().generator
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: sample.folder.database, configuration: configuration)
        var tried = 0
        for (table, columns) in RecordKind.all.map({ ($0.name, $0.columns + ["seal"]) }) + [("person", ["uid"])] {
            for column in columns {
                let damaged = try await queue.write { [random] database -> SeededGenerator in
                    var random = random
                    let row = try #require(
                        try Row.fetchOne(
                            database, sql: "SELECT number, \(column) FROM \(table) ORDER BY number LIMIT 1"))
                    try database.execute(
                        sql: "CREATE TEMP TABLE kept AS SELECT \(column) AS value FROM \(table) WHERE number = ?",
                        arguments: [row["number"] as Int64])
                    // A value that a different row already has is redrawn.
                    var tries = 0
                    repeat {
                        try database.execute(
                            sql: "UPDATE OR IGNORE \(table) SET \(column) = ? WHERE number = ?",
                            arguments: [Self.damaged(row[column], &random), row["number"] as Int64])
                        tries += 1
                    } while database.changesCount == 0 && tries < 100
                    try #require(database.changesCount == 1)
                    return random
                }
                random = damaged
                let report = try sample.store.check()
                #expect(!report.isIntact, "\(table).\(column)")
                tried += 1
                try await queue.write { database in
                    try database.execute(
                        sql: """
                            UPDATE \(table) SET \(column) = (SELECT value FROM kept)
                                WHERE number = (SELECT min(number) FROM \(table));
                            DROP TABLE kept
                            """)
                }
            }
        }
        #expect(tried > 4 * RecordKind.all.count)
        #expect(try sample.store.check().isIntact)
    }

    /// A value with one bit of one byte changed.
    private static func damaged(_ value: DatabaseValue, _ random: inout SeededGenerator) -> DatabaseValue {
        switch value.storage {
        case .int64(let number): return (number ^ (1 << Int64.random(in: 0..<40, using: &random))).databaseValue
        case .string(let text):
            var bytes = Array(text.utf8)
            // Only ASCII bytes, so that the value is still a text.
            let places = bytes.indices.filter { bytes[$0] < 0x80 }
            guard let place = places.randomElement(using: &random) else { return "x".databaseValue }
            bytes[place] ^= 1 << UInt8.random(in: 0..<5, using: &random)
            return String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob(let data):
            var data = data
            data[Int.random(in: 0..<data.count, using: &random)] ^= 0x10
            return data.databaseValue
        default: return "x".databaseValue
        }
    }

    @Test(arguments: [1, 2]) func aWholeExportImportsToTheSameBytes(_ threads: Int) async throws {
        let sample = try await EveryKind()
        let text = try EveryKind.export(sample.store)
        let copy = try copyFolder.open()
        let counts = try await copy.importLines(text, now: hour(99), threads: threads)
        #expect(try counts == sample.store.check().counts)
        #expect(try EveryKind.export(copy) == text)
        #expect(try copy.check().problems == [])
        for person in EveryKind.people {
            #expect(try copy.inbox(of: person) == sample.store.inbox(of: person))
            #expect(try !copy.inbox(of: person).isEmpty)
            #expect(try copy.anonymousName(of: person) == sample.store.anonymousName(of: person))
        }
        #expect(try copy.contributionsToRoute() == sample.store.contributionsToRoute())
        // A second import changes nothing, and earlier contributions are recognised.
        try await copy.importLines(text, now: hour(99))
        try await copy.contribute(
            .story(StoryContribution(title: "plain tale 1", content: "plain words")), by: EveryKind.author, at: hour(50)
        )
        #expect(try EveryKind.export(copy) == text)
    }

    /// A row that equals the stored row is not written: it is no change, so derived values remain. A policy's state is
    /// always written.
    @Test func storedRecordsAgainAreNoChange() async throws {
        let sample = try await EveryKind()
        let (store, before) = (sample.store, try sample.store.version())
        for (type, line) in try EveryKind.lines(store) where type.kind != NamedPolicy.kind {
            try await store.importLines(line, now: hour(99))
            #expect(try store.version() == before, "\(type.kind.name)")
        }
        var sessions = try store.sessions(of: EveryKind.person)
        try await store.put(sessions)
        #expect(try store.version() == before)
        // Only the changed row is a change.
        sessions[1].notes = "changed"
        #expect(try await store.put(sessions).count == 3)
        let changes = try store.read("read changes") {
            try ChangeLog.changes(of: [PleasureSession.kind], person: nil, since: before, in: $0)
        }
        #expect(changes?.map(\.numbers.count) == [1])
        // A damaged row of a kind without versions is written again.
        let (text, damaged) = (try EveryKind.export(store), try store.version())
        let items = text.split(separator: "\n").filter { $0.hasPrefix("{\"inventory_item\":") }
        try await store.pool.write { try $0.execute(sql: "UPDATE inventory_item SET seal = seal + 1") }
        #expect(try !store.check().isIntact)
        try await store.importLines(items.joined(separator: "\n"), now: hour(99))
        #expect(try sample.store.check().isIntact && store.version() != damaged)
        #expect(try sample.folder.found([sessions[0].id]) != nil)
    }

    /// An author has one name for a recipient, wherever the records go.
    @Test func anonymousNamesSurviveAnImport() async throws {
        let sample = try await EveryKind()
        let copy = try copyFolder.open()
        try await copy.importLines(EveryKind.export(sample.store), now: hour(99))
        for store in [sample.store, copy] {
            try await store.contribute(story("new"), by: EveryKind.author, at: hour(20))
            try await store.route(with: store.matcher(), at: hour(21))
        }
        let names = try [copy, sample.store].map { store in
            try Set(store.inbox(of: EveryKind.reader).map { "\($0.contribution.title): \($0.author)" })
        }
        #expect(names[0] == names[1])
        // Blocked authors stay blocked.
        #expect(
            try copy.inbox(of: EveryKind.person).filter { $0.contribution.title == "new" }.count
                == sample.store.inbox(of: EveryKind.person).filter { $0.contribution.title == "new" }.count)
    }

    @Test(arguments: EveryKind.people)
    func anExportOfOnePersonCanBeImportedElsewhere(_ person: String) async throws {
        let sample = try await EveryKind()
        let text = try EveryKind.export(sample.store, of: person)
        for other in EveryKind.people where other != person { #expect(!text.contains(other)) }
        let copy = try copyFolder.open()
        try await copy.importLines(text, now: hour(99))
        #expect(try EveryKind.export(copy, of: person) == text)
        #expect(try copy.users() == [person])
        #expect(try copy.inbox(of: person) == sample.store.inbox(of: person))
        #expect(try copy.check().problems == [])
        // Then the whole store is exported from there.
        let third = try thirdFolder.open()
        let whole = try EveryKind.export(copy)
        try await third.importLines(whole, now: hour(99))
        #expect(try EveryKind.export(third) == whole)
        #expect(try EveryKind.export(third, of: person) == text)
        // If the authors come later, nothing is duplicated.
        try await third.importLines(EveryKind.export(sample.store), now: hour(99))
        #expect(try EveryKind.export(third) == EveryKind.export(sample.store))
        #expect(try third.check().problems == [])
    }

    /// In a store without the author, an item can be decided about as usual, and a block applies to the author's name.
    @Test func itemsOfUnknownAuthorsCanBeDecidedAndBlocked() async throws {
        let sample = try await EveryKind()
        try await sample.store.contribute(story("second"), by: EveryKind.author, at: hour(20))
        try await sample.store.route(with: sample.store.matcher(), at: hour(21))
        let copy = try copyFolder.open()
        try await copy.importLines(EveryKind.export(sample.store, of: EveryKind.reader), now: hour(99))
        let items = try copy.inbox(of: EveryKind.reader)
        let second = try #require(items.first { $0.contribution.title == "second" })
        try await copy.accept(second.id, by: EveryKind.reader)
        #expect(try copy.inbox(of: EveryKind.reader, [.accepted]).contains { $0.id == second.id })
        try await copy.blockAuthor(of: second.id, by: EveryKind.reader)
        let after = try copy.inbox(of: EveryKind.reader)
        #expect(after.first { $0.id == second.id }?.state == .declined)
        #expect(
            after.filter { $0.author == second.author && $0.state != .accepted }.allSatisfy { $0.state == .declined })
        #expect(after.filter { $0.author != second.author } == items.filter { $0.author != second.author })
        #expect(await errorCode { try await copy.accept(second.id, by: EveryKind.reader) } == .invalidArgument)
        // The author arrives with the same name, and stays blocked.
        try await EveryKind.compareByValence(copy)
        try await copy.importLines(EveryKind.export(sample.store, of: EveryKind.author), now: hour(99))
        try await copy.contribute(story("third"), by: EveryKind.author, at: hour(30))
        try await copy.route(with: copy.matcher(), at: hour(31))
        #expect(try !copy.inbox(of: EveryKind.reader).contains { $0.contribution.title == "third" })
        try await copy.forget(EveryKind.reader)
        #expect(try copy.check().isIntact)
    }

    @Test func forgettingLeavesNoByteOfAnyKind() async throws {
        let sample = try await EveryKind()
        for trace in EveryKind.traces { #expect(try sample.folder.found([trace]) != nil) }
        // Data derived from all people's records is saved, including the person's id.
        try sample.store.deriveSavedValues()
        try await sample.store.saveIndexes()
        #expect(try FolderSearch(sample.folder.indexFolder).first(of: ["person-to-forget"]) != nil)
        let counts = try await sample.store.forget(EveryKind.person)
        #expect(Set(counts.keys) == Set(RecordKind.all.filter(\.isOwned).map(\.name)))
        #expect(try sample.folder.found(EveryKind.traces) ?? "" == "")
        #expect(try sample.store.check().isIntact)
        try await sample.store.close()
        #expect(try sample.folder.found(EveryKind.traces) ?? "" == "")
        // The same for imported records with unknown authors.
        let folder = StoreFolder()
        let copy = try folder.open()
        let whole = try await EveryKind()
        try await copy.importLines(EveryKind.export(whole.store, of: EveryKind.person), now: hour(99))
        try await copy.importLines(EveryKind.export(whole.store, of: EveryKind.reader), now: hour(99))
        try await copy.forget(EveryKind.person)
        #expect(try folder.found(EveryKind.traces) ?? "" == "")
        #expect(try copy.check().isIntact)
    }

    @Test func everyKindIsRemovedByItsKey() async throws {
        let sample = try await EveryKind()
        for (type, line) in try EveryKind.lines(sample.store).reversed() {
            let kind = type.kind
            let key = try #require(try EveryKind.keys(of: kind, in: sample.store).first)
            #expect(try Set(Store.keyNames(of: kind.name)) == Set(key.keys), "\(line)")
            let before = try sample.store.check().counts[kind.name] ?? 0
            #expect(try await sample.store.remove(kind.name, key: key), "\(kind.name) \(key)")
            #expect(try await !sample.store.remove(kind.name, key: key))
            #expect(try sample.store.check().counts[kind.name] == before - 1)
        }
        #expect(try sample.store.check().problems == [])
        await #expect(throws: KinError.self) { try await sample.store.remove("sessions", key: ["id": "x"]) }
        await #expect(throws: KinError.self) { try await sample.store.remove("session", key: [:]) }
    }

    /// Records of all kinds are removed one by one in a random order. A person is known as long as a record is left,
    /// whatever its kind, and no longer.
    @Test func aPersonIsUnknownAfterTheLastRecord() async throws {
        let sample = try await EveryKind()
        let store = sample.store
        var random = TestSeed().generator
        var keys = try RecordKind.all.flatMap { kind in try EveryKind.keys(of: kind, in: store).map { (kind, $0) } }
        // First the person's records. The records of other people then show that nothing else was removed.
        keys = keys.shuffled(using: &random)
        keys = keys.filter { $0.1["user"] == EveryKind.person } + keys.filter { $0.1["user"] != EveryKind.person }
        for (kind, key) in keys {
            // A record may go with a session or a contribution.
            _ = try await store.remove(kind.name, key: key)
            let owners = try RecordKind.all.filter(\.isOwned).flatMap { kind in
                try EveryKind.keys(of: kind, in: store, with: "person.uid").compactMap { $0["user"] }
            }
            #expect(try store.users() == Set(owners).sorted(), "after \(kind.name) \(key)")
            #expect(try store.counts().people == Set(owners).count)
        }
        #expect(try store.users().isEmpty && store.check().problems == [] && store.check().warnings == [])
        // Copies of the records may remain until the person is forgotten, although the person is unknown by now.
        #expect(try await store.forget(EveryKind.person).isEmpty)
        #expect(try sample.folder.found(EveryKind.traces) ?? "" == "")
        #expect(try await store.forget("nobody").isEmpty && store.check().isIntact)
    }

    /// A person's last record may go with a record of a different person.
    @Test func aPersonIsUnknownAfterTheLastRecordOfOthers() async throws {
        for forgets in [true, false] {
            let sample = try await EveryKind()
            let store = sample.store
            for kind in RecordKind.all where kind.isOwned && kind != InboxRecord.kind {
                for key in try EveryKind.keys(of: kind, in: store, with: "person.uid")
                where key["user"] == EveryKind.reader {
                    let author = kind == OwnContribution.kind ? ["id": key["id"] ?? ""] : key
                    try await store.remove(kind.name, key: author)
                }
            }
            #expect(try store.users() == EveryKind.people.sorted() && !store.inbox(of: EveryKind.reader).isEmpty)
            for author in [EveryKind.person, EveryKind.author] {
                if forgets {
                    try await store.forget(author)
                } else {
                    for key in try EveryKind.keys(of: OwnContribution.kind, in: store, with: "person.uid")
                    where key["user"] == author {
                        try await store.remove(OwnContribution.kind.name, key: ["id": key["id"] ?? ""])
                    }
                }
            }
            #expect(try store.users() == (forgets ? [] : [EveryKind.author, EveryKind.person]))
            #expect(try store.check().problems == [])
        }
    }

    /// A new person may get the number of a removed one. Cached data of both follow the records.
    @Test func aNumberIsUsedAgainWithoutTraces() async throws {
        let store = try copyFolder.open()
        var sample = SampleRecords()
        func remaining(_ user: String) throws -> Int { try store.withHistory(of: user) { $0.sessions.count } }
        try await store.put([sample.session("a", of: "a"), sample.session("b", of: "b")])
        #expect(try remaining("a") == 1 && remaining("b") == 1)
        try await store.removeSession("b")
        try await store.put([sample.session("c", of: "c")])
        #expect(try remaining("b") == 0 && remaining("c") == 1)
        try await store.put([sample.session("b2", of: "b")])
        #expect(try remaining("b") == 1 && remaining("c") == 1 && remaining("a") == 1)
        try await store.removeSession("c")
        try await store.put([sample.session("d", of: "d")])
        #expect(try remaining("c") == 0 && remaining("d") == 1 && store.users() == ["a", "b", "d"])
    }

    @Test func anOwnerOfASharedLogIsKnown() async throws {
        let store = try copyFolder.open()
        try await store.put([BabyRecord(userID: "mum", id: "ada", baby: RhythmLog.Baby(name: "Ada"))])
        try await store.shareBaby("ada", of: "mum", with: "dad")
        #expect(try store.users() == ["dad", "mum"])
        // The log moves to the other owner.
        try await store.unshareBaby("ada", of: "dad", with: "mum")
        #expect(try store.users() == ["dad"])
        try await store.shareBaby("ada", of: "dad", with: "gran")
        try await store.unshareBaby("ada", of: "dad", with: "gran")
        try await store.put([BabyRecord(userID: "dad", id: "bo", baby: RhythmLog.Baby(), owners: ["mum", "dad"])])
        #expect(try store.users() == ["dad", "mum"])
    }

    /// Changes the names of an object's members, at every level.
    private func renamed(_ tree: JSONTree, _ name: (String) -> String) -> JSONTree {
        switch tree {
        case .object(let members):
            .object(members.map { JSONTree.Member(name: name($0.name), value: renamed($0.value, name)) })
        case .list(let values): .list(values.map { renamed($0, name) })
        default: tree
        }
    }

    @Test func namesOfMembersMayBeInCamelCase() async throws {
        let sample = try await EveryKind()
        let lines = try EveryKind.export(sample.store).split(separator: "\n").map { try JSONTree(parsing: String($0)) }
        let camels = lines.map { renamed($0, Spelling.camelCase).jsonText }
        let copy = StoreFolder()
        let store = try copy.open()
        try await store.importLines(camels.joined(separator: "\n"), now: hour(0))
        #expect(try EveryKind.export(store) == EveryKind.export(sample.store))
        // Records alone.
        var bare = 0
        for (type, line) in try EveryKind.lines(sample.store) {
            let record = try #require(try JSONTree(parsing: line)[path: [type.kind.name]])
            guard type.isRecognized(by: record.members.map(\.name)) else { continue }
            bare += 1
            let (snake, camel) = (try Store(), try Store())
            try await snake.importArray("[\(record.jsonText)]", now: hour(0))
            let text = renamed(record, Spelling.camelCase).jsonText
            try await camel.importArray("[\(text)]", now: hour(0))
            #expect(try EveryKind.export(camel) == EveryKind.export(snake), "\(text)")
        }
        #expect(bare == 7)
    }

    /// An instant needs its offset, in every kind of record. Logs also have readings of a clock.
    @Test func instantsWithoutAnOffsetAreRefused() async throws {
        let sample = try await EveryKind()
        var count = 0
        for (type, line) in try EveryKind.lines(sample.store) where type != CareEvent.self {
            for match in line.matches(of: /"20[0-9-]+T[0-9:.]+Z"/) {
                let time = String(match.output.dropLast(2))
                for text in [time, time.replacing("T", with: " ")] {
                    var odd = line
                    odd.replaceSubrange(match.range, with: text + "\"")
                    let store = try Store()
                    let error = await #expect(throws: KinError.self, "\(odd)") {
                        try await store.importArray("[\(odd)]", now: hour(0))
                    }
                    #expect(error?.description.contains("offset") == true, "\(odd): \(String(describing: error))")
                    count += 1
                }
            }
        }
        #expect(count >= 20)
    }
}
