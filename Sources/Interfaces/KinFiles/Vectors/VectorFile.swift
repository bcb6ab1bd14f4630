import Foundation
public import Kin

/// The file formats that vectors are read from and written to.
public enum VectorFormat: String, CaseIterable, Sendable {
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

    /// The format that a file's name ends in; nil where it is none of these. `tsv`, `txt` and `data` are CSV.
    ///
    /// - Parameter path: The file's name.
    public init?(path: String) {
        let ending = (path as NSString).pathExtension.lowercased()
        self.init(rawValue: ending == "tsv" || ending == "txt" || ending == "data" ? "csv" : ending)
    }
}

extension VectorTable {
    /// Reads a whole file of vectors as 32-bit floats.
    ///
    /// Memory is that of the table and a few megabytes for each thread.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input, CSV unless `format` says otherwise or it begins as NPY does.
    ///   - format: The format, where the file's name does not tell it.
    ///   - columns: The columns of a CSV file that are vector, id, label and attributes.
    ///   - threads: The most threads to parse CSV with; the table does not depend on it.
    ///   - progress: Receives the bytes read so far and the file's size, which a pipe does not have.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput`, `.notFinite`, `.duplicateID` or
    ///   `.unsupportedFormat` with line and column, row or byte, `.invalidArgument` for columns or a format that there are not.
    public init(
        reading path: String, format: VectorFormat? = nil, columns: ColumnSelection = ColumnSelection(),
        threads: Int = 1,
        progress: @escaping (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws(KinError) {
        self = try VectorFile(path, format: format, columns: columns, threads: threads, progress: progress).read()
    }
}

/// A file of vectors that is read in pieces, so that it may be larger than memory.
public struct VectorFile {
    private let path: String
    private let format: VectorFormat?
    private let columns: ColumnSelection
    private let threads: Int
    private let progress: (_ done: Int, _ total: Int?) -> Void

    /// Describes a file and how it is to be read; nothing is opened yet.
    ///
    /// - Parameters: As in ``VectorTable/init(reading:format:columns:threads:progress:)``.
    public init(
        _ path: String, format: VectorFormat? = nil, columns: ColumnSelection = ColumnSelection(), threads: Int = 1,
        progress: @escaping (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) {
        self.path = path
        self.format = format
        self.columns = columns
        self.threads = threads
        self.progress = progress
    }

    /// Reads all rows at once.
    ///
    /// - Throws: As ``VectorTable/init(reading:format:columns:threads:progress:)``.
    public func read() throws(KinError) -> VectorTable {
        var whole: VectorTable?
        try forEachBatch(of: .max) { whole = $0 }
        guard let whole else { preconditionFailure("all rows come at once") }
        return whole
    }

    /// Reads the file from front to back.
    ///
    /// Rows without ids of the file's own have none in a piece either: their numbers count on through all pieces. Ids that two pieces
    /// both have are not found. NPY with column after column (Fortran order) comes in one piece.
    ///
    /// - Parameters:
    ///   - rows: The number of rows of a piece, some more where that is quicker.
    ///   - body: Receives each piece, which has a row at least. Only the first has ``VectorTable/notes``.
    /// - Throws: As ``VectorTable/init(reading:format:columns:threads:progress:)``, and what `body` throws.
    public func forEachBatch(
        of rows: Int, _ body: (VectorTable) throws(KinError) -> Void
    ) throws(KinError) {
        let bytes = try ByteReader(path: path)
        let format = try format(of: bytes)
        let report = { progress($0, bytes.size) }
        if format != .csv && columns.isMade {
            throw KinError(
                .invalidArgument, "columns can be chosen in a CSV file only; \(bytes.name) is \(format.rawValue)")
        }
        var isEmpty = true
        let pass = { (table: VectorTable) throws(KinError) in
            guard table.count > 0 else { return }
            isEmpty = false
            try body(table)
        }
        switch format {
        case .csv:
            let reader = CSVVectorReader(bytes: bytes, selection: columns, threads: max(1, threads), progress: report)
            try reader.forEachBatch(rows: rows, pass)
        case .npy: try NPYReader(bytes: bytes, progress: report).forEachBatch(rows: rows, pass)
        case .fvecs, .bvecs, .ivecs:
            try VecsReader(bytes: bytes, format: format, progress: report).forEachBatch(rows: rows, pass)
        }
        guard !isEmpty else { throw bytes.malformed("the file holds no vectors") }
    }

    private func format(of bytes: ByteReader) throws(KinError) -> VectorFormat {
        try bytes.refuseBinary()
        if let format { return format }
        if try bytes.peek(6) == [0x93] + Array("NUMPY".utf8) { return .npy }
        if let format = VectorFormat(path: path) { return format }
        if path == "-" { return .csv }
        throw KinError(
            .invalidArgument,
            "the name \(path) does not tell the format: say csv, npy, fvecs, bvecs or ivecs (--format)")
    }
}
