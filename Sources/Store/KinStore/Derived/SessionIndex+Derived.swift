import GRDB
import KinCore
import KinIndex
import KinLinearAlgebra
import KinPleasure

/// The index of all sessions' points by one metric, kept ready and saved beside the database.
extension SessionIndex: DerivedValue {
    static var sources: [RecordKind] { [.session] }

    init(for metric: Metric, in database: Database) throws {
        self = try SessionIndexBuilder(metric: metric, database: database).build()
    }

    mutating func apply(_ changes: [RecordChange], for metric: Metric, in database: Database) throws -> Bool {
        let ranges = changes.map(\.numbers)
        // A load as large as the index divides the space anew, which a build does better.
        guard ranges.reduce(0, { $0 + $1.count }) <= max(count, 1000) else { return false }
        try SessionIndexBuilder(metric: metric, database: database).apply(ranges, to: &self)
        return true
    }

    var byteCount: Int { points.byteCount }

    static func saved(for metric: Metric, in folder: IndexFolder) -> (value: SessionIndex, version: StoreVersion)? {
        guard let found = try? IVFIndex.openNoted(folder.file(fileName(metric)), files: folder.files),
            let version = StoreVersion(bytes: found.note), found.index.metric == metric,
            let index = try? SessionIndex(points: found.index)
        else { return nil }
        return (index, version)
    }

    func save(for metric: Metric, version: StoreVersion, in folder: IndexFolder) throws -> Bool {
        try folder.make()
        try points.save(to: folder.file(Self.fileName(metric)), note: version.bytes, files: folder.files)
        return true
    }

    private static func fileName(_ metric: Metric) -> String { "session-\(metric.rawValue)" }
}
