/// A histogram of pixels by the upper six bits of their components, with sums that make the mean colour of each cell
/// exact.
struct ColourHistogram {
    /// The number of pixels, and the sums of their red, green and blue components.
    private typealias Cell = SIMD4<UInt32>

    /// The bits of a component that select its cell.
    private static let bits = 6
    private static let cellCount = 1 << (3 * bits)
    /// The number of pixels with sums that fit into 32 bits.
    private static let pixelsAtOnce = 1 << 24

    private var cells = [Cell](repeating: .zero, count: cellCount)
    /// The cells set aside before their sums could overflow 32 bits.
    private var full: [(cell: Int, contents: Cell)] = []

    /// Counts pixels of 3 or 4 bytes; the first three bytes are red, green and blue.
    init(_ pixels: UnsafeBufferPointer<UInt8>, stride: Int) {
        let count = pixels.count / stride
        var first = 0
        while first < count {
            let end = min(count, first + Self.pixelsAtOnce)
            unsafe cells.withUnsafeMutableBufferPointer { cells in
                for i in first..<end {
                    let (red, green, blue) = unsafe (
                        UInt32(pixels[i &* stride]), UInt32(pixels[i &* stride &+ 1]), UInt32(pixels[i &* stride &+ 2])
                    )
                    // The upper six bits of each component.
                    let position = Int((red & 0xFC) &<< 10 | (green & 0xFC) &<< 4 | blue &>> 2)
                    unsafe cells[position] &+= Cell(1, red, green, blue)
                }
            }
            if end < count { setAside() }
            first = end
        }
    }

    private mutating func setAside() {
        for i in cells.indices where cells[i][0] > 0 {
            full.append((i, cells[i]))
            cells[i] = .zero
        }
    }

    /// The mean colours of the occupied cells, weighted by their pixels: for all cells, and for blocks of eight cells.
    func points() -> (fine: ColourPoints, coarse: ColourPoints) {
        let conversion = LabTable.shared
        var fine = ColourPoints()
        // Sums over coarse cells: weight, L*, a*, b*.
        var sums = [SIMD4<Double>](repeating: .zero, count: Self.cellCount / 8)
        func add(_ cell: Int, _ contents: Cell) {
            let weight = Double(contents[0])
            let lab = conversion.lab(
                Float(contents[1]) / Float(contents[0]), Float(contents[2]) / Float(contents[0]),
                Float(contents[3]) / Float(contents[0]))
            fine.append(lab, weight: weight)
            let (red, green, blue) = (cell >> 13, cell >> 7 & 31, cell >> 1 & 31)
            sums[red << 10 | green << 5 | blue] += weight * SIMD4(1, Double(lab.0), Double(lab.1), Double(lab.2))
        }
        for (cell, contents) in full { add(cell, contents) }
        for cell in cells.indices where cells[cell][0] > 0 { add(cell, cells[cell]) }
        var coarse = ColourPoints()
        for sum in sums where sum[0] > 0 {
            coarse.append((Float(sum[1] / sum[0]), Float(sum[2] / sum[0]), Float(sum[3] / sum[0])), weight: sum[0])
        }
        return (fine, coarse)
    }
}

/// A conversion from sRGB to CIELAB by tables, within 0.01 ΔE of ``CIELAB/init(red:green:blue:)`` and several times as
/// fast.
private struct LabTable: Sendable {
    static let shared = LabTable()

    /// The linear light of each component.
    private let light: [Float]
    private let compressed: [Float]
    private static let steps: Float = 4096

    init() {
        light = (0...256).map { Float(CIELAB.light(ofComponent: Double(min(255, $0)))) }
        compressed = (0...Int(Self.steps) + 2).map { Float(CIELAB.compressed(Double($0) / Double(Self.steps))) }
    }

    private func light(_ component: Float) -> Float {
        let low = Int(component)
        return light[low] + (component - Float(low)) * (light[low + 1] - light[low])
    }

    private func f(_ t: Float) -> Float {
        let position = min(t, 1) * Self.steps
        let low = Int(position)
        return compressed[low] + (position - Float(low)) * (compressed[low + 1] - compressed[low])
    }

    func lab(_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float) {
        let (r, g, b) = (light(red), light(green), light(blue))
        let fx = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
        let fy = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
        let fz = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
        return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
    }
}
