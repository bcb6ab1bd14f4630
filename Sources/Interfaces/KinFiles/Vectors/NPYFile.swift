/// Rows of 32-bit floats as a NumPy array file (`.npy`, version 1.0).
package enum NPYFile {
    /// The header of a file: magic, version, and the length of a dictionary that describes the array.
    package static func header(rows: Int, columns: Int) -> [UInt8] {
        var dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
        // Magic, version and length take ten bytes; the whole header with its final line break is a multiple of 64.
        dictionary += String(repeating: " ", count: 63 - (10 + dictionary.utf8.count) % 64) + "\n"
        let length = dictionary.utf8.count
        return [0x93] + "NUMPY".utf8 + [1, 0, UInt8(length & 255), UInt8(length >> 8)] + dictionary.utf8
    }

    /// Writes rows as an array of shape (rows, columns) and type `<f4`, in a file that only its owner can read.
    ///
    /// - Parameters:
    ///   - elements: The rows, one after the other.
    ///   - columns: The number of columns.
    ///   - path: The file, which appears when it is complete.
    /// - Throws: `.inputOutput` if the file cannot be created or written.
    package static func write(_ elements: [Float], columns: Int, to path: String) throws {
        try WholeFile.make(path, isPrivate: true) { file in
            try file.write(header(rows: columns == 0 ? 0 : elements.count / columns, columns: columns))
            var bytes: [UInt8] = []
            for number in elements {
                unsafe withUnsafeBytes(of: number.bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
                if bytes.count >= 1 << 20 {
                    try file.write(bytes)
                    bytes.removeAll(keepingCapacity: true)
                }
            }
            try file.write(bytes)
        }
    }
}
