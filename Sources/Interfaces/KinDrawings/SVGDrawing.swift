import Foundation
import KinCore

/// A drawing in SVG, element by element; what is drawn later lies above.
public struct SVGDrawing: Sendable {
    /// The width of the page, in units of SVG.
    public let width: Double
    /// The height of the page, in units of SVG.
    public let height: Double
    private var elements: [String] = []
    /// The texts drawn so far, by the room that they take.
    private(set) var labels: [(text: String, box: Box)] = []

    /// Creates a drawing of nothing on a background.
    init(width: Double, height: Double, background: String = "#ffffff") {
        self.width = width
        self.height = height
        rectangle((0, 0), width: width, height: height, fill: background)
    }

    /// Eight colours that people with any colour vision tell apart (Okabe and Ito 2008).
    static let colours = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A8300", "#555555"]

    /// The end of a text that stands at its point.
    enum Anchor: String { case start, middle, end }

    /// A point of the drawing: x to the right, y down.
    typealias Point = (x: Double, y: Double)

    /// A rectangle with its sides along the axes.
    struct Box: Sendable {
        var low: Point
        var high: Point

        /// Whether two rectangles have more than an edge in common.
        func overlaps(_ other: Box) -> Bool {
            low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y
        }

        /// Whether a line between two points passes through, by clipping it at the four sides (Liang and Barsky).
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

        /// Whether a circle reaches into it.
        func meets(circle centre: Point, radius: Double) -> Bool {
            let nearest: Point = (min(max(centre.x, low.x), high.x), min(max(centre.y, low.y), high.y))
            let (x, y) = (nearest.x - centre.x, nearest.y - centre.y)
            return x * x + y * y < radius * radius
        }

        /// Whether another rectangle lies in it altogether.
        func contains(_ other: Box) -> Bool {
            low.x <= other.low.x && low.y <= other.low.y && other.high.x <= high.x && other.high.y <= high.y
        }
    }

    /// The width of a text at most: what a wide sans-serif font takes, such as DejaVu Sans; Helvetica takes an eighth less.
    static func width(of text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
    }

    private static func width(of scalar: Unicode.Scalar) -> Double { scalar.value < 0x1100 ? 0.62 : 1 }

    /// The text, cut with an ellipsis where it is wider than there is room.
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

    /// The room that a text takes.
    static func box(
        of text: String, at place: Point, size: Double, anchor: Anchor = .start, turned: Bool = false
    ) -> Box {
        let width = width(of: text, size: size)
        let start = anchor == .start ? 0 : anchor == .middle ? -width / 2 : -width
        // From the ascenders down to the descenders, about the baseline.
        let (up, down) = (0.76 * size, 0.22 * size)
        return turned
            ? Box(low: (place.x - up, place.y - start - width), high: (place.x + down, place.y - start))
            : Box(low: (place.x + start, place.y - up), high: (place.x + start + width, place.y + down))
    }

    /// Writes a text beside a dot, on the first side where it lies on no other text and on none of some dots of the same size; leaves it
    /// out where there is none.
    mutating func label(
        _ text: String, beside dot: Point, radius: Double, clearOf dots: [Point], size: Double = 11,
        fill: String = "#333", halo: String
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

    /// Adds an element with its attributes, and with a title that is shown beside the pointer when there is one.
    private mutating func add(_ name: String, _ attributes: String, title: String?) {
        elements.append(
            title.map { "<\(name) \(attributes)><title>\(Self.escaped($0))</title></\(name)>" }
                ?? "<\(name) \(attributes)/>")
    }

    /// Draws a line through some points.
    ///
    /// - Parameter dash: The length of the dashes; nil for a line in one go.
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
        _ text: String, at place: Point, size: Double = 13, anchor: Anchor = .start, fill: String = "#333",
        turned: Bool = false, halo: String? = nil
    ) {
        // A rim of the background's colour keeps a text readable on lines.
        let rim =
            halo.map { " stroke=\"\($0)\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"" } ?? ""
        labels.append((text, Self.box(of: text, at: place, size: size, anchor: anchor, turned: turned)))
        let turn = turned ? " transform=\"rotate(-90 \(number(place.x)) \(number(place.y)))\"" : ""
        elements.append(
            "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" font-size=\"\(number(size))\" fill=\"\(fill)\" "
                + "text-anchor=\"\(anchor.rawValue)\"\(turn)\(rim)>\(Self.escaped(text))</text>")
    }

    /// The drawing as the text of an SVG file.
    ///
    /// The same drawing gives the same text on every machine. O(number of elements).
    public var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" font-family="Helvetica, Arial, sans-serif">
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    private func number(_ value: Double) -> String { String(format: "%.5g", value) }

    /// A text as XML has it, with hidden characters escaped (``VisibleText``).
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

/// Places points in a field by one scale for both axes, so that distances are what they look like.
struct PointPlacement: Sendable {
    private let centre: SVGDrawing.Point
    private let middle: SVGDrawing.Point
    private let scale: Double

    /// Makes the placement that fills a field with some points.
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

    /// The place of a point on the drawing.
    func location(of point: SVGDrawing.Point) -> SVGDrawing.Point {
        (centre.x + (point.x - middle.x) * scale, centre.y - (point.y - middle.y) * scale)
    }
}
