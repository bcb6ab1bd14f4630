import Kin

/// The days of a log one below the other, as parents draw them: from midnight to midnight, sleep in blue, feeds as dots.
struct DayPlot {
    let log: RhythmLog
    private static let left = 80.0
    private static let top = 34.0
    private static let width = 720.0
    private static let height = 7.0

    init(_ log: RhythmLog) { self.log = log }

    func svg() -> String {
        guard let first = log.records.first?.start.microseconds, let last = log.records.last?.start.microseconds else {
            return SVGDrawing(width: Self.left + Self.width + 20, height: 60).svg()
        }
        let day: Int64 = 86_400_000_000
        let from = first - ((first % day) + day) % day
        let count = Int((last - from) / day) + 1
        var drawing = SVGDrawing(
            width: Self.left + Self.width + 20, height: Self.top + Double(count) * Self.height + 20)
        func place(_ instant: Int64) -> (row: Int, x: Double) {
            let row = Int((instant - from) / day)
            return (row, Self.left + Double((instant - from) % day) / Double(day) * Self.width)
        }
        for hour in stride(from: 0, through: 24, by: 3) {
            let x = Self.left + Double(hour) / 24 * Self.width
            drawing.line([(x, Self.top), (x, Self.top + Double(count) * Self.height)], stroke: "#ddd")
            drawing.text("\(hour)", x: x, y: Self.top - 6, anchor: .middle)
        }
        for row in stride(from: 0, to: count, by: 7) {
            let date = LocalTime.text(Timestamp(localMinutes: Double(from + Int64(row) * day) / 60e6)).prefix(10)
            drawing.text(
                String(date), x: Self.left - 6, y: Self.top + Double(row) * Self.height + 7, size: 9, anchor: .end)
        }
        for record in log.records {
            let start = record.start.microseconds
            switch record.event {
            case .sleep(let sleep):
                guard let end = sleep.end?.microseconds, end > start, end - start < day else { continue }
                var piece = start
                while piece < end {
                    let spot = place(piece)
                    let midnight = from + Int64(spot.row + 1) * day
                    let until = min(end, midnight)
                    drawing.rectangle(
                        x: spot.x, y: Self.top + Double(spot.row) * Self.height,
                        width: Double(until - piece) / Double(day) * Self.width, height: Self.height - 1,
                        fill: "#5b7fb5")
                    piece = until
                }
            case .feed:
                let spot = place(start)
                drawing.circle(
                    x: spot.x, y: Self.top + (Double(spot.row) + 0.45) * Self.height, radius: 1.6, fill: "#d9822b",
                    opacity: 0.9)
            case .diaper, .milestone: continue
            }
        }
        return drawing.svg()
    }
}
