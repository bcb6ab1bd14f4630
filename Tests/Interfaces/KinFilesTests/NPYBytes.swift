/// A file in NumPy's format with this header.
func npy(_ dictionary: String, _ body: [UInt8], version: UInt8 = 1, claimed: Int? = nil) -> [UInt8] {
    let text = Array(dictionary.utf8)
    let length = UInt32(claimed ?? text.count)
    let size = (0..<(version == 1 ? 2 : 4)).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + size + text + body
}

/// A file in NumPy's format with an array of a type and shape.
func npy(
    _ descr: String, _ shape: String, _ body: [UInt8], isColumnMajor: Bool = false, version: UInt8 = 1,
    claimed: Int? = nil
) -> [UInt8] {
    let order = isColumnMajor ? "True" : "False"
    let dictionary = "{'descr': '\(descr)', 'fortran_order': \(order), 'shape': \(shape), }\n"
    return npy(dictionary, body, version: version, claimed: claimed)
}

func littleEndian<Number: FixedWidthInteger>(_ values: [Number]) -> [UInt8] {
    values.flatMap { value in
        (0..<MemoryLayout<Number>.size).map { UInt8(truncatingIfNeeded: value >> Number($0 * 8)) }
    }
}
