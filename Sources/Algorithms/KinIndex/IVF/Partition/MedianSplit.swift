/// Orders rows by splitting them at medians of their coordinates in the pruning frame.
///
/// Rows are not moved during ordering. Instead, 64-bit keys are moved: the upper half is the coordinate along the split
/// axis, as an integer with the same order, and the lower half is the row number. So ties are broken by row number, and
/// the same rows give the same order everywhere.
@safe
struct MedianSplit {
    let coordinates: UnsafePointer<Float>
    let stride: Int
    let dimension: Int
    /// One key per row; the low halves are always all the row numbers.
    let keys: UnsafeMutablePointer<UInt64>

    /// Creates the order 0 ..< rows.
    ///
    /// - Parameters:
    ///   - coordinates: rows × stride floats.
    ///   - keys: Memory for one key per row.
    init(
        coordinates: UnsafePointer<Float>, stride: Int, dimension: Int, rows: Int, keys: UnsafeMutablePointer<UInt64>
    ) {
        unsafe self.coordinates = coordinates
        self.stride = stride
        self.dimension = dimension
        unsafe self.keys = keys
        for r in 0..<rows { unsafe keys[r] = UInt64(r) }
    }

    func row(_ position: Int) -> Int { unsafe Int(keys[position] & 0xFFFF_FFFF) }

    func coordinate(_ position: Int, _ axis: Int) -> Float { unsafe coordinates[row(position) * stride + axis] }

    /// The axis along which the rows at a range of positions vary most; the first of equal ones.
    ///
    /// At most 128 rows are examined: a slightly worse axis costs a slightly worse box.
    func widestAxis(_ positions: Range<Int>) -> Int {
        let step = max(1, positions.count / 128)
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * stride) { memory in
            unsafe memory.initialize(repeating: 0)
            let origin = memory.baseAddress!
            let (sums, squares) = unsafe (origin + stride, origin + 2 * stride)
            unsafe origin.update(from: coordinates + row(positions.lowerBound) * stride, count: stride)
            var n: Float = 0
            for position in Swift.stride(from: positions.lowerBound, to: positions.upperBound, by: step) {
                let z = unsafe coordinates + row(position) * stride
                n += 1
                for j in 0..<stride {
                    let difference = unsafe z[j] - origin[j]
                    unsafe sums[j] += difference
                    unsafe squares[j] += difference * difference
                }
            }
            var widest = 0
            var most: Float = -1
            for j in 0..<dimension {
                let variance = unsafe squares[j] - sums[j] * sums[j] / n
                if variance > most { (widest, most) = (j, variance) }
            }
            return widest
        }
    }

    /// Orders the rows at a range of positions so that the rows before `middle` have the smaller coordinates along an
    /// axis.
    ///
    /// Hoare's selection with the median of three as pivot; O(n) expected.
    func select(_ middle: Int, of positions: Range<Int>, along axis: Int) {
        for position in positions {
            let row = row(position)
            unsafe keys[position] = UInt64(coordinates[row * stride + axis].orderedBits) << 32 | UInt64(row)
        }
        var low = positions.lowerBound
        var high = positions.upperBound - 1
        while low < high {
            let pivot = unsafe median(keys[low], keys[(low + high) / 2], keys[high])
            var i = low
            var j = high
            while i <= j {
                while unsafe keys[i] < pivot { i += 1 }
                while unsafe keys[j] > pivot { j -= 1 }
                if i <= j {
                    let key = unsafe keys[i]
                    unsafe keys[i] = keys[j]
                    unsafe keys[j] = key
                    i += 1
                    j -= 1
                }
            }
            if middle <= j {
                high = j
            } else if middle >= i {
                low = i
            } else {
                break
            }
        }
    }

    private func median(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
        max(min(a, b), min(max(a, b), c))
    }

    /// Orders the rows so that each run of `leaf` rows is a cell of repeated median splits.
    func order(_ positions: Range<Int>, leaf: Int) {
        guard positions.count > leaf else { return }
        let leaves = (positions.count + leaf - 1) / leaf
        let middle = positions.lowerBound + (leaves / 2) * leaf
        select(middle, of: positions, along: widestAxis(positions))
        order(positions.lowerBound..<middle, leaf: leaf)
        order(middle..<positions.upperBound, leaf: leaf)
    }
}

extension Float {
    /// An integer with the same order as the number, with −0 below 0.
    fileprivate var orderedBits: UInt32 {
        let bits = bitPattern
        return bits & 0x8000_0000 != 0 ? ~bits : bits | 0x8000_0000
    }
}
