import KinTestSupport
import Testing

@testable import KinFiles

/// Logs whose times, dates or ends contradict their rows: clocks of 12 hours, nights below the date of the evening, years
/// before the month, and rows of falling asleep with an end.
extension LogFormTests {
    /// The rows of days in an order: from the first on, from the last on, or with the last day first.
    private func rows(_ days: [[String]], _ order: String) -> [String] {
        switch order {
        case "ascending": days.flatMap(\.self)
        case "descending": days.flatMap(\.self).reversed()
        default: days.reversed().flatMap(\.self)
        }
    }

    /// The ways to write the time of an hour without AM and PM: 9:05, 09:05, 9.05.
    private static let clocks: [@Sendable (Int) -> String] = [
        { "\($0):05" }, { ($0 < 10 ? "0" : "") + "\($0):05" }, { "\($0).05" }, { "\($0):05:00" },
        { "\($0):05-\($0):35" },
    ]

    @Test(
        "hours of a 12-hour clock are refused in every form and order of rows",
        arguments: ["Date,Time,Type", "Time,Type", "Date,Start,Type,Amount (ml)", "date,when,activity"],
        ["ascending", "descending", "days"])
    func halfDayClocks(header: String, order: String) {
        for (place, clock) in Self.clocks.enumerated() where header.hasPrefix("D") || header.hasPrefix("d") || place < 2
        {
            for type in [["Bottle", "Breast", "Wet"][place % 3]] {
                func text(_ hours: [Int]) -> String {
                    let days = (1...3).map { day in
                        hours.map {
                            let date = "2026-03-0\(day)" + (header.lowercased().hasPrefix("date") ? "," : " ")
                            return date + "\(clock($0)),\(type)" + (header.contains("Amount") ? ",120" : "")
                        }
                    }
                    return ([header] + rows(days, order)).joined(separator: "\n") + "\n"
                }
                let half = text([6, 9, 12, 3, 6, 9])
                #expect(remarks(half).contains("is of a clock of 12 hours"), "\(half)")
                let whole = text([6, 9, 12, 15, 18, 21])
                #expect(events(whole).count == 18 && !remarks(whole).contains("clock"), "\(whole)")
                let lone = text([6, 9])
                #expect(events(lone).count == 6)
                #expect(remarks(lone).contains("if the clock has 12 hours") == !clock(9).hasPrefix("0"), "\(lone)")
            }
        }
    }

    @Test("naps of a 12-hour clock that do not cross noon are refused, also in the columns of a day and in JSON")
    func halfDayNaps() {
        let days = ["2026-03-01", "2026-03-02"]
        let rows = days.map { "\($0),9:00,10:00\n\($0),1:00,2:30\n" }
        #expect(
            remarks("Date,Start,End\n" + rows.joined(), as: "sleep.csv").contains("1:00 to 2:30 after 9:00 to 10:00"))
        let wide =
            "Date,Nap 1 Start,Nap 1 End,Nap 2 Start,Nap 2 End\n" + days.map { "\($0),9:00,10:00,1:00,2:30\n" }.joined()
        #expect(remarks(wide).contains("is of a clock of 12 hours"))
        let json = days.flatMap { day in
            ["9:00", "1:00"].map { #"{"type":"nap","date":"\#(day)","start":"\#($0)"}"# }
        }
        #expect(remarks("[\(json.joined(separator: ","))]", as: "log.json").contains("is of a clock of 12 hours"))
        // Columns of different kinds are not in the order of time.
        let kinds = "Date,Nap Start,Nap End,Feed Start\n2026-03-01,10:00,11:00,7:00\n2026-03-02,10:00,11:00,7:00\n"
        #expect(events(kinds).count == 4)
    }

    /// A page of a diary, from 06:00 to 06:00, and the same times under their own dates.
    private static let page = ["06:30", "10:00", "14:00", "18:00", "23:30", "02:15", "05:00"]

