import Foundation

/// Files and folders of image analyses, read into one collection.
///
/// A file named `….json` is one image, whose id is the file's name without the extension, or an array of analyses with
/// ids. A folder means all such files in it and in its subfolders, by path. If several of these have the same name, their
/// ids are their paths in the folder, such as `2025/IMG_1`. Hidden files are left out, and so are a `clusters.json` and a
/// `realm_index.json` in the same folder. Any other file has one analysis per line. Invalid analyses are reported, and
/// reading continues. Memory holds only the collection, a piece of a file, and the longest line or file allowed.
public struct ImageAnalysisFiles {
    /// The longest file of one image, and the longest line, in bytes.
    public static let longest = 16 << 20

    /// The collection of analyses, and the report on analyses that were left out.
    public private(set) var reader: ImageCollectionReader
    /// The number of bytes read.
    public private(set) var byteCount = 0
    /// The duration of parsing so far.
    public private(set) var parsing = Duration.zero

    /// Creates a collection of no images.
    ///
    /// - Parameter keepsAnalyses: Whether to keep the analyses, in addition to the data for clusters and worlds.
    public init(keepsAnalyses: Bool = false) { reader = ImageCollectionReader(keepsAnalyses: keepsAnalyses) }

    /// Reads a file or folder; errors in its contents go to the reader's report.
    ///
    /// - Parameters:
    ///   - path: A file with one image or with lines, or a folder; `-` is standard input.
    ///   - progress: Receives the amount read and the total: bytes of a file with lines, files of a folder. A pipe has
    ///     no total.
    /// - Throws: `.inputOutput` for a path that does not exist or a folder that cannot be read.
    public mutating func read(
        _ path: String, progress: (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws(KinError) {
        let file = FileIdentity(of: path)
        guard path == "-" || file != nil else {
            throw ByteReader.unreadable(path, "there is no such file; check the path")
        }
        if file?.isFolder == true {
            let names = try Self.analyses(in: path)
            let counts = Dictionary(names.map { (Self.id($0), 1) }, uniquingKeysWith: +)
            for (number, name) in names.enumerated() {
                progress(number, names.count)
                let id = Self.id(name)
                readImage(
                    path + (path.hasSuffix("/") ? "" : "/") + name,
                    id: counts[id] == 1 ? id : String(name.dropLast(Self.ending.count)))
            }
        } else if Self.isAnalysis(path) {
            readImage(path, id: Self.id(path))
        } else {
            try readLines(path, progress)
        }
    }

    private static let ending = ".json"

    private static func isAnalysis(_ path: String) -> Bool { path.suffix(ending.count).lowercased() == ending }

    /// The name of a file without the extension.
    private static func id(_ path: String) -> String {
        String((path as NSString).lastPathComponent.dropLast(ending.count))
    }

    /// The analyses in a folder and its subfolders, by path, without the files of a realm library.
    private static func analyses(in path: String) throws(KinError) -> [String] {
        let files = FileManager.default
        guard (try? files.contentsOfDirectory(atPath: path)) != nil,
            let all = try? files.subpathsOfDirectory(atPath: path)
        else { throw ByteReader.unreadable(path, "the folder cannot be read") }
        let names = Set(
            all.filter { Self.isAnalysis($0) && !$0.split(separator: "/").contains { $0.hasPrefix(".") } })
        let library = ["clusters.json", "realm_index.json"]
        let others = names.filter { name in
            let (folder, file) = ((name as NSString).deletingLastPathComponent, (name as NSString).lastPathComponent)
            return library.contains(file)
                && library.allSatisfy { names.contains((folder as NSString).appendingPathComponent($0)) }
        }
        return names.subtracting(others).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func readImage(_ path: String, id: String) {
        do throws(KinError) {
            // The length is not read first, because a pipe has none and a file may grow.
            let source = try ByteReader(path: path)
            try source.beginText()
            let bytes = try source.read(upTo: Self.longest + 1)
            guard bytes.count <= Self.longest else {
                return reader.refuse(Self.tooLong("the file").within("file", path))
            }
            byteCount += bytes.count
            parsing += ContinuousClock().measure { reader.read(bytes, image: id, file: path) }
        } catch {
            reader.refuse(error)
        }
    }

    private mutating func readLines(_ path: String, _ progress: (Int, Int?) -> Void) throws(KinError) {
        let source = try ByteReader(path: path)
        try source.beginText()
        try source.forEachBlockOfLines(longest: Self.longest) { line in
            reader.refuse(Self.tooLong("the line").within("line", line).within("file", source.name))
        } _: { lines, first in
            progress(source.position, source.size)
            parsing += ContinuousClock().measure {
                _ = reader.readLines(lines, firstLine: first, file: source.name)
            }
        }
        byteCount += source.position
    }

    private static func tooLong(_ what: String) -> KinError {
        KinError(
            .capacityExceeded,
            "\(what) is longer than \(longest >> 20) MiB, the limit of an analysis; it is left out")
    }
}
