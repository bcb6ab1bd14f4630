extension Recurrence {
    /// Forecasts the next event after any anchor, even one in the future.
    ///
    /// - Parameters:
    ///   - anchor: The event that the forecast starts from.
    ///   - elapsed: The minutes since the anchor during which the event has not come, at least 0.
    ///   - coverage: The probability of the interval, above 0 and below 1. Default: 0.8, the calibrated level.
    ///   - model: The model that the state was created with.
    /// - Precondition: `elapsed` is 0 to 10¹² minutes, and `coverage` is above 0 and below 1.
    public func forecast(
        from anchor: Anchor, elapsed: Double, coverage: Double = 0.8, model: RecurrenceModel
    ) -> EventForecast {
        precondition(elapsed <= 1e12 && coverage > 0 && coverage < 1, "elapsed and coverage must be in their ranges")
        let calibration = calibrations[model.calibrationGroup(atMinute: anchor.minute)]
        let mixture = self.mixture(from: anchor, elapsed: max(0, elapsed), model: model)
        let halfWidths = calibration.halfWidths(
            below: Float(mixture.point - mixture.lower), above: Float(mixture.upper - mixture.point))
        let times = mixture.distribution
        let own = (
            below: times.distance(toQuantile: (1 - coverage) / 2, from: mixture.point),
            above: times.distance(toQuantile: (1 + coverage) / 2, from: mixture.point)
        )
        var (below, above) = (Double(halfWidths.below), Double(halfWidths.above))
        if coverage != 0.8 {
            // Other coverages scale the half-widths by the ratio of the distribution's quantiles.
            below *= own.below / times.distance(toQuantile: 0.1, from: mixture.point)
            above *= own.above / times.distance(toQuantile: 0.9, from: mixture.point)
        }
        // The calibration is one of forecasts at the anchor, so it ends with the intervals that have elapsed.
        func calibrated(_ value: Double, _ own: Double) -> Double {
            mixture.remaining * value + (1 - mixture.remaining) * own
        }
        let raw = times.probability(about: mixture.point)
        let ownConfidence = Double(calibration.confidence(raw: Float(raw / mixture.ownShare)))
        let confidence = calibrated(mixture.ownShare * ownConfidence, raw)
        let ends = mixture.ends(
            mixture.point - calibrated(below, own.below), mixture.point + calibrated(above, own.above),
            coverage: coverage)
        return EventForecast(
            point: mixture.point,
            lower: min(mixture.point, max(0, elapsed, ends.lower)), upper: ends.upper,
            confidence: min(0.99, max(0.01, confidence)),
            distribution: times, survival: mixture.survival)
    }

    /// Forecasts the next event from the time of day alone, for a log with missing events: the probability that one has
    /// come is the expected number of events since the instant, up to 1.
    ///
    /// - Parameters:
    ///   - anchor: The last logged event.
    ///   - elapsed: The minutes since then.
    ///   - coverage: The probability of the interval, above 0 and below 1.
    package func forecastWithoutAnchor(from anchor: Anchor, elapsed: Double, coverage: Double) -> EventForecast {
        let start = Int(elapsed / TimeDistribution.binMinutes)
        let minutes = Double(start) * TimeDistribution.binMinutes
        let expected = expectedEvents(from: anchor.instant + minutes, through: 2 * DayCycle.minutesPerDay)
        let times = TimeDistribution(
            cumulative: [Double](repeating: 0, count: start) + expected.dropLast().map { min(1, $0) } + [1])
        return EventForecast(times, coverage: coverage).within(elapsed...(.infinity))
    }

    /// The experts' forecasts from an anchor and the mixture of them, without calibration.
    func mixture(from anchor: Anchor, elapsed: Double, model: RecurrenceModel) -> Mixture {
        let intervals = WeightedIntervals(
            past, density: intensity.smoothed(), anchor: anchor, quantized: model.quantized(anchor.features),
            elapsed: elapsed,
            model: model)
        return Mixture(intervals, shares: shares(model), elapsed: elapsed, expected: anchor.expected, model: model)
    }

    /// The mixture's weight of each expert: (1 − fixedShare) · share · exp(−rate · loss) ∕ Σ + fixedShare · share.
    func shares(_ model: RecurrenceModel) -> [Double] {
        let least = losses.min() ?? 0
        var shares = losses.indices.map {
            model.experts[$0].share * decayed(-RecurrenceModel.learningRate * Double(losses[$0] - least))
        }
        let total = shares.reduce(0, +)
        for expert in shares.indices {
            shares[expert] =
                (1 - RecurrenceModel.fixedShare) * shares[expert] / total
                + RecurrenceModel.fixedShare * model.experts[expert].share
        }
        return shares
    }
}

extension TimeDistribution {
    /// The probability of the 30 minutes to either side of a point.
    func probability(about point: Double) -> Double { probability(by: point + 30) - probability(by: point - 30) }

    /// The distance in minutes between a quantile and the point, on the quantile's side, at least 1.
    func distance(toQuantile level: Double, from point: Double) -> Double {
        max(1, level < 0.5 ? point - quantile(level) : quantile(level) - point)
    }
}
