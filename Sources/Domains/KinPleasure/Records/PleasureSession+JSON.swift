public import KinCore
public import KinJSON

extension PleasureSession: JSONRecord {
    package static let recordName = "session"

    private static let keys = JSONKeys(
        [
            "id", "user_id", "state", "state_history", "timestamp_start", "timestamp_end", "pleasure_vector", "notes",
            "embedding_id", "transcript_url", "media_urls",
        ], required: ["id", "user_id", "state", "timestamp_start", "pleasure_vector"])

    /// Reads a session from its JSON object.
    ///
    /// The state history may end with the present state or with the one before it.
    ///
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the session and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The session as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) {
        var draft = Draft()
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in try draft.read(key, from: &reader) }
            try self.init(draft)
        } catch {
            throw error.inRecord(Self.recordName, draft.id)
        }
    }

    private init(_ draft: Draft) throws(KinError) {
        guard let id = draft.id, let userID = draft.userID, let start = draft.start, let state = draft.state else {
            preconditionFailure("the reader asks for these")
        }
        // No state follows itself, so a history that ends with the present state includes it.
        let history = draft.history.last == state ? draft.history : draft.history + [state]
        try self.init(
            id: id, userID: userID, history: history, start: start, end: draft.end, pleasure: draft.pleasure,
            notes: draft.notes, embeddingID: draft.embeddingID, transcriptURL: draft.transcriptURL,
            mediaURLs: draft.mediaURLs)
    }

    /// The fields of a session, as far as they have been read.
    private struct Draft {
        var id: String?
        var userID: String?
        var state: SessionState?
        var history: [SessionState] = []
        var start: Timestamp?
        var end: Timestamp?
        var pleasure = PleasureMarks()
        var notes: String?
        var embeddingID: String?
        var transcriptURL: String?
        var mediaURLs: [String] = []

        mutating func read(_ key: Int, from reader: inout JSONReader) throws(KinError) {
            switch key {
            case 0: id = try reader.string()
            case 1: userID = try reader.string()
            case 2: state = try SessionState(from: &reader)
            case 3:
                if try reader.takesNull() { return }
                history = try reader.list { reader throws(KinError) in try SessionState(from: &reader) }
            case 4: start = try reader.timestamp()
            case 5: end = try reader.takesNull() ? nil : reader.timestamp()
            case 6: pleasure = try PleasureMarks(from: &reader)
            case 7: notes = try reader.optionalString()
            case 8: embeddingID = try reader.optionalString()
            case 9: transcriptURL = try reader.optionalString()
            default: mediaURLs = try reader.takesNull() ? [] : reader.strings()
            }
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("user_id") { $0.string(userID) }
            writer.member("state") { $0.string(state.name) }
            writer.member("state_history") { $0.array(stateHistory.map(\.name)) }
            writer.member("timestamp_start") { $0.string(start.description) }
            writer.member("timestamp_end") { $0.string(end?.description) }
            writer.member("pleasure_vector") { pleasure.write(to: &$0) }
            writer.member("notes") { $0.string(notes) }
            writer.member("embedding_id") { $0.string(embeddingID) }
            writer.member("transcript_url") { $0.string(transcriptURL) }
            writer.member("media_urls") { $0.array(mediaURLs) }
        }
    }
}
