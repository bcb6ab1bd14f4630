/// Seconds of one piece of work, over a few rounds.
package struct Timing {
    /// The fastest round: other programs can only make a round slower.
    package var best: Double
    package var median: Double

    package init(best: Double, median: Double) {
        self.best = best
        self.median = median
    }

    /// Runs the work once unmeasured and then for about `seconds`, once at least.
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

    /// The time of one run.
    package static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let duration = try clock.measure(work)
        return Double(duration.components.seconds) + 1e-18 * Double(duration.components.attoseconds)
    }
}
