import KinJSON
import KinRhythms
import KinTestSupport
import Testing

@Suite("The lifecycle of insights")
struct InsightLedgerTests {
    /// An insight of a day, with a characteristic value whose margin is 10, and an expiry after some days.
    private static func insight(_ id: String, on day: Int, value: Double = 0, days: Double = 7) -> RhythmInsight {
        RhythmInsight(
            id, .pattern, "About \(id)", "Text.", substance: (value, 10), confidence: 1, numbers: ["x": value],
            created: at(day), days: days)
    }

    private static func at(_ day: Int) -> LoggedTime { SampleLog.at(Double(day) * 1440) }

    private static func ledger() throws -> InsightLedger { try InsightLedger(userID: "u", babyID: "b") }

    @Test("an insight is new once, then unchanged, and gone when the log no longer supports it or its time is over")
    func life() throws {
        var ledger = try Self.ledger()
        let first = ledger.report([Self.insight("a", on: 0), Self.insight("b", on: 0, days: 2)], at: Self.at(0))
        #expect(first.insights.map(\.status) == [.new, .new] && first.gone.isEmpty)
        let second = ledger.report([Self.insight("a", on: 1)], at: Self.at(1))
        #expect(second.insights.map(\.status) == [.unchanged])
        #expect(second.gone == [InsightReport.Gone(id: "b", title: "About b", reason: .unsupported)])
        // The log has no new rows, and the insight of day 1 expires on day 8.
        let old = [Self.insight("a", on: 1)]
        #expect(ledger.report(old, at: Self.at(7)).insights.map(\.status) == [.unchanged])
        let last = ledger.report(old, at: Self.at(8))
        #expect(last.insights.isEmpty && last.gone.map(\.reason) == [.expired])
        #expect(ledger.report(old, at: Self.at(8)) == last)
        #expect(ledger.report([Self.insight("a", on: 9)], at: Self.at(9)).insights.map(\.status) == [.new])
    }

    @Test("calls of one day have one answer, whoever calls, until the log changes or an insight is dismissed")
    func repetition() throws {
        var generator = TestSeed().generator
        for _ in 0..<100 {
            var ledger = try Self.ledger()
            for day in 0..<8 {
                let found = ["a", "b", "c"].filter { _ in generator.uniform() < 0.6 }.map {
                    Self.insight($0, on: day, value: generator.uniform() < 0.8 ? 0 : 50, days: 2)
                }
                let report = ledger.report(found, at: Self.at(day))
                // Later on the day, in the log of a different owner, and from a stored record.
                ledger = try InsightLedger(parsing: ledger.kept(by: "v").jsonText)
                #expect(ledger.report(found, at: SampleLog.at(Double(day) * 1440 + 1439)) == report)
                guard let first = report.insights.first else { continue }
                try ledger.dismiss(first.id, among: found)
                let without = ledger.report(found, at: Self.at(day))
                #expect(without.insights == Array(report.insights.dropFirst()) && without.gone == report.gone)
                // The log has changed: an insight that was new in the morning may be gone, and is not counted as missing.
                #expect(ledger.report([], at: Self.at(day)).insights.isEmpty)
                _ = ledger.report(found, at: Self.at(day))
            }
        }
    }

    @Test("a dismissed insight stays away until its substance changes, or it has expired and is found again")
    func dismissal() throws {
        var ledger = try Self.ledger()
        _ = ledger.report([Self.insight("a", on: 0, value: 100)], at: Self.at(0))
        try ledger.dismiss("a", among: [Self.insight("a", on: 0, value: 100)])
        #expect(ledger.dismissed == ["a"])
        // It wanders by less than the margin, and is not found on one day.
        for (day, value) in [(1, 105.0), (2, nil), (3, 95), (4, 110)] {
            let found = value.map { [Self.insight("a", on: day, value: $0)] } ?? []
            #expect(ledger.report(found, at: Self.at(day)) == ledger.report([], at: Self.at(day)))
            #expect(found.allSatisfy(ledger.isDismissed))
        }
        let moved = Self.insight("a", on: 5, value: 111)
        #expect(!ledger.isDismissed(moved))
        var other = ledger
        #expect(other.report([moved], at: Self.at(5)).insights.map(\.status) == [.new] && other.dismissed == [])
        // Found last on day 4, it expires on day 11.
        #expect(ledger.report([], at: Self.at(10)).gone.isEmpty && ledger.dismissed == ["a"])
        #expect(ledger.report([], at: Self.at(11)).gone.isEmpty && ledger.dismissed == [])
        let again = ledger.report([Self.insight("a", on: 12, value: 100)], at: Self.at(12))
        #expect(again.insights.map(\.status) == [.new])
    }

    @Test("an insight of the log or the last report can be dismissed, and no other")
    func unknown() throws {
        var ledger = try Self.ledger()
        _ = ledger.report([Self.insight("a", on: 0)], at: Self.at(0))
        try ledger.dismiss("a", among: [])
        try ledger.dismiss("b", among: [Self.insight("b", on: 0)])
        #expect(ledger.dismissed == ["a", "b"])
        #expect(kinError { try ledger.dismiss("c", among: [Self.insight("b", on: 0)]) }.says("\"c\"", code: .unknownID))
        #expect(try ledger.kept(by: "v").dismissed == ["a", "b"])
        #expect(throws: KinError.self) {
            try InsightLedger(userID: "u", babyID: "b", entries: ledger.entries + ledger.entries)
        }
    }

    @Test("a value that wanders far in small steps is new when it is beyond the margin, and the same before")
    func drift() throws {
        var generator = TestSeed().generator
        var ledger = try Self.ledger()
        var (value, anchor) = (0.0, Double?.none)
        for day in 0..<500 {
            value += 8 * (generator.uniform() - 0.45)
            let isNew = anchor.map { abs($0 - value) > 10 } ?? true
            if isNew { anchor = value }
            let report = ledger.report([Self.insight("a", on: day, value: value)], at: Self.at(day))
            #expect(report.insights.map(\.status) == [isNew ? .new : .unchanged] && report.gone.isEmpty)
        }
    }

    @Test("a planted drop of naps keeps its id and status from day to day, and a second one is new")
    func stability() throws {
        // Four naps, then three from day 60 on and two from day 100 on.
        let records = (0..<130).flatMap { day -> [RhythmRecord] in
            let (midnight, naps) = (Double(day) * 1440, day < 60 ? 4 : day < 100 ? 3 : 2)
            let jitter = Double(day * 37 % 11)
            return (0..<naps).map { SampleLog.sleep(midnight + 540 + 130 * Double($0) + jitter, 45) }
                + [SampleLog.sleep(midnight + 1170 + jitter, 690)]
        }.numbered
        var ledger = try Self.ledger()
        var news: [Int] = []
        for day in 50..<130 {
            let now = SampleLog.at(Double(day) * 1440 + 720)
            let log = RhythmLog(SampleLog.cut(records, at: now))
            let report = ledger.report(RhythmAnalysis(log).insights, at: now)
            if report.insights.contains(where: { $0.id == "fewer_naps" && $0.status == .new }) { news.append(day) }
        }
        #expect(news.count == 2 && (66...70).contains(news[0]) && (105...112).contains(news[1]), "\(news)")
    }
}
