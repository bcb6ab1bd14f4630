import Foundation

/// Numbers with units in a log: `120ml`, `4 fl oz`, `1h 20m`, `0:45`.
enum LogQuantity {
    /// An amount with the unit that its text names: `ml`, `oz`, a word that is neither, or nil for none; nil for a text without a number.
    static func amount(_ written: String, decimalComma: Bool) -> (value: Double, unit: String?)? {
        // 90+30 ml is the sum of two milks, and 4 1/2 oz has a fraction.
        let terms = Double(written) == nil ? written.split(separator: "+") : []
        if terms.count > 1 {
            let parts = terms.compactMap { amount(String($0), decimalComma: decimalComma) }
            let units = Set(parts.compactMap(\.unit))
            return parts.count < terms.count || units.count > 1 ? nil : (parts.reduce(0) { $0 + $1.value }, units.first)
        }
        let text =
            written.contains("/") ? halves.reduce(" \(written)") { $0.replacing(" \($1.1)", with: $1.2) } : written
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
        // 120ml formula, Eva drank 5 oz: the unit is one of several words.
        volumes[word.lowercased().filter(\.isLetter)]
            ?? (word.contains(" ") ? unit(among: word.split(separator: " ").map { unit(String($0)) }) : word)
    }

    /// The units of volumes by the words for them.
    static let volumes = LogWords.table(
        """
        ml: ml;mls;cc;milliliter;milliliters;millilitre;millilitres;millilitri;mililitros;мл;毫升;مل;ミリリットル;밀리리터
        oz: oz;floz;ozs;ounce;ounces;fluidounces;usfloz;unze;unzen;onza;onzas;onça;onças;onces;oncia;uncja;uncje;uncji
        oz: унция;унции;унций;盎司;オンス;온스
        cl: cl;centilitre;centilitres;zentiliter
        dl: dl;deciliter;décilitre;décilitres;deziliter
        l: l;liter;litre
        """, { $0 })

    private static func unit(among words: [String]) -> String {
        // A British ounce is smaller.
        words.first { ["uk", "imp", "imperial"].contains($0.lowercased()) }
            ?? words.first { ["ml", "oz", "cl", "dl"].contains($0) } ?? words.first ?? ""
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
        // 1:05 h, and 1:05 min
        let digits = text.contains(":") ? text.prefix { !$0.isLetter } : ""
        let named = digits.isEmpty ? 0 : lengths[text.dropFirst(digits.count).lowercased().filter(\.isLetter)] ?? 0
        let unit = named == 1 ? "mm:ss" : unit
        let clock = (named < 1 ? text : String(digits).trimmed).split(separator: ":", omittingEmptySubsequences: false)
            .map { Double($0) }
        if clock.count > 1 {
            guard clock.count <= 3, let hours = clock[0], let minutes = clock[1], hours >= 0, (0..<60).contains(minutes)
            else { return nil }
            guard clock.count == 3 else { return unit == "mm:ss" ? hours + minutes / 60 : hours * 60 + minutes }
            return clock[2].map { hours * 60 + minutes + $0 / 60 }
        }
        let parts = numbersAndWords(text.replacing("'", with: "min"), decimalComma: decimalComma)
        var total = 0.0
        for part in parts {
            let word = part.word.lowercased().split(separator: " ").filter { !joins.contains($0) }.joined()
            let name = part.word.isEmpty ? unit ?? "min" : word.filter(\.isLetter)
            guard let minutes = lengths[name] else { return nil }
            total += minutes < 0 ? part.value / -minutes : part.value * minutes
        }
        return parts.isEmpty ? nil : total
    }

    /// The minutes of each unit; for units below a minute, the negative number of them in a minute.
    private static let lengths = LogWords.table(
        """
        1440: d;day;days
        60: h;hr;hrs;hour;hours;std;stunde;stunden;heure;heures;hora;horas;時間;小时;小時;시간;ч;час;часа;часов;godz;godzina
        60: godziny;godzin;ora;ore;u;uur;uren;sa;saat;t;tim;timme;timmar;time;timer;tunti;tuntia
        1: m;min;mins;minute;minutes;minuten;minuto;minutos;mm:ss;分;分钟;分鐘;분;мин;минут;минута;минуты;minuti;minuut
        1: minuta;minuty;minut;minuter;minutter;minuutti;minuuttia;dk;dakika
        -60: s;sec;secs;second;seconds;sek;sekunden;seconde;secondes;segundos
        -60000: ms
        """, Double.init)
    /// The words between two parts of a duration.
    private static let joins: Set<Substring> = ["and", "und", "et", "y", "e", "en", "og", "och", "i", "ve", "ja", "и"]

    /// The minutes at a breast: `00:07L`; of more than three hours the first number is minutes and the second seconds.
    static func breast(_ text: String) -> (minutes: Double, side: RhythmRecord.Feed.Side)? {
        guard let last = text.last, text.contains(":"), let side = LogWords.side(String(last)),
            let minutes = minutes(String(text.dropLast()), unit: nil, decimalComma: false)
        else { return nil }
        return (minutes > 180 ? minutes / 60 : minutes, side)
    }

    private static let halves = [("½", "1/2", ".5"), ("¼", "1/4", ".25"), ("¾", "3/4", ".75"), ("㎖", "㎖", "ml")]

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
            ? text[...] : halves.reduce(text) { $0.replacing(" \($1.0)", with: $1.0).replacing($1.0, with: $1.2) }[...]
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
