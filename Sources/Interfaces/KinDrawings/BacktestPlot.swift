/// Three panels: forecast against outcome, calibration of the confidence, error by month.
public struct BacktestPlot: Sendable {
    private let test: RhythmBacktest
    private static let panel = (width: 300.0, height: 260.0, left: 48.0, top: 84.0, gap: 60.0)
    private static let blue = "#0072B2"

    /// Draws the trials of a backtest.
    ///
    /// - Parameter test: The backtest; without trials the panels are empty.
    public init(_ test: RhythmBacktest) { self.test = test }

    /// The three panels drawn.
    public var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: 3 * (Self.panel.width + Self.panel.gap) + 12, height: Self.panel.height + 152)
        drawing.text(
            "Forecasts of \(NumberText.plural(of: test.kind.name)): \(test.trials.count, "trial")",
            at: (Self.panel.left, 28), size: 18, fill: Tone.ink)
        outcomes(on: &drawing, at: Self.panel.left)
        calibration(on: &drawing, at: Self.panel.left + Self.panel.width + Self.panel.gap)
        errors(on: &drawing, at: Self.panel.left + 2 * (Self.panel.width + Self.panel.gap))
        let longest = longestMinutes
        let beyond = test.trials.count { max($0.interval, Self.forecast(of: $0)) > longest }
        var notes = ["Dashed: perfect forecasts.", "Larger dots: more forecasts."]
        if beyond > 0 { notes.insert("At the edge: \(beyond, "dot") beyond the axes.", at: 1) }
        drawing.text(
            notes.joined(separator: " "), at: (Self.panel.left, drawing.height - 16), size: 11, fill: Tone.muted)
        return drawing
    }

    /// The frame of a panel with its ticks, and the function from numbers to points in the panel.
    private func frame(
        _ title: String, x xLabel: String, y yLabel: String, top: (x: Double, y: Double), at left: Double,
        on drawing: inout SVGDrawing
    ) -> (Double, Double) -> (x: Double, y: Double) {
        let panel = Self.panel
        let place: (Double, Double) -> (x: Double, y: Double) = { x, y in
            (left + min(1, max(0, x / top.x)) * panel.width, panel.top + (1 - min(1, max(0, y / top.y))) * panel.height)
        }
        drawing.text(title, at: (left, panel.top - 22), size: 14, fill: Tone.ink)
        for step in 0...4 {
            let share = Double(step) / 4
            let x = place(share * top.x, 0)
            let y = place(0, share * top.y)
            drawing.line([(x.x, panel.top), (x.x, panel.top + panel.height)], stroke: Tone.rule)
            drawing.line([(left, y.y), (left + panel.width, y.y)], stroke: Tone.rule)
            drawing.text(
                NumberText.short((share * top.x * 100).rounded() / 100), at: (x.x, panel.top + panel.height + 15),
                size: 11,
                anchor: .middle)
            drawing.text(
                NumberText.short((share * top.y * 100).rounded() / 100), at: (left - 5, y.y + 4), size: 11, anchor: .end
            )
        }
        drawing.text(xLabel, at: (left + panel.width / 2, panel.top + panel.height + 34), size: 11, anchor: .middle)
        drawing.text(yLabel, at: (left, panel.top - 6), size: 10, fill: Tone.muted)
        return place
    }

    /// The end of the axes of the first panel: whole hours that hold 98 of 100 outcomes.
    private var longestMinutes: Double {
        let intervals = test.trials.map(\.interval).sorted()
        let most = intervals.isEmpty ? 60 : intervals[intervals.count * 98 / 100]
        return (most / 60).rounded(.up) * 60
    }

    /// The forecast in minutes from the moment at which it was made.
    private static func forecast(of trial: RhythmBacktest.Trial) -> Double {
        trial.forecast.point.minutes(since: trial.forecast.now)
    }

    private func outcomes(on drawing: inout SVGDrawing, at left: Double) {
        let top = longestMinutes
        let place = frame(
            "Forecast and outcome", x: "minutes forecast", y: "minutes it took", top: (top, top), at: left, on: &drawing
        )
        let ends = [place(0, 0), place(top, top)]
        for trial in test.trials {
            let spot = place(Self.forecast(of: trial), trial.interval)
            drawing.circle(spot, radius: 1.8, fill: Self.blue, opacity: 0.35)
        }
        drawing.line(ends, stroke: Tone.mark, dash: 4)
    }

    private func calibration(on drawing: inout SVGDrawing, at left: Double) {
        let place = frame(
            "Does the confidence hold?", x: "confidence", y: "share within 30 minutes", top: (1, 1), at: left,
            on: &drawing)
        drawing.line([place(0, 0), place(1, 1)], stroke: Tone.mark, dash: 4)
        let largest = Double(test.calibration.map(\.count).max() ?? 1)
        for tenth in test.calibration {
            let spot = place(tenth.confidence, tenth.hits)
            drawing.circle(
                spot, radius: 3 + 9 * (Double(tenth.count) / largest).squareRoot(), fill: Self.blue,
                opacity: 0.7)
        }
    }

    /// The mean absolute error by month of the log, with the error of the same-hour baseline.
    private func errors(on drawing: inout SVGDrawing, at left: Double) {
        let months = Dictionary(grouping: test.trials) { test.month(of: $0) }
        let keys = months.keys.sorted()
        let own = keys.map { key in Self.mean((months[key] ?? []).map { abs($0.error) }) }
        let theirs = keys.map { key in
            Self.mean((months[key] ?? []).map { abs(($0.baselines[.sameHourMedian] ?? 0) - $0.interval) })
        }
        // Round numbers at the four ticks.
        let top = (((own + theirs).max() ?? 10) / 20).rounded(.up) * 20
        let last = (Double(max(1, keys.last ?? 1)) / 4).rounded(.up) * 4
        let place = frame(
            test.countsFromBirth ? "Error by age" : "Error by month of the log",
            x: test.countsFromBirth ? "months of age" : "months of the log",
            y: "mean error in minutes; grey: same-hour median",
            top: (last, top), at: left, on: &drawing)
        for (values, colour) in [(theirs, Tone.mark), (own, Self.blue)] {
            let points = zip(keys, values).map { place(Double($0), $1) }
            drawing.line(points, stroke: colour, width: 2)
            for point in points { drawing.circle(point, radius: 3, fill: colour) }
        }
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
