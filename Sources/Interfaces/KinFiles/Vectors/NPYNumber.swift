/// The number types of a `.npy` file that become floats: floats, integers and booleans.
struct NPYNumber: Equatable {
    /// The width of a number in bytes.
    let width: Int
    private let kind: Kind
    private let isBigEndian: Bool

    private enum Kind { case float, signed, unsigned }

    /// Parses NumPy's type code, `<f4`, `>i2` or `|b1`; nil for an unsupported type.
    init?(code: String) {
        guard let order = code.first, let width = Int(code.dropFirst(2)), code.count >= 3 else { return nil }
        guard "<=>".contains(order) || (order == "|" && width == 1) else { return nil }
        switch (code.dropFirst().first, width) {
        case ("f", 2), ("f", 4), ("f", 8): kind = .float
        case ("i", 1), ("i", 2), ("i", 4), ("i", 8): kind = .signed
        case ("b", 1), ("u", 1), ("u", 2), ("u", 4), ("u", 8): kind = .unsigned
        default: return nil
        }
        self.width = width
        isBigEndian = order == ">" && width > 1
    }

    /// Whether different numbers of the type can become equal as floats.
    var mayMerge: Bool { width == 8 || width == 4 && kind != .float }

    /// Decodes numbers of a type with ``mayMerge``. As doubles, only whole numbers beyond 2⁵³ can become equal.
    func doubles(_ bytes: [UInt8]) -> [Double] {
        var numbers: [Double] = []
        let bytes = littleEndian(bytes)
        switch (kind, width) {
        case (.float, _): LittleEndian.forEach(UInt64.self, in: bytes) { numbers.append(Double(bitPattern: $0)) }
        case (.signed, 4): LittleEndian.forEach(Int32.self, in: bytes) { numbers.append(Double($0)) }
        case (.signed, _): LittleEndian.forEach(Int64.self, in: bytes) { numbers.append(Double($0)) }
        case (.unsigned, 4): LittleEndian.forEach(UInt32.self, in: bytes) { numbers.append(Double($0)) }
        case (.unsigned, _): LittleEndian.forEach(UInt64.self, in: bytes) { numbers.append(Double($0)) }
        }
        return numbers
    }

    /// Decodes numbers and appends them.
    ///
    /// - Returns: The index of the first number that is not a finite 32-bit float; nil if all are.
    func append(_ bytes: [UInt8], to elements: inout [Float]) -> Int? {
        let first = elements.count
        let bytes = littleEndian(bytes)
        switch (kind, width) {
        case (.float, 2): LittleEndian.forEach(UInt16.self, in: bytes) { elements.append(Self.float(half: $0)) }
        case (.float, 4): LittleEndian.forEach(UInt32.self, in: bytes) { elements.append(Float(bitPattern: $0)) }
        case (.float, _):
            LittleEndian.forEach(UInt64.self, in: bytes) { elements.append(Float(Double(bitPattern: $0))) }
        case (.signed, 1): LittleEndian.forEach(Int8.self, in: bytes) { elements.append(Float($0)) }
        case (.signed, 2): LittleEndian.forEach(Int16.self, in: bytes) { elements.append(Float($0)) }
        case (.signed, 4): LittleEndian.forEach(Int32.self, in: bytes) { elements.append(Float($0)) }
        case (.signed, _): LittleEndian.forEach(Int64.self, in: bytes) { elements.append(Float($0)) }
        case (.unsigned, 1): LittleEndian.forEach(UInt8.self, in: bytes) { elements.append(Float($0)) }
        case (.unsigned, 2): LittleEndian.forEach(UInt16.self, in: bytes) { elements.append(Float($0)) }
        case (.unsigned, 4): LittleEndian.forEach(UInt32.self, in: bytes) { elements.append(Float($0)) }
        case (.unsigned, _): LittleEndian.forEach(UInt64.self, in: bytes) { elements.append(Float($0)) }
        }
        return elements[first...].firstIndex { !$0.isFinite }.map { $0 - first }
    }

    private func littleEndian(_ bytes: [UInt8]) -> [UInt8] {
        guard isBigEndian else { return bytes }
        return bytes.indices.map { bytes[$0 / width * width + width - 1 - $0 % width] }
    }

    /// The number of a 16-bit float; an infinity for all bits of infinities and NaN.
    private static func float(half bits: UInt16) -> Float {
        let magnitude = UInt32(bits & 0x7FFF)
        // The biases of the exponents, 15 and 127, differ by 112.
        let value = magnitude < 0x7C00 ? Float(bitPattern: magnitude << 13) * 0x1p112 : .infinity
        return bits & 0x8000 == 0 ? value : -value
    }
}

/// Reads whole numbers in little-endian byte order, at any alignment.
enum LittleEndian {
    @inline(__always)
    static func forEach<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type,
        in bytes: [UInt8],
        _ body: (Number) -> Void
    ) {
        let width = MemoryLayout<Number>.size
        unsafe bytes.withUnsafeBytes { raw in
            for index in 0..<raw.count / width {
                body(Number(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: index * width, as: Number.self)))
            }
        }
    }
}
