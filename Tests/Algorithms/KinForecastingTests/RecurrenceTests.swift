import KinCore
import Testing

@testable import KinForecasting

/// Updates of a state by events and anchors.
@Suite struct RecurrenceTests {
    private func model() -> RecurrenceModel {
        RecurrenceModel(
            experts: [
                KernelExpert(recency: 7, clockWidth: 2, intensity: .none, share: 0.5),
                KernelExpert(recency: 20, clockWidth: 24, clockShift: 1, intensity: .none, share: 0.5),
            ],
            intervals: 10...720,
            history: RecurrenceModel.History(capacity: 40, featureSteps: [1, 1, 1, 1]),
            coldStart: RecurrenceModel.ColdStart(
                backgroundShare: 0.2, backgroundClockWidth: 4, priorWeight: 1, priorHalfLife: 5,
                spread: PriorSpread(below: 0.4, above: 0.4)))
    }

    private func anchor(_ minute: Double) -> Anchor {
        Anchor(minute: minute, features: [0, 0, 0, 0], expected: 200)
    }

    /// An event after several anchors updates the state as if each forecast had been stored at its anchor, with a share
    /// of one miss.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anEventAfterSeveralAnchorsChangesNoForecastBeforeIt(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let model = model()
        var state = Recurrence(model: model)
        for day in 0..<30 {
            let midnight = Double(day) * 1440 + 30_000_000
            let anchors = [0.0, 100, 250].map { anchor(midnight + 600 + $0 + Double(random.below(30))) }
            let event = midnight + 1150 + Double(random.below(60))
            let forecasts = anchors.map { state.forecast(from: $0, elapsed: 0, model: model) }
            var expected = state
            for (anchor, forecast) in zip(anchors, forecasts) {
                var before = state
                before.begin(at: anchor, model: model)
                #expect(before.pending?.point == Float(forecast.point), "\(seed)")
                expected.pending = before.pending
                expected.observe(interval: event - anchor.minute, weight: 1 / 3, model: model)
            }
            state.observe(event, after: anchors, model: model)
            #expect(state == expected && state.anchor == nil && state.count == min(40, 3 * (day + 1)), "\(seed)")
        }
        var unchanged = state
        unchanged.observe(50_000_000, after: [], model: model)
        #expect(unchanged == state)
    }

    /// An expert of some days forecasts from their intervals. Days begin at 04:00, so events at 03:00 belong to the day
    /// before.
    @Test(arguments: [nil, .ofKind, .ofWeekday] as [KernelExpert.Days?], [180.0, 720])
    func expertsOfSomeDaysForecastTheirIntervals(days: KernelExpert.Days?, minuteOfDay: Double) {
        var expert = KernelExpert(recency: 28, clockWidth: 24, intensity: .none, share: 1)
        expert.days = days
        let model = RecurrenceModel(
            experts: [expert],
            intervals: 10...720, history: RecurrenceModel.History(capacity: 200, featureSteps: [1, 1, 1, 1]),
            coldStart: RecurrenceModel.ColdStart(
                backgroundShare: 0, backgroundClockWidth: 4, priorWeight: 1, priorHalfLife: 5,
                spread: PriorSpread(below: 0.4, above: 0.4)))
        func interval(weekday: Int) -> Double {
            switch days {
            case nil: 200
            case .ofKind: weekday < 5 ? 100 : 400
            case .ofWeekday: 100 + 50 * Double(weekday)
            }
        }
        var state = Recurrence(model: model)
        // 2026-01-05 was a Monday, 20,458 days after 1970 began.
        for day in 0..<140 {
            let weekday = (minuteOfDay < 240 ? day + 6 : day) % 7
            let next = anchor(Double(20_458 + day) * 1440 + minuteOfDay)
            if day > 100 {
                let point = state.forecast(from: next, elapsed: 0, model: model).point
                #expect(abs(point - interval(weekday: weekday)) < 15, "\(weekday): \(point)")
            }
            state.begin(at: next, model: model)
            state.observe(interval: interval(weekday: weekday), model: model)
        }
    }

    @Test func afterAnHourThePointIsAtLeastTheMedianOfTheDistribution() {
        let model = model()
        var state = Recurrence(model: model)
        for day in 0..<40 {
            state.begin(at: anchor(30_000_000 + Double(day) * 1440), model: model)
            state.observe(interval: 20 + Double(day * 7 % 40) * 10, model: model)
        }
        let next = anchor(30_000_000 + 40 * 1440)
        for elapsed in [60.0, 100, 200, 300] {
            let forecast = state.forecast(from: next, elapsed: elapsed, model: model)
            #expect(forecast.distribution.probability(by: forecast.point) > 0.5 - 1e-9, "\(elapsed)")
            #expect(abs(forecast.point - (elapsed + 410) / 2) < 40, "\(elapsed): \(forecast.point)")
        }
        // Within the hour, the point passes to the median without a jump.
        for elapsed in 0..<70 {
            let points = [0, 0.01].map {
                state.forecast(from: next, elapsed: Double(elapsed) + $0, model: model).point
            }
            #expect(abs(points[1] - points[0]) < 2, "\(elapsed): \(points)")
        }
    }

    @Test func anAnchorSurvivesARoundTrip() throws {
        let given = Anchor(minute: 29_000_000.5, features: [1.5, .nan, -2, 1440], expected: 95, trust: 0.25)
        var writer = LittleEndianWriter()
        given.write(to: &writer)
        #expect(writer.bytes.count == 56)
        var reader = LittleEndianReader(state: writer.bytes)
        let read = try Anchor(from: &reader)
        #expect(read.minute == given.minute && read.expected == 95 && read.trust == 0.25 && reader.rest == 0)
        #expect(read.features[0] == 1.5 && read.features[1].isNaN && read.features[2] == -2)
    }
}
