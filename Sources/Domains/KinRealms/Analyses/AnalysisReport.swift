public import KinCore

/// What was read and what was not: every image, object and value that was met is in one of the counts.
public struct AnalysisReport: Sendable, Equatable {
    /// Images that were read.
    public internal(set) var images = 0
    /// Files or lines that are no analysis, or one of an image that was read already.
    public internal(set) var brokenImages = 0
    /// Objects that were read.
    public internal(set) var objects = 0
    /// Objects that were left out: a number out of its range, a part that is missing or of a wrong kind.
    public internal(set) var refusedObjects = 0
    /// Other values of images that were left out: a therapeutic value beyond 0…1, a colour that is none.
    public internal(set) var refusedValues = 0
    /// How often each name was met that this release does not know, with its place: "detected_objects.foo".
    public internal(set) var unknownKeys: [String: Int] = [:]
    /// What was wrong, with file, line, field and reason: the first ``problemLimit``. ``problemCount`` has all.
    public internal(set) var problems: [KinError] = []

    /// How many problems are kept, and how many different unknown keys.
    public static let problemLimit = 1_000

    /// A report of nothing.
    public init() {}

    /// How many problems there were.
    public var problemCount: Int { brokenImages + refusedObjects + refusedValues }

    mutating func note(_ error: KinError) {
        if problems.count < Self.problemLimit { problems.append(error) }
    }

    mutating func noteUnknown(_ key: String) {
        // What is counted is bounded, and so is a name that a hostile file makes up.
        let key = unknownKeys.count < Self.problemLimit || unknownKeys[key] != nil ? key : "others"
        unknownKeys[key.utf8.count <= 100 ? key : String(key.prefix(50)), default: 0] += 1
    }

    /// Counts what a part of the work has met.
    mutating func add(_ other: AnalysisReport) {
        images += other.images
        brokenImages += other.brokenImages
        objects += other.objects
        refusedObjects += other.refusedObjects
        refusedValues += other.refusedValues
        for problem in other.problems { note(problem) }
        for (key, count) in other.unknownKeys.sorted(by: { $0.key < $1.key }) {
            let known = unknownKeys.count < Self.problemLimit || unknownKeys[key] != nil
            unknownKeys[known ? key : "others", default: 0] += count
        }
    }
}
