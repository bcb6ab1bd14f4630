import KinCore
import KinJSON
import KinPleasure

/// The records of grain's document, whose fields are those of Kin: `users`, `inventory`, `sessions`.
enum GrainShape {
    static let records = [
        record("user", "profile", mark: "pleasure_profile", PleasureProfile.form.fields),
        record("item", "inventory_item", mark: "access_mode", InventoryItem.form.fields),
        record("session", "session", mark: "pleasure_vector", PleasureSession.form.fields),
    ]

    private static func record(
        _ name: String, _ kind: String, mark: String, _ fields: [FieldDescription]
    ) -> ShapedRecord {
        let instants = ["timestamp_start", "timestamp_end"]
        return ShapedRecord(
            name: name, kind: kind, marks: [[mark]],
            fields: fields.filter { $0.name != "extra" }.map {
                ShapeField($0.name, $0.name, instants.contains($0.name) ? .instant : .same)
            })
    }
}
