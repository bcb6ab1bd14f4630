import KinEngine
import Testing

/// Small requests that would take seconds or gigabytes fail with an error that names the limit and how to raise it.
@Suite("Request limits")
struct RequestBudgetTests {
    private func error(_ engine: Engine, _ method: String, _ request: String) throws -> KinError {
        try #require(throws: KinError.self) { try engine.call(method, request) }
    }

    @Test("text with thousands of combining marks is refused before it is normalised")
    func combiningMarks() throws {
        let engine = Engine()
        for marks in [31, 16_000] {
            let text = "a" + String(repeating: "\u{301}\u{323}", count: marks / 2 + 1)
            let escaped = "a" + String(repeating: #"\u0301"#, count: marks)
            for text in [text, escaped] {
                for (method, request) in [
                    ("put", #"{"records":[{"uid":"u","goals":{"\#(text)":1}}]}"#),
                    ("put", #"{"records":[{"uid":"\#(text)","goals":{"joy":1}}]}"#),
                    ("history", #"{"user":"\#(text)"}"#), ("near", #"{"where":"state = '\#(text)'"}"#),
                    ("\(text)", "{}"),
                ] where method != text || marks == 31 {
                    let error = try error(engine, method, request)
                    #expect(method == text || "\(error)".contains("30 combining marks"), "\(method): \(error.message)")
                }
            }
        }
        _ = try engine.call(
            "put", #"{"records":[{"uid":"u","goals":{"a\#(String(repeating: "\u{301}", count: 30))":1}}]}"#)
    }

    @Test("more matches than the limit are an error that names the limit")
    func matches() throws {
        let engine = Engine()
        let souls = (0..<40).map { #"{"uid":"u\#($0)","goals":{"joy":\#($0 + 1),"sleep":1}}"# }.joined(separator: ",")
        _ = try engine.call("put", #"{"records":[\#(souls)]}"#)
        #expect(try engine.call("similar_pairs", #"{"above":0,"limit":780}"#).contains("u39"))
        for (method, request) in [
            ("similar_pairs", #"{"above":0,"limit":779}"#), ("similar_pairs", #"{"k":5,"limit":199}"#),
            ("match", #"{"souls":[\#(souls)],"k":5,"limit":199}"#),
        ] {
            let error = try error(engine, method, request)
            #expect(error.code == .capacityExceeded && error.message.contains("raise `limit`"), "\(error)")
        }
    }

    @Test("an answer above the engine's limit is an error, and the next call works")
    func answers() throws {
        let engine = Engine(answerLimit: 4_000)
        let souls = (0..<100).map { #"{"uid":"u\#($0)","goals":{"joy":\#($0 + 1)}}"# }.joined(separator: ",")
        _ = try engine.call("put", #"{"records":[\#(souls)]}"#)
        for (method, request) in [("export", "{}"), ("similar_pairs", #"{"above":0}"#)] {
            let error = try error(engine, method, request)
            #expect(error.code == .capacityExceeded && error.message.contains("4000 bytes"), "\(error)")
            #expect(error.context.first?.value == method && error.message.contains("`answer_limit`"), "\(error)")
        }
        #expect(try engine.call("similar_souls", #"{"user":"u1","k":3}"#).utf8.count < 4_000)
    }

    @Test("commands have no limit, since they have changed the store when their answer is complete")
    func commands() throws {
        let engine = Engine(answerLimit: 1)
        #expect(try engine.call("put", #"{"records":[{"uid":"u1","goals":{"joy":1}}]}"#) == #"{"soul":1}"#)
        #expect(try error(engine, "users", "").code == .capacityExceeded)
        #expect(try engine.call("forget", #"{"user":"u1"}"#).contains("1"))
    }

    @Test("a policy above the size limit is an error that names the limit")
    func policies() throws {
        let engine = Engine()
        let wide = #""policy":"p","dimension":4095,"kind":"linucb""#
        let error = try error(engine, "create_policy", #"{\#(wide),"arms":12}"#)
        #expect(error.code == .capacityExceeded && error.message.contains("raise `megabytes`"), "\(error)")
        #expect(try self.error(engine, "create_policy", #"{\#(wide),"megabytes":63}"#).code == .capacityExceeded)
        #expect(try self.error(engine, "create_policy", #"{\#(wide),"pairs":true}"#).code == .invalidArgument)
        #expect(try engine.call("create_policy", #"{"policy":"p","dimension":16,"arms":10}"#).contains("16"))
    }
}
