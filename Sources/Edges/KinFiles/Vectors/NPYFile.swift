import Kin

/// Rows of 32-bit floats as a NumPy array file (`.npy`, version 1.0).
package enum NPYFile {
    /// Writes rows as an array of shape (rows, columns) and type `<f4`, in a file that is its owner's alone.
    ///
    /// - Parameters:
    ///   - elements: The rows one behind the other.
    ///   - columns: The numbers of each row.
    ///   - path: The file's name, which appears once it is whole.
    /// - Throws: `.inputOutput` when the file cannot be made or written.
    package static func write(_ elements: [Float], columns: Int, to path: String) throws {
        let rows = columns == 0 ? 0 : elements.count / columns
        var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
        // Magic, version and length take ten bytes; all of it with the final line break is a multiple of 64.
        header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
        let length = header.utf8.count
        try WholeFile.make(path, isPrivate: true) { file in
            try file.write(
                [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 255), UInt8(length >> 8)] + Array(header.utf8))
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
