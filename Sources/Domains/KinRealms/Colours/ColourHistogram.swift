/// Pixels counted by the upper five bits of their components, with the sums of each cell, so that its mean colour is exact.
///
/// k-means moves the means of groups of pixels; pixels of one cell (eight levels wide, 1 to 4 ΔE) nearly always belong to the same group,
/// so the means over cells are those over pixels but for the few cells that a border cuts.
struct ColourHistogram {
    /// A cell's number of pixels and the sums of their components.
    private struct Cell {
        var count: UInt32 = 0
        var red: UInt32 = 0
        var green: UInt32 = 0
        var blue: UInt32 = 0
    }

    /// A colour and how many pixels have it.
    struct Bin {
        let lab: CIELAB
        let count: Int
    }

    private var cells = [Cell](repeating: Cell(), count: 1 << 15)
    /// Cells whose sums were close to the limit of 32 bits, with what they had.
    private var full: [(cell: Int, contents: Cell)] = []

    /// Counts pixels of 3 or 4 bytes, of which the first three are red, green and blue.
    init(_ pixels: UnsafeBufferPointer<UInt8>, stride: Int) {
        let count = pixels.count / stride
        // 2²⁴ pixels of 255 fit into 32 bits.
        var first = 0
        while first < count {
            let end = min(count, first + (1 << 24) - 1)
            unsafe cells.withUnsafeMutableBufferPointer { cells in
                for i in first..<end {
                    let (red, green, blue) = unsafe (
                        pixels[i &* stride], pixels[i &* stride &+ 1], pixels[i &* stride &+ 2]
                    )
                    let place = Int(red >> 3) &<< 10 | Int(green >> 3) &<< 5 | Int(blue >> 3)
                    unsafe cells[place].count &+= 1
                    unsafe cells[place].red &+= UInt32(red)
                    unsafe cells[place].green &+= UInt32(green)
                    unsafe cells[place].blue &+= UInt32(blue)
                }
            }
            if end < count { setAside() }
            first = end
        }
    }

    private mutating func setAside() {
        for i in cells.indices where cells[i].count > 0 {
            full.append((i, cells[i]))
            cells[i] = Cell()
        }
    }

    /// The cells that have pixels, in the order of their numbers.
    var bins: [Bin] {
        let last = cells.indices.lazy.filter { cells[$0].count > 0 }.map { (cell: $0, contents: cells[$0]) }
        return (full + last).map { _, cell in
            let count = Double(cell.count)
            return Bin(
                lab: CIELAB(
                    red: Double(cell.red) / count, green: Double(cell.green) / count, blue: Double(cell.blue) / count),
                count: Int(cell.count))
        }
    }
}
