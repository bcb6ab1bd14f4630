import Foundation
import Kin

/// A drawing in SVG: shapes in the order in which they are drawn.
struct SVGDrawing {
    let width: Double
    let height: Double
    private var shapes: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1) {
        shapes.append(
            "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(max(0, width)))\" height=\"\(n(max(0, height)))\" fill=\"\(fill)\""
                + (opacity < 1 ? " fill-opacity=\"\(n(opacity))\"" : "") + "/>")
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String, opacity: Double = 1) {
        shapes.append(
            "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" fill=\"\(fill)\" fill-opacity=\"\(n(opacity))\"/>"
        )
    }

    mutating func line(_ points: [(x: Double, y: Double)], stroke: String, width: Double = 1, dashed: Bool = false) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        shapes.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\""
                + (dashed ? " stroke-dasharray=\"4 3\"" : "") + "/>")
    }

    enum Anchor: String { case start, middle, end }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 11, anchor: Anchor = .start, fill: String = "#444"
    ) {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        shapes.append(
            "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\" text-anchor=\"\(anchor.rawValue)\" fill=\"\(fill)\">\(escaped)</text>"
        )
    }

    /// The whole document.
    func svg() -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" width="\(n(width))" \
        height="\(n(height))" font-family="system-ui, sans-serif">
        <rect width="100%" height="100%" fill="white"/>
        \(shapes.joined(separator: "\n"))
        </svg>

        """
    }

    /// A coordinate: two decimals are a hundredth of a point.
    private func n(_ value: Double) -> String {
        let text = String(format: "%.2f", value)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }
}

/// Where drawings go.
enum SVGFile {
    static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.cannotCreate, KinError(.inputOutput, "\(path) cannot be written; choose another place"))
        }
    }
}
