import ArgumentParser
import Ceilings
import Kin
import KinEngine
import KinStore
import Measuring

/// `answer-bench`: the engine's own time for each query about people, compared with the same query in JSON.
///
/// `Benchmarks/interfaces/answers.py` runs the same queries through Python and creates the store.
@main
struct AnswerBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer-bench",
        abstract: "Measure queries of the store that answers.py made, from Swift: typed and in JSON.")

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
        var table = Table(["query", "typed, median µs", "JSON, median µs"])
        for question in try Question.all(of: engine) {
            // Each person's data is read once before the measurement.
            let typed = try CallTimes(rounds, warmUp: rounds, question.typed).median
            let json = try CallTimes(rounds) { _ = try engine.call(question.name, question.request($0)) }.median
            table.add([question.name, (1e6 * typed).shown, (1e6 * json).shown])
        }
        print(table)
        try engine.close()
    }
}

/// A query as a function and as a request, for the person or session with a number.
struct Question {
    let name: String
    let typed: (Int) throws -> Void
    let request: (Int) -> String

    /// All queries that the store of `engine` can answer.
    static func all(of engine: Engine) throws -> [Question] {
        // People with sessions: each query works for them.
        let latest = try engine.store.users().compactMap { user in
            try engine.sessions(of: user, count: 1).first.map { (user: user, session: $0.id) }
        }.shuffledInOneWay().prefix(1000)
        let (people, sessions) = (latest.map(\.user), latest.map(\.session))
        let here = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        let (place, day) = ("{\"lat\":40.7,\"lng\":-73.9}", "2026-11-22T08:00:00Z")
        let now = try Timestamp(parsing: day)
        func user(_ number: Int) -> String { people[number % people.count] }
        func session(_ number: Int) -> String { sessions[number % sessions.count] }
        var conditions = MissionConditions()
        conditions.slot = .morning
        return [
            Question(
                name: "near", typed: { _ = try engine.near(session: session($0)) },
                request: { "{\"session\":\"\(session($0))\",\"k\":10}" }),
            Question(
                name: "profile", typed: { _ = try engine.profile(of: user($0), at: now) },
                request: { "{\"user\":\"\(user($0))\",\"at\":\"\(day)\"}" }),
            Question(
                name: "insight", typed: { _ = try engine.insight(session: session($0)) },
                request: { "{\"session\":\"\(session($0))\"}" }),
            Question(
                name: "map", typed: { _ = try engine.map(of: user($0)) }, request: { "{\"user\":\"\(user($0))\"}" }),
            Question(
                name: "inventory",
                typed: {
                    _ = try engine.inventory(
                        InventoryQuery(location: here, radiusKilometers: 5), ranking: .user(user($0)))
                }, request: { "{\"near\":\(place),\"within_km\":5,\"user\":\"\(user($0))\",\"k\":10}" }),
            Question(
                name: "missions",
                typed: { _ = try engine.missions(for: user($0), near: here, minutes: 90, conditions: conditions) },
                request: {
                    "{\"user\":\"\(user($0))\",\"near\":\(place),\"minutes\":90,\"slot\":\"morning\",\"k\":5}"
                }),
            Question(
                name: "similar_souls", typed: { _ = try engine.similarSouls(to: user($0)) },
                request: { "{\"user\":\"\(user($0))\",\"k\":10}" }),
            Question(
                name: "why", typed: { _ = try engine.affinity(between: user($0), and: user($0 + 7)) },
                request: { "{\"user\":\"\(user($0))\",\"other\":\"\(user($0 + 7))\"}" }),
            Question(
                name: "suggest", typed: { _ = try engine.suggest(for: user($0), at: now) },
                request: { "{\"user\":\"\(user($0))\",\"at\":\"\(day)\"}" }),
            Question(
                name: "today", typed: { _ = try engine.today(of: user($0), at: now) },
                request: { "{\"user\":\"\(user($0))\",\"at\":\"\(day)\"}" }),
            Question(
                name: "forecast", typed: { _ in _ = try engine.forecast(of: "u0", baby: "b") },
                request: { _ in "{\"user\":\"u0\",\"baby\":\"b\",\"now\":\"2026-05-01T10:00\"}" }),
            Question(
                name: "predictions", typed: { _ in _ = try engine.predictions(of: "u0", baby: "b") },
                request: { _ in "{\"user\":\"u0\",\"baby\":\"b\",\"now\":\"2026-05-01T10:00\"}" }),
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
