/// A plan of the day in plain words.
enum DayPlanText {
    static func lines(_ outlook: DayOutlook, style: Style) -> [String] {
        switch outlook {
        case .unavailable(let reason, let now): ["  no plan: \(reason.reason(at: now))"]
        case .plan(let plan): lines(plan, style: style)
        }
    }

    private static func lines(_ plan: DayPlan, style: Style) -> [String] {
        let table = TextTable(["nap", ">chance", "from", "until"], of: plan.naps) { nap in
            ["\(nap.number)", NumberText.wholePercent(nap.probability), text(nap.start), text(nap.end)]
        }
        var lines = plan.naps.isEmpty ? [] : table.lines(style: style)
        lines.append("  last sleep ends \(text(plan.lastSleepEnd)), bedtime \(text(plan.bedtime))")
        let (more, held) = (NumberText.wholePercent(plan.oneMoreNap), NumberText.wholePercent(plan.coverage))
        lines.append("  one more nap: \(more); the last two times hold together on \(held) of days")
        if let changes = plan.changes {
            lines.append(
                "  with the assumption: bedtime \(shift(changes.bedtimeMinutes)), last sleep ends "
                    + "\(shift(changes.lastSleepEndMinutes)), \(naps(changes.naps))")
        }
        return lines + (plan.doubt.map { ["  but " + $0] } ?? [])
    }

    private static func text(_ span: DayPlan.Span) -> String {
        span.lower == span.upper ? span.median.time : "\(span.median.time) (\(span.lower.time)–\(span.upper.time))"
    }

    private static func shift(_ minutes: Double) -> String {
        let whole = abs(minutes).rounded()
        return whole == 0
            ? "unchanged" : "\(NumberText.duration(minutes: whole)) \(minutes < 0 ? "earlier" : "later")"
    }

    private static func naps(_ change: Double) -> String {
        let tenths = (abs(change) * 10).rounded() / 10
        return tenths == 0 ? "as many naps" : "\(tenths) \(change < 0 ? "fewer" : "more") naps on average"
    }
}
