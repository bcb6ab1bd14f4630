/// The exponential eˣ for x ≤ 0, with the same bits on every machine, so that forecasts do not depend on the C library.
///
/// With x = k ln 2 + r and |r| ≤ ½ ln 2, eʳ is computed by its Taylor polynomial of degree 9 (relative error below
/// 10⁻¹¹), and 2ᵏ by the exponent. Below −80 the result is 0, which is negligible as a weight.
@inline(__always)
func decayed(_ x: Double) -> Double {
    guard x > -80 else { return 0 }
    let k = (x * 1.4426950408889634).rounded()
    let r = x - k * 0.6931471805599453
    var sum = 1.0 / 362_880
    sum = sum * r + 1.0 / 40_320
    sum = sum * r + 1.0 / 5040
    sum = sum * r + 1.0 / 720
    sum = sum * r + 1.0 / 120
    sum = sum * r + 1.0 / 24
    sum = sum * r + 1.0 / 6
    sum = sum * r + 0.5
    sum = sum * r + 1
    sum = sum * r + 1
    return sum * Double(bitPattern: UInt64(Int64(k) + 1023) << 52)
}

/// The exponential of a weight's exponent in single precision, without branches or calls, so that loops over it are
/// vectorized.
///
/// The reduction is the same. Adding 1.5 · 2²³ rounds to a whole number, which is then in the lowest bits of the sum.
/// The polynomial of degree 6 has a relative error below 10⁻⁷. Exponents below −20 count as −20: e⁻²⁰ is negligible
/// compared with any weight, and a product of four such factors is still not a subnormal number, which would be slow.
@inline(__always)
func weightDecayed(_ exponent: Float) -> Float {
    let x = max(-20, exponent)
    let shifted = x * 1.442_695_04 + 12_582_912
    let k = shifted - 12_582_912
    // ln 2 is split into two parts. The first has few bits, so that k times it is exact (Cody and Waite 1980).
    let r = (x - k * 0.693_359_375) + k * 2.121_944_4e-4
    var sum: Float = 1.0 / 720
    sum = sum * r + 1.0 / 120
    sum = sum * r + 1.0 / 24
    sum = sum * r + 1.0 / 6
    sum = sum * r + 0.5
    sum = sum * r + 1
    sum = sum * r + 1
    return sum * Float(bitPattern: (shifted.bitPattern &<< 23) &+ (127 << 23))
}
