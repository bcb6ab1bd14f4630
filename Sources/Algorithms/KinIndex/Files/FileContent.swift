import SystemPackage

/// The content of a file, identified by its first bytes.
package enum FileContent: Sendable, Equatable {
    /// No file, or an empty one.
    case nothing
    /// A folder, a device, a pipe or a socket.
    case special
    /// A Kin file, with its kind.
    case sections(FourCharacterCode?)
    /// An SQLite database, which may be a store.
    case database(isStore: Bool)
    /// A JSON file of Kin, with the name of its format, such as "clusters".
    case json(String)
    /// A regular file with any other content.
    case other

    /// Identifies the file at a path, following links.
    ///
    /// A file with a writer's note next to it is a store, and is not opened: closing it would drop the locks that
    /// SQLite holds on it in this process.
    ///
    /// - Throws: `.inputOutput` with the `file` if its status or content cannot be read; `.invalidArgument` for an
    ///   empty path.
    package init(of path: String, files: some FileOperations = SystemFiles()) throws(KinError) {
        let note: Stat?
        do throws(KinError) {
            let given = try FilePath(checking: path)
            guard let file = try Self.found({ () throws(Errno) in try files.resolve(given) }),
                let status = try Self.found({ () throws(Errno) in try files.status(at: file) })
            else {
                self = .nothing
                return
            }
            guard status.type == .regular, status.size > 0 else {
                self = status.type == .regular ? .nothing : .special
                return
            }
            note = try Self.found { () throws(Errno) in try files.status(at: FilePath("\(file)-writer")) }
        } catch {
            throw error.within("file", path)
        }
        guard note?.type != .regular else {
            self = .database(isStore: true)
            return
        }
        let first = try withOpenFile(at: path, files: files) { file throws(KinError) in
            try file.bytes(in: 0..<min(file.length, Self.beginning))
        }
        self.init(beginningWith: first)
    }

    /// The result of a call; nil if the file does not exist.
    private static func found<Result>(_ call: () throws(Errno) -> Result) throws(KinError) -> Result? {
        do throws(Errno) { return try retrying(call) } catch {
            guard error != .noSuchFileOrDirectory, error != .notDirectory else { return nil }
            throw .refused("look at the file", error)
        }
    }

    /// The number of bytes that identify a content.
    private static let beginning = 72

    /// Identifies a file by its first bytes, 72 unless the file is shorter.
    package init(beginningWith bytes: [UInt8]) {
        self = .other
        let format = "{\"format\":\"kin "
        if bytes.count >= 20, bytes.starts(with: SectionFileHeader.magic) {
            let kind: UInt32 = (16..<20).reduce(0) { kind, place in kind | UInt32(bytes[place]) << (8 * (place - 16)) }
            self = .sections(FourCharacterCode(rawValue: kind))
        } else if bytes.count >= Self.beginning, bytes.starts(with: "SQLite format 3\0".utf8) {
            // SQLite's application id.
            self = .database(isStore: bytes[68..<72].elementsEqual("KinS".utf8))
        } else if bytes.starts(with: format.utf8) {
            let name = bytes.prefix(Self.beginning).dropFirst(format.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
            self = .json(String(decoding: name, as: UTF8.self))
        }
    }

    /// Whether the content is a database.
    package var isDatabase: Bool { if case .database = self { true } else { false } }

    /// The contents of indexes in both layouts.
    package static let indexes: [FileContent] = [.sections(FlatFile.kind), .sections(IVFFile.kind)]

    /// The contents that a Kin file of a kind may replace. Indexes of both layouts count as one kind.
    static func replaceable(by kind: FourCharacterCode) -> [FileContent] {
        indexes.contains(.sections(kind)) ? indexes : [.sections(kind)]
    }
}

/// Checks that a new file may replace the file at a path. All writers of files use this rule.
///
/// A missing file, an empty file and a file of the same kind may be replaced. A database may never be replaced, since
/// its log and its writer's lock belong to it. Any other file is replaced only inside `withOverwriting`. Folders and
/// devices are left to the writer.
///
/// - Parameters:
///   - path: The path of the new file.
///   - kinds: The contents of the same kind as the new file. Default: none, for example for a text.
/// - Throws: `.invalidArgument` with the `output`; `.inputOutput` if the existing file cannot be read.
package func requireReplaceable(
    _ path: String, by kinds: [FileContent] = [], files: some FileOperations = SystemFiles()
) throws(KinError) {
    let content = try FileContent(of: path, files: files)
    guard !kinds.contains(content) else { return }
    let loss: String
    switch content {
    case .nothing, .special: return
    case .database(let isStore):
        loss =
            "this is a \(isStore ? "store" : "database"), which would be lost: choose another name, or remove it first"
    case _ where Overwriting.isAllowed: return
    case .sections where FileContent.indexes.contains(content):
        loss = "this is an index, which would be lost: \(advice)"
    default: loss = "there is already a file, which would be lost; \(advice)"
    }
    throw KinError(.invalidArgument, loss).within("output", path)
}

private let advice = "choose another name, or allow overwriting (`overwrite`, or --force in the tool)"
