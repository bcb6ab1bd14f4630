import Foundation
import KinTestSupport
import Testing

@testable import KinRhythms

/// Logs shared by several caregivers: an event that two of them log counts once, and a removed event does not count.
@Suite struct CaregiverTests {
    private func row(
        _ minute: Double, _ event: RhythmRecord.Event, by author: String?, id: String? = nil, updated: Double? = nil
    ) -> RhythmRecord {
        RhythmRecord(
            start: SampleLog.at(minute), event: event,
            note: RhythmRecord.Note(
                id: id, author: author, updated: updated.map { Timestamp(unchecked: SampleLog.at($0).microseconds) }))
    }

    private func feed(_ ml: Double?, _ method: RhythmRecord.Feed.Method? = .bottle) -> RhythmRecord.Event {
        .feed(RhythmRecord.Feed(method: method, millilitres: ml))
    }

    private func sleep(_ from: Double, _ to: Double?, _ quality: RhythmRecord.Sleep.Quality? = nil)
        -> RhythmRecord.Event
    {
        .sleep(RhythmRecord.Sleep(end: to.map(SampleLog.at), quality: quality))
    }

    /// Pairs of rows by different caregivers, unless the pair names others, and whether they are one event.
    @Test func onlyRowsOfOneEventAreMerged() {
        let pairs: [(RhythmRecord, RhythmRecord, Bool)] = [
            (row(0, feed(90), by: "a"), row(10, feed(100), by: "b"), true),
            (row(0, feed(90), by: "a"), row(11, feed(100), by: "b"), false),
            (row(0, feed(90), by: "a"), row(5, feed(100), by: "a"), false),
            (row(0, feed(90), by: "a"), row(5, feed(100), by: nil), false),
            (row(0, feed(90), by: "a"), row(5, feed(100), by: ""), false),
            (row(0, feed(90), by: "a"), row(5, feed(nil, .breast), by: "b"), false),
            (row(0, feed(90), by: "a"), row(5, feed(nil, nil), by: "b"), true),
            (row(0, .diaper(.wet), by: "a"), row(10, .diaper(.both), by: "b"), true),
            (row(0, .diaper(.wet), by: "a"), row(11, .diaper(.wet), by: "b"), false),
            (row(0, .diaper(.wet), by: "a"), row(5, feed(nil, nil), by: "b"), false),
            (row(0, sleep(0, 60), by: "a"), row(30, sleep(30, 90), by: "b"), true),
            (row(0, sleep(0, 60), by: "a"), row(31, sleep(31, 95), by: "b"), false),
            (row(0, sleep(0, 600), by: "a"), row(500, sleep(500, 540), by: "b"), true),
            (row(0, sleep(0, 60), by: "a"), row(10, sleep(10, nil), by: "b"), true),
            (row(0, sleep(0, nil), by: "a"), row(30, sleep(30, 90), by: "b"), true),
            (row(0, sleep(0, nil), by: "a"), row(31, sleep(31, 90), by: "b"), false),
            (
                row(0, .milestone(title: "Steps", category: .physical), by: "a"),
                row(600, .milestone(title: "steps", category: .physical), by: "b"), true
            ),
            (
                row(0, .milestone(title: "Steps", category: .physical), by: "a"),
                row(1440, .milestone(title: "Steps", category: .physical), by: "b"), false
            ),
        ]
        for (first, second, areOne) in pairs {
            let log = RhythmLog([first, second])
            #expect(log.counted.count == (areOne ? 1 : 2), "\(first) \(second)")
            #expect(log.repairs.contains { $0.problem == .severalCaregivers } == areOne)
            #expect(log.records.count == 2)
        }
    }

