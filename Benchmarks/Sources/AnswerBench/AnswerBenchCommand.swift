import ArgumentParser
import Ceilings
import Kin
import KinEngine
import KinStore
import Measuring

/// `answer-bench`: the engine's own time for each query about people, in JSON.
///
/// `Benchmarks/interfaces/answers.py` runs the same queries through Python and creates the store.
@main
struct AnswerBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer-bench",
        abstract: "Measure queries of the store that answers.py made, from Swift.")

    @Argument(help: "The database file of the store.")
    var store: String

    @Option(positive: "The number of queries for each figure, each about a different person.")
    var rounds = 300

    @Flag(help: "Count what warm queries write to memory that threads share, instead of measuring times. Adds a baby.")
    var counts = false

    func run() async throws {
        let engine = try Engine(store: store)
        if counts {
            try await SharedWrites.addBaby(to: engine)
            return try SharedWrites.check(Question.all(of: engine), of: engine)
        }
        var table = Table(["query", "median µs"])
        for question in try Question.all(of: engine) {
            // Each person's data is read once before the measurement.
            let times = try CallTimes(rounds, warmUp: rounds) {
                _ = try engine.call(question.name, question.request($0))
            }
            table.add([question.name, (1e6 * times.median).shown])
        }
        print(table)
        try engine.close()
    }
}

/// A method, and its request for the person or session with a number.
struct Question {
    let name: String
    let request: (Int) -> String

    /// All queries that the store of `engine` can answer.
    static func all(of engine: Engine) throws -> [Question] {
        // People with sessions: each query works for them.
        let latest = try engine.store.users().compactMap { user in
            try engine.sessions(of: user, count: 1).first.map { (user: user, session: $0.id) }
        }.shuffledInOneWay().prefix(1000)
        let (people, sessions) = (latest.map(\.user), latest.map(\.session))
        let place = "{\"lat\":40.7,\"lng\":-73.9}"
        func user(_ number: Int) -> String { "\"user\":\"\(people[number % people.count])\"" }
        func session(_ number: Int) -> String { "\"session\":\"\(sessions[number % sessions.count])\"" }
        func userToday(_ number: Int) -> String { "{\(user(number)),\"at\":\"2026-11-22T08:00:00Z\"}" }
        func baby(_ number: Int) -> String { "{\"user\":\"u0\",\"baby\":\"b\",\"now\":\"2026-05-01T07:30\"}" }
        return [
            Question(name: "near") { "{\(session($0)),\"k\":10}" },
            Question(name: "profile", request: userToday),
            Question(name: "insight") { "{\(session($0))}" },
            Question(name: "map") { "{\(user($0))}" },
            Question(name: "inventory") { "{\"near\":\(place),\"within_km\":5,\(user($0)),\"k\":10}" },
            Question(name: "missions") {
                "{\(user($0)),\"near\":\(place),\"minutes\":90,\"slot\":\"morning\",\"k\":5}"
            },
            Question(name: "similar_souls") { "{\(user($0)),\"k\":10}" },
            Question(name: "why") { "{\(user($0)),\"other\":\"\(people[($0 + 7) % people.count])\"}" },
            Question(name: "suggest", request: userToday),
            Question(name: "today", request: userToday),
            Question(name: "forecast", request: baby),
            Question(name: "predictions", request: baby),
        ]
    }
}

extension Array {
    /// The elements in a fixed shuffled order.
    fileprivate func shuffledInOneWay() -> [Element] {
        var generator = SeededGenerator(seed: 1)
        return shuffled(using: &generator)
    }
}
