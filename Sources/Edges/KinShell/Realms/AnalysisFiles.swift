import Foundation
import Kin

/// Reads analyses from files and folders into a collection.
///
/// A file named `….json` is one image, whose id is the file's name without the ending; a folder stands for all of these in it, by name. Any
/// other file has an analysis on each line. What cannot be read is reported and the rest goes on; no more is held in memory
/// than the collection, a piece of a file and the longest line or file allowed.
struct AnalysisFiles {
    /// The longest file of one image, and the longest line, in bytes.
    static let longest = 16 << 20
    private static let pieceSize = 1 << 22

    private let console: Console
    private(set) var reader: ImageCollectionReader
    /// The number of bytes read, and the seconds that reading took.
    private(set) var byteCount = 0
    private(set) var parsing = Duration.zero

    init(console: Console, keepsAnalyses: Bool = false) {
        self.console = console
        reader = ImageCollectionReader(keepsAnalyses: keepsAnalyses)
    }

    /// Reads all of some paths; `-` is standard input.
    mutating func read(_ paths: [String]) throws(Failure) {
        for path in paths {
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            guard path == "-" || isThere else {
                throw Failure(
                    .noInput, KinError(.inputOutput, "there is no such file; check the path").within("file", path))
            }
            if isFolder.boolValue {
                try readFolder(path)
            } else if path.hasSuffix(".json") {
                readImage(path)
            } else {
                try readLines(path)
            }
        }
    }

    private mutating func readFolder(_ folder: String) throws(Failure) {
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Failure(.noInput, KinError(.inputOutput, "the folder cannot be read").within("file", folder))
        }
        let names = all.filter { $0.hasSuffix(".json") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let bar = ProgressBar("reading", on: console)
        for (number, name) in names.enumerated() {
            bar.update(done: number, of: names.count) { NumberText.count($0, "file") }
            readImage(folder + (folder.hasSuffix("/") ? "" : "/") + name)
        }
        bar.finish()
    }

    private mutating func readImage(_ path: String) {
        do throws(Failure) {
            // The length is not asked for first: a pipe has none, and a file may grow.
            let bytes = try ByteReader(path: path).read(upTo: Self.longest + 1)
            guard bytes.count <= Self.longest else {
                return reader.refuse(Self.tooLong("the file").within("file", path))
            }
            byteCount += bytes.count
            let name = (path as NSString).lastPathComponent
            let start = ContinuousClock.now
            reader.read(bytes, image: String(name.dropLast(".json".count)), file: path)
            parsing += ContinuousClock.now - start
        } catch {
            reader.refuse(error.error.within("file", path))
        }
    }

    private mutating func readLines(_ path: String) throws(Failure) {
        let source = try ByteReader(path: path)
        let bar = ProgressBar("reading", on: console)
        var (rest, line, isSkipping): ([UInt8], Int, Bool) = ([], 1, false)
        while true {
            let piece = try source.read(upTo: Self.pieceSize)
            if piece.isEmpty { break }
            bar.update(done: source.position, of: source.size) { NumberText.bytes($0) }
            byteCount += piece.count
            guard let end = piece.lastIndex(of: 0x0A) else {
                if !isSkipping { rest += piece }
                if rest.count > Self.longest {
                    reader.refuse(Self.tooLong("the line").within("line", line).within("file", source.name))
                    (rest, isSkipping) = ([], true)
                }
                continue
            }
            var lines = rest + piece[...end]
            if isSkipping {
                // Nothing is left where the line that is skipped ends with the piece's last line feed.
                let next = piece.firstIndex(of: 0x0A) ?? end
                (lines, isSkipping) = (Array(piece[(next + 1)..<(end + 1)]), false)
                line += 1
            }
            parse(lines, from: &line, of: source.name)
            rest = Array(piece[(end + 1)...])
        }
        if !rest.isEmpty { parse(rest, from: &line, of: source.name) }
        bar.finish()
    }

    private mutating func parse(_ lines: [UInt8], from line: inout Int, of name: String) {
        let start = ContinuousClock.now
        line += reader.readLines(lines, firstLine: line, file: name)
        parsing += ContinuousClock.now - start
    }

    private static func tooLong(_ what: String) -> KinError {
        KinError(
            .capacityExceeded, "\(what) is longer than \(NumberText.bytes(longest)), and no analysis is; it is left out"
        )
    }

    // MARK: Reporting

    /// A summary of what was read, in one line, and the first things left out, as notes.
    func report(problems shown: Int = 10) {
        let report = reader.report
        for problem in report.problems.prefix(shown) { console.note("left out: \(problem)") }
        if report.problemCount > shown {
            console.note("left out: \(NumberText.count(report.problemCount - shown, "more thing"))")
        }
        let unknown = report.unknownKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !unknown.isEmpty {
            let first = unknown.prefix(5).map { "\($0.key) (\(NumberText.count($0.value)))" }.joined(separator: ", ")
            console.note(
                "unknown names, passed over: \(first)\(unknown.count > 5 ? ", and \(unknown.count - 5) more" : "")")
        }
    }
}

/// The summary of what was read, in JSON.
struct AnalysisReportRecord: Encodable {
    let images: Int
    let brokenImages: Int
    let objects: Int
    let refusedObjects: Int
    let refusedValues: Int
    let unknownKeys: [String: Int]
    let problems: [String]

    init(_ report: AnalysisReport) {
        images = report.images
        brokenImages = report.brokenImages
        objects = report.objects
        refusedObjects = report.refusedObjects
        refusedValues = report.refusedValues
        unknownKeys = report.unknownKeys
        problems = report.problems.map(\.description)
    }
}
