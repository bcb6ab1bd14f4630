/// The forecasts that were shown for a baby at one moment, in whole minutes.
package struct ShownForecasts: Sendable, Hashable {
    /// The forecast of one kind. Times are minutes after the moment.
    struct Span: Sendable, Hashable {
        /// The last meal for a feed; for other kinds the beginning of the running sleep, or the last waking.
        var anchor = 0
        var point = 0
        var lower = 0
        var upper = 0
        /// The confidence in percent.
        var confidence = 50
    }

    /// The kinds of ``spans``. A waking at night is the end of a running sleep.
    static let kinds: [RhythmKind] = [.nap, .feed, .wakeUp, .bedtime]

    /// The moment, in minutes since 1970.
    package internal(set) var minute = 0
    /// The offset of the log's clock from UTC, in seconds; nil if the log had no instants.
    var offset: Int?
    /// The nominal coverage of the intervals, in thousandths.
    var coverage = 800
    /// The forecasts by the order of ``kinds``; nil for a kind that had no forecast.
    var spans: [Span?] = kinds.map { _ in nil }

    /// Creates the first values of a ledger, from which its first moment differs.
    init() {}

    /// Creates the record of shown forecasts; nil if no kind had a forecast.
    package init?(_ predictions: RhythmPredictions) {
        let outlooks = [predictions.nap, predictions.feed, predictions.wakeUp, predictions.bedtime]
        guard let any = outlooks.lazy.compactMap(\.forecast).first else { return nil }
        let now = Int(predictions.now.minute.rounded())
        func minutes(_ time: LoggedTime) -> Int { Int(time.minute.rounded()) - now }
        minute = now
        offset = predictions.now.offset.map { Int($0) }
        coverage = Int((any.coverage * 1000).rounded())
        let sleep = (predictions.wakeUp.forecast ?? predictions.nap.forecast)?.anchor
        spans = zip(Self.kinds, outlooks).map { kind, outlook in
            outlook.forecast.map { forecast in
                Span(
                    anchor: minutes(kind == .feed ? forecast.anchor : sleep ?? forecast.anchor),
                    point: minutes(forecast.point), lower: minutes(forecast.lower), upper: minutes(forecast.upper),
                    confidence: Int((forecast.confidence * 100).rounded()))
            }
        }
    }

    /// The moment by the clock that showed it.
    var time: LoggedTime {
        let shift = Double(offset ?? 0) / 60
        let offset = offset.map { Int32(clamping: $0) }
        return LoggedTime(LocalDateTime(localMinutes: Double(minute) + shift), offset: offset, written: offset)
    }

    /// Whether the log had a running sleep.
    var isAsleep: Bool { spans[2] != nil }

    /// Whether a time, in minutes after the moment, is by day.
    func isByDay(_ later: Int) -> Bool { RhythmModels.isByDay(time.localMinutes + Double(later)) }

    /// The same forecasts from a different time.
    func moved(to time: LoggedTime) -> ShownForecasts {
        var moved = self
        (moved.minute, moved.offset) = (Int(time.minute.rounded()), time.offset.map { Int($0) })
        return moved
    }

    /// Whether all values are possible: years 0 to 9999, and forecasts within 100 days.
    var isPossible: Bool {
        let days = -144_000...144_000
        return (-1_100_000_000...4_300_000_000).contains(minute) && (1..<1000).contains(coverage)
            && (-26 * 3600...26 * 3600).contains(offset ?? 0) && spans.contains { $0 != nil }
            && spans.lazy.compactMap(\.self).allSatisfy {
                days.contains($0.anchor) && days.contains($0.lower) && days.contains($0.upper)
                    && $0.lower <= $0.point && $0.point <= $0.upper && (0...100).contains($0.confidence)
            }
    }
}

extension AdaptiveCoder {
    /// Creates a coder of moments that writes, or reads bytes.
    static func ofMoments(reading bytes: [UInt8]? = nil) -> AdaptiveCoder {
        AdaptiveCoder(fields: 4 + 6 * ShownForecasts.kinds.count, reading: bytes)
    }

    /// Writes or reads moments as differences from the moments before them.
    ///
    /// - Parameter moments: The moments to write; ignored when reading.
    /// - Returns: The moments; nil if it reads an impossible moment, or more moments than a period has minutes.
    mutating func moments(_ moments: [ShownForecasts]) -> [ShownForecasts]? {
        let count = number(moments.count, in: 0)
        guard (1...ForecastLedger.periodLength).contains(count) else { return nil }
        var coded: [ShownForecasts] = []
        var (before, step) = (ShownForecasts(), 0)
        var last = ShownForecasts.kinds.map { _ in ShownForecasts.Span() }
        for place in 0..<count {
            var moment = isReading ? before : moments[place]
            step &+= number(moment.minute &- before.minute &- step, in: 1)
            moment.minute = before.minute &+ step
            // The times of forecasts change less than their distances from the moment.
            for kind in last.indices where place > 0 {
                last[kind].anchor &-= step
                last[kind].point &-= step
            }
            // 0 means no offset, so offsets begin at 1.
            let known = before.offset.map { $0 &+ (1 << 20) } ?? 0
            let offset = known &+ number((moment.offset.map { $0 &+ (1 << 20) } ?? 0) &- known, in: 2)
            moment.offset = offset == 0 ? nil : offset &- (1 << 20)
            moment.coverage = before.coverage &+ number(moment.coverage &- before.coverage, in: 3)
            for kind in last.indices {
                let first = 4 + 6 * kind
                let isShown = number(moment.spans[kind] == nil ? 0 : 1, in: first) != 0
                guard isShown else {
                    moment.spans[kind] = nil
                    continue
                }
                let known = last[kind]
                var span = moment.spans[kind] ?? known
                span.anchor = known.anchor &+ number(span.anchor &- known.anchor, in: first + 1)
                let (below, above) = (span.point &- span.lower, span.upper &- span.point)
                span.point = known.point &+ number(span.point &- known.point, in: first + 2)
                span.lower = span.point &- known.lower &- number(below &- known.lower, in: first + 3)
                span.upper = span.point &+ known.upper &+ number(above &- known.upper, in: first + 4)
                span.confidence = known.confidence &+ number(span.confidence &- known.confidence, in: first + 5)
                moment.spans[kind] = span
                // The known ends are distances from the point.
                last[kind] = span
                (last[kind].lower, last[kind].upper) = (span.point &- span.lower, span.upper &- span.point)
            }
            guard !isReading || moment.isPossible else { return nil }
            coded.append(moment)
            before = moment
        }
        return coded
    }
}
