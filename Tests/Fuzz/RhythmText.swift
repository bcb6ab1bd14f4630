// module: KinRhythms
// seeds: Tests/Fuzz/Seeds/RhythmText

// Reads arbitrary bytes as a log, its records, and the state of a log. Accepted values are written and read again, and
// must be the same. Logs and states are then used for forecasts.

import KinJSON
import KinRhythms

@c(LLVMFuzzerTestOneInput)
public func fuzzRhythmText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    unsafe tryRecord(RhythmRecord.self, input)
    unsafe tryRecord(CareEvent.self, input)
    unsafe tryRecord(BabyRecord.self, input)
    let text = unsafe String(decoding: input, as: UTF8.self)
    if let log = try? RhythmLog(json: text) {
        guard let again = try? RhythmLog(json: log.json) else {
            preconditionFailure("a log that was written is refused")
        }
        precondition(again.records.map(\.start) == log.records.map(\.start), "a log that was written is another")
        precondition(log.repairs.allSatisfy { $0.row >= 0 }, "a repair belongs to no row")
        _ = RhythmAnalysis(log).insights
        if let last = log.records.last { forecast(log.state(at: last.start), at: last.start) }
    }
    if let state = unsafe try? RhythmState(bytes: Array(input)) {
        guard let again = try? RhythmState(bytes: state.bytes) else {
            preconditionFailure("a state that was written is refused")
        }
        precondition(again.bytes == state.bytes, "a state that was written is another")
        if let now = try? LoggedTime(parsing: "2026-03-05T10:00") { forecast(state, at: now) }
    }
    return 0
}

/// A damaged state may give meaningless numbers, but each forecast must be well-formed.
private func forecast(_ state: RhythmState, at now: LoggedTime) {
    for kind in RhythmKind.allCases {
        guard let told = try? state.forecast(kind, at: now) else { continue }
        precondition(told.lower <= told.point && told.point <= told.upper, "the point lies outside its interval")
        precondition((0...1).contains(told.confidence), "a confidence of \(told.confidence)")
        precondition((0...1).contains(told.probability(within: 30)), "no probability")
    }
}