    /// Two apps may record one sleep without authors, or by one author, slightly differently.
    @Test(arguments: [(nil, nil), ("a", "a"), (nil, "a"), ("a", nil)] as [(String?, String?)])
    func aSleepRecordedTwiceIsListedOnce(authors: (String?, String?)) throws {
        for (first, second, areOne) in [
            ((0.0, 60.0), (4.0, 63.0), true), ((0, 60), (0, 58), true), ((0, 600), (300, 540), true),
            ((0, 60), (31, 95), false), ((0, 60), (61, 100), false), ((0, 1000), (400, 460), false),
            ((0, nil), (4, 63), true), ((0, nil), (11, 63), false), ((0, 60), (4, nil), true),
        ] as [((Double, Double?), (Double, Double?), Bool)] {
            let log = RhythmLog([
                row(first.0, sleep(first.0, first.1), by: authors.0, id: "1"),
                row(second.0, sleep(second.0, second.1), by: authors.1, id: "2"),
            ])
            var page = EventPage()
            page.isRepaired = true
            let events = try log.events(page)
            #expect(events.count == (areOne ? 1 : 2), "\(first) \(second)")
            #expect(log.repairs.contains { $0.problem == .severalCaregivers } == false)
            guard areOne else { continue }
            #expect(log.repairs.count { $0.problem == .overlap && $0.id == "2" } == 1)
            let ends = [first.1, second.1].compactMap(\.self)
            #expect(events[0].start == SampleLog.at(0) && events[0].end == ends.max().map(SampleLog.at))
        }
    }

