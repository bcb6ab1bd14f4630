/// A person's sessions on their map: dots in the colours of their types, joined in the order of time.
public struct PleasurePlot: Sendable {
    private let title: String
    private let map: PleasureMap
    private let types: SessionTypes
    /// The type of the session at each place of the map.
    private let labels: [Int]

    /// Draws sessions on their map, coloured by type.
    ///
    /// - Parameters:
    ///   - title: The heading of the drawing, cut if it is wider than the page.
    ///   - map: The places of the sessions.
    ///   - types: The types of the sessions.
    ///   - sessions: The sessions of `map` and `types`, in the order in which the types were found.
    public init(title: String, map: PleasureMap, types: SessionTypes, sessions: [PleasureSession]) {
        self.title = title
        self.map = map
        self.types = types
        let kinds = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        labels = map.points.map { kinds[$0.id] ?? 0 }
    }

    /// The field of the dots and its margins; below them there is more room for each line of the legend.
    private static let size = (width: 760.0, height: 546.0)
    private static let margin = (left: 60.0, right: 30.0, top: 60.0, bottom: 36.0)
    private static let lineHeight = 18.0
    private static let colours = SVGDrawing.colours

    /// The map as an SVG drawing.
    public var drawing: SVGDrawing {
        let legend = self.legend
        let height = Self.size.height + Self.lineHeight * Double((legend.last?.line ?? 0) + 2) + 20
        var drawing = SVGDrawing(width: Self.size.width, height: height)
        let room = Self.size.width - Self.margin.left - Self.margin.right
        drawing.text(SVGDrawing.fitted(title, size: 18, to: room), at: (Self.margin.left, 28), size: 18)
        let span =
            map.points.isEmpty
            ? "" : "\(Self.day(of: map.points[0])) to \(Self.day(of: map.points[map.points.count - 1]))"
        drawing.text("\(map.points.count, "session"), \(span)", at: (Self.margin.left, 46), size: 12, fill: Tone.muted)
        drawAxes(&drawing)
        let points = places
        drawTrajectory(points, &drawing)
        for (i, point) in points.enumerated() {
            drawing.circle(
                point, radius: 4.5, fill: Self.colours[labels[i] % Self.colours.count], opacity: 0.8,
                title: "\(map.points[i].id), \(map.points[i].start), \(Self.words(types.kinds[labels[i]].name))")
        }
        for (i, entry) in legend.enumerated() {
            let y = Self.size.height + 10 + Self.lineHeight * Double(entry.line)
            drawing.circle((entry.x, y), radius: 5, fill: Self.colours[i % Self.colours.count])
            drawing.text(entry.text, at: (entry.x + 12, y + 4))
        }
        let last = drawing.height - 20
        let x = drawing.key(
            "latest session", fill: Tone.ink, radius: 9, opacity: 0.25, at: (Self.margin.left + 5, last))
        drawing.line([(x, last - 4), (x + 26, last - 4)], stroke: Tone.mark)
        drawing.text("from one session to the next", at: (x + 32, last), size: 12, fill: Tone.muted)
        return drawing
    }

    private static func day(of point: PleasureMap.Point) -> String { String(point.start.description.prefix(10)) }

    /// The words of a name in snake case.
    private static func words(_ name: String) -> String { name.replacing("_", with: " ") }

    /// The point of each session in the drawing.
    private var places: [SVGDrawing.Point] {
        let (width, height) = (
            Self.size.width - Self.margin.left - Self.margin.right,
            Self.size.height - Self.margin.top - Self.margin.bottom
        )
        let points = map.points.map { (x: Double($0.coordinates[0]), y: Double($0.coordinates[1])) }
        let placement = PointPlacement(
            of: points, around: (Self.margin.left + width / 2, Self.margin.top + height / 2), width: 0.94 * width,
            height: 0.94 * height)
        return points.map(placement.location)
    }

    private func drawAxes(_ drawing: inout SVGDrawing) {
        let (left, right) = (Self.margin.left, Self.size.width - Self.margin.right)
        let (top, bottom) = (Self.margin.top, Self.size.height - Self.margin.bottom)
        drawing.line([(left, top), (left, bottom), (right, bottom)], stroke: Tone.mark)
        let names = map.axes.prefix(2).map { axis in
            let parts = axis.strongest(3).map { "\(axis.loadings[$0.rawValue] < 0 ? "−" : "+")\(Self.words($0.name))" }
            return
                "\(parts.joined(separator: " "))   (\(NumberText.percent(axis.explainedVarianceRatio)) of the variance)"
        }
        drawing.text(names[0], at: ((left + right) / 2, bottom + 22), size: 12, anchor: .middle, fill: Tone.muted)
        drawing.text(
            names[1], at: (left - 16, (top + bottom) / 2), size: 12, anchor: .middle, fill: Tone.muted, turned: true)
    }

    /// The path from session to session; recent parts are more opaque, and a disc marks the last session.
    private func drawTrajectory(_ points: [SVGDrawing.Point], _ drawing: inout SVGDrawing) {
        for i in points.indices.dropFirst() {
            let share = Double(i) / Double(points.count)
            drawing.line([points[i - 1], points[i]], stroke: Tone.mark, opacity: 0.08 + 0.42 * share * share)
        }
        if let last = points.last {
            drawing.circle(last, radius: 9, fill: Tone.ink, opacity: 0.25, title: "the latest session")
        }
    }

    /// The types from left to right, in lines of the page's width.
    private var legend: [(text: String, line: Int, x: Double)] {
        let (left, right) = (Self.margin.left + 10, Self.size.width - 10)
        var (line, x) = (0, left)
        return types.kinds.map { kind in
            let name = kind.name.isEmpty ? "no dimension stands out" : Self.words(kind.name)
            let text = SVGDrawing.fitted("\(name) (\(kind.count))", size: 13, to: right - left - 12)
            let width = 12 + SVGDrawing.width(of: text, size: 13)
            if x > left, x + width > right { (line, x) = (line + 1, left) }
            defer { x += width + 18 }
            return (text, line, x)
        }
    }
}
