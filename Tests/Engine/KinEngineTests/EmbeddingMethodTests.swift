import Foundation
import KinEngine
import KinJSON
import KinSamples
import KinTestSupport
import Testing

/// `near` with embeddings, and `vectors`, by name and typed.
@Suite("Embedding methods") struct EmbeddingMethodTests {
    private let engine = Engine(namingKey: Array(0..<32))
    private static let words = ["planted-note", "planted-transcript", "planted-media", "planted-embedding-id"]

    /// Sessions with words in every text field, and an embedding of each session except the last.
    private func fill() throws -> [PleasureSession] {
        var sessions = PersonGenerator(seed: 5).person(0, sessions: 30).sessions
        for number in sessions.indices {
            sessions[number] = try PleasureSession(
                id: sessions[number].id, userID: sessions[number].userID, history: sessions[number].stateHistory,
                start: sessions[number].start, end: sessions[number].end, pleasure: sessions[number].pleasure,
                notes: Self.words[0], embeddingID: Self.words[3], transcriptURL: Self.words[1],
                mediaURLs: [Self.words[2]])
        }
        let embeddings = try sessions.dropLast().enumerated().map { number, session in
            try SessionEmbedding(
                userID: session.userID, sessionID: session.id, model: "note",
                vector: [Float(cos(Double(number))), Float(sin(Double(number))), 0.5]
            ).jsonText
        }
        let records = sessions.map(\.json) + embeddings.map { "{\"session_embedding\":\($0)}" }
        try engine.put(records)
        return sessions
    }

    @Test("near compares by stored, given or only embeddings and returns both distances")
    func nearByEmbedding() throws {
        let sessions = try fill()
        let own = try jsonList(engine.call("near", "{\"session\":\"\(sessions[3].id)\",\"weight\":0.25,\"k\":50}"))
        #expect(own.count == sessions.count - 2)
        #expect(!own.contains { ($0["session"] as? [String: Any])?["id"] as? String == sessions[3].id })
        for found in own {
            let distance = try #require(found["distance"] as? Double)
            let point = try #require(found["pleasure_distance"] as? Double)
            let embedding = try #require(found["embedding_distance"] as? Double)
            #expect(abs(distance - (0.75 * point + 0.25 * embedding)) < 1e-12)
        }
        let typed = try engine.near(session: sessions[3].id, embeddedBy: nil, weight: 0.25, k: 50)
        #expect(Self.agree(own, typed.map(\.distance)))
        // Default: half of each.
        let half = try jsonList(engine.call("near", "{\"session\":\"\(sessions[3].id)\",\"model\":\"note\",\"k\":3}"))
        #expect(Self.agree(half, try engine.near(session: sessions[3].id, embeddedBy: "note", k: 3).map(\.distance)))
        let alone = try jsonList(engine.call("near", #"{"embedding":[1,0,0.5],"k":2}"#))
        #expect((alone[0]["session"] as? [String: Any])?["id"] as? String == sessions[0].id)
        #expect(alone[0]["pleasure_distance"] == nil && alone[0]["embedding_distance"] as? Double == 0)
        let fused = try jsonList(
            engine.call(
                "near", #"{"point":{"food":0.5},"embedding":[1,0,0.5],"weight":0,"k":4,"where":"state = reflection"}"#))
        let plain = try jsonList(engine.call("near", #"{"point":{"food":0.5},"k":4,"where":"state = reflection"}"#))
        #expect(fused.compactMap { $0["distance"] as? Double } == plain.compactMap { $0["distance"] as? Double })
        let user = sessions[0].userID
        #expect(try jsonList(engine.call("near", "{\"user\":\"\(user)\",\"embedding\":[1,0,1],\"k\":4}")).count == 4)
    }

    /// Whether matches have these distances, within the precision of JSON numbers.
    private static func agree(_ found: [[String: Any]], _ distances: [Double]) -> Bool {
        let read = found.compactMap { $0["distance"] as? Double }
        return read.count == distances.count && zip(read, distances).allSatisfy { abs($0 - $1) < 1e-9 }
    }

    @Test("incomparable embeddings are refused with the reason")
    func refusals() throws {
        #expect(errorCode { try engine.call("near", #"{"embedding":[1,2]}"#) } == .unknownID)
        let sessions = try fill()
        let last = sessions[sessions.count - 1].id
        for (request, word) in [
            (#"{"embedding":[1,2]}"#, "2 dimensions"), (#"{"embedding":[0,0,0]}"#, "direction"),
            (#"{"embedding":[1,2,3],"weight":0.5}"#, "point"), (#"{"embedding":[1,2,3],"model":"x"}"#, "note"),
            (#"{"point":{"food":1},"weight":0.5}"#, "embedding"), (#"{"weight":0.5}"#, "embedding"),
            (#"{"embedding":[1,2,3],"metric":"ip"}"#, "l2"),
            (#"{"embedding":[1,2,3],"point":{"food":1},"weight":2}"#, "0"),
            ("{\"session\":\"\(last)\",\"weight\":0.5}", "no embedding"),
        ] {
            let error = #expect(throws: KinError.self, "\(request)") { try engine.call("near", request) }
            #expect(error.map { "\($0)".contains(word) } == true, "\(request): \(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("vectors are returned with ids and numbers but no text")
    func noWords() throws {
        let sessions = try fill()
        for request in ["{}", #"{"model":"note"}"#, "{\"user\":\"\(sessions[0].userID)\"}"] {
            let answer = try engine.call("vectors", request)
            for word in Self.words { #expect(!answer.contains(word), "\(request)") }
            #expect(answer.contains(sessions[0].id))
        }
        let answer = try jsonObject(engine.call("vectors", #"{"model":"note"}"#))
        let bytes = try #require(Data(base64Encoded: answer["vectors"] as? String ?? ""))
        #expect(bytes.count == 4 * 3 * (sessions.count - 1) && answer["dimension"] as? Int == 3)
        #expect(try engine.store.vectors(model: "note").elements.count == 3 * (sessions.count - 1))
    }
}
