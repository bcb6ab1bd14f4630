import KinTestSupport
import Testing

@testable import KinRhythms

/// After any changes, a forecaster gives the forecasts of a log with the same events.
@Suite struct ForecasterTests {
    @Test(arguments: [false, true])
    func changesEqualARebuiltLog(hasBirth: Bool) throws {
        var random = TestSeed().generator
        let all = try CareEvent.events(
            of: RhythmLog(SampleLog.records(days: 20, seed: random.next())), userID: "u", babyID: "b")
        var baby = RhythmLog.Baby(name: "B", born: hasBirth ? SampleLog.at(1440 * 5).reading : nil)
        var stored = Dictionary(uniqueKeysWithValues: all[..<(all.count / 2)].map { ($0.id, $0) })
        var next = all.count / 2
        var forecaster = RhythmForecaster(stored.values, of: baby)
        for round in 0..<80 {
            switch random.below(7) {
            case 0:
                let id = all[random.below(all.count)].id
                #expect(forecaster.remove(id) == (stored.removeValue(forKey: id) != nil))
            case 1:
                var record = all[random.below(next)].record
                record.start = SampleLog.at(Double(random.below(20 * 1440)))
                record.note?.isRemoved = random.below(3) == 0
                let event = try CareEvent(userID: "u", babyID: "b", record: record)
                stored[event.id] = event
                forecaster.upsert(event)
            case 3:
                // A few such rows are slips; four or more go on with the log.
                let far = Double([400, 1_300][random.below(2)] * 1440)
                let event = try CareEvent(
                    userID: "u", babyID: "b", record: SampleLog.moved(all[random.below(next)].record, by: far))
                stored[event.id] = event
                forecaster.upsert(event)
            case 2 where round % 5 == 0:
                baby.born = random.below(3) == 0 ? nil : SampleLog.at(Double(1440 * random.below(25))).reading
                forecaster.set(baby)
            default:
                let event = all[min(next, all.count - 1)]
                next = min(next + 1, all.count)
                stored[event.id] = event
                forecaster.upsert(event)
            }
            let records = stored.values.sorted { ($0.record.start, $0.id) < ($1.record.start, $1.id) }.map(\.record)
            let log = RhythmLog(records, baby: baby)
            #expect(forecaster.count == records.count && forecaster.latest == log.latest)
            #expect(
                forecaster.state(at: SampleLog.at(1e7)) == log.state(at: SampleLog.at(1e7)), "round \(round)")
            let end = (log.latest ?? SampleLog.start).localMinutes - SampleLog.start.localMinutes
            for now in [SampleLog.at(end + Double(random.below(300))), SampleLog.at(Double(random.below(20 * 1440)))] {
                let kind = RhythmKind.allCases[random.below(RhythmKind.allCases.count)]
                #expect(try forecaster.outlook(kind, at: now) == log.outlook(kind, at: now), "round \(round)")
            }
        }
        #expect(forecaster.log.records.count == stored.count && forecaster.byteCount > 0)
    }

    @Test("a log without a zone uses its first event's clock, in any order")
    func clockOfTheFirstEvent() throws {
        var random = TestSeed().generator
        // New York time, two days before and after the clock change in March.
        let starts = (0..<5).flatMap { day in
            (0..<6).map {
                "2026-03-0\(5 + day)T\($0 < 4 ? "0" : "")\($0 * 2 + 2):30:00\(day < 3 ? "-05:00" : "-04:00")"
            }
        }
        let events = try starts.enumerated().map { number, start in
            let record = try RhythmRecord(json: #"{"id":"e\#(number)","type":"feed","start":"\#(start)"}"#)
            return try CareEvent(userID: "u", babyID: "b", record: record)
        }
        let now = try LoggedTime(parsing: "2026-03-09T13:00:00-04:00")
        let expected = try RhythmForecaster(events).outlook(.feed, at: now).json
        for _ in 0..<30 {
            let shuffled = events.shuffled(using: &random)
            #expect(try RhythmForecaster(shuffled).outlook(.feed, at: now).json == expected)
            var grown = RhythmForecaster([CareEvent]())
            for event in shuffled { grown.upsert(event) }
            #expect(try grown.outlook(.feed, at: now).json == expected)
        }
    }
}
