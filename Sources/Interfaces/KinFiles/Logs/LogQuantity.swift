import Foundation

/// Numbers with units in a log: `120ml`, `4 fl oz`, `1h 20m`, `0:45`.
enum LogQuantity {
    /// An amount with the unit that its text names: `ml`, `oz`, a word that is neither, or nil for none; nil for a text without a number.
    static func amount(_ text: String, decimalComma: Bool) -> (value: Double, unit: String?)? {
        let sides = text.filter { $0 != ")" }.split(omittingEmptySubsequences: false) { "/(".contains($0) }
        if sides.count == 2 {
            // The same amount in two units: 4.5oz/133ml, 133 ml (4.5 oz).
            let amounts = sides.compactMap { amount(String($0), decimalComma: decimalComma) }
            guard let ounces = amounts.first(where: { $0.unit == "oz" }),
                let other = amounts.first(where: { $0.unit == "ml" }),
                abs(ounces.value * RhythmRecord.millilitresPerOunce - other.value) < 0.02 * other.value + 1
            else { return nil }
            return other
        }
        let parts = numbersAndWords(text, decimalComma: decimalComma)
        guard parts.count == 1, let part = parts.first else { return nil }
        return (part.value, part.word.isEmpty ? nil : unit(part.word))
    }

    /// The unit that a word names, or one of the words of a sentence: `ml`, `oz`, `l`, or the text itself.
    static func unit(_ word: String) -> String {
        switch word.lowercased().filter(\.isLetter) {
        case "ml", "mls", "cc", "milliliter", "milliliters", "millilitre", "millilitres", "мл", "毫升", "مل": "ml"
        case "oz", "floz", "ozs", "ounce", "ounces", "fluidounces", "usfloz": "oz"
        case "l", "liter", "litre": "l"
        case "cl": "cl"
        // 120ml formula, Eva drank 5 oz: the unit is one of several words.
        default: word.contains(" ") ? unit(among: word.split(separator: " ").map { unit(String($0)) }) : word
        }
    }

    private static func unit(among words: [String]) -> String {
        // A British ounce is smaller.
        words.first { ["uk", "imp", "imperial"].contains($0.lowercased()) }
            ?? words.first { ["ml", "oz", "cl"].contains($0) } ?? words.first ?? ""
    }

    /// Minutes: `45`, `0:45`, `1:05:30` (hours first), `1h 20m`, `0 days 01:21:00`, `PT1H21M`; nil for other texts.
    ///
    /// - Parameter unit: The unit of a plain number: `ms`, `s`, `min` or `h`; or `mm:ss` if `7:30` is minutes and seconds
    ///   and a plain number is minutes. Default: `min`.
    static func minutes(_ text: String, unit: String?, decimalComma: Bool) -> Double? {
        if text.first == "P" {
            let parts = text.dropFirst().split(separator: "T").joined(separator: " ")
            return minutes(parts, unit: nil, decimalComma: decimalComma)
        }
        let words = text.split(separator: " ")
        if words.count == 3, words[1].hasPrefix("day"), words[2].contains(":"), let days = Double(words[0]) {
            return minutes(String(words[2]), unit: nil, decimalComma: false).map { days * 1440 + $0 }
        }
        let clock = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        if clock.count > 1 {
            guard clock.count <= 3, let hours = clock[0], let minutes = clock[1], hours >= 0, (0..<60).contains(minutes)
            else { return nil }
            guard clock.count == 3 else { return unit == "mm:ss" ? hours + minutes / 60 : hours * 60 + minutes }
            return clock[2].map { hours * 60 + minutes + $0 / 60 }
        }
        let parts = numbersAndWords(text.replacing("'", with: "min"), decimalComma: decimalComma)
        var total = 0.0
        for part in parts {
            let word = part.word.lowercased().replacing(" and", with: "").filter(\.isLetter)
            switch part.word.isEmpty ? unit ?? "min" : word {
            case "d", "day", "days": total += part.value * 1440
            case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas",
                "時間", "小时", "小時", "시간", "ч", "час", "часа", "часов", "godz", "ore", "u", "uur", "sa":
                total += part.value * 60
            case "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "mm:ss", "分", "分钟",
                "分鐘", "분", "мин", "минут":
                total += part.value
            case "s", "sec", "secs", "second", "seconds", "sek", "sekunden", "seconde", "secondes", "segundos":
                total += part.value / 60
            case "ms": total += part.value / 60_000
            default: return nil
            }
        }
        return parts.isEmpty ? nil : total
    }

    /// The minutes at a breast: `00:07L`; of more than three hours the first number is minutes and the second seconds.
    static func breast(_ text: String) -> (minutes: Double, side: RhythmRecord.Feed.Side)? {
        guard let last = text.last, text.contains(":"), let side = LogWords.side(String(last)),
            let minutes = minutes(String(text.dropLast()), unit: nil, decimalComma: false)
        else { return nil }
        return (minutes > 180 ? minutes / 60 : minutes, side)
    }

    private static let halves = [("½", ".5"), ("¼", ".25"), ("¾", ".75")]

    /// Numbers, each with the letters after it; empty for other texts.
    private static func numbersAndWords(_ text: String, decimalComma: Bool) -> [(value: Double, word: String)] {
        // Most fields are a plain number.
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(text) {
            return [(value, "")]
        }
        var parts: [(Double, String)] = []
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        var rest =
            isPlain
            ? text[...] : halves.reduce(text) { $0.replacing(" \($1.0)", with: $1.0).replacing($1.0, with: $1.1) }[...]
        while true {
            rest = rest.drop { $0 == " " || (parts.isEmpty ? "~≈" : ",").contains($0) }
            if rest.isEmpty { return parts }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || ".,-+eE".contains($0)) }
            // A final e belongs to the next word.
            let number = digits.last.map { $0.isLetter } == true ? digits.dropLast() : digits
            // Three digits after a comma may be thousands, unless only a zero is before it.
            let isDecimal =
                decimalComma || number.hasPrefix("0,") || (number.split(separator: ",").last?.count ?? 3) < 3
            guard let value = CSVField.number(String(number), decimalComma: isDecimal), value.isFinite else {
                return []
            }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let word = rest.prefix { $0.isLetter || $0 == "." || $0 == " " || $0 == "_" }
            rest = rest.dropFirst(word.count)
            parts.append((value, word.trimmingCharacters(in: .whitespaces)))
        }
    }
}