    @Test(
        "times after midnight below an evening are of the next date, which is reported",
        arguments: [
            "Date,Time,Type", "Date,Start,End,Type", "Datum,Uhrzeit,Typ", "first", "heading", "list", "json",
            "12 hours",
        ],
        ["ascending", "descending"])
    func nightsOfDiaries(form: String, order: String) {
        guard order == "ascending" || form.contains(",") || form == "json" else { return }
        func half(_ time: String) -> String {
            let hour = Int(time.prefix(2)) ?? 0
            return "\((hour + 11) % 12 + 1):\(time.suffix(2)) \(hour < 12 ? "AM" : "PM")"
        }
        let days = (1...4).map { day in
            let date = "2026-03-0\(day)"
            let times = Self.page.enumerated().map { place, time in
                switch form {
                case "first", "heading": "\(place == 0 && form == "first" ? date : ""),\(time),Feed"
                case "json": #"{"date":"\#(date)","time":"\#(time)","type":"feed"}"#
                case "12 hours": "\(date),\(half(time)),Feed"
                default: "\(date),\(time)\(form.contains("End") ? "," : ""),Feed"
                }
            }
            return form == "heading"
                ? ["\(date),,"] + times : form == "list" ? ["\(date),\"\(Self.page.joined(separator: ", "))\""] : times
        }
        let header = form.contains(",") ? form : form == "list" ? "Date,Feeds" : "Date,Time,Type"
        let lines = rows(days, order)
        let text =
            form == "json" ? "[\(lines.joined(separator: ","))]" : ([header] + lines).joined(separator: "\n") + "\n"
        let name = form == "json" ? "log.json" : "log.csv"
        let starts = (try? load(text, as: name).log.records.map(\.start.reading.description).sorted()) ?? []
        let expected = (1...4).flatMap { day in Self.page.map { "2026-03-0\(day + ($0 < "06" ? 1 : 0))T\($0):00" } }
        #expect(starts == expected, "\(text)\n\(remarks(text, as: name))")
        #expect(remarks(text, as: name).contains("of the next date, such as"))
        #expect(isRefused(text, as: name))
    }

    @Test("a sleep below an evening begins and ends on the next date")
    func sleepsOfDiaries() throws {
        let text =
            "Date,Start,End,Type\n"
            + (1...3).map {
                "2026-03-0\($0),09:00,10:00,Nap\n2026-03-0\($0),19:30,23:50,Night\n2026-03-0\($0),00:20,06:00,Night\n"
            }.joined()
        let ends = try load(text).log.records.compactMap(\.end?.reading.description)
        #expect(ends.count == 9 && ends.filter { $0.hasSuffix("T06:00:00") }.first == "2026-03-02T06:00:00")
    }

