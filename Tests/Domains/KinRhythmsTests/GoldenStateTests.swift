import Foundation
import KinCore
import KinRhythms
import KinTestSupport
import Testing

/// `Golden/state-1.bin` and `state-2.bin` encode the log of `Golden/log-1.json` at noon of its eighth day. Each was
/// written when its version of the bytes was fixed, and is never rewritten.
@Suite("States of earlier versions")
struct GoldenStateTests {
    private let now = SampleLog.at(7 * 1440 + 720)

    private func log() throws -> RhythmLog {
        try RhythmLog(json: String(decoding: Bundle.module.golden("log-1.json"), as: UTF8.self))
    }

    /// Version 1 has naps and feeds. Its sleep lengths are those of the sleeps before the naps' wakings, and bedtimes
    /// are unknown.
    @Test func versionOneIsRead() throws {
        let state = try RhythmState(bytes: Bundle.module.golden("state-1.bin"))
        #expect(try state.forecast(.feed, at: now) == log().forecast(.feed, at: now))
        for kind in [RhythmKind.nap, .wakeUp] {
            let told = try #require(try state.forecast(kind, at: now))
            let expected = try #require(try log().forecast(kind, at: now))
            #expect(abs(told.point.localMinutes - expected.point.localMinutes) < 15, "\(told)")
        }
        #expect(try state.outlook(.bedtime, at: now) == .unavailable(.bedtime, .noBedtime, at: now))
        #expect(try RhythmState(bytes: state.bytes) == state)
    }

    @Test func versionTwoIsReadAndEqualsItsLog() throws {
        let bytes = try Bundle.module.golden("state-2.bin")
        let state = try RhythmState(bytes: bytes)
        #expect(try state.bytes == bytes && log().state(at: now).bytes == bytes)
        for kind in RhythmKind.allCases {
            #expect(try state.outlook(kind, at: now) == log().outlook(kind, at: now))
        }
    }
}
