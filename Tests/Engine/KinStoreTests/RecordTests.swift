import KinStore
import KinStoreTrials
import KinTestSupport
import Testing

@Suite("Records in a store")
struct RecordTests {
    private let folder = StoreFolder()

    @Test func aPersonsSessionsComeNewestFirstInPages() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        // Three sessions begin at the same instant, so their ids decide.
        var sessions = try sample.sessions(40)
        sessions += try ["b", "c", "a"].map { try sample.session($0, of: "u2", at: 1.7e9 + 5 * 3600) }
        try await store.put(sessions)
        let expected = sessions.filter { $0.userID == "u2" }.sorted { ($0.start, $0.id) > ($1.start, $1.id) }
        #expect(try store.sessions(of: "u2") == expected)
        for size in [1, 2, 3, 5, 100] {
            var found: [PleasureSession] = []
            while true {
                let page = try store.sessions(of: "u2", limit: size, after: found.last)
                #expect(page.count <= size)
                guard !page.isEmpty else { break }
                found += page
            }
            #expect(found == expected, "pages of \(size)")
        }
        #expect(try store.sessions(of: "u2", limit: 0).isEmpty)
        #expect(errorCode { try store.sessions(of: "u2", limit: -1) } == .invalidArgument)
    }

    @Test func aProfileHasAHistory() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        let versions = try [5, 1, 9].map { ProfileVersion(since: try hour($0), profile: try sample.profile(of: "u1")) }
        try await store.put(versions)
        let sorted = versions.sorted { $0.since < $1.since }
        #expect(try store.profileHistory(of: "u1") == sorted)
        #expect(try store.profile(of: "u1") == sorted[2].profile)
        #expect(try store.profile(of: "u1", at: hour(0)) == nil)
        #expect(try store.profile(of: "u1", at: hour(1)) == sorted[0].profile)
        #expect(try store.profile(of: "u1", at: hour(8)) == sorted[1].profile)
        #expect(try store.profile(of: "u1", at: hour(999)) == sorted[2].profile)
        let other = try sample.profile(of: "u1")
        try await store.put(other, since: hour(5))
        #expect(try store.profileHistory(of: "u1").map(\.profile) == [sorted[0].profile, other, sorted[2].profile])
    }

    @Test func aCallThatFailsChangesNothing() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(10))
        let before = try Model(reading: store)
        let version = try store.version()
        let stolen = try [sample.session("new", of: "u9"), sample.session("u1-0", of: "u2")]
        await #expect(throws: KinError.self) { try await store.put(stolen) }
        let isAsBefore = try Model(reading: store) == before
        #expect(isAsBefore)
        #expect(try store.version() == version)
        #expect(try store.users() == before.users)
        #expect(errorCode { try folder.open(.reading).session("u1-0") } == nil)
    }

    @Test func aReaderDoesNotWrite() async throws {
        var sample = SampleRecords()
        try await folder.open().put(sample.sessions(4))
        let reader = try folder.open(.reading)
        let session = try sample.session("x", of: "u1")
        await #expect(throws: KinError.self) { try await reader.put([session]) }
        await #expect(throws: KinError.self) { try await reader.forget("u1") }
        await #expect(throws: KinError.self) { try await reader.saveIndexes() }
        #expect(try reader.users().count == 4)
        try await reader.close()
        #expect(errorCode { try reader.users() } != nil)
    }

    @Test func textOfAnyKindIsStored() async throws {
        var sample = SampleRecords()
        let texts = [
            "", "\u{0}zero\u{0}", "\"quoted\" \\ \n\t\u{1}", "žluťoučký 🐴 क्षि", String(repeating: "long ", count: 50_000),
        ]
        let sessions = try texts.enumerated().map {
            try sample.session("s\($0)", of: "user \($1.prefix(9).filter { $0 >= " " })'", notes: $1)
        }
        let store = try folder.open()
        try await store.put(sessions)
        for session in sessions {
            #expect(try store.session(session.id) == session)
            #expect(try store.sessions(of: session.userID) == [session])
        }
        #expect(try store.check().isIntact)
    }
}
