public import KinCore
import KinJSON

/// Reads analyses into a collection, and tells of what it could not read.
///
/// A file or line that is no analysis is reported and left out, and so are objects with a number out of its range; the rest goes on.
/// Nothing is lost: what was met is in ``AnalysisReport``, as read or as refused.
///
///     var reader = ImageCollectionReader()
///     reader.read(bytes, image: "meadow-17", file: "album/meadow-17.json")
///     reader.collection.count
///     reader.report.problems.first      // file album/x.json, line 3, column 7: …
public struct ImageCollectionReader: Sendable {
    /// What was read.
    public private(set) var collection = ImageCollection()
    /// What was met.
    public private(set) var report = AnalysisReport()

    /// The analyses themselves, when they are kept.
    public private(set) var analyses: [ImageAnalysis] = []
    private let keepsAnalyses: Bool

    /// A reader that has read nothing.
    ///
    /// - Parameter keepsAnalyses: Whether to keep the analyses beside the collection, which takes some kilobytes an image.
    public init(keepsAnalyses: Bool = false) { self.keepsAnalyses = keepsAnalyses }

    /// Reads a file that is one analysis.
    ///
    /// - Parameters:
    ///   - json: The file's bytes.
    ///   - image: The image's id, the file's name; nil to take it from `image_id`.
    ///   - file: What errors call the file.
    /// - Returns: Whether it was an analysis.
    @discardableResult
    public mutating func read(_ json: [UInt8], image: String?, file: String) -> Bool {
        unsafe json.withUnsafeBufferPointer { bytes in
            attempt(in: file) { (report) throws(KinError) in
                try unsafe JSONReader.read(bytes) { reader throws(KinError) in
                    try ImageAnalysis(from: &reader, id: image, report: &report)
                }
            }
        }
    }

    /// Reads whole lines of a file that has an analysis on each, with its `image_id`; empty lines are passed over.
    ///
    /// - Parameters:
    ///   - lines: Lines ended by a line feed; the last one may lack it.
    ///   - firstLine: The number of the first of them in the file.
    ///   - file: What errors call the file.
    /// - Returns: How many lines there are.
    @discardableResult
    public mutating func readLines(_ lines: [UInt8], firstLine: Int = 1, file: String) -> Int {
        unsafe lines.withUnsafeBufferPointer { bytes in
            var (line, start) = (firstLine, 0)
            while start < bytes.count {
                let end = unsafe bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
                let text = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
                if unsafe text.contains(where: { !($0 == 0x20 || $0 == 0x09 || $0 == 0x0D) }) {
                    attempt(in: file) { (report) throws(KinError) in
                        try unsafe JSONReader.read(text, firstLine: line) { reader throws(KinError) in
                            try ImageAnalysis(from: &reader, id: nil, report: &report)
                        }
                    }
                }
                start = end + 1
                line += 1
            }
            return line - firstLine
        }
    }

    /// Notes a file or line that is not even tried, being too long to hold or impossible to open.
    public mutating func refuse(_ error: KinError) {
        report.brokenImages += 1
        report.note(error)
    }

    @discardableResult
    private mutating func attempt(
        in file: String, _ read: (inout AnalysisReport) throws(KinError) -> ImageAnalysis
    ) -> Bool {
        var found = AnalysisReport()
        do throws(KinError) {
            let analysis = try read(&found)
            try collection.append(analysis)
            if keepsAnalyses { analyses.append(analysis) }
            if found.problemCount > 0 {
                found.problems = found.problems.map { $0.within("image", analysis.id).within("file", file) }
            }
            report.add(found)
            return true
        } catch {
            refuse(error.within("file", file))
            return false
        }
    }
}
