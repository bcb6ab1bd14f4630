import KinRhythms

/// Generated days: up at 7, awake for two hours or more at a time, four naps, meals every three hours, with noise.
enum SampleLog {
    static let start = try! LoggedTime(parsing: "2026-01-01")

    static func at(_ minutes: Double) -> LoggedTime {
        LoggedTime(localMinutes: start.localMinutes + minutes)
    }

    static func records(days: Int, seed: UInt64) -> [RhythmRecord] {
        var generator = SeededGenerator(seed: seed)
        func jitter(_ range: Double) -> Double { ((generator.uniform() - 0.5) * 2 * range).rounded() }
        var records: [RhythmRecord] = []
        for day in 0..<days {
            var now = Double(day) * 1440 + 420 + jitter(20)
            records.append(feed(now + 5))
            for nap in 0..<4 {
                now += 110 + Double(nap) * 15 + jitter(15)
                let length = 60 + jitter(20)
                records.append(sleep(now, length))
                now += length
                records.append(feed(now + 10 + jitter(5)))
            }
            now += 150 + jitter(15)
            records.append(sleep(now, Double(day + 1) * 1440 + 415 - now))
        }
        return records.numbered
    }

    static func sleep(_ from: Double, _ minutes: Double) -> RhythmRecord {
        RhythmRecord(start: at(from), event: .sleep(RhythmRecord.Sleep(end: at(from + minutes))))
    }

    static func feed(_ from: Double) -> RhythmRecord {
        RhythmRecord(start: at(from), event: .feed(RhythmRecord.Feed(end: at(from + 12))))
    }

    /// A row with its beginning and end shifted by some minutes.
    static func moved(_ row: RhythmRecord, by minutes: Double) -> RhythmRecord {
        func later(_ time: LoggedTime) -> LoggedTime {
            at(Double(time.microseconds - start.microseconds) / 6e7 + minutes)
        }
        var row = row
        row.start = later(row.start)
        switch row.event {
        case .sleep(var sleep):
            sleep.end = sleep.end.map(later)
            row.event = .sleep(sleep)
        case .feed(var feed):
            feed.end = feed.end.map(later)
            row.event = .feed(feed)
        case .diaper, .milestone: break
        }
        return row
    }

    /// The log cut at an instant: later rows gone, later ends empty.
    static func cut(_ records: [RhythmRecord], at now: LoggedTime) -> [RhythmRecord] {
        records.filter { $0.start <= now }.map { record in
            var record = record
            guard let end = record.end, end > now else { return record }
            switch record.event {
            case .sleep: record.event = .sleep(RhythmRecord.Sleep())
            case .feed: record.event = .feed(RhythmRecord.Feed())
            case .diaper, .milestone: break
            }
            return record
        }
    }
}

extension [RhythmRecord] {
    /// The records as the rows 1, 2 and so on.
    var numbered: [RhythmRecord] {
        enumerated().map { place, record in
            var record = record
            record.row = place + 1
            return record
        }
    }
}
