import Foundation
import KinStoreTrials
import KinTestSupport
import Testing

@testable import KinStore

/// Reads of a store in a caller's body, and values that a caller gives to a record's members.
@Suite("Bodies and values of callers")
struct CallerValueTests {
    /// Every function that passes values of the store to a body.
    static let callers: [String: @Sendable (Store, () throws -> Void) throws -> Void] = [
        "withForecaster": { store, body in
            try store.withForecaster(of: EveryKind.person, baby: "hidden-word-b-é") { _ in try body() }
        },
        "withHistory": { store, body in try store.withHistory(of: EveryKind.person) { _ in try body() } },
        "withMatcher": { store, body in try store.withMatcher { _ in try body() } },
        "withInventoryIndex": { store, body in try store.withInventoryIndex { _ in try body() } },
        "forEachDecisionLog": { store, body in try store.forEachDecisionLog { _ in try body() } },
        "forEachDecisionLog of one person": { store, body in
            try store.forEachDecisionLog(of: EveryKind.person) { _ in try body() }
        },
        "exportLines": { store, body in try store.exportLines { _ in try body() } },
    ]

    @Test(
        "a body may read its store: on a disk, in memory, after its file was replaced", arguments: callers.keys.sorted()
    )
    func aBodyMayReadTheStore(_ name: String) async throws {
        let sample = try await EveryKind()
        let call = try #require(Self.callers[name])
        let (copy, lost, memory) = try (sample.folder.copy(), sample.folder.copy(), Store())
        try await memory.importLines(EveryKind.export(sample.store), now: hour(0))
        let replaced = try lost.open()
        try FileManager.default.removeItem(atPath: lost.database)
        try lost.write(copy.contents("people.db"), to: "people.db")
        for (place, store) in [("disk", try copy.open()), ("memory", memory), ("replaced", replaced)] {
            // The first time the value is not cached yet.
            for _ in 0..<2 {
                var calls = 0
                try call(store) { () throws in
                    calls += 1
                    let categories = try store.challengePreferences(of: EveryKind.person)?.categories
                    let soul = try store.soul(of: EveryKind.author)
                    #expect(categories == ["hidden-word"] && soul != nil)
                    let code = errorCode { try store.exportLines { _ in } }
                    #expect(code == nil || place != "disk" && code == .busy, "\(place)")
                }
                #expect(calls > 0, "\(place)")
            }
        }
        // The folders are removed with their last use.
        withExtendedLifetime((copy, lost)) {}
    }

    @Test("a record with a value that no reader accepts is refused, and nothing changes")
    func unreadableValuesAreRefused() async throws {
        let sample = try await EveryKind()
        let (store, before) = try (sample.store, sample.store.version())
        var records = SampleRecords()
        let session = try records.session("new", of: EveryKind.person)
        let item = try records.item("new")
        let challenge = try Challenge(
            id: "new", title: "Rest", category: "body", time: .minutes(5), updated: Timestamp(seconds: 0))
        func event(_ amount: Double, extra: String? = nil) throws -> CareEvent {
            let start = try LoggedTime(LocalDateTime(hour(5), in: .utc))
            var note = RhythmRecord.Note(id: "new")
            note.extra = extra
            let record = RhythmRecord(start: start, event: .feed(.init(millilitres: amount)), note: note)
            return try CareEvent(userID: EveryKind.person, babyID: "new", record: record)
        }
        for extra in ["hello", "", "[1]", #"{"a":"#, "{}{}"] {
            let (session, item, challenge) = (
                changed(session) { $0.extra = extra }, changed(item) { $0.extra = extra },
                changed(challenge) { $0.extra = extra }
            )
            #expect(await errorCode { try await store.put([session]) } == .invalidArgument, "\(extra)")
            #expect(await errorCode { try await store.put([item]) } == .invalidArgument, "\(extra)")
            #expect(await errorCode { try await store.put([challenge]) } == .invalidArgument, "\(extra)")
            let key = try RecordKey.session(session.id)
            #expect(await errorCode { try await store.change(key) { $0 = session } } == .invalidArgument, "\(extra)")
            let care = try event(90, extra: extra)
            #expect(await errorCode { try await store.put([care]) } == .invalidArgument, "\(extra)")
        }
        for amount in [Double.nan, .infinity, -.infinity] {
            let care = try event(amount)
            #expect(await errorCode { try await store.put([care]) } == .invalidArgument, "\(amount)")
        }
        #expect(try store.version() == before && store.check().isIntact)
    }

    private func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }
}
