import Foundation

/// Files of apps that are not one table of delimited text.
extension LogTable {
    /// The table of a file in XML or PiyoLog's text; nil for other texts.
    ///
    /// - Throws: `.malformedInput` for XML other than Apple Health's, or if it has no sleep.
    static func ofApp(_ text: String, _ source: String) throws(KinError) -> LogTable? {
        if text.first(where: { !$0.isWhitespace }) == "<" { return try ofAppleHealth(text, source) }
        return isPiyoLog(text) ? try ofPiyoLog(text, source) : nil
    }

    /// The sleeps in Apple Health's `export.xml`. Each record begins a line.
    private static func ofAppleHealth(_ text: String, _ source: String) throws(KinError) -> LogTable {
        let attributes = ["value", "startDate", "endDate", "sourceName"]
        let sleep = Array("<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\"".utf8)
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var rows: [LogRow] = []
        for (number, line) in lines.enumerated() where line.drop(while: { $0 <= 0x20 }).starts(with: sleep) {
            let element = Substring(line)
            let fields = attributes.map { name in
                element.range(of: " \(name)=\"").map { String(element[$0.upperBound...].prefix { $0 != "\"" }) } ?? ""
            }
            rows.append(LogRow(number: rows.count + 1, line: number + 1, fields: [""] + fields))
        }
        guard !rows.isEmpty else {
            throw KinError(
                .malformedInput,
                "the file is XML without sleeps of Apple Health, which is not read; convert it to CSV with columns type, start and end, "
                    + "one row for each event")
        }
        var table = LogTable(source: source, names: ["type"] + attributes, rows: rows)
        table.separator = "XML"
        return table
    }

    /// Whether a text is an export of PiyoLog, which begins with the name of the app.
    static func isPiyoLog(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return start.hasPrefix("[PiyoLog]") || start.hasPrefix("【ぴよログ】")
    }

    /// The words of PiyoLog for events that have a different meaning elsewhere, or spaces.
    private static let piyoLogWords = [
        "寝る": "asleep", "起きる": "awake", "Sleep": "asleep", "Wake-up": "awake", "Expressed Breast Milk": "expressed",
        "Pumped Milk": "expressed", "Baby Food": "solids",
    ]

    /// The events of PiyoLog's text: a line with the date of each day, then lines such as `07:05 ミルク 180ml` and
    /// `07:05 Breastfeeding L 10m / R 5m`. Lines after the totals of a day are its diary. The text of one day has the date
    /// after the name of the app. The line below a date has the name of the child.
    ///
    /// - Throws: `.malformedInput` for a text without events.
    private static func ofPiyoLog(_ text: String, _ source: String) throws(KinError) -> LogTable {
        var (rows, day, child, isBelowDate) = ([LogRow](), "", "", false)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let title = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let date = String(
                (isPiyoLog(String(title)) ? title.drop { !"]】".contains($0) }.dropFirst() : line).prefix { $0 != "(" }
            ).trimmed
            if date.contains("/") || date.contains(","), let iso = WrittenTime(date)?.iso(.dayFirst),
                iso.utf8.count == 10
            {
                (day, isBelowDate) = (iso, true)
                continue
            }
            if line.contains("合計") || line.contains("合计") || line.hasPrefix("Total ") { day = "" }
            guard !day.isEmpty,
                let event = String(line).trimmed.wholeMatch(of: /(\d\d?:\d\d(?: ?[AaPp][Mm])?)\s+(\S.*)/)
            else {
                if isBelowDate, !title.isEmpty {
                    (child, isBelowDate) = (String(title.prefix { $0 != "(" }).trimmed, false)
                }
                continue
            }
            isBelowDate = false
            let content = String(event.2)
            let known = piyoLogWords.keys.filter { content.hasPrefix($0) }.max { $0.count < $1.count }
            let word = known ?? String(content.prefix { !$0.isWhitespace })
            let rest = content.dropFirst(word.count)
            let left = rest.firstMatch(of: /(?:左|L)\s*(\d+)/)?.1
            let right = rest.firstMatch(of: /(?:右|R)\s*(\d+)/)?.1
            let amount = rest.firstMatch(of: /\d[\d.]*\s*(?:ml|oz)/)?.0
            let isRead = left ?? right ?? amount != nil || known == "起きる" || known == "Wake-up"
            let fields = [
                known.flatMap { piyoLogWords[$0] } ?? word, "\(day) \(event.1)", String(amount ?? ""),
                String(left ?? ""),
                String(right ?? ""), isRead ? "" : String(rest).trimmed, child,
            ]
            rows.append(LogRow(number: rows.count + 1, line: number + 1, fields: fields))
        }
        guard !rows.isEmpty else {
            throw KinError(
                .malformedInput, "the text of PiyoLog has no day with events; export the text of a day or a month again"
            )
        }
        var table = LogTable(
            source: source, names: ["type", "start", "amount", "left (min)", "right (min)", "remark", "baby"],
            rows: rows)
        table.separator = "PiyoLog"
        return table
    }

    /// Whether a line is Samsung Health's first one: the name of the table, a version and a number.
    static func isMetadata(ofSamsung line: Substring) -> Bool {
        line.hasPrefix("com.samsung.") && line.last { !$0.isWhitespace && $0 != "," }?.isNumber == true
    }

    /// The name of a column without Samsung Health's name of the table: `com.samsung.health.sleep.start_time`.
    static func name(ofSamsung name: String) -> String {
        name.hasPrefix("com.samsung.") ? String(name.split(separator: ".").last ?? "") : name
    }

    /// Reads the rows of Sleep as Android, which has the names of the columns before each row, and after them times with
    /// movements. A row without a start has the sounds of the row before.
    mutating func joinRecordsOfSleepAsAndroid() {
        guard names.starts(with: ["Id", "Tz", "From", "To"]) else { return }
        let count = names.prefix { $0 != "Event" && $0.first?.isNumber != true }.count
        if count < names.count {
            notes.append("movements, phases and sounds, in columns \(names[count]) to the last, are not used")
        }
        names = Array(names.prefix(count))
        rows = rows.filter { !["", "Id"].contains($0.fields.first ?? "") }.map {
            LogRow(number: $0.number, line: $0.line, fields: Array($0.fields.prefix(count)))
        }
    }
}
