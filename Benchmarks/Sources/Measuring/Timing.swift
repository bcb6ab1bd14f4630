/// Seconds of one piece of work, over a few rounds.
package struct Timing {
    /// The fastest round: other programs can only make a round slower.
    package var best: Double
    package var median: Double

    /// Runs the work once unmeasured, and then for about `seconds`, at least once.
    package static func measure(seconds: Double, _ work: () throws -> Void) rethrows -> Timing {
        try work()
        var rounds: [Double] = []
        var total = 0.0
        repeat {
            let round = try Self.seconds(work)
            rounds.append(round)
            total += round
        } while total < seconds
        rounds.sort()
        return Timing(best: rounds[0], median: rounds[rounds.count / 2])
    }

    /// Seconds per query, one at a time, over the number of queries that fits into a tenth of the time.
    package static func single(
        _ queries: [[Float]], seconds: Double, _ search: ([Float]) throws -> Void
    ) rethrows -> Timing {
        let few = queries.prefix(20)
        let sample = try measure(seconds: 0) { for query in few { try search(query) } }
        let fitting = seconds / 10 / sample.best * Double(few.count)
        let rows = queries.prefix(max(few.count, Int(min(fitting, Double(queries.count)))))
        return try measure(seconds: seconds) { for query in rows { try search(query) } } / rows.count
    }

    /// Returns the times divided by a number, such as the calls of a round.
    package static func / (timing: Timing, count: Int) -> Timing {
        Timing(best: timing.best / Double(count), median: timing.median / Double(count))
    }

    /// The time of one run.
    package static func seconds(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .seconds(1)
    }

    /// The time of one asynchronous run.
    package static func asyncSeconds(_ work: () async throws -> Void) async rethrows -> Double {
        try await ContinuousClock().measure(work) / .seconds(1)
    }
}

/// The seconds of single calls, in ascending order.
package struct CallTimes {
    private let seconds: [Double]

    package init(_ seconds: [Double]) { self.seconds = seconds.sorted() }

    /// Times numbered calls separately, after an unmeasured run of the first `warmUp` of them.
    package init(_ calls: Int, warmUp: Int = 0, _ call: (Int) throws -> Void) rethrows {
        for number in 0..<min(calls, warmUp) { try call(number) }
        self.init(try (0..<calls).map { number in try Timing.seconds { try call(number) } })
    }

    package var mean: Double { seconds.reduce(0, +) / Double(seconds.count) }
    package var median: Double { quantile(0.5) }
    package var longest: Double { seconds[seconds.count - 1] }

    package func quantile(_ share: Double) -> Double {
        seconds[min(seconds.count - 1, Int(share * Double(seconds.count)))]
    }
}
