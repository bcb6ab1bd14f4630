import Foundation
import KinStore
import KinTestSupport
import Testing

@Suite("Index files are caches, never trusted")
struct IndexCacheTests {
    private let folder = StoreFolder()
    private let file = "people.db-indexes/session-l2.kin"

    /// Expects searches to match a comparison of all sessions.
    private func expectAgreement(_ store: Store, _ place: Comment, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let sessions = try store.users().flatMap { try store.sessions(of: $0, limit: .max) }
        var sample = SampleRecords(seed: UInt64(sessions.count))
        let point = try sample.point()
        let expected = sessions.map { session in
            let distance = zip(session.embedding.vector, point.vector).reduce(0.0) { sum, pair in
                let difference = Double(pair.0) - Double(pair.1)
                return sum + difference * difference
            }
            return (session, distance)
        }.sorted { $0.1 < $1.1 }
        let found = try store.nearestSessions(to: point, k: sessions.count + 3)
        #expect(found.count == sessions.count, place, sourceLocation: sourceLocation)
        for (match, truth) in zip(found, expected) {
            #expect(abs(match.distance - truth.1) < 1e-9, place, sourceLocation: sourceLocation)
        }
        #expect(Set(found.map(\.session)) == Set(sessions), place, sourceLocation: sourceLocation)
        let report = try store.check()
        #expect(report.isIntact, "\(place): \(report.problems)", sourceLocation: sourceLocation)
    }

    private func filled(_ count: Int = 200) async throws -> Store {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(count))
        return store
    }

    @Test func aSavedIndexIsUsedAndBroughtUpToDate() async throws {
        let store = try await filled()
        _ = try store.sessionIndex()
        try await store.close()
        let saved = try folder.contents(file)
        let again = try folder.open()
        // Records other than sessions do not affect the index.
        var sample = SampleRecords(seed: 4)
        try await again.put([sample.item("i")])
        #expect(try again.sessionIndex().count == 200)
        try await again.close()
        #expect(try folder.contents(file) == saved, "an index that still holds is not written again")
        let more = try folder.open()
        try await more.put([sample.session("more", of: "u1")])
        try expectAgreement(more, "an index of before, brought up to date")
        try await more.close()
        #expect(try folder.contents(file) != saved)
    }

    /// A restored copy of the database reaches the same change numbers with different changes.
    @Test func anIndexOfADifferentHistoryIsRebuilt() async throws {
        try await filled().close()
        let old = try folder.copy()
        var sample = SampleRecords(seed: 6)
        let store = try folder.open()
        try await store.put([sample.session("in one history", of: "u1")])
        _ = try store.sessionIndex()
        try await store.close()
        let other = try old.open()
        try await other.put([sample.session("in another", of: "u1")])
        #expect(try other.version().number == folder.open(.reading).version().number)
        #expect(try other.version() != folder.open(.reading).version())
        try await other.close()
        try FileManager.default.createDirectory(atPath: old.indexFolder, withIntermediateDirectories: true)
        try old.write(folder.contents(file), to: file)
        try expectAgreement(old.open(.reading), "an index of another history")
    }

    /// The log stores a few thousand changes; an index further behind is rebuilt.
    @Test func anOutdatedIndexIsRebuilt() async throws {
        let store = try await filled()
        _ = try store.sessionIndex()
        try await store.saveIndexes()
        let old = try folder.contents(file)
        var sample = SampleRecords(seed: 3)
        // Alternating kinds, so that every transaction has several entries.
        for round in 0..<30 {
            let sessions = try (0..<200).map { try sample.session("u\($0 % 4)-\(49 - $0 / 4)", of: "u\($0 % 4)") }
            try await store.put(sessions)
            if round % 10 == 0 { try await store.put([sample.item("i\(round)")]) }
        }
        try await store.close()
        try folder.write(old, to: file)
        let again = try folder.open()
        try expectAgreement(again, "an index far behind")
    }
}