    @Test(
        "times under their own dates, and rows in the order of their types, are not moved",
        arguments: [
            ["02:15", "06:30", "14:00", "23:30"], ["23:30", "14:00", "06:30", "02:15"], ["00:10", "23:50"],
            ["09:00", "13:00", "19:30", "06:30", "10:00", "22:00"], ["10:00", "14:00", "8:00", "20:00"],
            ["10:00", "13:30", "19:30", "6:30", "9:00"], ["06:30", "19:30"],
        ])
    func ownDates(times: [String]) throws {
        for days in [[1, 2, 3], [3, 2, 1]] {
            let text =
                "Date,Time,Type\n" + days.flatMap { day in times.map { "2026-03-0\(day),\($0),Feed\n" } }.joined()
            let log = try load(text).log
            #expect(
                Set(log.records.map(\.start.reading.date)) == ["2026-03-01", "2026-03-02", "2026-03-03"], "\(text)")
            #expect(log.records.count == 3 * times.count && !remarks(text).contains("next date, such"), "\(text)")
        }
    }

    @Test("a night before the naps of its date may be of the evening before, which is reported")
    func datesOfWakings() {
        let text =
            "Date,Start,End\n"
            + (1...3).map {
                "2026-03-0\($0),19:30,23:50\n2026-03-0\($0),00:20,06:00\n2026-03-0\($0),09:00,10:00\n"
            }.joined()
        #expect(
            remarks(text, as: "sleep.csv").contains("of the same date, such as 00:20 to 06:00 in row 2, below 19:30"))
    }

    @Test(
        "dates of two digits are read right or refused, in every order, through a year",
        arguments: [DateOrder.yearFirst, .dayFirst, .monthFirst], ["-", "/", "."])
    func shortDates(order: DateOrder, separator: String) throws {
        for (year, count) in [("26", 1), ("26", 2), ("12", 2), ("29", 5)] {
            let first = try LocalDateTime(parsing: "20\(year)-01-01").localMinutes
            for day in stride(from: 0, to: 365, by: 6) {
                let dates = (day..<day + count).map { LocalDateTime(localMinutes: first + Double($0) * 1440).date }
                let texts = dates.map { date in
                    let parts = date.dropFirst(2).split(separator: "-")
                    let places = order == .yearFirst ? [0, 1, 2] : order == .dayFirst ? [2, 1, 0] : [1, 2, 0]
                    return places.map { String(parts[$0]) }.joined(separator: separator)
                }
                let times = try? LogTimes(texts.enumerated().map { ($1, $0) }, LogOptions(), format: nil)
                // One date with dots has its day first.
                guard let times, separator != "." || order == .dayFirst || count > 1 && order == .yearFirst else {
                    continue
                }
                #expect(try texts.map { try times.iso($0) } == dates, "\(texts) \(times.dates)")
            }
        }
    }

    @Test("one date of two digits that may begin with the year is refused with the options")
    func openYears() {
        let text = "type,start,end\nsleep,26-10-12 13:00,26-10-12 14:00\n"
        #expect(
            remarks(text).contains("may have the year, the day or the month first")
                && remarks(text).contains("--dates year-first"))
        #expect(events(text, as: "log.csv", LogOptions(dates: .yearFirst)) == ["13:00 sleep 14:00"])
        // With dots the report shows the date that was read.
        #expect(
            remarks(text.replacing("26-10-12", with: "26.10.12")).contains(
                "no date of the file decides it; 26.10.12 13:00 is 2012-10-26"))
    }

    @Test(
        "feeds of Glow Baby with sides are breastfeeds",
        arguments: [
            ("Left (min),Right (min)", "15,6", "08:46 feed breast both 21 min"),
            ("Breast left (min),Breast right (min)", "15,", "08:46 feed breast left 15 min"),
            ("Side,Duration (min)", "right,12", "08:46 feed breast right 12 min 08:58"),
            ("Ingredients,Amount,Unit type", "Oatmeal,115,g", "08:46 feed solids"),
            ("Amount(ml)", "90", "08:46 feed 90"),
        ])
    func feedsOfGlow(columns: String, values: String, expected: String) {
        for name in ["glow_feed_breast.csv", "feed.csv", "export.csv"] {
            #expect(
                events("Time of feeding,\(columns)\n2/20/2026 8:46 AM,\(values)\n", as: name) == [expected], "\(name)")
        }
        #expect(events("Time of feeding,Note\n2/20/2026 8:46 AM,x\n", as: "breastfeeding.csv") == ["08:46 feed breast"])
    }

    @Test(
        "rows of falling asleep with an end or a length are sleeps",
        arguments: [
            "asleep", "Fell asleep", "Bedtime", "Went to sleep", "Put down", "Dormido", "Eingeschlafen", "Sleep start",
            "入睡",
        ])
    func sleepsWithEnds(asleep: String) {
        for column in ["type", "state", "event"] {
            for (end, values) in [("end", ["10:00", "14:00"]), ("duration (min)", ["60", "60"])] {
                let ends = values.map { end == "end" ? "2026-03-01 \($0)" : $0 }
                let rows = zip(["09:00", "13:00"], ends).map { "\(asleep),2026-03-01 \($0),\($1)\n" }
                let header = "\(column),start,\(end)\n"
                let expected = ["09:00 sleep 10:00", "13:00 sleep 14:00"]
                #expect(events(header + rows.joined()) == expected, "\(header) \(asleep)")
                let awake = "awake,2026-03-01 16:30,\(end == "end" ? "2026-03-01 17:00" : "30")\n"
                #expect(events(header + rows.joined() + awake) == expected, "\(header) \(asleep)")
                #expect(remarks(header + rows.joined() + awake).contains("row 3: "))
            }
        }
        // The moment may be written twice.
        let moments = [("09:00", asleep), ("10:10", "awake")].map { "\($1),2026-03-01 \($0),2026-03-01 \($0)\n" }
        #expect(events("type,start,end\n" + moments.joined()) == ["09:00 sleep 10:10"])
    }
}
