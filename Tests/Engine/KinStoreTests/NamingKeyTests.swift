import KinTestSupport
import Testing

@testable import KinStore

@Suite("Naming keys")
struct NamingKeyTests {
    private let folder = StoreFolder()
    private let key = (0..<32).map { UInt8(200 - 3 * $0) }

    private func open(_ key: [UInt8]?, _ access: Store.Access = .writing) throws -> Store {
        try Store(at: folder.database, for: access, check: .complete, namingKey: key)
    }

    /// Stores one person's story in a second person's inbox.
    private func fill(_ store: Store, title: String = "One") async throws {
        try await store.put(
            ["author", "reader"].map { try Soul(userID: $0, goals: SoulTraits(["calm": 5]), valence: 0.5) })
        try await store.contribute(
            Contribution(
                json: """
                    {"story":{"title":"\(title)","content":"Once","triggerZone":"Pool","narrativeType":"fable"}}
                    """),
            by: "author", at: hour(0))
    }

    /// Whether any file contains the bytes.
    private func hasFile(_ bytes: [UInt8]) throws -> Bool {
        try folder.files.contains { try folder.contents($0).contains(bytes) }
    }

    @Test("the caller's key is in no file, and later openings need the same key")
    func isNotInTheDatabase() async throws {
        for short in [[], [UInt8](repeating: 1, count: 15)] {
            #expect(errorCode { try open(short) } == .invalidArgument)
        }
        #expect(folder.files.isEmpty)
        let store = try open(key)
        try await fill(store)
        let name = try #require(try store.anonymousName(of: "author"))
        #expect(name == NamingKey(key).name(of: "author"))
        #expect(try store.check().namingKey == .caller && store.storedNamingKey() == nil)
        #expect(try !hasFile(key))
        try await store.close()
        #expect(try !hasFile(key))
        for access in [Store.Access.reading, .writing] {
            #expect(kinError { try open(key.reversed(), access) }.says("namingKey", code: .invalidArgument))
        }
        // Without the key there are the records and the existing names, but no new names.
        let other = try open(nil)
        #expect(try other.soul(of: "author") != nil && other.check().isIntact)
        #expect(try other.anonymousName(of: "author") == name)
        #expect(errorCode { try other.anonymousName(of: "reader") } == .invalidArgument)
        await #expect(throws: KinError.self) { try await fill(other, title: "Two") }
        try await other.close()
        #expect(try open(key, .reading).anonymousName(of: "author") == name)
    }

    @Test("a caller's key can replace the store's own, which is then erased")
    func isTakenOver() async throws {
        let store = try open(nil)
        #expect(try store.check().namingKey == .nowhere && store.storedNamingKey() == nil)
        try await fill(store)
        #expect(try store.check().namingKey == .database)
        let name = try #require(try store.anonymousName(of: "author"))
        let own = try #require(try store.storedNamingKey())
        try await store.close()
        #expect(try hasFile(own))
        #expect(errorCode { try open(key) } == .invalidArgument)
        // A reader changes nothing.
        #expect(try open(own, .reading).anonymousName(of: "author") == name)
        #expect(try hasFile(own))
        let again = try open(own)
        #expect(try again.check().namingKey == .caller && again.check().warnings.isEmpty)
        #expect(try again.anonymousName(of: "author") == name)
        #expect(try !hasFile(own))
        try await again.close()
        #expect(try !hasFile(own))
    }

    /// The ids were computed independently of this code, from the texts that version 0.1.0 digested. A contribution
    /// sent again after an update has to be recognised.
    @Test(
        "contribution ids equal release 0.1.0's for any printed instant",
        arguments: [
            ("2026-01-05T00:00:00Z", "ed01f9a4b030d90b123d2a98a23b7b87"),
            ("2026-01-05T06:30:00Z", "312448ae94d570612fab0442baab905a"),
        ])
    func contributions(made: String, id: String) throws {
        let key = NamingKey(Array(0..<32))
        let instant = try Timestamp(parsing: made)
        #expect(key.contributionID(author: "u1", made: instant, json: #"{"story":{}}"#) == id)
    }
}
