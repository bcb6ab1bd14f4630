import Foundation
import KinAffinity
import KinCore
import KinEngine
import KinPleasure
import KinSamples
import KinTestSupport
import Testing

@Suite("Deprecated names") final class DeprecatedNameTests {
    private static let souls = (0..<9).map { SoulGenerator(seed: 6, communities: 2).soul($0).json }

    /// A request of each method that the tables name.
    private static let requests = [
        "affinity": "{\"a\":\(souls[0]),\"b\":\(souls[1])}",
        "insert_image": #"{"clusters":{},"realm_index":{},"analysis":{}}"#,
        "digest": #"{"user":"u1","since":"2020-01-01"}"#,
        "match": "{\"souls\":[\(souls.joined(separator: ","))],\"coverage\":0.5}",
        "profile": #"{"user":"u1","at":"2030-01-01"}"#,
        "similar_souls": #"{"user":"u1","coverage":0.5}"#,
        "why": #"{"user":"u1","other":"u2"}"#,
    ]

    private let folder = TemporaryFolder()
    private let engine: Engine

    init() throws {
        engine = try Engine(store: folder.path("people.db"))
        let souls = Self.souls.map { "{\"soul\":\($0)}" }
        let profile = try PleasureProfile(userID: "u1", pleasure: [.food: 0.5]).json
        let version = "{\"profile\":\(profile),\"since\":\"2026-01-01T00:00:00Z\"}"
        _ = try engine.call("put", "{\"records\":[\((souls + [version]).joined(separator: ","))]}")
    }

    private func request(_ method: String) throws -> String { try #require(Self.requests[method], "\(method)") }

    @Test("of methods give the same answers, and are not listed")
    func methods() throws {
        for (old, new) in DeprecatedNames.methods {
            let answers = try [old, new].map { method in
                let request = try request(new)
                return Result { () throws(KinError) in try engine.call(method, request) }
            }
            // An error names the present method.
            #expect(answers[0] == answers[1], "\(old)")
            #expect(!Engine.methods.contains(old) && Engine.methods.contains(new))
        }
    }

    @Test("of parameters give the same answers, unless both are given")
    func parameters() throws {
        for (method, names) in DeprecatedNames.parameters {
            let present = try request(method)
            for (old, new) in names {
                let former = present.replacing("\"\(new)\":", with: "\"\(old)\":")
                #expect(former != present)
                #expect(try engine.call(method, former) == engine.call(method, present), "\(method) \(old)")
                let both = "{\"\(old)\":0," + present.dropFirst()
                #expect(errorCode { try engine.call(method, both) } == .invalidArgument)
            }
        }
    }

    @Test("of members of answers have the same values")
    func answerMembers() throws {
        for (method, names) in DeprecatedNames.answerMembers {
            let answer = try JSONSerialization.jsonObject(with: Data(engine.call(method, request(method)).utf8))
            let first = try #require((answer as? [Any])?.first as? NSDictionary ?? answer as? NSDictionary, "\(method)")
            for (old, new) in names {
                #expect(first[new] != nil && first[old] as? NSObject == first[new] as? NSObject, "\(method) \(old)")
            }
        }
    }
}
