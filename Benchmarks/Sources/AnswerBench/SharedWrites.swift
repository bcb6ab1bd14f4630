import ArgumentParser
import CRuntimeCounter
import Ceilings
import Kin
import KinEngine
import KinSamples
import KinStore

/// What warm queries write to memory that other threads also write: reference counts of older objects, and the
/// runtime's counter of look-ups of generic types.
///
/// Such writes are the reason why queries that take no lock are slower next to others: each moves a cache line from
/// processor to processor.
enum SharedWrites {
    /// The most writes of each query on the store of `.ci/run`: a quarter above those of Swift 6.3.1 on Linux. A change
    /// that needs fewer lowers its number. `missions` has no mission in that store, so it searches for the nearest pair.
    private static let limits: [String: UInt64] = [
        "near": 1780, "profile": 60, "insight": 920, "map": 1120, "inventory": 285, "missions": 1010,
        "similar_souls": 555, "why": 65, "suggest": 1400, "today": 2020, "forecast": 255, "predictions": 290,
    ]
    /// The most look-ups of any query.
    private static let lookupLimit = 8

    /// Prints the counts of one call of each query and the classes that were counted most.
    ///
    /// - Throws: `ExitCode.failure` if a query exceeds its limit, or if nothing was counted: macOS binds the runtime's
    ///   functions so that a program cannot replace them.
    static func check(_ questions: [Question], of engine: Engine) throws {
        var table = Table(["query", "shared counts", "limit", "look-ups", "most, by class"])
        var (all, exceeding): (UInt64, [String]) = (0, [])
        for question in questions {
            let (counts, classes) = try measured(question, in: engine)
            let limit = limits[question.name] ?? 0
            table.add([
                question.name, "\(counts.shared_writes)", "\(limit)", "\(counts.lookups)",
                classes.prefix(2).joined(separator: ", "),
            ])
            all += counts.shared_writes
            if counts.shared_writes > limit || counts.lookups > lookupLimit { exceeding.append(question.name) }
        }
        print(table)
        guard exceeding.isEmpty, all > 0 else {
            print(all == 0 ? "the counter does not work here" : "above the limit: \(exceeding.joined(separator: ", "))")
            throw ExitCode.failure
        }
    }

    /// Gives person `u0` a baby with a log of 120 days.
    static func addBaby(to engine: Engine) async throws {
        let log = BabyGenerator(seed: 1).log(0, days: 120, age: 60)
        try await engine.store.put([BabyRecord(userID: "u0", id: "b", baby: log.baby)])
        _ = try await engine.store.put(CareEvent.events(of: log, userID: "u0", babyID: "b"))
    }

    private static func measured(_ question: Question, in engine: Engine) throws -> (runtime_counts, classes: [String])
    {
        let request = question.request(1)
        for _ in 0..<20 { _ = try engine.call(question.name, request) }
        runtime_counter_begin()
        let answer = Result { try engine.call(question.name, request) }
        let counts = runtime_counter_end()
        _ = try answer.get()
        let classes = unsafe withUnsafeTemporaryAllocation(of: runtime_class.self, capacity: 64) { buffer in
            let count = unsafe runtime_counter_classes(buffer.baseAddress, buffer.count)
            return unsafe buffer.prefix(count).sorted { unsafe $0.writes > $1.writes }.map {
                let name = unsafe _typeName(unsafeBitCast($0.metadata, to: Any.Type.self), qualified: false)
                // The values that a closure captures have no name.
                return unsafe "\(name.hasPrefix("<") ? "closures" : name) \($0.writes)"
            }
        }
        return (counts, classes)
    }
}
