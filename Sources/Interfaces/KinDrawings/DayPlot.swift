/// The days of a log, one below the other, from noon to noon, so that each night is in one piece. Sleep is blue, and
/// feeds are dots.
public struct DayPlot: Sendable {
    private let log: RhythmLog
    private static let left = 84.0
    private static let top = 84.0
    private static let width = 720.0
    private static let height = 8.0
    private static let day = CivilDate.microsecondsPerDay
    private static let noon: Int64 = 43_200_000_000
    private static let night = "#4268a5"
    private static let nap = "#8fb3de"
    private static let feed = "#d9822b"

    /// Draws the days of a log.
    ///
    /// - Parameter log: The log, repaired; without records the frame is empty.
    public init(_ log: RhythmLog) { self.log = log }

    /// The days as an SVG drawing.
    public var drawing: SVGDrawing {
        let begin = log.counted.first?.start.microseconds ?? 0
        let end = log.counted.map { max($0.start, $0.end ?? $0.start).microseconds }.max() ?? 0
        let from = Self.rowStart(begin)
        let count = log.counted.isEmpty ? 0 : Int((end - from) / Self.day) + 1
        var drawing = SVGDrawing(
            width: Self.left + Self.width + 24, height: Self.top + Double(count) * Self.height + 24)
        drawFrame(&drawing, count: count, from: from, dates: [begin, end].map(Self.date))
        for record in log.counted {
            switch record.event {
            case .sleep: drawSleep(record, &drawing, from: from)
            case .feed:
                let spot = Self.place(record.start.microseconds, from: from)
                drawing.circle(
                    (spot.x, Self.top + (Double(spot.row) + 0.45) * Self.height), radius: 1.7, fill: Self.feed,
                    title: "fed at \(record.start.description)")
            case .diaper, .milestone: continue
            }
        }
        return drawing
    }

    /// The noon at or before an instant.
    private static func rowStart(_ instant: Int64) -> Int64 {
        let rest = (instant - noon) % day
        return instant - (rest < 0 ? rest + day : rest)
    }

    private static func date(_ instant: Int64) -> String { LocalDateTime(localMinutes: Double(instant) / 60e6).date }

    private static func place(_ instant: Int64, from: Int64) -> (row: Int, x: Double) {
        (Int((instant - from) / day), left + Double((instant - from) % day) / Double(day) * width)
    }

    private func drawFrame(_ drawing: inout SVGDrawing, count: Int, from: Int64, dates: [String]) {
        let name = log.baby.name.isEmpty ? "Days" : "The days of \(log.baby.name)"
        drawing.text(SVGDrawing.fitted(name, size: 15, to: 370), at: (Self.left, 22), size: 15, fill: Tone.ink)
        if count > 0 {
            drawing.text(
                "\(dates.joined(separator: " to ")); each row is from noon to noon, without diapers and milestones",
                at: (Self.left, 42), size: 11, fill: Tone.muted)
        }
        var x = Self.left + 380
        for (colour, word) in [(Self.night, "sleep by night"), (Self.nap, "by day")] {
            drawing.rectangle((x, 13), width: 14, height: 9, fill: colour)
            drawing.text(word, at: (x + 19, 22), size: 12)
            x += 32 + SVGDrawing.width(of: word, size: 12)
        }
        drawing.circle((x + 6, 17.5), radius: 3, fill: Self.feed)
        drawing.text("feed", at: (x + 14, 22), size: 12)
        for hour in stride(from: 0, through: 24, by: 3) {
            let x = Self.left + Double(hour) / 24 * Self.width
            drawing.line(
                [(x, Self.top), (x, Self.top + Double(count) * Self.height)], stroke: hour == 12 ? Tone.mark : Tone.rule
            )
            let clock = (hour + 12) % 24
            drawing.text(
                clock == 0 ? "midnight" : clock == 12 ? "noon" : "\(clock)", at: (x, Self.top - 8), size: 11,
                anchor: .middle)
        }
        for row in stride(from: 0, to: count, by: 7) {
            let date = Self.date(from + Int64(row) * Self.day)
            let y = Self.top + Double(row) * Self.height
            drawing.line([(Self.left - 4, y), (Self.left + Self.width, y)], stroke: Tone.rule)
            drawing.text(date, at: (Self.left - 8, y + Self.height), size: 10, anchor: .end, fill: Tone.muted)
        }
    }

    private func drawSleep(_ record: RhythmRecord, _ drawing: inout SVGDrawing, from: Int64) {
        let start = record.start.microseconds
        guard let end = record.end?.microseconds, end > start, end - start < Self.day else { return }
        // A sleep with its middle between 19:00 and 7:00 has the colour of the night.
        let middle = Self.place((start + end) / 2, from: from).x
        let hours = (middle - Self.left) / Self.width * 24
        let colour = (7...19).contains(hours) ? Self.night : Self.nap
        var piece = start
        while piece < end {
            let spot = Self.place(piece, from: from)
            let until = min(end, from + Int64(spot.row + 1) * Self.day)
            drawing.rectangle(
                (spot.x, Self.top + Double(spot.row) * Self.height),
                width: Double(until - piece) / Double(Self.day) * Self.width, height: Self.height - 1, fill: colour,
                title: "\(record.start.description), \(NumberText.duration(minutes: Double(end - start) / 60e6))")
            piece = until
        }
    }
}
