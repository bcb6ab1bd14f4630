import KinCore
import KinJSON

/// The rules for every answer of every method.
package enum AnswerCheck {
    /// Fields that contain a calendar day in the person's zone: not instants, and therefore without time and zone.
    package static let dates: Set<String> = ["last_day", "date", "date_of_birth", "from", "to", "begun", "day"]
    /// Fields of a baby's log and of its evaluations: wall-clock times, which have no zone.
    private static let wallTimes: Set<String> = [
        "now", "waking", "point", "median", "lower", "upper", "start", "end", "created", "updated", "expires",
        "date_of_birth",
        "timestamp", "startTime", "endTime", "nextNapTime", "nextFeedTime", "updatedAt", "createdAt", "expiresAt",
    ]
    /// The methods that return such times.
    private static let wallMethods: Set<String> = [
        "predictions", "day_plan", "record_predictions", "forecast_scores", "forecast", "sleep_state", "backtest",
        "rhythm", "record_insights", "repairs", "export", "events",
    ]

    /// Checks that an answer is JSON on one line, and that each of its instants has a time and a zone, except for
    /// wall-clock times.
    ///
    /// - Returns: The problem with the answer, or nil.
    package static func problem(in answer: String, of method: String = "") -> String? {
        guard !answer.utf8.contains(0x0A) else { return "it has more than one line" }
        do throws(KinError) {
            try JSONReader.read(answer) { reader throws(KinError) in try reader.skip() }
        } catch {
            return "it is no JSON: \(error)"
        }
        return bareInstant(in: Array(answer.utf8), wallTimes: wallMethods.contains(method) ? wallTimes : [])
    }

    /// The first string that begins like an instant and is incomplete.
    private static func bareInstant(in bytes: [UInt8], wallTimes: Set<String>) -> String? {
        var place = 0
        var field = ""
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let start = place + 1
            place = start
            while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
            let text = bytes[start..<place]
            place += 1
            if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
                field = String(decoding: text, as: UTF8.self)
            } else if isDate(text.prefix(10)), text.count == 10 || text.dropFirst(10).first == UInt8(ascii: "T") {
                if dates.contains(field), text.count == 10 { continue }
                let written = String(decoding: text, as: UTF8.self)
                // Ids may be any text.
                if written == RequestGenerator.noDate || field == "user" || field == "owners" { continue }
                if wallTimes.contains(field), (try? Timestamp(parsing: written)) != nil { continue }
                if !isInstant(written) { return "\"\(field)\" is \"\(written)\", without a time and a zone" }
            }
        }
        return nil
    }

    private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 10
            && zip(text, "dddd-dd-dd".utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == form
            }
    }

    /// Whether a text is a complete ISO 8601 instant: date, `T`, time, and `Z` or an offset.
    package static func isInstant(_ text: String) -> Bool {
        let hasZone = text.hasSuffix("Z") || text.dropFirst(19).contains { $0 == "+" || $0 == "-" }
        return text.count >= 20 && hasZone && (try? Timestamp(parsing: text)) != nil
    }
}
