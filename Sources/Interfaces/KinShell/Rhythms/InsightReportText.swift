/// A report of insights in plain words.
enum InsightReportText {
    static func lines(_ report: InsightReport) -> [String] {
        let present = report.insights.flatMap { insight in
            ["  \(insight.title) (\(insight.status?.rawValue ?? "present"), \(insight.id))", "    " + insight.text]
        }
        let gone = report.gone.map { insight in
            "  gone: \(insight.title), \(insight.reason == .expired ? "expired" : "no longer supported")"
        }
        return present.isEmpty && gone.isEmpty ? ["  no insight"] : present + gone
    }
}
