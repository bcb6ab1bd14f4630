import Foundation

/// Numbers as readable text, with enough digits to distinguish them.
package enum NumberText {
    /// Six significant digits, the shortest form: `0.0123457`, `1.5`, `0`.
    package static func short(_ value: Double) -> String {
        value == 0 ? "0" : String(format: "%.6g", value)
    }

    /// A coordinate with up to four significant digits.
    package static func coordinate(_ value: Float) -> String {
        value == 0 ? "0" : String(format: "%.4g", Double(value))
    }

    /// A share with two decimals: `0.91`.
    package static func hundredths(_ value: Float) -> String { String(format: "%.2f", Double(value)) }

    /// A number rounded to three decimals: `0.912`.
    package static func thousandths(_ value: Double) -> String { String(format: "%.3f", value) }

    /// A share with two decimals, 100 only for the whole: `95.65 %`.
    package static func percent(_ share: Double) -> String {
        String(format: "%.2f %%", Double(share.parts(of: 10_000)) / 100)
    }

    /// A share as a whole percentage, 100 only for the whole: `96 %`.
    package static func wholePercent(_ share: Double) -> String { "\(share.parts(of: 100)) %" }

    /// A whole number with thousands separators: `1,000,000`.
    package static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return value < 0 ? "-" + text : text
    }

    /// `1 vector`, `2 vectors`, `1,000 queries`.
    package static func count(_ value: Int, _ noun: String) -> String {
        "\(count(value)) \(value == 1 ? noun : plural(of: noun))"
    }

    /// The plural of an English noun, by the rules for this tool's nouns: queries, inboxes, days, preferences.
    package static func plural(of noun: String) -> String {
        if noun == "person" { return "people" }
        let (last, before) = (noun.last ?? "s", noun.dropLast().last ?? "a")
        if last == "y", !"aeiou".contains(before) { return noun.dropLast() + "ies" }
        if last == "x" || noun.hasSuffix("ch") || noun.hasSuffix("sh") || noun.hasSuffix("ss") { return noun + "es" }
        return last == "s" ? noun : noun + "s"
    }

    /// A size in a readable unit: `64 bytes`, `1.2 MB`.
    package static func bytes(_ value: Int) -> String {
        var size = Double(value)
        if size < 1000 { return count(value, "byte") }
        for unit in ["kB", "MB", "GB"] {
            size /= 1000
            if size < 1000 { return "\(threeDigits(size)) \(unit)" }
        }
        return "\(threeDigits(size / 1000)) TB"
    }

    /// A duration in a readable unit: `12.3 µs`, `4.56 ms`, `1.2 s`.
    package static func duration(_ value: Duration) -> String {
        let seconds = value.seconds
        if seconds < 1e-3 { return "\(threeDigits(seconds * 1e6)) µs" }
        if seconds < 1 { return "\(threeDigits(seconds * 1e3)) ms" }
        if seconds < 120 { return "\(threeDigits(seconds)) s" }
        return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
    }

    /// A duration in hours and minutes: `35 min`, `1 h 05`.
    package static func duration(minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return whole < 60 ? "\(whole) min" : "\(whole / 60) h " + String(format: "%02d", whole % 60)
    }

    /// A rate or a ratio with three significant digits: `1,234`, `12.3`, `0.123`.
    package static func threeDigits(_ value: Double) -> String {
        if (1000..<1e15).contains(abs(value)) { return count(Int(value.rounded())) }
        return value == 0 ? "0" : String(format: "%.3g", value)
    }
}

extension DefaultStringInterpolation {
    /// Adds a number with its noun: `\(2, "query")` is "2 queries".
    package mutating func appendInterpolation(_ number: Int, _ noun: String) {
        appendInterpolation(NumberText.count(number, noun))
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
