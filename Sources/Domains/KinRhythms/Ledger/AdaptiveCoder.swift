/// A binary arithmetic coder of bits and whole numbers. It learns how often each bit of each field is set.
///
/// The same calls write and read. When it reads, it ignores the values that it receives and returns the stored ones.
/// Reading any bytes is safe: after their end it reads zeros.
struct AdaptiveCoder {
    /// The largest number of bits in a coded number's magnitude.
    private static let longest = 40
    /// The number of contexts of a field: for each length of a number, one for the length and eight for leading bits.
    private static let contexts = 9 * (longest + 1)

    let isReading: Bool
    private var bytes: [UInt8]
    private var position = 0
    private var (low, high, code): (UInt32, UInt32, UInt32) = (0, .max, 0)
    /// The probability that a bit is set, in units of 1/4,096, by context.
    private var odds: [UInt32]

    /// Creates a coder that has learned nothing.
    ///
    /// - Parameters:
    ///   - fields: The number of fields.
    ///   - bytes: The bytes to read; nil to write.
    init(fields: Int, reading bytes: [UInt8]?) {
        isReading = bytes != nil
        self.bytes = bytes ?? []
        odds = Array(repeating: 2048, count: fields * Self.contexts)
        if isReading { for _ in 0..<4 { code = code << 8 | next() } }
    }

    /// The written bytes, with the end of the code.
    var written: [UInt8] { bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: low >> $0) } }

    /// Writes or reads a number of a field: its length in unary, then its bits below the leading one.
    ///
    /// - Parameters:
    ///   - number: A number of at most 39 bits; ignored when reading.
    ///   - field: The number of the field.
    mutating func number(_ number: Int, in field: Int) -> Int {
        let first = field * Self.contexts
        let folded = (number << 1 ^ number >> 63) &+ 1
        var length = 0
        while length < Self.longest, bit(folded >> (length + 1) != 0, first + length) { length += 1 }
        var value = 1
        for place in (0..<length).reversed() {
            // The three bits after the leading one have contexts, the lower ones are about equally often set.
            let context = value < 8 ? first + Self.longest + 1 + 8 * length + value : nil
            value = value << 1 | (bit(folded >> place & 1 == 1, context) ? 1 : 0)
        }
        return (value - 1) >> 1 ^ -((value - 1) & 1)
    }

    /// Writes or reads a bit.
    ///
    /// - Parameter context: The context that learns; nil for equal odds.
    private mutating func bit(_ given: Bool, _ context: Int?) -> Bool {
        let odd = context.map { odds[$0] } ?? 2048
        let middle = low + (high - low) >> 12 * odd
        let bit = isReading ? code <= middle : given
        if bit { high = middle } else { low = middle + 1 }
        // A bit stays possible: the odds reach neither 0 nor 4,096.
        if let context { odds[context] = bit ? odd + (4096 - odd) >> 5 : odd - odd >> 5 }
        while (low ^ high) >> 24 == 0 {
            if isReading { code = code << 8 | next() } else { bytes.append(UInt8(high >> 24)) }
            (low, high) = (low << 8, high << 8 | 255)
        }
        return bit
    }

    private mutating func next() -> UInt32 {
        defer { position += 1 }
        return position < bytes.count ? UInt32(bytes[position]) : 0
    }
}
