import KinCore
import KinJSON
import KinPleasure

extension RecordKind {
    static let inventoryItem = RecordKind("inventory_item", columns: ["id", "body"], key: ["id"], order: ["id"])
}

extension InventoryItem: StoredRecord {
    static var kind: RecordKind { .inventoryItem }
    static let idPaths = [["id"]]
    static func isRecognized(by members: [String]) -> Bool { members.contains("access_mode") }

    var owner: String? { nil }

    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }
}
