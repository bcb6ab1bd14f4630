import Foundation
import Kin
import KinFiles

/// A drawing in SVG, element by element; what is drawn later lies above.
struct SVGDrawing {
    let width: Double
    let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The end of a text that stands at its point.
    enum Anchor: String { case start, middle, end }

    /// A point of the drawing: x to the right, y down.
    typealias Point = (x: Double, y: Double)

    mutating func circle(_ centre: Point, radius: Double, fill: String, opacity: Double = 1, title: String? = nil) {
        let attributes =
            "cx=\"\(number(centre.x))\" cy=\"\(number(centre.y))\" r=\"\(number(radius))\" fill=\"\(fill)\" "
            + "fill-opacity=\"\(number(opacity))\""
        elements.append(
            title.map { "<circle \(attributes)><title>\(Self.escaped($0))</title></circle>" }
                ?? "<circle \(attributes)/>")
    }

    /// Draws a line through some points.
    ///
    /// - Parameter dash: The length of the dashes; nil for a line in one go.
    mutating func line(
        _ points: [Point], stroke: String, width: Double = 1, opacity: Double = 1, dash: Double? = nil
    ) {
        let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\" "
                + "stroke-opacity=\"\(number(opacity))\" stroke-linejoin=\"round\""
                + (dash.map { " stroke-dasharray=\"\(number($0))\"" } ?? "") + "/>")
    }

    mutating func rectangle(
        _ corner: Point, width: Double, height: Double, fill: String, opacity: Double = 1, title: String? = nil
    ) {
        let attributes =
            "x=\"\(number(corner.x))\" y=\"\(number(corner.y))\" width=\"\(number(width))\" "
            + "height=\"\(number(height))\" fill=\"\(fill)\""
            + (opacity < 1 ? " fill-opacity=\"\(number(opacity))\"" : "")
        elements.append(
            title.map { "<rect \(attributes)><title>\(Self.escaped($0))</title></rect>" } ?? "<rect \(attributes)/>")
    }

    mutating func text(
        _ text: String, at place: Point, size: Double = 13, anchor: Anchor = .start, fill: String = "#333",
        turned: Bool = false, halo: String? = nil
    ) {
        // A rim of the background's colour keeps a text readable on lines.
        let rim =
            halo.map { " stroke=\"\($0)\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"" } ?? ""
        let turn = turned ? " transform=\"rotate(-90 \(number(place.x)) \(number(place.y)))\"" : ""
        elements.append(
            "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" font-size=\"\(number(size))\" fill=\"\(fill)\" "
                + "text-anchor=\"\(anchor.rawValue)\"\(turn)\(rim)>\(Self.escaped(text))</text>")
    }

    /// The drawing as an SVG file's text.
    var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" font-family="Helvetica, Arial, sans-serif">
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    /// Writes the file, whole or not at all.
    ///
    /// - Throws: A `Failure` of usage for a name that promises another format than SVG.
    func write(to path: String) throws {
        let ending = (path as NSString).pathExtension.lowercased()
        guard path == "-" || ending == "svg" else {
            let name = (path as NSString).deletingPathExtension
            throw Failure.usage("drawings are SVG, not \(ending.isEmpty ? "\"\(path)\"" : ending): call it \(name).svg")
        }
        try WholeFile.make(path, text: document)
    }

    private func number(_ value: Double) -> String { String(format: "%.5g", value) }

    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
}
