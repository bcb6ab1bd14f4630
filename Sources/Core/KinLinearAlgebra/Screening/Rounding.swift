// Rounding without a library call, which `rounded()` is where code for SSE4.1 is not generated.

extension Double {
    /// The nearest integer, halves to even, for |x| < 2⁵¹: adding and taking away 1.5 · 2⁵² leaves no bits below one.
    @inline(__always)
    var roundedToEven: Double { (self + 0x1.8p52) - 0x1.8p52 }
}

extension Int32 {
    /// ⌊x⌋ of a number that it can hold.
    @inline(__always)
    init(floorOf x: Double) {
        let whole = Int32(x)
        self = Double(whole) > x ? whole - 1 : whole
    }
}
