import Foundation
import Kin

/// The file formats that vectors are read from and written to.
enum VectorFormat: String, CaseIterable, Sendable {
    /// Text, one row a line; commas, semicolons or tabs.
    case csv
    /// An array file of NumPy (`.npy`).
    case npy
    /// Rows of a 32-bit length and that many 32-bit floats (the TEXMEX layout of SIFT1M and GIST1M).
    case fvecs
    /// The same with bytes.
    case bvecs
    /// The same with 32-bit integers.
    case ivecs

    /// The format a file's name ends in, if it is one of ours.
    init?(path: String) {
        let ending = (path as NSString).pathExtension.lowercased()
        self.init(rawValue: ending == "tsv" || ending == "txt" || ending == "data" ? "csv" : ending)
    }
}

/// Reads any supported file of vectors.
struct VectorFileReader {
    /// The columns of a CSV that are the vector, the id and the label.
    var selection = ColumnSelection()
    /// The format, where the file's name does not tell it.
    var format: VectorFormat?

    /// Reads a whole file; `-` is standard input.
    ///
    /// - Errors: a missing file (66), a compressed or malformed one (65); messages name the line and column, the row
    ///   or the byte.
    func read(_ path: String, console: Console) throws(Failure) -> VectorTable {
        let bytes = try ByteReader(path: path)
        let bar = ProgressBar("reading \((bytes.name as NSString).lastPathComponent)", on: console)
        defer { bar.finish() }
        let progress: (Int) -> Void = { bar.update(done: $0, of: bytes.size, unit: NumberText.bytes) }
        let format = try resolve(bytes, path: path)
        let table: VectorTable =
            switch format {
            case .csv: try CSVVectorReader(bytes: bytes, selection: selection, progress: progress).read()
            case .npy: try NPYReader(bytes: bytes, progress: progress).read()
            case .fvecs, .bvecs, .ivecs: try VecsReader(bytes: bytes, format: format, progress: progress).read()
            }
        if format != .csv && selection.isMade {
            throw .usage("columns can be chosen in a CSV file only; \(bytes.name) is \(format.rawValue)")
        }
        guard table.count > 0 else { throw bytes.malformed("the file holds no vectors") }
        return table
    }

    private func resolve(_ bytes: ByteReader, path: String) throws(Failure) -> VectorFormat {
        let start = try bytes.peek(6)
        if start.starts(with: [0x1F, 0x8B]) {
            let plain = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
            let format = VectorFormat(path: plain).map { $0 == .csv ? "" : " --format \($0.rawValue)" } ?? ""
            throw bytes.malformed(
                path == "-"
                    ? "the input is compressed with gzip: send it through `gunzip -c` first"
                    : "the file is compressed with gzip: run `gunzip -k \(path)`, or give `-` as the input and pipe it:"
                        + " gunzip -c \(path) | kin …\(format)"
            )
        }
        if let format { return format }
        if start == Array("\u{93}NUMPY".unicodeScalars.map { UInt8($0.value) }) { return .npy }
        if let format = VectorFormat(path: path) { return format }
        if path == "-" { return .csv }
        throw .usage(
            "the name \(path) does not tell the format: say --format csv, npy, fvecs, bvecs or ivecs"
        )
    }
}
