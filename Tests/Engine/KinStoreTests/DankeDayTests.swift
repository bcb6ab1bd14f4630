import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// Danke's preferences and reflections, before and after the refresh, in every order.
@Suite("The day of Danke's documents")
struct DankeDayTests {
    private func put(_ records: [String], to store: Store, at now: Timestamp) async throws {
        try await store.importArray("[\(records.joined(separator: ","))]", now: now, options: ShapeOptions(user: "u"))
    }

    private func preferences(day: Int, refresh: Int) -> String {
        """
        {"currentDay": \(day), "domainFocus": null, "widgetRefreshTime": "2026-01-18T\(refresh / 10)\(refresh % 10):00:00Z",
         "eveningReminderEnabled": false, "eveningReminderTime": "2026-01-18T20:00:00Z"}
        """
    }

    /// Expects a day until the next refresh, and the following days after it.
    private func expect(_ day: Int, from now: Int, refresh: Int, in store: Store, _ comment: String) throws {
        let next = now + 1 + (refresh - now - 1 + 24 * 1000) % 24
        for (instant, expected) in [(now, day), (next, day + 1), (next + 23, day + 1), (next + 24, day + 2)] {
            #expect(try store.rotation(of: "u", at: hour(instant)).day == expected, "\(comment), hour \(instant)")
        }
        let before = try Timestamp(microseconds: hour(next).microseconds - 1)
        #expect(try store.rotation(of: "u", at: before).day == day, "\(comment), before the refresh")
    }

    private enum Past: CaseIterable { case none, preferences, begun, earlierRefresh }

    @Test(arguments: [("UTC", 0), ("Asia/Tokyo", 1), ("America/Los_Angeles", 2)])
    func aDocumentSetsTheDayUntilTheNextRefresh(zone: String, shift: Int) async throws {
        for number in 0..<16 {
            let (past, refresh) = (Past.allCases[number / 4], [0, 7, 15, 22][number % 4])
            let start = 240 + [1, 12, 23][(number + number / 4 + shift) % 3]
            let comment = "\(past), refresh \(refresh), import at \(start)"
            let store = try Store()
            if past != .none || zone != "UTC" {
                try await store.change(.preferences(of: "u")) {
                    $0 = try ChallengePreferences(userID: "u", timeZone: zone)
                }
            }
            if past == .begun { try await store.withRotation(of: "u", at: hour(start - 1)) { _, _, _ in } }
            if past == .earlierRefresh {
                try await put([preferences(day: 28, refresh: start % 24)], to: store, at: hour(start))
            }
            // At two launches before the refresh, and after it. The export has the same day.
            var (now, day) = (start, 28)
            for launch in 0..<3 {
                var document = preferences(day: day, refresh: refresh)
                if launch > 0 {
                    let exported = try store.exportRecords(of: "u", as: .danke, at: hour(now))
                    let record = try JSONTree(parsing: String(decoding: exported, as: UTF8.self))[path: ["record"]]
                    #expect(record?[path: ["currentDay"]] == .number("\(day)"), "\(comment)")
                    if launch == 2, let record { document = record.jsonText }
                }
                try await put([document], to: store, at: hour(now))
                try expect(day, from: now, refresh: refresh, in: store, "\(comment), launch \(launch)")
                if launch == 1 {
                    now += 24
                    day += 1
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func reflectionsOfEarlierEveningsStayOnTheirDates(isKnown: Bool) async throws {
        for refresh in [0, 22] {
            for count in 0..<3 {
                let store = try Store()
                let launch = 24 * 20 + 7
                for _ in 0..<count + 1 {
                    try await put([preferences(day: 30, refresh: refresh)], to: store, at: hour(launch))
                }
                if !isKnown {
                    // A record without the instant of its last advance, as of 0.3.0.
                    let lines = try EveryKind.export(store).replacing(/"reached":"[^"]*"/, with: "\"reached\":null")
                    try await store.importLines(lines, now: hour(launch))
                }
                for evening in [17, 18, 19] {
                    let reflection = try await store.reflect(
                        "u", completed: true, text: "\(evening)", at: hour(24 * evening + 21), present: hour(launch))
                    #expect(reflection.day == 10 + evening, "\(refresh), \(evening)")
                }
                try await store.reflect("u", completed: true, text: "today", at: hour(launch), present: hour(launch))
                let stored = try store.reflections(of: "u")
                #expect(stored.map(\.text) == ["today", "19", "18", "17"], "\(refresh): \(stored)")
            }
        }
    }

    /// The date of a day with a reflection stays if the refresh becomes later.
    @Test func aReflectionIsNotMovedByALaterRefresh() async throws {
        let store = try Store()
        let now = 24 * 20 + 10
        try await put([preferences(day: 28, refresh: 0)], to: store, at: hour(now))
        try await store.reflect("u", completed: true, text: "first", at: hour(now))
        try await put([preferences(day: 28, refresh: 22)], to: store, at: hour(now + 1))
        #expect(try store.rotation(of: "u", at: hour(now + 1)).day == 28)
        try await store.reflect("u", completed: true, text: "second", at: hour(now + 36))
        #expect(try store.reflections(of: "u").map(\.text) == ["second", "first"])
    }
}
