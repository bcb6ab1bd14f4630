/// An index in the plane of its first two principal axes, with the query and its neighbours.
public struct NeighborhoodPlot: Sendable {
    /// A vector in the drawing.
    private struct Dot: Sendable {
        let place: SVGDrawing.Point
        let label: String
    }

    private let title: String
    private let backdrop: [Dot]
    private let target: Dot?
    private let neighbors: [Dot]
    private let shares: [Double]
    private let vectorCount: Int

    private static let size = (width: 760.0, height: 640.0)
    private static let margin = 50.0
    /// The number of vectors in the background, evenly spread over the index.
    private static let mostDots = 3000
    private static let mostLabels = 20
    private static let blue = "#0072B2"
    private static let orange = "#D55E00"

    /// Projects an index onto its first two principal axes.
    ///
    /// - Parameters:
    ///   - ids: The ids of all vectors of the index; about 3,000 of them are drawn.
    ///   - vector: The vector of an id, such as `index.vector(for:)`.
    ///   - name: The label of an id.
    ///   - title: The heading of the drawing, cut if it is wider than the page.
    ///   - target: The query vector and its name; nil if the query is not a vector of the index's dimensions.
    ///   - found: The results of the search, best first.
    /// - Throws: `.invalidArgument` for fewer than three vectors, or vectors of one dimension.
    public init(
        _ ids: [VectorID], vector: (VectorID) -> [Float]?, name: (VectorID) -> String = { "\($0)" }, title: String,
        target: (vector: [Float], name: String)?, found: [Neighbor]
    ) throws(KinError) {
        let step = max(1, ids.count / Self.mostDots)
        let shown = stride(from: 0, to: ids.count, by: step).map { ids[$0] }
        var rows = shown.compactMap(vector)
        guard rows.count > 2, rows[0].count > 1 else {
            throw KinError(.invalidArgument, "a drawing needs three vectors of two dimensions or more")
        }
        let backdropCount = rows.count
        rows += found.compactMap { vector($0.id) }
        if let target { rows.append(target.vector) }
        let all = try Matrix<Float>(rows: rows)
        let axes = try PCA(fitting: try Matrix<Float>(rows: Array(rows.prefix(backdropCount))))
        let places = try axes.transform(all)
        shares = axes.explainedVarianceRatio.prefix(2).map { $0 }
        let points = (0..<places.rows).map { (x: Double(places[$0, 0]), y: Double(places[$0, 1])) }
        let placement = PointPlacement(
            of: points, around: (Self.size.width / 2, Self.size.height / 2 + 15),
            width: Self.size.width - 2 * Self.margin, height: Self.size.height - 2 * Self.margin - 30)
        func dot(_ i: Int, _ label: String) -> Dot { Dot(place: placement.location(of: points[i]), label: label) }
        backdrop = (0..<backdropCount).map { dot($0, name(shown[$0])) }
        neighbors = found.indices.map { dot(backdropCount + $0, name(found[$0].id)) }
        self.target = target.map { dot(rows.count - 1, $0.name) }
        self.title = title
        vectorCount = ids.count
    }

    /// The vectors as an SVG drawing.
    public var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: Self.size.width, height: Self.size.height)
        let room = Self.size.width - 2 * Self.margin
        drawing.text(SVGDrawing.fitted(title, size: 18, to: room), at: (Self.margin, 28), size: 18)
        let percents = shares.map { NumberText.percent($0) }.joined(separator: " and ")
        drawing.text(
            "along the directions in which the vectors differ most (\(percents) of the variance);",
            at: (Self.margin, 46),
            size: 11, fill: Tone.muted)
        drawing.text(
            "nearest in all dimensions need not be nearest here", at: (Self.margin, 61), size: 11, fill: Tone.muted)
        drawLegend(&drawing)
        for dot in backdrop { drawing.circle(dot.place, radius: 2, fill: Tone.mark, opacity: 0.45, title: dot.label) }
        if let target {
            for dot in neighbors { drawing.line([target.place, dot.place], stroke: Self.blue, opacity: 0.4) }
        }
        for dot in neighbors { drawing.circle(dot.place, radius: 4.5, fill: Self.blue, title: dot.label) }
        if let target {
            drawing.circle(target.place, radius: 7, fill: Self.orange, title: target.label)
            // A neighbour at the place of the query is above it.
            for dot in neighbors where dot.place == target.place {
                drawing.circle(dot.place, radius: 4.5, fill: Self.blue, title: dot.label)
            }
        }
        let dots = (neighbors + (target.map { [$0] } ?? [])).map(\.place)
        if let target {
            drawing.label(
                SVGDrawing.fitted(target.label, size: 13, to: Self.size.width / 3), beside: target.place, radius: 7,
                clearOf: [], size: 13, fill: Tone.ink, halo: Tone.page)
        }
        for dot in neighbors.prefix(Self.mostLabels) {
            drawing.label(dot.label, beside: dot.place, radius: 4.5, clearOf: dots, halo: Tone.page)
        }
        return drawing
    }

    private func drawLegend(_ drawing: inout SVGDrawing) {
        let y = Self.size.height - 16
        var x = Self.margin
        if target != nil { x = drawing.key("query", fill: Self.orange, radius: 7, at: (x, y)) }
        if target != nil || !neighbors.isEmpty {
            x = drawing.key("\(neighbors.count, "result"), with ids where there is room", fill: Self.blue, at: (x, y))
        }
        let all = "\(vectorCount, "vector")"
        let shown = backdrop.count < vectorCount ? "\(NumberText.count(backdrop.count)) of \(all)" : all
        _ = drawing.key(shown, fill: Tone.mark, radius: 2, opacity: 0.45, at: (x, y))
    }
}
