/// The number of leading bits of a stored 8-bit code that a screen reads.
///
/// The file contains one set of 8-bit codes. Instruction sets with an 8-bit dot product read all eight bits. The others
/// read the leading six bits, because sums of sixteen products then fit in 16 bits. Six bits of a code are a code on a
/// coarser grid: u₆ = ⌊u ∕ 4⌋ represents the middle, 4u₆ + 1.5, of the four codes 4u₆ … 4u₆ + 3.
package enum CodePrecision: Sendable {
    case eightBits
    case sixBits

    package var bits: Int { self == .eightBits ? 8 : 6 }

    /// The number of stored code steps in one step of this precision.
    var step: Double { self == .eightBits ? 1 : 4 }

    /// The position of the code 0 of this precision, in stored steps.
    var origin: Double { self == .eightBits ? 0 : 1.5 }

    /// The largest code of this precision.
    var highest: Double { self == .eightBits ? 255 : 63 }

    /// 2^(bits − 1), the middle of the range, which the kernels subtract.
    var middle: Double { self == .eightBits ? 128 : 32 }

    /// The largest weight that the kernels accept.
    var largestWeight: Double { self == .eightBits ? 127 : 32 }
}
