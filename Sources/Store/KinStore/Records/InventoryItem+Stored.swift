import KinCore
import KinJSON
import KinPleasure

extension RecordKind {
    static let inventoryItem = RecordKind("inventory_item", columns: ["id", "body"], key: ["id"], order: ["id"])
}

extension InventoryItem: StoredRecord {
    static var kind: RecordKind { .inventoryItem }

    var owner: String? { nil }

    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }

    init(row: StoredRow, body: [UInt8]) throws(KinError) { try self.init(storedJSON: body) }
}
