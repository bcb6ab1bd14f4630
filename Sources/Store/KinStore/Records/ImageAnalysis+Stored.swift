import KinCore
import KinJSON
import KinRealms

extension RecordKind {
    static let image = RecordKind("image", columns: ["id", "body"], key: ["id"], order: ["id"])
}

extension ImageAnalysis: StoredRecord {
    static var kind: RecordKind { .image }

    var owner: String? { nil }

    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }

    init(row: StoredRow, body: [UInt8]) throws(KinError) { try self.init(storedJSON: body) }
}
