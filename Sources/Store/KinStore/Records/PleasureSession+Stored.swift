import KinCore
import KinJSON
import KinPleasure

extension PleasureSession: StoredRecord {
    static let table = RecordTable<PleasureSession>(
        "session", owner: \.userID, .text("id", \.id), .instant("start", \.start), .text("state", \.state.name),
        RecordTable.Column(name: "vector") { .bytes($0.embedding.littleEndianBytes) }, key: ["id"],
        order: ["start", "id"])

    static func isRecognized(by members: [String]) -> Bool { members.contains("pleasure_vector") }
}

extension Pleasure {
    /// The sixteen floats in little-endian order, 64 bytes.
    var littleEndianBytes: [UInt8] {
        var writer = LittleEndianWriter()
        for dimension in 0..<Pleasure.Dimension.count { writer.write(coordinates[dimension]) }
        return writer.bytes
    }
}

extension JSONRecord {
    /// The record as JSON in UTF-8.
    var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.reserveCapacity(1024)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads a record from the JSON that the store wrote.
    init(storedJSON bytes: [UInt8]) throws(KinError) {
        var result: Result<Self, KinError>?
        unsafe bytes.withUnsafeBufferPointer { bytes in
            result = Result { () throws(KinError) in try unsafe Self(parsing: bytes) }
        }
        self = try result!.get()
    }
}
