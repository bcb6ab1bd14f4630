import Foundation

/// The neutral colours of drawings. Each has a counterpart for readers who prefer dark pages; other colours are the
/// same on both.
enum Tone {
    /// The page of most drawings.
    static let page = "#ffffff"
    /// The page of a map.
    static let paper = "#fbfaf7"
    /// Headings and the most important marks.
    static let ink = "#222222"
    /// The labels of zones, neighbours and axes.
    static let text = "#333333"
    /// Explanations, scales and legends.
    static let muted = "#666666"
    /// Marks in the background.
    static let mark = "#999999"
    /// The lines of a scale.
    static let rule = "#e2e2e2"

    /// The counterpart of each tone on a dark page.
    static let dark: KeyValuePairs = [
        page: "#17181b", paper: "#1c1b18", ink: "#f0f0f0", text: "#dddddd", muted: "#a8a8a8", mark: "#808080",
        rule: "#34363a",
    ]

    /// The colour, black or white, that is readable on another one.
    ///
    /// - Parameter colour: A colour as six hexadecimal digits after `#`.
    static func readable(on colour: String) -> String { luminance(of: colour) > 0.18 ? "#000000" : "#fefefe" }

    /// The relative luminance of a colour, 0 to 1 (WCAG 2.2).
    static func luminance(of colour: String) -> Double {
        let bits = Int(colour.dropFirst(), radix: 16) ?? 0
        func linear(_ shift: Int) -> Double {
            let share = Double(bits >> shift & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }
}
