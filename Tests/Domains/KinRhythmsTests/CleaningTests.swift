import KinRhythms
import KinTestSupport
import Testing

@Suite("Impossible entries are listed and do no harm")
struct CleaningTests {
    private let plain = SampleLog.records(days: 20, seed: 3)

    private func feed(_ from: Double, to end: Double? = nil, ml: Double? = nil, minutes: Double? = nil) -> RhythmRecord
    {
        RhythmRecord(
            start: SampleLog.at(from),
            event: .feed(RhythmRecord.Feed(end: end.map(SampleLog.at), millilitres: ml, minutes: minutes)), row: 900)
    }

    /// The repairs of the same log with one more row.
    private func repairs(_ row: RhythmRecord) -> [RhythmRepair] {
        RhythmLog(plain + [row]).repairs.filter { $0.row == row.row && $0.problem != .sameMeal }
    }

    @Test(
        "impossible amounts and durations are listed and not counted",
        arguments: [-50, -1e-200, 1000.5, 1e308, .infinity, .nan] as [Double])
    func amounts(value: Double) {
        let noon = 19 * 1440.0 + 720
        let found = repairs(feed(noon, ml: value))
        #expect(found.map(\.problem) == [.impossibleAmount] && found[0].text.contains("ml"), "\(found)")
        let log = RhythmLog(plain + [feed(noon, ml: value), feed(noon + 1, ml: 120)])
        #expect(log.days.map(\.millilitres).reduce(0, +) == 120)
        let minutes = repairs(feed(noon, minutes: value == 1000.5 ? 1440.5 : value))
        #expect(minutes.map(\.problem) == [.impossibleAmount] && minutes[0].text.contains("minutes"), "\(minutes)")
        #expect(repairs(feed(noon, ml: 120 * 29.5735))[0].text.hasPrefix("3548.8 ml"))
        #expect(repairs(feed(noon, ml: 0, minutes: 0)).isEmpty && repairs(feed(noon, ml: 1000, minutes: 1440)).isEmpty)
    }

    @Test("a feed with an impossible end has no end and changes no forecast")
    func feedEnds() throws {
        let noon = 19 * 1440.0 + 720
        let now = SampleLog.at(noon + 5)
        for (end, problem) in [
            (noon - 30, RhythmRepair.Problem.endsBeforeItBegins), (noon + 44 * 60, .impossibleLength),
            (noon + 121, .impossibleLength),
        ] {
            #expect(repairs(feed(noon, to: end)).map(\.problem) == [problem])
            let (log, without) = (RhythmLog(plain + [feed(noon, to: end)]), RhythmLog(plain + [feed(noon)]))
            for kind in RhythmKind.allCases {
                #expect(try log.forecast(kind, at: now) == without.forecast(kind, at: now))
            }
            // The log does not extend to the wrong end.
            #expect(log.latest == without.latest)
        }
        #expect(repairs(feed(noon, to: noon + 120)).isEmpty)
    }

    @Test("a sleep of more than three days has no end")
    func longSleeps() {
        var sleep = SampleLog.sleep(19 * 1440 + 500, 72 * 60 + 1)
        sleep.row = 900
        #expect(repairs(sleep).contains { $0.problem == .impossibleLength })
        #expect(RhythmLog(plain + [sleep]).latest == RhythmLog(plain).latest)
        sleep = SampleLog.sleep(19 * 1440 + 500, 72 * 60)
        sleep.row = 900
        #expect(repairs(sleep).contains { $0.problem == .forgottenTimer })
    }

