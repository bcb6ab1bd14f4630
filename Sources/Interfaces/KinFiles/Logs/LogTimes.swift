/// Reads the times of a log's columns, once the order of day and month is decided.
struct LogTimes {
    /// The order of day and month.
    let dates: DateOrder
    /// The evidence that decided the order, for the report; nil if no date leaves it open.
    let evidence: String?

    init(dates: DateOrder, evidence: String?) { (self.dates, self.evidence) = (dates, evidence) }

    /// The first dates that decide the order of day and month, by order, the first date with two numbers and its
    /// separator, and whether the first number may be the year.
    static func orders(
        of texts: [(text: String, row: Int)]
    ) -> (found: [DateOrder: (text: String, row: Int)], open: (text: String, row: Int)?, mark: Character, years: Bool) {
        var found: [DateOrder: (text: String, row: Int)] = [:]
        var (open, separator): ((text: String, row: Int)?, Character) = (nil, "/")
        var shorts: Set<[Substring]> = []
        for (text, row) in texts where !WrittenTime.isISO(text) {
            guard let time = WrittenTime(text) ?? WrittenTime.range(text).flatMap({ WrittenTime($0.start) }),
                time.isOrderOpen, time.isPossible
            else { continue }
            (open, separator) = (open ?? (text, row), time.separator)
            shorts.insert(time.short)
            if let order = time.order, found[order] == nil { found[order] = (text, row) }
        }
        guard let open, !shorts.contains([]) else { return (found, open, separator, false) }
        // By the right order the dates are near each other. A date that does not exist counts as a year.
        func days(_ places: [Int]) -> Double {
            let days = shorts.compactMap { short in
                try? LocalDateTime(parsing: "20" + places.map { short[$0] }.joined(separator: "-")).localMinutes / 1440
            }
            return (days.max() ?? 0) - (days.min() ?? 0) + Double(shorts.count - days.count) * 366
        }
        let (years, others) = (days([0, 1, 2]), min(days([2, 1, 0]), days([2, 0, 1])))
        if years < others { found = [.yearFirst: open] }
        let hasYears = years == others && shorts.contains { $0[0] != $0[2] }
        return (hasYears ? [:] : found, open, separator, hasYears)
    }

    /// Infers the order of day and month from all dates of a log.
    ///
    /// - Parameters:
    ///   - texts: The texts with the numbers of their rows.
    ///   - options: The order that the caller has set, and the order in other files of the folder.
    ///   - format: The format of the file, which may imply the order.
    /// - Throws: `.malformedInput` if the dates contradict each other or leave the order open.
    init(
        _ texts: [(text: String, row: Int)], _ options: LogOptions, format: TrackerFormat?
    ) throws(KinError) {
        let (found, open, separator, hasYears) = Self.orders(of: texts)
        guard let open else {
            (dates, evidence) = (.monthFirst, nil)
            return
        }
        if let choice = options.dates {
            (dates, evidence) = (choice, "dates are read \(choice.rawValue), as set")
        } else if let day = found[.dayFirst], let month = found[.monthFirst] {
            throw KinError(
                .malformedInput,
                "row \(day.row) has the day first (\(day.text)) and row \(month.row) the month (\(month.text)); correct one of them, "
                    + "or set the order of dates: --dates day-first or --dates month-first")
        } else if let (order, example) = found.first {
            (dates, evidence) = (order, "dates are read \(order.rawValue), by \(example.text) in row \(example.row)")
        } else if let (order, reason) = options.folderDates.map({ ($0, "as in other files of the folder") })
            ?? format?.dates.map({ ($0, "as \(format?.name ?? "the tracker") writes them") })
            ?? (separator == "." ? (.dayFirst, "as is usual with dots") : nil)
        {
            let day = (WrittenTime(open.text)?.iso(order)?.prefix(10)).map { "; \(open.text) is \($0)" } ?? ""
            (dates, evidence) = (
                order, "dates are read \(order.rawValue), \(reason); no date of the file decides it\(day)"
            )
        } else {
            throw KinError(
                .malformedInput,
                "\(open.text) in row \(open.row) may have the \(hasYears ? "year, the " : "")day or the month first, and no date of the file decides it; "
                    + "set the order of dates: \(hasYears ? "--dates year-first, " : "")--dates day-first or --dates month-first"
            )
        }
    }

    /// Reads a time as ISO 8601.
    ///
    /// - Parameter day: The date for a time of day without a date.
    /// - Throws: `.malformedInput` for a text that is not a time.
    func iso(_ text: String, on day: String? = nil) throws(KinError) -> String {
        if WrittenTime.isISO(text) { return text }
        guard let iso = (WrittenTime(text) ?? day.flatMap { _ in WrittenTime(clock: text) })?.iso(dates, on: day) else {
            let fault =
                WrittenTime.lacksYear(text)
                ? "has no year; write it in each date, such as 2026-01-31 06:30"
                : "is not a time; write 2026-01-01T06:30, 2026-01-01 6:30 AM, 01/31/2026 06:30 or seconds since 1970"
            throw KinError(.malformedInput, "\"\(CSVField.shown(text))\" \(fault)")
        }
        return iso
    }
}

