import Foundation
import KinTestSupport
import Testing

@testable import KinStore

@Suite struct CareTests {
    private let folder = StoreFolder()

    private func event(_ number: Int, of user: String, baby: String = "b1") throws -> CareEvent {
        let start = try LoggedTime(LocalDateTime(microseconds: 1_767_225_600_000_000 + Int64(number) * 10_800_000_000))
        let end = try LoggedTime(LocalDateTime(microseconds: start.microseconds + 3_600_000_000))
        return try CareEvent(
            userID: user, babyID: baby,
            record: RhythmRecord(
                start: start, event: number % 2 == 0 ? .sleep(.init(end: end)) : .feed(.init(method: .bottle)),
                note: .init(id: "e\(number)")))
    }

    @Test func storedLogsGiveTheSameForecasts() async throws {
        let store = try folder.open()
        let events = try (0..<200).map { try event($0, of: "u1") }
        let born = try LocalDateTime(parsing: "2025-09-01")
        try await store.put([BabyRecord(userID: "u1", id: "b1", baby: RhythmLog.Baby(name: "Ada", born: born))])
        // Not in chronological order, with one event twice.
        try await store.put(events.reversed() + [events[7]])
        try await store.put([event(3, of: "u1", baby: "b2"), event(3, of: "u2")])
        let log = try #require(try store.rhythmLog(of: "u1", baby: "b1"))
        let truth = RhythmLog(events.map(\.record), baby: RhythmLog.Baby(name: "Ada", born: born))
        #expect(log.records == truth.records && log.baby == truth.baby)
        let now = try #require(truth.latest)
        #expect(try log.forecast(.feed, at: now)?.json == truth.forecast(.feed, at: now)?.json)
        // A baby is known by its events, too.
        #expect(try store.babies(of: "u1").map(\.id) == ["b1", "b2"])
        #expect(try store.rhythmLog(of: "u1", baby: "b2")?.records.count == 1)
        #expect(try store.rhythmLog(of: "u9", baby: "b1") == nil)
        #expect(try await store.remove("care_event", key: ["user": "u1", "baby": "b1", "id": "e7"]))
        #expect(try await !store.remove("care_event", key: ["user": "u1", "baby": "b1", "id": "e7"]))
        #expect(try store.rhythmLog(of: "u1", baby: "b1")?.records.count == 199)
        #expect(try store.check().isIntact)
    }

    @Test func anEventNeedsAnID() async throws {
        let store = try folder.open()
        let wrong =
            "{\"care_event\": {\"user_id\": \"u1\", \"baby\": \"b1\", \"event\": {\"type\": \"feed\", \"start\": \"2026-01-01T10:00\"}}}"
        #expect(await kinError { try await store.importLines(wrong, now: hour(0)) }.says("id", code: .invalidArgument))
    }
}
