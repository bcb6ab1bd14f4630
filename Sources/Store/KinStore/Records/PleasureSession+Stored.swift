import KinCore
import KinJSON
import KinPleasure

extension RecordKind {
    static let session = RecordKind(
        "session", columns: ["person", "id", "start", "state", "vector", "body"], key: ["id"],
        order: ["start", "id"])
}

extension PleasureSession: StoredRecord {
    static var kind: RecordKind { .session }
    static let idPaths = [["id"], ["user_id"]]
    static func isRecognized(by members: [String]) -> Bool { members.contains("pleasure_vector") }

    var owner: String? { userID }

    var values: [SQLValue] {
        [
            .text(id), .integer(start.microseconds), .text(state.name), .bytes(embedding.littleEndianBytes),
            .utf8(jsonBytes),
        ]
    }
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
