import Foundation

/// A file with a pair of people per line: `u1,u2`, or with a label `u1,u2,0`; fields may have quotes, and a label may be
/// true or false.
public struct PairFile: Sendable {
    /// The pairs in the order of the file; pairs without a label are people who belong together.
    public let pairs: [LabelledPair]
    /// Whether a pair has a label.
    public let hasLabels: Bool

    /// Reads the pairs of a file.
    ///
    /// The first line is a title if its people are not among the souls.
    ///
    /// - Parameters:
    ///   - path: The file's name; `-` is standard input.
    ///   - matcher: The souls of all people in the pairs.
    /// - Throws: `.malformedInput` with `file` and `line`; the errors of reading.
    public init(reading path: String, of matcher: SoulMatcher) throws(KinError) {
        var (pairs, hasLabels) = ([LabelledPair](), false)
        let lines = try ByteReader(path: path).lines()
        let separator = DelimitedText.separator(of: lines.prefix(20).map(\.text).joined(separator: "\n").utf8)
        for (number, line) in lines {
            func error(_ message: String) -> KinError {
                KinError(.malformedInput, message).within("line", number).within("file", path)
            }
            var text = DelimitedText(Array(line.utf8), separator: separator)
            let parts: [String]
            do throws(KinError) { parts = try text.next()?.fields.map(\.trimmed) ?? [] } catch let failure {
                throw error(failure.message)
            }
            guard parts.count == 2 || parts.count == 3 else {
                throw error(
                    "a pair must be two ids, optionally followed by 1 or 0; \(Plural.count(parts.count, "field")) here, separated by "
                        + DelimitedText.name(of: separator))
            }
            if let stranger = parts.prefix(2).first(where: { !matcher.contains($0) }) {
                if number == 1 { continue }
                throw error("there is no soul of \"\(stranger)\"")
            }
            let label = parts.count < 3 ? 1 : CSVField.truth(parts[2]) ?? Double(parts[2])
            guard let label, [0, 1].contains(label) else { throw error("column 3 must be 1 or 0, or true or false") }
            hasLabels = hasLabels || parts.count == 3
            pairs.append(LabelledPair(parts[0], parts[1], label: label == 1))
        }
        (self.pairs, self.hasLabels) = (pairs, hasLabels)
    }
}
