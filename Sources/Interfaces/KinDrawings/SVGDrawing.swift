import Foundation

/// A drawing in SVG, built element by element; later elements are above earlier ones.
public struct SVGDrawing: Sendable {
    /// The width of the page, in units of SVG.
    public let width: Double
    /// The height of the page, in units of SVG.
    public let height: Double
    private var elements: [String] = []
    /// The texts drawn so far, with the boxes that they occupy.
    private(set) var labels: [(text: String, box: Box)] = []

    /// Creates an empty drawing on a background.
    init(width: Double, height: Double, background: String = Tone.page) {
        self.width = width
        self.height = height
        rectangle((0, 0), width: width, height: height, fill: background)
    }

    /// Eight colours that are distinguishable with any colour vision (Okabe and Ito 2008).
    static let colours = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A8300", "#555555"]

    /// The end of a text that is at its point.
    enum Anchor: String { case start, middle, end }

    /// A point of the drawing: x to the right, y down.
    typealias Point = (x: Double, y: Double)

    /// A rectangle with sides parallel to the axes.
    struct Box: Sendable {
        var low: Point
        var high: Point

        /// Whether the interiors of two rectangles overlap.
        func overlaps(_ other: Box) -> Bool {
            low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y
        }

        /// Whether a line between two points passes through the rectangle, by clipping at its four sides (Liang and
        /// Barsky).
        func meets(_ line: (from: Point, to: Point)) -> Bool {
            var (first, last) = (0.0, 1.0)
            let way: Point = (line.to.x - line.from.x, line.to.y - line.from.y)
            let sides = [
                (-way.x, line.from.x - low.x), (way.x, high.x - line.from.x), (-way.y, line.from.y - low.y),
                (way.y, high.y - line.from.y),
            ]
            for (step, room) in sides {
                if step == 0, room <= 0 { return false }
                if step < 0 { first = max(first, room / step) }
                if step > 0 { last = min(last, room / step) }
            }
            return first < last
        }

        /// Whether a line through a sequence of points passes through the rectangle.
        func meets(_ points: [Point]) -> Bool { zip(points, points.dropFirst()).contains { meets((from: $0, to: $1)) } }

        /// Whether a circle overlaps the rectangle.
        func meets(circle centre: Point, radius: Double) -> Bool {
            hypot(min(max(centre.x, low.x), high.x) - centre.x, min(max(centre.y, low.y), high.y) - centre.y) < radius
        }

        /// Whether the rectangle contains another rectangle completely.
        func contains(_ other: Box) -> Bool {
            low.x <= other.low.x && low.y <= other.low.y && other.high.x <= high.x && other.high.y <= high.y
        }
    }

    /// An upper bound of the width of a text: its width in a wide sans-serif font such as DejaVu Sans. Helvetica is an
    /// eighth narrower.
    static func width(of text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
    }

    private static func width(of scalar: Unicode.Scalar) -> Double { scalar.value < 0x1100 ? 0.62 : 1 }

