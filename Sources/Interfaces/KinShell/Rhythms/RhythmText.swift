import Foundation

/// A rhythm as readable text.
enum RhythmText {
    /// A table with a row for each day.
    static func days(_ days: some Sequence<DaySummary>) -> TextTable {
        TextTable(
            ["day", ">asleep", ">naps", ">by day", ">wakings", ">longest at night", ">meals", ">ml", ">diapers"],
            of: days
        ) { day in
            [
                day.date.date + (day.isWhole ? "" : " (in part)"), duration(day.asleepMinutes), count(day.naps),
                duration(day.napMinutes), count(day.nightWakings), duration(day.longestNightStretch), "\(day.meals)",
                day.millilitres > 0 ? NumberText.count(Int(day.millilitres.rounded())) : "-", "\(day.diapers)",
            ]
        }
    }

    /// A number of events; a dash if unknown.
    private static func count(_ number: Int?) -> String { number.map { "\($0)" } ?? "-" }

    /// A duration in minutes; a dash if unknown.
    private static func duration(_ minutes: Double?) -> String {
        minutes.map { NumberText.duration(minutes: $0) } ?? "-"
    }

    /// Wake windows, leaps and relations.
    static func rhythm(_ analysis: RhythmAnalysis) -> TextTable {
        var table = TextTable(["", ""])
        let recent = NumberText.count(min(28, analysis.days.count), "day")
        for window in analysis.wakeWindows {
            let quartiles = window.quartiles
            let trend = window.weeklyTrend.map { String(format: ", %+.0f min a week", $0) } ?? ""
            table.append([
                "awake before sleep \(window.napNumber)",
                "\(NumberText.duration(minutes: quartiles.middle)) (\(NumberText.duration(minutes: quartiles.lower)) to "
                    + "\(NumberText.duration(minutes: quartiles.upper)), \(window.count) of \(recent)\(trend))",
            ])
        }
        if let growth = analysis.consolidation {
            table.append([
                "longest night stretch",
                String(
                    format: "%+.1f min a week over %d nights, p = %.2g", growth.weeklyMinutes, growth.count, growth.p),
            ])
        }
        for leap in analysis.leaps {
            let change = leap.change
            table.append([
                "leap on \(leap.date.date)",
                step(leap)
                    + (change.confidence > 1 - 1e-6
                        ? ", p < 1e-06" : String(format: ", p = %.2g", 1 - change.confidence)),
            ])
        }
        append("feeds a day and the night", analysis.feedsAndSleep, to: &table)
        append("milk a day and the night", analysis.drinkingAndSleep, to: &table)
        return table
    }

    /// The quantity of a leap, before and after it; a bedtime as clock times.
    private static func step(_ leap: RhythmAnalysis.Leap) -> String {
        let (before, after) = (leap.change.before, leap.change.after)
        guard leap.quantity == .bedtime else {
            return String(format: "%@ from %.1f to %.1f", leap.quantity.rawValue, before, after)
        }
        func clock(_ minutes: Double) -> String { LocalDateTime(localMinutes: minutes.rounded()).time }
        return "bedtime from \(clock(before)) to \(clock(after))"
    }

    private static func append(_ name: String, _ found: PartialCorrelation?, to table: inout TextTable) {
        guard let found else { return }
        table.append([
            name, String(format: "r = %+.2f adjusted for age, %d days, p = %.2g", found.r, found.count, found.p),
        ])
    }
}
