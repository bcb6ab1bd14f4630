import Foundation

/// Writes a log as CSV, with the columns that ``RhythmLogFile`` reads.
enum RhythmCSVWriter {
    static func text(_ log: RhythmLog) -> String {
        var lines = ["type,start,end,duration_min,subtype,amount_ml"]
        for record in log.records {
            let (type, subtype, amount) = words(record.event)
            let end = record.end.map(\.description) ?? ""
            let minutes = record.end.map { $0.minutes(since: record.start) }
            lines.append(
                [
                    type, record.start.description, end, minutes.map(DecimalText.short) ?? "", subtype,
                    amount.map(DecimalText.short) ?? "",
                ].joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func words(_ event: RhythmRecord.Event) -> (type: String, subtype: String, amount: Double?) {
        switch event {
        case .sleep: ("sleep", "", nil)
        case .feed(let feed): ("feed", subtype(feed), feed.millilitres)
        case .diaper(let diaper): ("diaper", diaper == .both ? "mixed" : diaper.rawValue, nil)
        case .milestone(let title, _): ("milestone", quoted(title), nil)
        }
    }

    private static func subtype(_ feed: RhythmRecord.Feed) -> String {
        switch feed.method {
        case .breast: feed.side.map { "breast-" + $0.rawValue } ?? "breast"
        case .bottle: "bottle"
        case .solids: "solid"
        case nil: "unspecified"
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0 != "," && $0 != "\"" && !$0.isNewline }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

/// Numbers as text with six digits.
enum DecimalText {
    /// Six significant digits, the shortest form: `0.0123457`, `1.5`, `0`.
    static func short(_ value: Double) -> String { value == 0 ? "0" : String(format: "%.6g", value) }
}