    /// Two bottles within ten minutes by one person count as two, also if a second person has logged the first or both.
    @Test func aCaregiverContributesOneRowPerEvent() {
        let rows = [(0.0, "a"), (3, "b"), (6, "a"), (8, "b"), (9, "c")].map { row($0.0, feed(90), by: $0.1) }
        for (count, events) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2)] {
            let log = RhythmLog(Array(rows[..<count]))
            #expect(log.counted.count == events, "\(count) rows")
            #expect(log.repairs.count { $0.problem == .severalCaregivers } == count - events, "\(count) rows")
        }
    }

    @Test func theLatestUpdateWinsAndGapsAreFilled() throws {
        let log = RhythmLog([
            row(0, sleep(0, 60, .poor), by: "a", id: "1", updated: 100),
            row(10, sleep(10, 70), by: "b", id: "2", updated: 90),
            row(200, feed(90), by: "a", id: "3", updated: 210), row(205, feed(120), by: "b", id: "4", updated: 300),
            row(400, .diaper(.wet), by: "a", id: "5", updated: 500),
            row(400, .diaper(.both), by: "b", id: "6", updated: 401),
            // A third caregiver's row joins the event; a second row of the same caregiver does not.
            row(408, .diaper(.dry), by: "c", id: "7"), row(409, .diaper(.wet), by: "a", id: "8"),
        ])
        guard case .sleep(let asleep) = log.counted[0].event, case .feed(let fed) = log.counted[1].event else {
            return #expect(Bool(false))
        }
        #expect(asleep.end == SampleLog.at(70) && asleep.quality == .poor)
        #expect(fed.millilitres == 120 && log.counted[1].note?.id == "4")
        #expect(log.counted[2].event == .diaper(.wet) && log.counted.count == 4)
        let found = log.repairs.filter { $0.problem == .severalCaregivers }
        #expect(found.map(\.id) == ["2", "4", "6", "7"])
        #expect(found[1].text == "by b, is of one event with event \"3\" by a; counted once")
        #expect(log.days.map(\.millilitres) == [120] && log.days.map(\.diapers) == [2])
    }

    @Test func duplicatesWithOtherIDsCountOnce() {
        let log = RhythmLog([
            row(0, feed(90), by: nil, id: "1", updated: 3), row(0, feed(90), by: nil, id: "2"),
            row(0, feed(80), by: nil, id: "3"),
        ])
        #expect(log.days.map(\.millilitres) == [170])
        #expect(log.repairs.filter { $0.problem == .duplicate }.map(\.id) == ["2"])
    }

    /// Two equal rows of the second caregiver are duplicates of one row.
    @Test func duplicatesOfMergedRowsCountOnce() {
        let rows = [
            row(0, feed(100), by: "mum"), row(5, feed(100), by: "dad"), row(5, feed(100), by: "dad", id: "x"),
            row(5, feed(100), by: "dad", updated: 9),
        ]
        let merge = CaregiverMerge(rows)
        #expect(merge.records.count == 1)
        #expect(merge.repairs.map(\.problem) == [.severalCaregivers, .duplicate, .duplicate])
    }

    /// A log whose rows have one author, or no author, equals the log without authors.
    @Test(arguments: [nil, "a"] as [String?])
    func oneCaregiverChangesNothing(author: String?) {
        let records = SampleLog.records(days: 12, seed: 3)
        let log = RhythmLog(
            records.map { record in
                var record = record
                record.note = author.map { RhythmRecord.Note(author: $0) }
                return record
            })
        #expect(log.days == RhythmLog(records).days && !log.repairs.contains { $0.problem == .severalCaregivers })
    }

    /// A log shared by two caregivers: each event is logged by one of them or, one time in three, by both, a few
    /// minutes apart.
    private func shared(_ records: [RhythmRecord], _ random: inout SeededGenerator) -> (rows: [RhythmRecord], both: Int)
    {
        var rows: [RhythmRecord] = []
        var both = 0
        for (number, record) in records.enumerated() {
            let writers = random.below(3) == 0 ? ["mother", "father"] : [["mother", "father"][random.below(2)]]
            both += writers.count - 1
            for (place, writer) in writers.enumerated() {
                var row = record
                row.note = RhythmRecord.Note(id: "\(number)-\(writer)", author: writer)
                let late = place == 0 ? 0 : Int64(random.below(5)) * 60_000_000
                row.start = LoggedTime(LocalDateTime(unchecked: row.start.microseconds + late))
                rows.append(row)
            }
        }
        return (rows.sorted { $0.start < $1.start }, both)
    }

    /// All numbers that a log counts, for whole days.
    private func counts(_ log: RhythmLog) -> [[Double?]] {
        log.days.filter(\.isWhole).map {
            [$0.naps.map { Double($0) }, Double($0.meals), $0.millilitres, Double($0.diapers)]
        }
    }

    @Test func aGeneratedLogOfTwoCaregiversIsMerged() throws {
        var random = TestSeed().generator
        var records = SampleLog.records(days: 20, seed: random.next())
        for place in records.indices {
            guard case .feed(var feed) = records[place].event else { continue }
            (feed.method, feed.millilitres) = (.bottle, Double(60 + 10 * random.below(8)))
            records[place].event = .feed(feed)
            records.append(
                RhythmRecord(
                    start: LoggedTime(LocalDateTime(unchecked: records[place].start.microseconds + 2_400_000_000)),
                    event: .diaper(.wet)))
        }
        let (rows, both) = shared(records, &random)
        let (log, alone) = (RhythmLog(rows), RhythmLog(records))
        #expect(log.repairs.count { $0.problem == .severalCaregivers } == both && both > 50)
        #expect(counts(log) == counts(alone))
        // Forecasts use every row, and hardly change.
        for day in 10..<20 {
            let now = SampleLog.at(Double(day) * 1440 + 720)
            for kind in [RhythmKind.nap, .feed, .bedtime] {
                let forecasts = try (log.forecast(kind, at: now), alone.forecast(kind, at: now))
                let (a, b) = (try #require(forecasts.0), try #require(forecasts.1))
                #expect(abs(a.point.localMinutes - b.point.localMinutes) < 30, "\(kind)")
            }
        }
    }

    @Test func removedRowsStayRemoved() throws {
        var gone = row(200, feed(90), by: "b", id: "1", updated: 300)
        gone.note?.isRemoved = true
        let older = row(200, feed(90), by: "a", id: "1", updated: 250)
        let newer = row(200, feed(70), by: "a", id: "1", updated: 350)
        let other = row(500, feed(50), by: "a", id: "2")
        for rows in [[gone, older, other], [older, gone, other]] {
            let log = RhythmLog(rows)
            #expect(log.days.map(\.millilitres) == [50] && log.days.map(\.meals) == [1])
            #expect(log.repairs.map(\.problem).contains(.removed))
            #expect(log.state(at: SampleLog.at(600)).bytes == RhythmLog([other]).state(at: SampleLog.at(600)).bytes)
        }
        #expect(RhythmLog([gone, newer, other]).days.map(\.millilitres) == [120])
        let text = gone.json
        #expect(text.hasSuffix(#""removed":true}"#))
        #expect(try RhythmRecord(json: text) == gone)
        #expect(try RhythmRecord(json: text.replacing("removed", with: "isDeleted")) == gone)
        #expect(!newer.json.contains("removed"))
    }
}
