extension Recurrence {
    /// The forecast from the last event on, given that the next has not come in `elapsed` minutes; nil before the first.
    ///
    /// - Parameters:
    ///   - elapsed: Minutes since the anchor in which the event has not come.
    ///   - coverage: of the interval, above 0 and below 1.
    ///   - model: The experts and how they are mixed.
    /// - Complexity: O(intervals kept × experts), below 50 µs.
    public func forecast(elapsed: Double, coverage: Double = 0.8, model: RecurrenceModel) -> EventForecast? {
        pending.map { forecast(from: $0.anchor, elapsed: elapsed, coverage: coverage, model: model) }
    }

    /// The forecast from an anchor that may still be to come.
    public func forecast(
        from anchor: Anchor, elapsed: Double, coverage: Double = 0.8, model: RecurrenceModel
    ) -> EventForecast {
        let calibration = calibrations[model.group(atMinute: anchor.minute)]
        let told = mixture(from: anchor, elapsed: max(0, elapsed), model: model)
        let ends = calibration.ends(below: Float(told.point - told.lower), above: Float(told.upper - told.point))
        var (below, above) = (Double(ends.below), Double(ends.above))
        if coverage != 0.8 {
            // Other levels are as much farther or nearer as they are in the distribution.
            let tail = (1 - coverage) / 2
            below *= told.distribution.reach(tail, from: told.point) / told.distribution.reach(0.1, from: told.point)
            above *=
                told.distribution.reach(1 - tail, from: told.point) / told.distribution.reach(0.9, from: told.point)
        }
        return EventForecast(
            point: told.point, lower: min(told.point, max(0, elapsed, told.point - below)), upper: told.point + above,
            confidence: Double(calibration.confidence(raw: Float(told.distribution.mass(about: told.point)))),
            distribution: told.distribution)
    }

    func mixture(from anchor: Anchor, elapsed: Double, model: RecurrenceModel) -> Mixture {
        let weighed = WeighedPast(
            past, density: intensity.smoothed(), anchor: anchor, kept: model.kept(anchor.features), elapsed: elapsed,
            model: model)
        return Mixture(weighed, shares: shares(model), elapsed: elapsed, expected: anchor.expected, model: model)
    }

    /// The mixture's weights by expert: (1 − kept) · share · exp(−rate · loss) ∕ Σ + kept · share.
    func shares(_ model: RecurrenceModel) -> [Double] {
        let least = losses.min() ?? 0
        var shares = losses.indices.map {
            model.experts[$0].share * decayed(-RecurrenceModel.learningRate * Double(losses[$0] - least))
        }
        let total = shares.reduce(0, +)
        for expert in shares.indices {
            shares[expert] =
                (1 - RecurrenceModel.keptShare) * shares[expert] / total
                + RecurrenceModel.keptShare * model.experts[expert].share
        }
        return shares
    }
}

extension TimeDistribution {
    /// The probability of 30 minutes to either side.
    func mass(about point: Double) -> Double { probability(by: point + 30) - probability(by: point - 30) }

    /// How far a quantile is from the point, on its own side of it, at least a minute.
    func reach(_ level: Double, from point: Double) -> Double {
        max(1, level < 0.5 ? point - quantile(level) : quantile(level) - point)
    }
}
