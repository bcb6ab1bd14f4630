import Foundation

/// The file formats for reading and writing vectors.
public enum VectorFormat: String, CaseIterable, Sendable {
    /// Text with one row per line; separated by commas, semicolons, tabs, vertical bars or spaces.
    case csv
    /// An array file of NumPy (`.npy`).
    case npy
    /// Rows of a 32-bit length followed by that number of 32-bit floats (the TEXMEX layout of SIFT1M and GIST1M).
    case fvecs
    /// The same layout with bytes.
    case bvecs
    /// The same layout with 32-bit integers.
    case ivecs

    /// The format for the extension of a file's name; nil for other extensions. `tsv`, `txt` and `data` are CSV.
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
    /// Memory is the table and a few megabytes per thread.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input, which is CSV unless `format` is given or it begins as NPY.
    ///   - format: The format; nil: by the file's name.
    ///   - columns: The columns of a CSV file for the vector, the id, the label and the attributes.
    ///   - threads: The most threads to parse CSV with; the table does not depend on it.
    ///   - progress: Receives the bytes read so far and the file's size, which is nil for a pipe.
    /// - Throws: `.inputOutput` for a file that cannot be read; `.malformedInput`, `.notFinite`, `.duplicateID` or
    ///   `.unsupportedFormat` with line and column, row or byte; `.invalidArgument` for unknown columns or formats;
    ///   `.cancelled` as described in `withProgressHandler`, with bytes as units.
    public init(
        reading path: String, format: VectorFormat? = nil, columns: ColumnSelection = ColumnSelection(),
        threads: Int = 1,
        progress: @escaping (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws(KinError) {
        self = try VectorFile(path, format: format, columns: columns, threads: threads, progress: progress).read()
    }
}

/// A file of vectors that is read in pieces, and can therefore be larger than memory.
public struct VectorFile {
    private let path: String
    private let format: VectorFormat?
    private let columns: ColumnSelection
    private let threads: Int
    private let progress: (_ done: Int, _ total: Int?) -> Void

    /// Describes a file and the way to read it; nothing is opened yet.
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
    /// If the file has no ids, pieces have none either; row numbers continue through all pieces. Ids that occur in two
    /// pieces are not detected. Column-major NPY files (Fortran order) are passed in one piece.
    ///
    /// - Parameters:
    ///   - rows: The number of rows of a piece, 1 or more; pieces may be larger if that is faster.
    ///   - body: Receives each piece, which has at least one row. Only the first piece has ``VectorTable/notes``.
    /// - Throws: As ``VectorTable/init(reading:format:columns:threads:progress:)``, and the errors of `body` (see
    ///   `KinError.underlying`).
    public func forEachBatch(
        of rows: Int, _ body: (VectorTable) throws -> Void
    ) throws(KinError) {
        try requireThreads(threads)
        try KinError.requireCount(rows, "rows", from: 1)
        let bytes = try ByteReader(path: path)
        let format = try format(of: bytes)
        let work = LongWork(of: bytes.size)
        let report = { (done) throws(KinError) in
            progress(done, bytes.size)
            try work.step(to: done)
        }
        if format != .csv && columns.isMade {
            throw KinError(
                .invalidArgument, "columns can be chosen in a CSV file only; \(bytes.name) is \(format.rawValue)")
        }
        var isEmpty = true
        let pass = { (table: VectorTable) throws(KinError) in
            guard table.count > 0 else { return }
            isEmpty = false
            try callingBack { try body(table) }
        }
        switch format {
        case .csv:
            let reader = CSVVectorReader(bytes: bytes, selection: columns, threads: threads, progress: report)
            try reader.forEachBatch(rows: rows, pass)
        case .npy:
            try NPYReader(bytes: bytes, isScaled: columns.isScaled, progress: report).forEachBatch(rows: rows, pass)
        case .fvecs, .bvecs, .ivecs:
            try VecsReader(bytes: bytes, format: format, progress: report).forEachBatch(rows: rows, pass)
        }
        guard !isEmpty else { throw bytes.malformed("the file holds no vectors") }
    }

    private func format(of bytes: ByteReader) throws(KinError) -> VectorFormat {
        if format ?? .npy == .npy, try bytes.peek(6) == [0x93] + Array("NUMPY".utf8) { return .npy }
        try bytes.refuseBinary()
        if let format { return format }
        if let format = VectorFormat(path: path) { return format }
        if path == "-" { return .csv }
        let ending = (path as NSString).pathExtension.lowercased()
        if ["json", "jsonl", "ndjson"].contains(ending) {
            throw bytes.malformed(
                "vectors are not read from JSON; convert a list of vectors, or of objects with a vector each: python3 -c \"import pandas; "
                    + "pandas.read_json('\(path)', lines=\(ending == "json" ? "False" : "True")).to_csv('table.csv', index=False)\""
            )
        }
        throw KinError(
            .invalidArgument,
            "the name \(path) does not determine the format; choose the format csv, npy, fvecs, bvecs or ivecs (--format). "
                + "In Python, read_vectors also reads .parquet and .arrow files, and kin.bins .fbin files")
    }
}
