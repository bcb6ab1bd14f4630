import Foundation
import KinEngine
import KinEngineTrials
import KinTestSupport
import Testing

/// Runs some hundred of the requests that `KinEngineTrial` runs by the million.
@Suite struct RequestTrialTests {
    private let folder = TemporaryFolder(prefersMemory: true)

    @Test func generatedRequestsAreAnsweredOrRefused() throws {
        let tally = try RequestTrial(seed: TestSeed.value, folder: URL(fileURLWithPath: folder.path)).run(calls: 500)
        #expect(tally.faults.isEmpty, "\(tally.faults.joined(separator: "\n"))")
        #expect(tally.calls == 500)
        // Requests that are all invalid would test nothing.
        let answered = tally.answered.values.reduce(0, +)
        #expect(answered > 200, "\(answered) of 500 were answered")
    }

    @Test func everyMethodIsGenerated() {
        #expect(RequestGenerator.methods == Engine.methods)
        #expect(RequestGenerator.questions.isSubset(of: Engine.methods))
    }

    @Test func incompleteInstantsAreDetected() {
        #expect(
            AnswerCheck.problem(
                in: #"{"at":"2026-01-05T00:00:00Z","date":"2026-01-05","of":["2026-01-05T01:00:00+02:00"]}"#) == nil)
        for answer in [
            #"{"start":"2026-01-05"}"#, #"{"date":"2026-01-05T00:00:00"}"#, #"["2026-01-05T00:00:00"]"#, "{\"a\":1}\n",
            "nope",
            #"{"start":"2026-01-05T25:00:00Z"}"#,
        ] {
            #expect(AnswerCheck.problem(in: answer) != nil, "\(answer)")
        }
    }
}

/// One number of a request or a record is hostile. The call is refused with the number's place, or changes no answers
/// of other people.
@Suite struct HostileNumberTests {
    /// The queries of other people, which a hostile record must not break.
    private func othersAsk(_ engine: Engine, _ world: SampleWorld) throws {
        let users = world.ids["user"] ?? []
        let place = #"{"lat":40.7,"lng":-73.9}"#
        var questions: [(String, String)] = [
            ("info", ""), ("users", ""), ("near", "{\"point\":{\"food\":0.8},\"k\":50}"),
            ("inventory", "{\"near\":\(place),\"within_km\":30,\"point\":{\"food\":1},\"k\":100}"),
        ]
        for user in users.suffix(2) {
            questions += [
                ("similar_souls", "{\"user\":\"\(user)\"}"), ("profile", "{\"user\":\"\(user)\"}"),
                ("map", "{\"user\":\"\(user)\"}"), ("sessions", "{\"user\":\"\(user)\"}"),
                (
                    "missions",
                    "{\"user\":\"\(user)\",\"near\":\(place),\"minutes\":90,\"slot\":\"morning\",\"within_km\":30}"
                ), ("suggest", "{\"user\":\"\(user)\"}"), ("today", "{\"user\":\"\(user)\"}"),
                ("timeline", "{\"user\":\"\(user)\"}"), ("inbox", "{\"user\":\"\(user)\"}"),
            ]
        }
        for (method, request) in questions {
            do throws(KinError) {
                let answer = try engine.call(method, request)
                if let problem = AnswerCheck.problem(in: answer, of: method) {
                    Issue.record("\(method) \(request): \(problem)")
                }
            } catch {
                Issue.record("\(method) \(request): \(error)")
            }
        }
    }

    /// The numeric fields of every kind of record, each with some hostile numbers.
    @Test func hostileRecordsHarmNoOtherPerson() throws {
        var random = TestSeed().generator
        let world = try SampleWorld(seed: 5)
        let folder = TemporaryFolder(prefersMemory: true)
        let engine = try Engine(store: folder.path("people.db"))
        try world.fill(engine)
        try othersAsk(engine, world)
        var kinds: [String: Int] = [:]
        for (kind, json) in world.records {
            // Records of one kind have different fields, so several of each kind are tried.
            guard kinds[kind, default: 0] < (kind == "care_event" ? 12 : 2) else { continue }
            kinds[kind, default: 0] += 1
            for place in HostileNumbers.places(in: json).prefix(12) {
                for _ in 0..<2 {
                    let number = HostileNumbers.all[random.below(HostileNumbers.all.count)]
                    let hostile = json.replacingCharacters(in: place, with: number)
                    _ = refusal(engine, "put", "{\"records\":[\(hostile)]}")
                }
            }
            try othersAsk(engine, world)
        }
        #expect(kinds.count == Set(world.records.map(\.kind)).count)
        let check = try engine.call("check")
        #expect(check.contains("\"is_intact\":true"), "\(check)")
    }

    /// The error of a call, which must contain the place of the number; nil if the call succeeded.
    private func refusal(_ engine: Engine, _ method: String, _ request: String) -> KinError? {
        do throws(KinError) {
            _ = try engine.call(method, request)
            return nil
        } catch {
            let isPlaced = error.context.contains { ["field", "line", "column"].contains($0.name) }
            if !isPlaced { Issue.record("\(method) does not say where: \(error)\n\(request.prefix(600))") }
            return error
        }
    }
}
