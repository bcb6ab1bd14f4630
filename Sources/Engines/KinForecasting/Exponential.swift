/// eˣ for x ≤ 0, the same bits on every machine: forecasts must not depend on whose C library computes them.
///
/// x = k ln 2 + r with |r| ≤ ½ ln 2, eʳ by its Taylor polynomial of degree 9 (relative error below 10⁻¹¹), 2ᵏ by its exponent.
/// Below −80 the result is 0, which as a weight it is.
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
