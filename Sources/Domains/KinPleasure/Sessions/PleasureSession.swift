/// A session of a person: a span of time with states and pleasures.
///
///     var session = try PleasureSession(id: "s1", userID: "u42", start: start)
///     session.pleasure = try PleasureMarks(primary: [.natureMirror], intensities: [.natureMirror: 0.9])
///     try session.advance(to: .drift)
///     try session.end(at: end)
///     session.stateHistory    // [idle, drift, reflection]
public struct PleasureSession: Sendable, Hashable {
    /// The id of the session.
    public let id: String
    /// The id of the person.
    public let userID: String
    /// The states in their order, the present one last; never empty, and all transitions are allowed ones.
    public private(set) var stateHistory: [SessionState]
    /// The start of the session.
    public let start: Timestamp
    /// The end of the session; nil while it lasts.
    public private(set) var end: Timestamp?
    /// The pleasures of the session.
    public var pleasure: PleasureMarks
    /// The person's notes, as free text.
    public var notes: String?
    /// The id of a text embedding that is stored elsewhere.
    public var embeddingID: String?
    /// The URL of the transcript.
    public var transcriptURL: String?
    /// The URLs of pictures, sounds and films.
    public var mediaURLs: [String]

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a session that has not ended.
    ///
    /// - Throws: `.invalidArgument` for an invalid id or user (`RecordID`).
    public init(
        id: String, userID: String, start: Timestamp, state: SessionState = .idle,
        pleasure: PleasureMarks = PleasureMarks()
    ) throws(KinError) {
        try self.init(
            id: id, userID: userID, history: [state], start: start, end: nil, pleasure: pleasure, notes: nil,
            embeddingID: nil, transcriptURL: nil, mediaURLs: [])
    }

    /// Creates a session from all its stored fields.
    ///
    /// - Parameters:
    ///   - id: The id of the session, not empty.
    ///   - userID: The id of the person, not empty.
    ///   - history: The states in their order, the present one last.
    ///   - start: The start of the session.
    ///   - end: The end of the session; nil if unknown.
    ///   - pleasure: The pleasures of the session.
    ///   - notes: The person's notes.
    ///   - embeddingID: The id of a text embedding that is stored elsewhere.
    ///   - transcriptURL: The URL of the transcript.
    ///   - mediaURLs: The URLs of pictures, sounds and films.
    /// - Throws: `.invalidArgument`, naming the field, for an invalid id or user (`RecordID`), a history that is empty
    ///   or has a forbidden transition, or an end before the start.
    public init(
        id: String, userID: String, history: [SessionState], start: Timestamp, end: Timestamp?, pleasure: PleasureMarks,
        notes: String?, embeddingID: String?, transcriptURL: String?, mediaURLs: [String]
    ) throws(KinError) {
        guard !history.isEmpty else {
            throw .field("state_history", "it has no state")
        }
        for (before, after) in zip(history, history.dropFirst()) {
            do throws(KinError) { try before.check(next: after) } catch { throw error.within("field", "state_history") }
        }
        if let end, end < start {
            throw .field("timestamp_end", "the end \(end) is before the start \(start)")
        }
        self.id = try RecordID.checked(id, field: "id")
        self.userID = try RecordID.checked(userID, field: "user_id")
        stateHistory = history
        self.start = start
        self.end = end
        self.pleasure = pleasure
        self.notes = notes
        self.embeddingID = embeddingID
        self.transcriptURL = transcriptURL
        self.mediaURLs = mediaURLs
    }

    /// The present state, or the last one.
    public var state: SessionState { stateHistory[stateHistory.count - 1] }

    /// Moves to a different state. A session without an end can move to reflection only by ``end(at:)``.
    ///
    /// - Throws: `.invalidArgument`, naming both states, for a forbidden transition; the session is then unchanged.
    public mutating func advance(to next: SessionState) throws(KinError) {
        try state.check(next: next)
        guard next != .reflection || end != nil else {
            throw KinError(
                .invalidArgument, "a session goes from \(state.name) to reflection only by ending; end it at an instant"
            )
        }
        stateHistory.append(next)
    }

    /// Ends the session and moves it to reflection. A session that was created with an end retains that end.
    ///
    /// - Throws: `.invalidArgument` if the session has already been in reflection, cannot move to it, has a different
    ///   end, or starts after the instant; the session is then unchanged.
    public mutating func end(at instant: Timestamp) throws(KinError) {
        if let end, stateHistory.contains(.reflection) || end != instant {
            throw KinError(.invalidArgument, "the session already ended at \(end)")
        }
        try state.check(next: .reflection)
        guard instant >= start else {
            throw .field("timestamp_end", "the end \(instant) is before the start \(start)")
        }
        stateHistory.append(.reflection)
        end = instant
    }
}
