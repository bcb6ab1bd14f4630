extension RecallReport {
    /// The measured recall of an index, as JSON.
    var record: Record {
        [
            "vectors": vectors, "queries": queries, "changes": changes,
            "measured": rows.map {
                ["k": $0.k, "asked": $0.asked, "measured": $0.measured, "standard_error": $0.standardError] as Record
            },
        ]
    }
}

extension Console {
    /// Prints the measured recall for each recall that a search can request.
    func print(_ report: RecallReport) {
        guard report.isMeasured else { return print("  recall was not measured: every search is exact") }
        let widths = report.rows.map(\.k).reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
        print("  " + style.strong("recall") + " that was measured, with vectors of the index as queries")
        let asked = report.rows.filter { $0.k == widths[0] }.map(\.asked)
        print(["asked"] + widths.map { "k = \($0)" }, of: asked) { asked in
            let measured = report.rows.filter { $0.asked == asked }
            return [NumberText.short(asked)] + measured.map { RecallText.text($0.measured, error: $0.standardError) }
        }
        if report.changes > 0 { print("  \(report.changes, "vector") changed since") }
    }
}

/// A recall with its standard error: `0.957 ± 0.003`.
enum RecallText {
    static func text(_ recall: Double, error: Double) -> String {
        "\(NumberText.thousandths(recall)) ± \(NumberText.thousandths(error))"
    }
}
