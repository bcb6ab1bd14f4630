import ArgumentParser
import Foundation
import Kin

/// Points in NumPy's format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
enum PointsFile {
    /// Reads a matrix of 32-bit floats, row after row.
    static func read(_ path: String) throws -> Matrix<Float> {
        let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        guard data.count > 12, data.prefix(6) == Data([0x93]) + Data("NUMPY".utf8) else {
            throw ValidationError("\(path) is no .npy file.")
        }
        let wide = data[6] >= 2
        let length = (8..<(wide ? 12 : 10)).reversed().reduce(0) { $0 << 8 | Int(data[$1]) }
        let first = (wide ? 12 : 10) + length
        guard first <= data.count else { throw ValidationError("\(path) ends within its header.") }
        let header = String(decoding: data[(wide ? 12 : 10)..<first], as: UTF8.self)
        let shape = header.firstMatch(of: /'shape': \((\d+), (\d+)\)/)
        guard header.contains("'descr': '<f4'"), header.contains("'fortran_order': False"), let shape,
            let rows = Int(shape.1), let columns = Int(shape.2), data.count == first + 4 * rows * columns
        else { throw ValidationError("\(path) holds no matrix of 32-bit floats, row after row.") }
        let elements = unsafe [Float](unsafeUninitializedCapacity: rows * columns) { buffer, initialized in
            initialized = unsafe data.copyBytes(to: buffer, from: first...) / 4
        }
        return try Matrix(rows: rows, columns: columns, elements: elements)
    }
}
