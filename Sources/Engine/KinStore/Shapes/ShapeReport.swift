/// The mapping of an app's records with the same name: the target of each field in the records.
public struct ShapeReport: Sendable, Hashable {
    /// A field that has a meaning to Kin.
    public struct Field: Sendable, Hashable {
        /// The path in the app's record.
        public let field: String
        /// The path in Kin's record; empty for the whole.
        public let becomes: String
        /// The conversion in words; nil for an unchanged value.
        public let conversion: String?
    }

    /// The app; nil for records that no shape recognizes.
    public let shape: RecordShape?
    /// The app's noun for the record; nil for an unknown one.
    public let record: String?
    /// The kind of Kin's record; nil for an unknown one.
    public let kind: String?
    /// The number of records.
    public private(set) var count: Int
    /// The fields with a meaning to Kin, in the order of the shape.
    public private(set) var fields: [Field]
    /// The fields that are stored and returned unread.
    public private(set) var unread: [String]
    /// The fields that are not in the app's document.
    public private(set) var unknown: [String]
    /// The ids that the records lack, by the names of options.
    public private(set) var needs: [String]
    /// The assumption made in reading, in a sentence; nil for none.
    public let assumption: String?

    /// Describes records by the mapping of their fields, without reading their values.
    ///
    /// - Parameters:
    ///   - document: An array of records, a sequence of records, or an export of a database.
    ///   - shape: The app; nil to recognize each record.
    /// - Returns: One report for each name of a record, in the order of their first records.
    /// - Throws: `.malformedInput` for text that is not JSON.
    public static func reports(of document: String, as shape: RecordShape? = nil) throws(KinError) -> [ShapeReport] {
        var reports: [ShapeReport] = []
        try JSONDocument.forEachValue(in: Array(document.utf8)) { reader throws(KinError) in
            let tree = try JSONTree(from: &reader)
            let isExport = tree[path: ["record"]] == nil
            let export = isExport ? DatabaseExport(tree, ShapeOptions(shape: shape)) : nil
            let exported = export?.records.isEmpty == false ? export : nil
            for var object in exported.map({ $0.records + $0.leftOut }) ?? [tree] {
                var ids: Set<String> = []
                if let inner = object[path: ["record"]], !inner.members.isEmpty {
                    ids = Set(object.members.map(\.name))
                    object = inner
                }
                let found = RecordShape.recognized(object, as: shape)
                let report = ShapeReport(found?.object ?? object, found?.shape, found?.record, ids)
                if let place = reports.firstIndex(where: { $0.shape == report.shape && $0.record == report.record }) {
                    reports[place].add(report)
                } else {
                    reports.append(report)
                }
            }
        }
        return reports
    }

    private init(_ object: JSONTree, _ shape: RecordShape?, _ record: ShapedRecord?, _ ids: Set<String>) {
        self.shape = shape
        self.record = record?.name
        kind = record?.kind
        count = 1
        assumption = record?.assumption
        let paths = record?.fieldPaths(of: object) ?? (read: [], unread: [], unknown: object.members.map(\.name))
        fields = paths.read.map {
            Field(
                field: $0.theirs.joined(separator: "."), becomes: $0.ours.joined(separator: "."),
                conversion: $0.conversion.description)
        }
        unread = paths.unread
        unknown = paths.unknown
        needs = (record?.ids ?? []).filter { $0.value(in: object, [:]) == nil && !ids.contains($0.option) }
            .map { $0.callers ?? $0.option }
    }

    private mutating func add(_ other: ShapeReport) {
        count += other.count
        fields += other.fields.filter { !fields.contains($0) }
        unread += other.unread.filter { !unread.contains($0) }
        unknown += other.unknown.filter { !unknown.contains($0) }
        needs += other.needs.filter { !needs.contains($0) }
    }
}
