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
        let conversions: [String: ShapeConversion] = [
            "timestamp_start": .instant, "timestamp_end": .instant, "pleasure_vector": vector,
            "location_coords": coordinates,
        ]
        return ShapedRecord(
            name: name, kind: kind, marks: marks.map { [$0] },
            fields: fields.filter { $0.name != "extra" }.map {
                ShapeField($0.name, $0.name, conversions[$0.name] ?? .same)
            }, others: kind == "session" ? ["pleasure_vector.embedding"] : [], ids: ids)
    }

    /// A location, which may be Firestore's `GeoPoint`.
    private static let coordinates = ShapeConversion(
        description: "latitude and longitude to lat and lng",
        read: { value, _ in
            let names = ["latitude": "lat", "_latitude": "lat", "longitude": "lng", "_longitude": "lng"]
            guard case .object(let members) = value else { return value }
            return .object(members.map { JSONTree.Member(name: names[$0.name] ?? $0.name, value: $0.value) })
        }, write: { value, _ in value })

    /// The marks of a session. Its embedding, which Firestore searches, has the same 16 numbers again.
    private static let vector = ShapeConversion(
        description: "without the embedding, which follows from the intensities",
        read: { value, _ in
            guard case .object(let members) = value else { return value }
            return .object(members.filter { $0.name != "embedding" })
        }, write: { value, _ in value })
}
