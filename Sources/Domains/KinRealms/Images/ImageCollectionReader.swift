/// A lenient reader of analyses into a collection, with a report of refused parts.
///
/// A malformed file or line is reported and left out, as are objects with a number out of its range. ``AnalysisReport``
/// counts all accepted and refused input.
///
///     var reader = ImageCollectionReader()
///     reader.read(bytes, image: "meadow-17", file: "images/meadow-17.json")
///     reader.collection.count
///     reader.report.problems.first      // file images/x.json, line 3, column 7: …
public struct ImageCollectionReader: Sendable {
    /// The images read so far.
    public private(set) var collection = ImageCollection()
    /// The counts and errors so far.
    public private(set) var report = AnalysisReport()

    /// The full analyses, if the reader stores them.
    public private(set) var analyses: [ImageAnalysis] = []
    private let keepsAnalyses: Bool

    /// Creates a reader without images.
    ///
    /// - Parameter keepsAnalyses: Whether to store the full analyses too, a few kilobytes per image.
    public init(keepsAnalyses: Bool = false) { self.keepsAnalyses = keepsAnalyses }

    /// Reads a file with one analysis, or with an array of analyses identified by `image_id`.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file.
    ///   - image: The id of a single image, usually the file's name; nil to take it from `image_id`.
    ///   - file: The name of the file in errors.
    /// - Returns: Whether an analysis was read.
    @discardableResult
    public mutating func read(_ json: [UInt8], image: String?, file: String) -> Bool {
        let lines = json.prefix(Self.longestFirstLine).split(separator: 0x0A, maxSplits: 2)
        if lines.count > 1, lines[0].last(where: { $0 > 0x20 }) == UInt8(ascii: "}"),
            lines[1].first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
        {
            let count = collection.count
            readLines(json, file: file)
            return collection.count > count
        }
        return unsafe json.withUnsafeBufferPointer { bytes in
            let start = unsafe Array(bytes.prefix(64).filter { $0 > 0x20 })
            if start.first == UInt8(ascii: "[") || start.starts(with: Array("{\"images\":[".utf8)) {
                return unsafe readArray(bytes, file: file)
            }
            let advice = image == nil ? nil : "rename the file, or read one folder that contains both files"
            return attempt(in: file, advice: advice) { (report) throws(KinError) in
                try unsafe JSONReader.read(bytes) { reader throws(KinError) in
                    try Self.analysis(&reader, id: image, report: &report)
                }
            }
        }
    }

    /// The longest first line of a file with one analysis in each line.
    private static let longestFirstLine = 1 << 20

    /// Reads an array of analyses, also as the member `images` of an object. An error in one does not hide the others.
    private mutating func readArray(_ json: UnsafeBufferPointer<UInt8>, file: String) -> Bool {
        let count = collection.count
        var elements: [JSONReader] = []
        do throws(KinError) {
            try unsafe JSONReader.read(json) { reader throws(KinError) in
                let start = reader
                if reader.isAtArray() {
                    elements = try reader.elements()
                } else {
                    try reader.members { reader, name throws(KinError) in
                        if name == "annotations" {
                            elements = []
                            throw reader.error(ImageAnalysis.cocoAdvice)
                        }
                        if name == "images" { elements = try reader.elements() } else { try reader.skipElement() }
                    }
                }
                if elements.isEmpty { throw start.error("the array has no analyses") }
            }
        } catch {
            refuse(error.within("file", file))
        }
        for var element in elements {
            attempt(in: file) { (report) throws(KinError) in
                try Self.analysis(&element, id: nil, report: &report)
            }
        }
        return collection.count > count
    }

    /// Reads whole lines with one analysis each, identified by `image_id`; skips empty lines.
    ///
    /// - Parameters:
    ///   - lines: Lines ended by a line feed; the last one may lack it.
    ///   - firstLine: The number of the first line in the file, 1 or more.
    ///   - file: The name of the file in errors.
    /// - Returns: The number of lines.
    /// - Precondition: `firstLine` is 1 or more, and the number of the last line is an `Int`.
    @discardableResult
    public mutating func readLines(_ lines: [UInt8], firstLine: Int = 1, file: String) -> Int {
        unsafe lines.withUnsafeBufferPointer { bytes in
            unsafe JSONLines.forEachLine(in: bytes, firstLine: firstLine) { text, line in
                attempt(in: file) { (report) throws(KinError) in
                    try unsafe JSONReader.read(text, firstLine: line) { reader throws(KinError) in
                        try Self.analysis(&reader, id: nil, report: &report)
                    }
                }
            }
        }
    }

    /// Reports a file or line that was not read, because it is too long or cannot be opened.
    public mutating func refuse(_ error: KinError) {
        report.brokenImages += 1
        report.log(error)
    }

    /// Checks that something was read, unless nothing was refused.
    ///
    /// - Throws: `.malformedInput` with the first error and the number of refused analyses or objects, if no image or
    ///   no object remained.
    public func checkContents() throws(KinError) {
        guard let first = report.problems.first, report.objects == 0, report.images == 0 || report.refusedObjects > 0
        else { return }
        let refused = report.images == 0 ? "\(report.brokenImages) analyses" : "\(report.refusedObjects) objects"
        let message = "\(first.message) (0 of \(refused) could be read; this is the first error)"
        throw first.context.reversed().reduce(KinError(.malformedInput, message)) { $0.within($1.name, $1.value) }
    }

    /// Reads an analysis, also as a store's export has it, `{"image": {…}}`; nil for records of other kinds.
    private static func analysis(
        _ reader: inout JSONReader, id: String?, report: inout AnalysisReport
    ) throws(KinError) -> ImageAnalysis? {
        let start = reader
        do throws(KinError) { return try ImageAnalysis(from: &reader, id: id, report: &report) } catch {
            reader = start
            guard let kind = start.exportedKind(), !ImageAnalysis.isField(kind) else { throw error }
        }
        var analysis: ImageAnalysis?
        try reader.members { reader, name throws(KinError) in
            guard name == ImageAnalysis.recordName else { return try reader.skip() }
            analysis = try ImageAnalysis(from: &reader, id: nil, report: &report)
        }
        return analysis
    }

    /// Reads and adds an analysis, or reports its error; records of other kinds are counted.
    ///
    /// - Parameter advice: The next step if the image exists already.
    @discardableResult
    private mutating func attempt(
        in file: String, advice: String? = nil, _ read: (inout AnalysisReport) throws(KinError) -> ImageAnalysis?
    ) -> Bool {
        var found = AnalysisReport()
        do throws(KinError) {
            guard let analysis = try read(&found) else {
                report.otherRecords += 1
                return false
            }
            try DetectedObject.BoundingBox.requirePixels(analysis.objects.lazy.map(\.box), in: "image", analysis.id)
            try collection.append(analysis)
            if keepsAnalyses { analyses.append(analysis) }
            if found.problemCount > 0 {
                found.problems = found.problems.map { $0.within("image", analysis.id).within("file", file) }
            }
            report.add(found)
            return true
        } catch {
            let advice = error.code == .duplicateID ? advice : nil
            refuse((advice.map { error.adding($0) } ?? error).within("file", file))
            return false
        }
    }
}