    /// The text, cut with an ellipsis if it is wider than the room.
    static func fitted(_ text: String, size: Double, to room: Double) -> String {
        guard width(of: text, size: size) > room else { return text }
        var (kept, width) = ("", 0.0)
        for character in text {
            width = character.unicodeScalars.reduce(width) { $0 + Self.width(of: $1) }
            guard (width + Self.width(of: "…")) * size <= room else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The box that a text occupies.
    static func box(
        of text: String, at place: Point, size: Double, anchor: Anchor = .start, turned: Bool = false
    ) -> Box {
        let width = width(of: text, size: size)
        let start = anchor == .start ? 0 : anchor == .middle ? -width / 2 : -width
        // From the ascenders to the descenders, relative to the baseline.
        let (up, down) = (0.76 * size, 0.22 * size)
        return turned
            ? Box(low: (place.x - up, place.y - start - width), high: (place.x + down, place.y - start))
            : Box(low: (place.x + start, place.y - up), high: (place.x + start + width, place.y + down))
    }

    /// Writes a text next to a dot, on the first side without an overlap with other texts or with dots of the same
    /// size. Omits the text if there is no such side.
    mutating func label(
        _ text: String, beside dot: Point, radius: Double, clearOf dots: [Point], size: Double = 11,
        fill: String = Tone.text, halo: String
    ) {
        let away = radius + 2.5
        let spots: [(place: Point, anchor: Anchor)] = [
            ((dot.x + away, dot.y + 0.3 * size), .start), ((dot.x - away, dot.y + 0.3 * size), .end),
            ((dot.x, dot.y - away - 0.22 * size), .middle), ((dot.x, dot.y + away + 0.76 * size), .middle),
        ]
        let page = Box(low: (0, 0), high: (width, height))
        for (place, anchor) in spots {
            let box = Self.box(of: text, at: place, size: size, anchor: anchor)
            guard page.contains(box), !labels.contains(where: { $0.box.overlaps(box) }),
                !dots.contains(where: { box.meets(circle: $0, radius: radius) })
            else { continue }
            return self.text(text, at: place, size: size, anchor: anchor, fill: fill, halo: halo)
        }
    }

    mutating func circle(_ centre: Point, radius: Double, fill: String, opacity: Double = 1, title: String? = nil) {
        add(
            "circle",
            "cx=\"\(number(centre.x))\" cy=\"\(number(centre.y))\" r=\"\(number(radius))\" fill=\"\(fill)\" "
                + "fill-opacity=\"\(number(opacity))\"", title: title)
    }

    /// Adds an element with its attributes, and with a title that is shown next to the pointer.
    private mutating func add(_ name: String, _ attributes: String, title: String?) {
        elements.append(
            title.map { "<\(name) \(attributes)><title>\(Self.escaped($0))</title></\(name)>" }
                ?? "<\(name) \(attributes)/>")
    }

    /// Draws a line through a sequence of points.
    ///
    /// - Parameter dash: The length of the dashes; nil for a solid line.
    mutating func line(_ points: [Point], stroke: String, width: Double = 1, opacity: Double = 1, dash: Double? = nil) {
        let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\" "
                + "stroke-opacity=\"\(number(opacity))\" stroke-linejoin=\"round\""
                + (dash.map { " stroke-dasharray=\"\(number($0))\"" } ?? "") + "/>")
    }

    mutating func rectangle(_ corner: Point, width: Double, height: Double, fill: String, title: String? = nil) {
        add(
            "rect",
            "x=\"\(number(corner.x))\" y=\"\(number(corner.y))\" width=\"\(number(width))\" "
                + "height=\"\(number(height))\" fill=\"\(fill)\"", title: title)
    }

    mutating func text(
        _ text: String, at place: Point, size: Double = 13, anchor: Anchor = .start, fill: String = Tone.text,
        turned: Bool = false, halo: String? = nil
    ) {
        // An outline in the background's colour makes text on lines readable.
        let rim =
            halo.map { " stroke=\"\($0)\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"" } ?? ""
        labels.append((text, Self.box(of: text, at: place, size: size, anchor: anchor, turned: turned)))
        let turn = turned ? " transform=\"rotate(-90 \(number(place.x)) \(number(place.y)))\"" : ""
        elements.append(
            "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" font-size=\"\(number(size))\" fill=\"\(fill)\" "
                + "text-anchor=\"\(anchor.rawValue)\"\(turn)\(rim)>\(Self.escaped(text))</text>")
    }

    /// Draws a dot with its meaning.
    ///
    /// - Parameter place: The left end of the baseline.
    /// - Returns: The left end of the next entry of a legend.
    mutating func key(_ text: String, fill: String, radius: Double = 4.5, opacity: Double = 1, at place: Point)
        -> Double
    {
        circle((place.x + radius, place.y - 4), radius: radius, fill: fill, opacity: opacity)
        let start = place.x + 2 * radius + 5
        self.text(text, at: (start, place.y), size: 12, fill: Tone.muted)
        return start + Self.width(of: text, size: 12) + 18
    }

    /// Replaces the neutral colours for readers who prefer dark pages.
    private static let darkStyle =
        "<style>@media (prefers-color-scheme:dark){"
        + Tone.dark.map { "[fill=\"\($0)\"]{fill:\($1)}[stroke=\"\($0)\"]{stroke:\($1)}" }.joined() + "}</style>"

    /// The drawing as the text of an SVG file, for light and dark pages.
    ///
    /// The same drawing gives the same text on every machine. O(number of elements).
    public var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" font-family="Helvetica, Arial, sans-serif">
        \(Self.darkStyle)
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    private func number(_ value: Double) -> String { String(format: "%.5g", value) }

    /// A text escaped for XML, with hidden characters made visible (``VisibleText``).
    static func escaped(_ text: String) -> String {
        VisibleText.escaped(text).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Maps points to a field with the same scale for both axes, so that distances are in proportion.
struct PointPlacement: Sendable {
    private let centre: SVGDrawing.Point
    private let middle: SVGDrawing.Point
    private let scale: Double

    /// Creates the mapping that fills a field with the points.
    ///
    /// - Parameters:
    ///   - points: The points, y up.
    ///   - centre: The middle of the field.
    ///   - width: The width of the field.
    ///   - height: The height of the field.
    init(of points: [SVGDrawing.Point], around centre: SVGDrawing.Point, width: Double, height: Double) {
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (low, high) = ((x: xs.min() ?? 0, y: ys.min() ?? 0), (x: xs.max() ?? 0, y: ys.max() ?? 0))
        scale = min(width / max(high.x - low.x, 1e-9), height / max(high.y - low.y, 1e-9))
        middle = ((low.x + high.x) / 2, (low.y + high.y) / 2)
        self.centre = centre
    }

    /// The position of a point in the drawing.
    func location(of point: SVGDrawing.Point) -> SVGDrawing.Point {
        (centre.x + (point.x - middle.x) * scale, centre.y - (point.y - middle.y) * scale)
    }
}