    @Test(
        "the newest row is the last one changed, in any time zone",
        arguments: [
            ("2026-01-20T12:00:00+02:00", "2026-01-20T11:00:00Z"), ("2026-10-25T00:50:00Z", "2026-10-25T01:10:00Z"),
            ("2026-01-20T23:00:00-05:00", "2026-01-21T04:30:00+00:00"), ("2026-01-20T10:00:00", "2026-01-20T10:30Z"),
        ])
    func newestByInstant(first: String, second: String) throws {
        for zone in ["", #","time_zone":"Europe/Berlin""#] {
            for rows in [[(first, 100), (second, 150)], [(second, 150), (first, 100)]] {
                let events = rows.map { updated, ml in
                    """
                    {"id":"x","type":"feed","start":"2026-01-20T10:00","volume":\(ml),"updated":"\(updated)"}
                    """
                }
                let log = try RhythmLog(json: #"{"events":[\#(events.joined(separator: ","))]\#(zone)}"#)
                #expect(log.days.map(\.millilitres) == [150], "\(rows)")
                #expect(try RhythmLog(json: log.json).days.map(\.millilitres) == [150])
            }
        }
    }

    @Test("the newest row of an id counts, and ids of other types are separate")
    func sameIDs() throws {
        func row(_ id: String, _ hour: Double, ml: Double, updated: String?, row: Int) throws -> RhythmRecord {
            var record = feed(19 * 1440 + hour * 60, ml: ml)
            record.note = RhythmRecord.Note(id: id, updated: try updated.map { try Timestamp(parsing: $0) })
            record.row = row
            return record
        }
        var sleep = SampleLog.sleep(19 * 1440 + 600, 30)
        sleep.note = RhythmRecord.Note(id: "a")
        let more: [RhythmRecord] = [
            try row("a", 11, ml: 100, updated: "2026-01-20T10:00", row: 901),
            try row("a", 12, ml: 150, updated: "2026-01-20T12:00", row: 902),
            try row("a", 13, ml: 170, updated: nil, row: 903),
            try row("b", 14, ml: 10, updated: nil, row: 904),
            sleep,
            try row("b", 15, ml: 20, updated: nil, row: 905),
            try row("b", 15, ml: 20, updated: nil, row: 906),
        ]
        let log = RhythmLog(plain + more)
        let found = log.repairs.filter { $0.problem == .sameID }
        #expect(found.map(\.row) == [901, 903, 904] && found[0].text.contains("902"), "\(found)")
        let drunk = log.days.map(\.millilitres).reduce(0, +)
        #expect(drunk == 150 + 20)
        #expect(log.repairs.contains { $0.problem == .duplicate && $0.row == 906 })
        #expect(log.records.count == plain.count + more.count)
    }

    @Test("a row that does not count changes no forecast")
    func uncounted() throws {
        let day = 18 * 1440.0
        func sleep(_ minutes: Double?) -> RhythmRecord {
            let end = minutes.map { SampleLog.at(day + 850 + $0) }
            return RhythmRecord(
                start: SampleLog.at(day + 850), event: .sleep(RhythmRecord.Sleep(end: end)), row: 900)
        }
        var removed = sleep(40)
        removed.note = RhythmRecord.Note(isRemoved: true)
        let copies = plain.suffix(16).map { row in
            var row = row
            row.row += 900
            return row
        }
        let far = SampleLog.moved(sleep(60), by: 500 * 1440)
        // A sleep counts while it runs: the baby is asleep until the next row.
        for (problem, rows, first) in [
            (RhythmRepair.Problem.endsBeforeItBegins, [sleep(-60)], 855.0), (.noLength, [sleep(0)], 855),
            (.removed, [removed], 855), (.duplicate, copies, 855), (.farBeyond, [far], 855),
            (.tooShort, [sleep(5)], 1000), (.noEnd, [sleep(nil)], 1000),
        ] {
            let log = RhythmLog(plain + rows)
            #expect(log.repairs.contains { $0.problem == problem && $0.row >= 900 }, "\(problem)")
            let moments = stride(from: day + first, to: day + 2880, by: 47).map { SampleLog.at($0) }
            for kind in RhythmKind.allCases {
                let (told, without) = (
                    try log.outlooks(kind, at: moments), try RhythmLog(plain).outlooks(kind, at: moments)
                )
                #expect(told == without, "\(problem), \(kind)")
            }
        }
    }

    @Test("rows before birth and birth dates after most rows are ignored")
    func birth() throws {
        let born = SampleLog.at(-1440).reading
        let early = RhythmRecord(
            start: SampleLog.at(-400 * 1440), event: .sleep(RhythmRecord.Sleep(end: SampleLog.at(-400 * 1440 + 60))),
            row: 900)
        let log = RhythmLog([early] + plain, baby: RhythmLog.Baby(born: born))
        #expect(log.repairs.first { $0.row == 900 }?.problem == .beforeBirth)
        #expect(log.days == RhythmLog(plain, baby: RhythmLog.Baby(born: born)).days)
        let late = RhythmLog(plain, baby: RhythmLog.Baby(born: SampleLog.at(30 * 1440).reading))
        #expect(late.repairs.filter { $0.problem == .beforeBirth }.count == 1)
        let now = SampleLog.at(19 * 1440 + 720)
        #expect(try late.forecast(.nap, at: now) == RhythmLog(plain).forecast(.nap, at: now))
        #expect(RhythmLog(plain, baby: RhythmLog.Baby(born: born)).repairs == RhythmLog(plain).repairs)
    }

    @Test(
        "rows more than a year after or before all others do not count", arguments: [1, 2, 3],
        [366, 3652, 13_149, 2_500_000, -400, -13_149, -700_000])
    func slipsInTheYear(slips: Int, days: Int) throws {
        let far = (0..<slips).map { slip in
            var row = slip % 2 == 0 ? feed(0, ml: 100) : SampleLog.sleep(0, 60)
            row = SampleLog.moved(row, by: Double(20 + days) * 1440 + Double(slip) * 200)
            row.row = 900 + slip
            return row
        }
        let log = RhythmLog(far + plain)
        let found = log.repairs.filter { $0.problem == .farBeyond }
        #expect(found.map(\.row) == Array(900..<900 + slips), "\(found)")
        #expect(log.repairs.filter { $0.problem != .farBeyond } == RhythmLog(plain).repairs)
        #expect(log.records.count == plain.count + slips)
        #expect(log.days == RhythmLog(plain).days && log.latest == RhythmLog(plain).latest)
        let now = try #require(log.latest)
        for kind in RhythmKind.allCases {
            #expect(try log.outlook(kind, at: now) == RhythmLog(plain).outlook(kind, at: now))
        }
    }

    @Test("a log continued after a year counts, and so does a short one")
    func pauses() throws {
        func slips(_ rows: [RhythmRecord]) -> Int { RhythmLog(rows).repairs.count { $0.problem == .farBeyond } }
        let last = try #require(plain.last).start.localMinutes - SampleLog.start.localMinutes
        #expect(slips(plain + [feed(last + 365 * 1440)]) == 0 && slips(plain + [feed(last + 365 * 1440 + 1)]) == 1)
        func goesOn(_ rows: Int) -> [RhythmRecord] {
            plain + (0..<rows).map { feed(last + 400 * 1440 + Double($0) * 180) }
        }
        #expect(slips(goesOn(3)) == 3 && slips(goesOn(4)) == 0)
        // Two slips may each have a different wrong year. The rows before the first pause decide.
        #expect(slips(plain + [feed(last + 400 * 1440), feed(last + 4000 * 1440)]) == 2)
        for rows in 1...4 {
            let before = (0..<rows).map { feed(Double($0) * 180) }
            let after = (0..<2).map { feed(500 * 1440 + Double($0) * 180) }
            #expect(slips(before + after) == [1, 0, 2, 2][rows - 1])
        }
        #expect(slips([]) == 0)
        // Most rows decide about rows of a different decade, however many.
        for days in [-36_525.0, 13_149] {
            let far = (0..<20).map { feed(days * 1440 + Double($0) * 180) }
            #expect(plain.count > 40 && slips(plain + far) == 20)
            #expect(slips(far + far.map { SampleLog.moved($0, by: 9e6) }) == 0)
        }
    }

    @Test("unknown event types are listed, and a log with no other types is refused")
    func unknownTypes() throws {
        let log = try RhythmLog(
            json: """
                [{"type":"pumping","timestamp":"2026-01-05T09:00","amount":{"ml":[1,2]}},{"type":"feed","start":"2026-01-05T10:00"},
                {"type":"bath"},{"type":"sleep","start":"2026-01-05T12:00"}]
                """)
        #expect(log.records.map(\.row) == [2, 4])
        let found = log.repairs.filter { $0.problem == .unknownType }
        #expect(
            found.map(\.row) == [1, 3] && found[0].text.contains("pumping") && found[1].text.contains("bath"),
            "\(found)")
        #expect(found[0].start == (try LoggedTime(parsing: "2026-01-05T09:00")))
        for broken in [
            #"[{"type":"pumping","start":"2026-01-05T09:00"}]"#, #"[{"type":"pumping"},{"type":"feed"}]"#,
            #"[{"type":"feed","start":"2026-01-05T10:00"},{"type":"pumping","x":}]"#,
            #"[{"type":"feed","start":"2026-01-05T10:00"},{"type":7}]"#,
            #"[{"type":"feed","start":"2026-01-05T10:00"},{}]"#,
        ] {
            #expect(kinError { try RhythmLog(json: broken) }.says("event", code: .malformedInput), "\(broken)")
        }
    }