extension WrittenTime {
    /// The times, or ranges of times, in a list such as 9:30-10:15, 13:00-14:20; nil for other texts.
    static func list(_ text: String) -> [String]? {
        guard text.contains(where: { ",;&\n".contains($0) }) else { return nil }
        let parts = text.split { ",;&\n".contains($0) }.map { String($0).trimmed }.filter { !$0.isEmpty }
        return parts.count > 1 && parts.allSatisfy(hasClock) ? parts : nil
    }

    /// Seconds, milliseconds, microseconds or nanoseconds since 1970, or ticks of .NET or Windows, as ISO 8601.
    static func secondsSince1970(_ written: String) -> String? {
        let text = written.hasPrefix("/Date(") ? String(written.dropFirst(6).prefix(while: \.isNumber)) : written
        // .NET and Windows count tenths of a microsecond, from the years 1 and 1601.
        if let ticks = Int64(text), (100_000_000_000_000_000..<900_000_000_000_000_000).contains(ticks) {
            let zero: Int64 = ticks < 300_000_000_000_000_000 ? 116_444_736_000_000_000 : 621_355_968_000_000_000
            return (try? Timestamp(microseconds: (ticks - zero) / 10))?.description
        }
        guard text.utf8.count >= 9,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x65 || $0 == 0x2B }),
            var number = Double(text), number >= 1e8, number < 1e19
        else { return nil }
        if number < 1e9 { number += 978_307_200 }
        let scale = number < 1e11 ? 1e6 : number < 1e14 ? 1e3 : number < 1e17 ? 1 : 1e-3
        return (try? Timestamp(microseconds: Int64(number * scale)))?.description
    }

    /// The time of day in a cell of a spreadsheet, whose programs write it on the first day of their calendar; nil for
    /// other texts.
    static func clockOfSpreadsheet(_ text: String) -> String? {
        // Most texts begin with a 2, as years do, or have no 9, and need no search.
        guard text.utf8.count > 12, text.utf8.first != 0x32, text.utf8.contains(0x39),
            let day = text.prefixMatch(
                of: /(?:1899-12-3[01]|1900-01-0[01]|[0-3]?[0-9][\/.][0-3]?[0-9][\/.](?:1899|1900))[ T]/)
        else { return nil }
        return String(text[day.range.upperBound...])
    }

    /// Whether a text is a number that is read as seconds since 2001, as Apple's databases count. As seconds since 1970 it
    /// is before September 2001.
    static func isSince2001(_ text: String) -> Bool {
        text.utf8.count >= 9 && Double(text).map { (1e8..<1e9).contains($0) } ?? false
    }

    /// Whether a text is a day and a month without a year: Mar 5, 2:10 PM, 11/3 14:05, 3月5日.
    static func lacksYear(_ text: String) -> Bool {
        (WrittenTime(text) ?? WrittenTime("\(text) 00:00"))?.isDayWithoutYear == true
            || text.prefixMatch(of: /\s*\d\d?(?:\s*[\/月]\s*\d\d?(?:日|\s|,|$)|\.\s?\d\d?\.|-\d\d(?:\s|$))/) != nil
    }

    /// Reads a time of day without a colon, as people write it next to a date: 7 pm, 19.30, 1930, noon, ~19:30 or the
    /// fraction of a day; nil for other texts.
    init?(clock text: String) {
        let plain = text.lowercased().drop { $0 == "~" || $0 == " " }
        let words = ["noon": "12:00", "12 noon": "12:00", "midnight": "00:00", "12 midnight": "00:00"]
        // 0.25 may be a quarter past midnight.
        if let day = Double(plain), (0..<1).contains(day), plain.hasPrefix("0."), plain.utf8.count != 4 {
            self.init(LocalDateTime(localMinutes: (day * 1440).rounded()).time)
        } else if let match = plain.wholeMatch(
            of: /(\d\d?)(?:(?:\.| ?[hu] ?)?(\d\d))? ?(?:[hu]|uhr|uur|([ap])\.?m?\.?)?/),
            match.2 != nil || plain.last?.isNumber == false, !plain.hasPrefix("0.")
        {
            self.init("\(match.1):\(match.2 ?? "00")\(match.3.map { "\($0)m" } ?? "")")
        } else {
            // 20.15 Uhr and kl. 20.15, as in one cell with a date.
            let time =
                plain.hasPrefix("0.") || plain.contains { "-/".contains($0) }
                ? nil : WrittenTime("2000-01-01 \(plain)")?.iso(.dayFirst)
            let clock = time.flatMap { $0.hasPrefix("2000-01-01T") ? String($0.dropFirst(11)) : nil }
            self.init(words[String(plain)] ?? (plain.count < text.count ? String(plain) : clock ?? ""))
        }
    }
}
