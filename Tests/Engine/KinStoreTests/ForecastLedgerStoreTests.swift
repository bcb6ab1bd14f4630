import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms
@testable import KinStore

@Suite("The ledger of shown forecasts in a store") struct ForecastLedgerStoreTests {
    private let folder = StoreFolder()
    private let log = BabyGenerator(seed: 8).log(0, days: 40, age: 120)

    private func size(_ folder: StoreFolder) throws -> Int { try folder.contents("people.db").count }

    @Test("ten years of forecasts, one every half-hour, take less than 2 MB") func size() async throws {
        let store = try folder.open()
        let log = BabyGenerator(seed: 5).log(0, days: 366, age: 60)
        let forecaster = try RhythmForecaster(CareEvent.events(of: log, userID: "u", babyID: "b"), of: log.baby)
        let first = BabyGenerator.firstDay.localMinutes + 1440
        // Every second period of a year: each begins without the earlier ones, so the others cost the same.
        let halfHours: [Double] = (0..<365 * 48).map { first + 30 * Double($0) }
        let moments = halfHours.map(LoggedTime.init(localMinutes:)).filter {
            Int($0.localMinutes) / ForecastLedger.periodLength % 2 == 0
        }
        let shown = try moments.compactMap { ShownForecasts(try forecaster.predictions(at: $0)) }
        #expect(shown.count > 150 * 47)
        let ledgers = try Dictionary(grouping: shown, by: ForecastLedger.period).values.map {
            try ForecastLedger(userID: "u", babyID: "b", moments: $0)
        }
        try await store.putAll(ledgers, "ledgers")
        let periods = try store.read("count") {
            try RecordQuery<ForecastLedger>(of: "u", "ORDER BY period").all(in: $0)
        }
        #expect(periods.flatMap(\.moments) == shown)
        try await store.close()
        let empty = StoreFolder()
        try await empty.open().close()
        let bytes = try size(folder) - size(empty)
        print("\(shown.count) moments take \(bytes) bytes of the database")
        #expect(bytes * 3650 * 48 < shown.count * 2_000_000)
    }

    @Test("records forecasts one by one, the last of a minute, and scores them as one ledger") func recording()
        async throws
    {
        let store = try folder.open()
        let events = try CareEvent.events(of: log, userID: "u", babyID: "b")
        try await store.put([BabyRecord(userID: "u", id: "b", baby: log.baby)])
        try await store.put(events)
        let first = BabyGenerator.firstDay.localMinutes + 20 * 1440
        let moments = (0..<150).map { LoggedTime(localMinutes: first + 45 * Double($0)) }
        let truth = try store.withForecaster(of: "u", baby: "b") { $0 }
        // In any order, each twice.
        for now in (moments.reversed() + moments) {
            let told = try await store.transaction { transaction in
                let forecaster = try #require(try transaction.forecaster(of: "u", baby: "b"))
                let predictions = try forecaster.predictions(at: now)
                try transaction.record(predictions, of: "u", baby: "b")
                return predictions
            }
            #expect(try told == truth.predictions(at: now))
        }
        let expected = try truth.scores(of: moments.compactMap { ShownForecasts(try truth.predictions(at: $0)) })
        #expect(try store.forecastScores(of: "u", baby: "b") == expected)
        #expect(expected.contains { $0.count > 100 })
        // A corrected event counts at the next reading.
        var later = truth
        let feed = try #require(events.first { $0.record.type == .feed && $0.record.start > moments[40] })
        later.remove(feed.id)
        try await store.remove("care_event", key: ["user": "u", "baby": "b", "id": feed.id])
        let shown = try moments.compactMap { ShownForecasts(try truth.predictions(at: $0)) }
        #expect(try store.forecastScores(of: "u", baby: "b") == later.scores(of: shown))
        #expect(try store.forecastScores(of: "u", baby: "b") != expected)
        // A new baby's record changes the forecasts of hindsight, and the ledger stays.
        try await store.put([BabyRecord(userID: "u", id: "b", baby: RhythmLog.Baby(name: "B"))])
        later.set(RhythmLog.Baby(name: "B"))
        #expect(try store.forecastScores(of: "u", baby: "b") == later.scores(of: shown))
        let period = ForecastLedger.period(of: shown[0])
        #expect(try await store.remove("forecast_ledger", key: ["user": "u", "baby": "b", "period": "\(period)"]))
        #expect(try await !store.remove("forecast_ledger", key: ["user": "u", "baby": "b", "period": "\(period)"]))
        #expect(try store.forecastScores(of: "nobody", baby: "b") == nil)
        #expect(try store.check().isIntact)
    }
}