    @Test("an ended log gives the reason for each kind from its own rows", arguments: [RhythmKind.nap, .feed])
    func ended(kind: RhythmKind) throws {
        let log = RhythmLog(plain)
        let last = try #require(log.observations(of: kind).last)
        for (hours, isTold) in [(0.0, true), (35.9, true), (36.1, false), (24 * 3650, false)] {
            let now = SampleLog.at(last + hours * 60)
            let outlook = try log.outlook(kind, at: now)
            #expect((outlook.forecast != nil) == isTold, "\(hours) \(outlook)")
            #expect(try log.forecast(kind, at: now) == outlook.forecast)
            if case .unavailable(kind, let silence, let at) = outlook {
                #expect(at == now && silence == .ended(kind, last: SampleLog.at(last)))
                #expect(
                    outlook.json.contains("\"reason\":\"the last \(kind == .nap ? "sleep" : "feed") of the log ended"))
            }
        }
        // Continuing feeds are no evidence about sleep.
        let goesOn = RhythmLog(plain + (0..<40).map { feed(last + Double($0) * 180) })
        #expect(try (goesOn.forecast(kind, at: SampleLog.at(last + 40 * 180)) == nil) == (kind == .nap))
        #expect(
            try RhythmLog([]).outlook(kind, at: SampleLog.at(0))
                == .unavailable(kind, .nothingLogged, at: SampleLog.at(0)))
    }
}

extension RhythmLog {
    /// The ends of sleeps or the beginnings of feeds, in minutes of the generated days.
    fileprivate func observations(of kind: RhythmKind) -> [Double] {
        records.compactMap { record in
            switch record.event {
            case .sleep where kind == .nap: record.end
            case .feed where kind == .feed: record.start
            default: nil
            }
        }.map { Double($0.microseconds - SampleLog.start.microseconds) / 6e7 }.sorted()
    }
}
