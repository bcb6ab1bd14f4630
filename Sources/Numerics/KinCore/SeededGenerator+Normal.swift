extension SeededGenerator {
    /// A standard normal deviate, with the same bits on every machine.
    ///
    /// The usual methods call `log` or `cos`, whose last bits differ between C libraries. This one only adds and
    /// multiplies, which IEEE 754 defines to the bit. Twelve 16-bit uniforms, exact as integers, are summed; the sum
    /// has mean 6 and variance 1 − 2⁻³², and Teichroew's odd polynomial in y = (Σ − 6) ∕ 4 corrects its light tails to
    /// the normal's, within 2·10⁻⁴ for |x| < 3 (Abramowitz and Stegun 1964, 26.8.6a(3)). Three 64-bit numbers per
    /// deviate, no branch. Beyond ±4 the tails are shorter than the normal's, which is irrelevant for profiles in 0…1.
    package mutating func normalDeviate() -> Double {
        var sum = 0
        for _ in 0..<3 {
            let bits = next()
            sum += Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
        }
        // Each part stands for the middle of its cell of width 2^-16: twelve halves make the 6.
        let y = (Double(sum + 6) * 0x1p-16 - 6) * 0.25
        let s = y * y
        return
            ((((0.029899776 * s + 0.008355968) * s + 0.076542912) * s + 0.252408784) * s + 3.949846138) * y
    }
}
