import GRDB

/// The index of all sessions' points by one metric, cached in memory and saved in the index folder.
extension SessionIndex: SavedValue {
    static var sources: [RecordKind] { [PleasureSession.kind] }

    init(for metric: Metric, in database: Database) throws {
        self = try SessionIndexBuilder(metric: metric, database: database).build()
    }

    mutating func apply(_ changes: [RecordChange], for metric: Metric, in database: Database) throws -> Bool {
        // A load as large as the index needs a new partition of the space, which a build does better.
        guard let ranges = changes.numbers(of: PleasureSession.kind, atMost: max(count, 1000)) else { return false }
        try SessionIndexBuilder(metric: metric, database: database).apply(ranges, to: &self)
        return true
    }

    static var savedKeys: [Metric] { Metric.allCases }
    static func fileName(for metric: Metric) -> String { "session-\(metric.rawValue)" }
    static var fileKind: FourCharacterCode { IVFFile.kind }
    static var fileVersion: FormatVersion { IVFFile.version }

    init(for metric: Metric, file: SectionFile) throws(KinError) {
        try self.init(points: VectorIndex(listsOf: file))
        guard self.metric == metric else { throw KinError(.invalidArgument, "the index is of another metric") }
    }

    func write(to writer: inout SectionFileWriter) throws(KinError) { try points.write(to: &writer) }

    func agrees(with anew: SessionIndex) throws(KinError) -> Bool {
        points.count == anew.points.count
            && anew.points.ids.allSatisfy { id in
                points.storedVector(for: id) == anew.points.storedVector(for: id)
                    && points.attributes.values(for: id) == anew.points.attributes.values(for: id)
            }
    }
}
