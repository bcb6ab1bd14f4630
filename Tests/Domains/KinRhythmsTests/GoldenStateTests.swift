import Foundation
import KinTestSupport
import Testing

@testable import KinRhythms

/// `Golden/state-1.bin`, `state-2.bin` and `state-4.bin` encode the log of `Golden/log-1.json` at noon of its eighth
/// day. Each was written when its version of the bytes was fixed, and is never rewritten.
@Suite("States of earlier versions")
struct GoldenStateTests {
    private let now = SampleLog.at(7 * 1440 + 720)

    private func log() throws -> RhythmLog {
        try RhythmLog(json: String(decoding: Bundle.module.golden("log-1.json"), as: UTF8.self))
    }

    /// States from the first event on, when some features of sleep are unknown, with and without a day of birth.
    @Test func aStateEqualsItselfAndItsBytes() throws {
        let records = SampleLog.records(days: 3, seed: 5)
        for born in [nil, LocalDateTime(localMinutes: SampleLog.start.localMinutes)] {
            for count in 0...records.count {
                let state = RhythmLog(Array(records[..<count]), baby: RhythmLog.Baby(born: born)).state(at: now)
                let read = try RhythmState(bytes: state.bytes)
                #expect(state == state && read == state && Set([read, state]).count == 1, "\(count) rows")
            }
        }
    }

    /// A week's forecasts differ by minutes from those of the log. Version 1 has naps and feeds: its bedtimes are
    /// unknown, and its sleep lengths are those of the sleeps before the naps' wakings. Versions 1 and 2 had other priors
    /// of young logs. Version 4 had others without a day of birth, no expert that regards the day of the week, and
    /// distributions of up to 10 or 12 hours.
    @Test(arguments: [1, 2, 4]) func statesOfEarlierVersionsForecastAsTheirLog(_ version: Int) throws {
        let state = try RhythmState(bytes: Bundle.module.golden("state-\(version).bin"))
        #expect(try RhythmState(bytes: state.bytes) == state)
        for kind in version == 1 ? [.nap, .feed, .wakeUp] : RhythmKind.allCases {
            guard let expected = try log().forecast(kind, at: now) else {
                #expect(try state.outlook(kind, at: now) == log().outlook(kind, at: now))
                continue
            }
            let told = try #require(try state.forecast(kind, at: now))
            for end in version < 4 ? [\RhythmForecast.point] : [\.point, \.lower, \.upper] {
                #expect(abs(told[keyPath: end].minutes(since: expected[keyPath: end])) < 15, "\(told)")
            }
            #expect(version < 4 || abs(told.confidence - expected.confidence) < 0.1, "\(told.confidence)")
        }
        guard version == 1 else { return }
        #expect(try state.outlook(.bedtime, at: now) == .unavailable(.bedtime, .noBedtime, at: now))
    }
}
