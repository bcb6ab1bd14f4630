import Foundation
import KinCore
import KinRhythms
import Testing

/// `Golden/state-1.bin` stands for the log of `Golden/log-1.json` at noon of its eighth day; both were written when version 1 of the bytes was
/// fixed, and are never written again.
@Suite("A state of version 1")
struct GoldenStateTests {
    private func golden(_ name: String, _ ending: String) throws -> [UInt8] {
        let place = try #require(Bundle.module.url(forResource: "Golden/\(name)", withExtension: ending))
        return try Array(Data(contentsOf: place))
    }

    @Test func isReadAndStandsForItsLog() throws {
        let bytes = try golden("state-1", "bin")
        let state = try RhythmState(bytes: bytes)
        #expect(state.bytes == bytes)
        let log = try RhythmLog(json: String(decoding: golden("log-1", "json"), as: UTF8.self))
        let now = SampleLog.at(7 * 1440 + 720)
        #expect(log.state(at: now).bytes == bytes)
        for kind in RhythmKind.allCases {
            #expect(try state.forecast(kind, at: now) == log.forecast(kind, at: now))
        }
    }
}
