import Foundation
package import Kin

/// A .npy file of floats, row after row, as `kin generate` writes it. It is read in pieces, because it may be larger
/// than memory.
package struct NumPyFile {
    package let rows: Int
    package let columns: Int
    private let path: String
    private let offset: Int

    /// Reads the header.
    package init(_ path: String) throws {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Malformed(path: path, what: "cannot be read")
        }
        defer { try? handle.close() }
        let start = try handle.read(upToCount: 10) ?? Data()
        guard start.count == 10, start.prefix(8) == Data([0x93] + Array("NUMPY".utf8) + [1, 0]) else {
            throw Malformed(path: path, what: "is not a .npy file of version 1")
        }
        let length = Int(start[8]) | Int(start[9]) << 8
        let header = String(decoding: try handle.read(upToCount: length) ?? Data(), as: UTF8.self)
        guard header.contains("'<f4'"), header.contains("'fortran_order': False"),
            let open = header.lastIndex(of: "("), let close = header.lastIndex(of: ")"), open < close
        else { throw Malformed(path: path, what: "does not hold 32-bit floats row after row") }
        let shape = header[header.index(after: open)..<close].split(separator: ",").compactMap {
            Int($0.trimmingCharacters(in: .whitespaces))
        }
        guard shape.count == 2 else { throw Malformed(path: path, what: "is not a matrix") }
        self.path = path
        rows = shape[0]
        columns = shape[1]
        offset = 10 + length
    }

    /// All rows.
    package func all() throws -> Matrix<Float> { try matrix(0..<rows) }

    /// A range of the rows.
    package func matrix(_ range: Range<Int>) throws -> Matrix<Float> {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { throw Malformed(path: path, what: "cannot be read") }
        defer { close(descriptor) }
        let count = range.count * columns
        let start = offset + range.lowerBound * columns * 4
        let elements = try unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            var done = 0
            while done < count * 4 {
                // Linux reads at most 2 GB at once.
                let n = unsafe pread(
                    descriptor, bytes.baseAddress! + done, min(count * 4 - done, 1 << 30), off_t(start + done))
                guard n > 0 else { throw Malformed(path: path, what: "ends before its last row") }
                done += n
            }
            filled = count
        }
        return try Matrix(rows: range.count, columns: columns, elements: elements)
    }

    package struct Malformed: Error, CustomStringConvertible {
        var path: String
        var what: String

        package var description: String { "\(path) \(what)" }
    }
}
