import Foundation

/// The number of bytes of a piece of lines, unless a line is longer: some milliseconds of work.
private let pieceSize = 1 << 20

/// The largest number of bytes of a line: several times the largest record, a policy with many arms.
private let mostLineBytes = 1 << 28

/// A file that is read in pieces of whole lines, with a few megabytes of memory.
@safe
struct LineFile: ~Copyable {
    private let descriptor: CInt
    private let path: String
    /// The bytes after the last whole line.
    private var rest: [UInt8] = []
    private var isAtEnd = false
    /// The first lines, if they were inspected before being read; nil otherwise.
    private var first: [UInt8]?
    /// The buffer that a piece of the file is read into.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)

    /// The number of bytes of a file; nil for a pipe.
    var size: Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    init(path: String) throws(KinError) {
        descriptor = unsafe path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .system("open the file", at: path, named: "input") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
            throw .system("read the file", at: path, EISDIR, named: "input")
        }
    }

    deinit {
        close(descriptor)
        unsafe buffer.deallocate()
    }

    /// The whole file if it is one document (``JSONDocument/isDocument(_:)``). Otherwise nil, and no line is consumed.
    mutating func document() throws(KinError) -> [UInt8]? {
        guard let lines = try next() else { return nil }
        let forms: [[UInt8]: String] = [[0x1F, 0x8B]: "compressed", [0xFF, 0xFE]: "UTF-16", [0xFE, 0xFF]: "UTF-16"]
        if let form = forms[Array(lines.prefix(2))] {
            throw KinError(.malformedInput, "the file is \(form); convert it to plain UTF-8").within("file", path)
        }
        guard JSONDocument.isDocument(lines[...]) else {
            first = Array(JSONDocument.withoutMark(lines[...]))
            return nil
        }
        var document = lines
        while let lines = try next() {
            document += lines
            guard document.count <= mostLineBytes else {
                throw KinError(
                    .malformedInput,
                    "a document has more than \(mostLineBytes >> 20) MiB; write one record on each line of a larger file"
                ).within("file", path)
            }
        }
        return document
    }

    /// The next whole lines; nil after the last.
    mutating func next() throws(KinError) -> [UInt8]? {
        if let lines = first {
            first = nil
            return lines
        }
        var piece = rest
        rest = []
        while !isAtEnd {
            let first = piece.count
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .system("read the file", at: path)
            }
            isAtEnd = count == 0
            unsafe piece.append(contentsOf: buffer[..<count])
            guard let end = piece[first...].lastIndex(of: 0x0A) else {
                guard piece.count <= mostLineBytes else {
                    throw KinError(
                        .malformedInput,
                        "a line has more than \(mostLineBytes >> 20) MiB; the file has to have one record on each line"
                    ).within("file", path)
                }
                continue
            }
            rest = Array(piece[(end + 1)...])
            piece.removeLast(rest.count)
            return piece
        }
        return piece.isEmpty ? nil : piece
    }
}

/// A text in pieces of whole lines.
struct LineText {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    /// The next whole lines; nil after the last.
    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.dropFirst(pieceSize - 1).firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }
}
