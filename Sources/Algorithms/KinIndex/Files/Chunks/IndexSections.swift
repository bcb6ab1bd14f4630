/// The tags of the sections that both kinds of index have, as in `FORMAT.md`.
enum IndexSections {
    /// The settings of the whole index; their layout differs by kind.
    static let settings: FourCharacterCode = "META"

    // Numbered by chunk or list.
    static let rows: FourCharacterCode = "ROWS"
    static let ids: FourCharacterCode = "IDS "
    static let codes: FourCharacterCode = "CODE"
    static let outliers: FourCharacterCode = "EXCP"
}

extension RowLayout {
    /// The layout given by section `META` of a file.
    ///
    /// - Parameter shifts: The values of ``chunkShift`` that the kind of index allows.
    init(dimension: UInt64, metric: UInt64, chunkShift: UInt64, allowing shifts: ClosedRange<Int>) throws(KinError) {
        guard (1...UInt64(Self.largestDimension)).contains(dimension) else {
            throw .corrupt("section META gives \(dimension) dimensions; there are 1 to \(Self.largestDimension)")
        }
        guard let metric = Int(exactly: metric).flatMap(Metric.init(number:)) else {
            throw .corrupt("section META gives the metric \(metric), which is not known")
        }
        guard let shift = Int(exactly: chunkShift), shifts.contains(shift) else {
            throw .corrupt("section META gives room for 2^\(chunkShift) vectors at a place")
        }
        self.init(dimension: Int(dimension), metric: metric, chunkShift: shift)
    }
}

extension CodeGrid {
    /// The numbers of a grid in a file: the scale, then an offset for each dimension, with zeros after the last.
    var numbers: [Double] { [scale] + offsets }

    /// Creates the grid from the numbers in a file; nil if they are not a grid.
    convenience init?(numbers: [Double]) {
        guard numbers.allSatisfy(\.isFinite), numbers[0] > 0 else { return nil }
        self.init(offsets: Array(numbers.dropFirst()), scale: numbers[0])
    }
}
