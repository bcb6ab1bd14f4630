public import KinCore
import KinForecasting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension RhythmState {
    /// When the next nap or feed is, by all that has been taken in; nil before the first sleep or feed.
    ///
    /// - Parameters:
    ///   - kind: What to forecast.
    ///   - now: at or after everything taken in. Minutes that have passed without the event narrow the forecast.
    ///   - coverage: how much the interval is to hold, above 0 and below 1.
    /// - Throws: `.invalidArgument` for another coverage.
    /// - Complexity: constant, below 50 µs.
    public func forecast(
        _ kind: RhythmKind, at now: Timestamp, coverage: Double = 0.8
    ) throws(KinError) -> RhythmForecast? {
        guard coverage > 0, coverage < 1 else {
            throw KinError(.invalidArgument, "a coverage of \(coverage) is not between 0 and 1; 0.8 is usual")
        }
        let minute = now.localMinutes
        let model = RhythmModels.model(of: kind)
        let recurrence = kind == .nap ? nap : feed
        guard var anchor = recurrence.anchor else { return nil }
        let isAsleep = asleepSince.map { $0 <= minute && minute - $0 < 960 } ?? false
        if kind == .nap, isAsleep, let since = asleepSince {
            anchor = wakingToCome(since: since, now: minute)
        }
        let elapsed = max(0, minute - anchor.minute)
        let told = recurrence.forecast(from: anchor, elapsed: elapsed, coverage: coverage, model: model)
        return RhythmForecast(
            kind: kind, now: now, point: Timestamp(localMinutes: anchor.minute + told.point),
            lower: Timestamp(localMinutes: anchor.minute + told.lower),
            upper: Timestamp(localMinutes: anchor.minute + told.upper), coverage: coverage, confidence: told.confidence,
            durationMinutes: duration(kind, at: anchor.minute + told.point),
            basis: RhythmForecast.Basis(
                isAsleep: isAsleep, intervals: recurrence.count, lastSleep: blocks.last.map { $0.end - $0.start },
                sleepsToday: Int(napAnchor(at: minute).features[1]), asleepLastDay: asleep(in: 1440, before: minute)),
            distribution: told.distribution, anchor: Timestamp(localMinutes: anchor.minute))
    }

    /// The waking that a sleeping baby's next nap counts from: when sleeps like this one end.
    private func wakingToCome(since: Double, now: Double) -> Anchor {
        let slept = now - since
        let length = nap.conditionLength(atMinute: since, longerThan: slept) ?? max(45, slept + 15)
        var later = self
        later.blocks.append(Block(start: since, end: since + length))
        return later.napAnchor(at: since + length)
    }

    private func duration(_ kind: RhythmKind, at minute: Double) -> Double? {
        switch kind {
        case .nap: return nap.conditionLength(atMinute: minute, longerThan: 0)
        case .feed:
            guard !feedLengths.isEmpty else { return nil }
            return Double(feedLengths.sorted()[feedLengths.count / 2])
        }
    }
}

extension Recurrence {
    /// How long sleeps last that begin about this time of the day, among those longer than `least` minutes; nil when none is known.
    fileprivate func conditionLength(atMinute minute: Double, longerThan least: Double) -> Double? {
        median(atMinute: minute, recency: 14, clockWidth: 1.2, model: RhythmModels.nap) { waking, features in
            let length = exp(features[0]) - 5
            return length > least ? (waking - length, length) : nil
        }.map { ($0 * 10).rounded() / 10 }
    }
}
