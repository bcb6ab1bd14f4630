import KinCore
import KinJSON
import KinRealms

extension RecordKind {
    static let image = RecordKind("image", columns: ["id", "body"], key: ["id"], order: ["id"])
}

extension ImageAnalysis: StoredRecord {
    static var kind: RecordKind { .image }
    static let idPaths = [["image_id"]]
    static func isRecognized(by members: [String]) -> Bool { members.contains("detected_objects") }

    var owner: String? { nil }

    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }
}
