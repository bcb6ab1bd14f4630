// Rounding without a library call: `rounded()` is a call if the target lacks SSE4.1.

extension Double {
    /// The nearest integer, halves to even, for |x| < 2⁵¹: adding and subtracting 1.5 · 2⁵² removes all bits below one.
    @inline(__always)
    var roundedToEven: Double { (self + 0x1.8p52) - 0x1.8p52 }
}

extension Int32 {
    /// ⌊x⌋ for a number in the range of `Int32`.
    @inline(__always)
    init(floorOf x: Double) {
        let whole = Int32(x)
        self = Double(whole) > x ? whole - 1 : whole
    }
}
