extension PleasureSession: StoredRecord {
    static let table = RecordTable<PleasureSession>(
        "session", owner: \.userID, .text("id", \.id), .instant("start", \.start), .text("state", \.state.name),
        RecordTable.Column(name: "vector", type: "BLOB NOT NULL") { $1.append($0.embedding.coordinates) }, key: ["id"],
        order: ["start", "id"])

    static func isRecognized(by members: [String]) -> Bool { members.contains("pleasure_vector") }

    /// A session only gains states and an end.
    static let isEarlier: (@Sendable (PleasureSession, PleasureSession) -> Bool)? = { session, later in
        later.stateHistory.starts(with: session.stateHistory)
            && (session.stateHistory.count < later.stateHistory.count || session.end == nil && later.end != nil)
    }
}

extension JSONRecord {
    /// Reads a record from the JSON that the store wrote.
    init(storedJSON bytes: [UInt8]) throws(KinError) {
        var result: Result<Self, KinError>?
        unsafe bytes.withUnsafeBufferPointer { bytes in
            result = Result { () throws(KinError) in try unsafe Self(parsing: bytes) }
        }
        self = try result!.get()
    }
}
