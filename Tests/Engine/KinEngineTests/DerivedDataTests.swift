import KinEngine
import KinEngineTrials
import KinTestSupport
import Testing

/// Cached data never changes an answer. After any sequence of writes, four stores answer alike: a store with cached
/// data, a store that reads the changes from the log, a store without memory for a cache, and a newly opened store.
@Suite("Derived data") final class DerivedDataTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.path("people.db") }

    /// Queries that do not depend on the records: about the present or the memory.
    private static let others: Set<String> = ["memory", "check", "check_part", "export"]

    private func engine(isReadOnly: Bool, memoryBudget: Int = 1 << 28) throws -> Engine {
        try Engine(
            store: path, isReadOnly: isReadOnly,
            .init(memoryBudget: memoryBudget) { () throws(KinError) in
                try Timestamp(parsing: "2026-03-28T20:00:00Z")
            })
    }

    private func answer(_ engine: Engine, _ request: RequestGenerator.Request) -> Result<String, KinError> {
        Result { () throws(KinError) in try engine.call(request.method, request.json) }
    }

    @Test("cached answers equal answers from freshly derived data after every change")
    func everyAnswerIsThatOfAFreshStore() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let world = try SampleWorld(seed: TestSeed.value)
        let writer = try engine(isReadOnly: false)
        _ = try writer.call("put", "{\"records\":[\(world.records.map(\.json).joined(separator: ","))]}")
        let reader = try engine(isReadOnly: true)
        let small = try engine(isReadOnly: true, memoryBudget: 1)
        let generator = RequestGenerator(world, files: [])
        let questions = RequestGenerator.questions.subtracting(Self.others).sorted()
        let commands = RequestGenerator.methods.filter {
            !RequestGenerator.questions.contains($0) && !["import", "save_indexes", "suspend"].contains($0)
        }
        var answered = 0
        for round in 0..<60 {
            let command = generator.request(&random, of: commands)
            _ = answer(writer, command)
            let fresh = try engine(isReadOnly: true)
            for _ in 0..<8 {
                let question = generator.request(&random, of: questions)
                let expected = answer(fresh, question)
                if case .success = expected { answered += 1 }
                for (name, engine) in [("the writer", writer), ("a reader", reader), ("one without memory", small)] {
                    #expect(
                        answer(engine, question) == expected,
                        "round \(round), after \(command.method): \(name), \(question.method) \(question.json.prefix(600))"
                    )
                }
            }
        }
        #expect(answered > 150, "\(answered) of 480 were answered")
        #expect(try small.call("memory").contains("\"budget\":1,"))
    }
}
