import Foundation
import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Session embeddings in a store")
struct EmbeddingTests {
    private let folder = StoreFolder()

    private func embedding(
        _ session: String, of user: String, model: String = "m", _ vector: [Float] = [1, 2, 3]
    ) throws -> SessionEmbedding {
        try SessionEmbedding(userID: user, sessionID: session, model: model, vector: vector)
    }

    @Test func anEmbeddingNeedsASessionOfTheSamePerson() async throws {
        let store = try folder.open()
        var sample = SampleRecords()
        try await store.put(sample.sessions(8))
        for (wrong, code) in [
            (try embedding("nobody", of: "u0"), KinError.Code.unknownID),
            (try embedding("u1-0", of: "u0"), .invalidArgument),
        ] {
            let error = await #expect(throws: KinError.self) {
                try await store.put([embedding("u0-0", of: "u0"), wrong])
            }
            #expect(error?.code == code)
            // All or nothing.
            #expect(try store.check().counts["session_embedding"] ?? 0 == 0)
        }
        try await store.put([embedding("u0-0", of: "u0"), embedding("u0-0", of: "u0", model: "n", [1])])
        #expect(try store.embedding(of: "u0-0", model: "m")?.vector == [1, 2, 3])
        #expect(throws: KinError.self) { try store.embedding(of: "u0-0") }
        #expect(try store.embedding(of: "u0-1", model: "m") == nil)
    }

    @Test func aModelHasOneDimension() async throws {
        let store = try folder.open()
        var sample = SampleRecords()
        try await store.put(sample.sessions(8))
        try await store.put([embedding("u0-0", of: "u0")])
        let error = await #expect(throws: KinError.self) { try await store.put([embedding("u1-0", of: "u1", [1, 2])]) }
        #expect(error?.code == .dimensionMismatch)
        #expect(error?.message.contains("2 dimensions") == true && error?.message.contains("have 3") == true)
        let imported = await #expect(throws: KinError.self) {
            try await store.importLines(
                "{\"session_embedding\":\(embedding("u1-0", of: "u1", [1, 2]).jsonText)}", now: hour(0))
        }
        #expect(imported?.code == .dimensionMismatch)
        // The only embedding of a model may be replaced by one of a different dimension.
        try await store.put([embedding("u0-0", of: "u0", [1, 2])])
        try await store.put([embedding("u1-0", of: "u1", [1, 2])])
        let query = try EmbeddingQuery(embedding: [1, 2])
        #expect(try store.nearestSessions(to: query, k: 9).map(\.session.id) == ["u0-0", "u1-0"])
        for number in 0..<EmbeddingIndex.mostModels - 1 {
            try await store.put([embedding("u0-0", of: "u0", model: "m\(number)", [1])])
        }
        #expect(
            await errorCode { try await store.put([embedding("u0-0", of: "u0", model: "one too many", [1])]) }
                == .capacityExceeded)
    }

    @Test func exportedVectorsContainNoText() async throws {
        let store = try folder.open()
        var sample = SampleRecords()
        try await store.put(sample.sessions(12))
        try await store.put([embedding("u0-0", of: "u0", [1, 2, 3]), embedding("u1-0", of: "u1", [4, 5, 6])])
        let points = try store.vectors()
        #expect(points.sessions.count == 12 && points.dimension == 16 && points.elements.count == 12 * 16)
        #expect(points.sessions == points.sessions.sorted())
        let first = try #require(try store.session(points.sessions[0]))
        #expect(Array(points.elements.prefix(16)) == first.embedding.vector)
        let embeddings = try store.vectors(model: "m")
        #expect(embeddings.sessions == ["u0-0", "u1-0"] && embeddings.elements == [1, 2, 3, 4, 5, 6])
        #expect(try store.vectors(model: "m", of: "u1").elements == [4, 5, 6])
        #expect(try store.vectors(of: "nobody").sessions.isEmpty)
        #expect(throws: KinError.self) { try store.vectors(model: "n") }
    }
}
