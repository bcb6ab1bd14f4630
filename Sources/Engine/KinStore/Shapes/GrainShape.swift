import KinCore
import KinJSON
import KinPleasure

/// The records of grain's document, whose fields are those of Kin: `users`, `inventory`, `sessions`.
enum GrainShape {
    static let records = [
        record("user", "profile", marks: ["pleasure_profile"], PleasureProfile.form.fields, ids: [.uid]),
        record("item", "inventory_item", marks: ["access_mode"], InventoryItem.form.fields, ids: [.id]),
        record("session", "session", marks: ["pleasure_vector"], PleasureSession.form.fields, ids: [author, .id]),
    ]

    private static let author = ShapeID(
        ours: ["user_id"], names: ["user_id", "userId", "userID", "uid"], option: "user")

    /// A record with the fields of Kin's record, recognized by any member in `marks`.
    static func record(
        _ name: String, _ kind: String, marks: [String], _ fields: [FieldDescription], ids: [ShapeID]
    ) -> ShapedRecord {
        let instants = ["timestamp_start", "timestamp_end"]
        return ShapedRecord(
            name: name, kind: kind, marks: marks.map { [$0] },
            fields: fields.filter { $0.name != "extra" }.map {
                ShapeField($0.name, $0.name, instants.contains($0.name) ? .instant : .same)
            }, ids: ids)
    }
}
