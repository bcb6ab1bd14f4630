extension PleasureSession: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<PleasureSession>(
        "session", id: "id", extra: .stored,
        .required("id", \.id, .id),
        .required("user_id", \.userID, .id),
        .required("state", \.state, .state),
        .standard("state_history", \.stateHistory, .states, default: []),
        .required("timestamp_start", \.start, .instant),
        .optional("timestamp_end", \.end, .instant, writesNull: true),
        .required("pleasure_vector", \.pleasure, .object),
        .optional("notes", \.notes, .text, writesNull: true),
        .optional("embedding_id", \.embeddingID, .text, writesNull: true),
        .optional("transcript_url", \.transcriptURL, .text, writesNull: true),
        .standard("media_urls", \.mediaURLs, .texts, default: [])
    ) {
        (
            id: String, user: String, state: SessionState, history: [SessionState], start: Timestamp, end: Timestamp?,
            pleasure: PleasureMarks, notes: String?, embedding: String?, transcript: String?, media: [String]
        ) throws(KinError) in
        // No state follows itself, so a history that ends with the present state already includes it.
        try PleasureSession(
            id: id, userID: user, history: history.last == state ? history : history + [state], start: start, end: end,
            pleasure: pleasure, notes: notes, embeddingID: embedding, transcriptURL: transcript, mediaURLs: media)
    }

    /// Reads a session from its JSON object.
    ///
    /// The state history may end with the present state or with the one before it.
    ///
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the session and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The session as a JSON object, on one line.
    public var json: String { jsonText }
}
