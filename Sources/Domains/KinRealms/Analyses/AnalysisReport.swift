/// Counts of accepted and refused input; every image, object and value of the input is counted in exactly one place.
public struct AnalysisReport: Sendable, Equatable {
    /// The number of images read.
    public internal(set) var images = 0
    /// The number of files or lines refused: not an analysis, or a duplicate of an image.
    public internal(set) var brokenImages = 0
    /// The number of objects read.
    public internal(set) var objects = 0
    /// The number of objects left out: a number out of its range, a part missing or of the wrong type.
    public internal(set) var refusedObjects = 0
    /// The number of other values left out: a therapeutic value outside 0…1, a malformed colour.
    public internal(set) var refusedValues = 0
    /// The number of records of other kinds in a store's export, which are left out.
    public internal(set) var otherRecords = 0
    /// The number of occurrences of each unknown key, by its path: "detected_objects.foo".
    public internal(set) var unknownKeys: [String: Int] = [:]
    /// The first ``problemLimit`` errors, with file, line, field and reason; ``problemCount`` is the number of all
    /// errors.
    public internal(set) var problems: [KinError] = []

    /// The largest number of errors to store, and of distinct unknown keys.
    public static let problemLimit = 1_000

    /// Creates a report with all counts 0.
    public init() {}

    /// Creates a report of the images of a library, of which nothing was refused.
    package init(_ library: RealmLibrary) {
        images = library.index.images.count
        objects = library.clusters.objectCount
    }

    /// The number of errors, whether stored or not.
    public var problemCount: Int { brokenImages + refusedObjects + refusedValues }

    mutating func log(_ error: KinError) {
        if problems.count < Self.problemLimit { problems.append(error) }
    }

    mutating func noteUnknown(_ key: String) {
        // The number and the length of keys are limited as a protection from hostile files.
        let key = unknownKeys.count < Self.problemLimit || unknownKeys[key] != nil ? key : "others"
        unknownKeys[key.utf8.count <= 100 ? key : String(key.prefix(50)), default: 0] += 1
    }

    /// Adds the counts of a second report.
    mutating func add(_ other: AnalysisReport) {
        images += other.images
        brokenImages += other.brokenImages
        objects += other.objects
        refusedObjects += other.refusedObjects
        refusedValues += other.refusedValues
        otherRecords += other.otherRecords
        for problem in other.problems { log(problem) }
        for (key, count) in other.unknownKeys.sorted(by: { $0.key < $1.key }) {
            let known = unknownKeys.count < Self.problemLimit || unknownKeys[key] != nil
            unknownKeys[known ? key : "others", default: 0] += count
        }
    }
}
