public import KinCore

/// A stretch of time that a person spent, and the pleasures in it.
public struct PleasureSession: Sendable, Hashable {
    /// Which session it is.
    public let id: String
    /// Whose it is.
    public let userID: String
    /// The states it went through, the present one last; never empty, and every step is allowed.
    public private(set) var stateHistory: [SessionState]
    /// When it began.
    public let start: Timestamp
    /// When it ended; nil while it lasts.
    public private(set) var end: Timestamp?
    /// The dimensions that were felt.
    public var pleasure: PleasureMarks
    /// What the person wrote.
    public var notes: String?
    /// The name of a text embedding kept elsewhere.
    public var embeddingID: String?
    /// Where the transcript is.
    public var transcriptURL: String?
    /// Where pictures, sounds and films are.
    public var mediaURLs: [String]

    /// A session that has not ended.
    ///
    /// - Throws: `.invalidArgument` for an id or user that is none (`RecordID`).
    public init(
        id: String, userID: String, start: Timestamp, state: SessionState = .idle,
        pleasure: PleasureMarks = PleasureMarks()
    ) throws(KinError) {
        try self.init(
            id: id, userID: userID, history: [state], start: start, end: nil, pleasure: pleasure, notes: nil,
            embeddingID: nil, transcriptURL: nil, mediaURLs: [])
    }

    /// A session as it was stored.
    ///
    /// - Parameters:
    ///   - id: The id, not empty.
    ///   - userID: Whose session it is, not empty.
    ///   - history: The states it went through, the present one last.
    ///   - start: When it began.
    ///   - end: When it ended; nil when that is not known.
    ///   - pleasure: The dimensions that were felt, by their strength.
    ///   - notes: What the person wrote.
    ///   - embeddingID: The id of an embedding kept elsewhere.
    ///   - transcriptURL: Where the transcript lies.
    ///   - mediaURLs: Where pictures and sounds lie.
    /// - Throws: `.invalidArgument`, naming the field, for an id or user that is none (`RecordID`), a history that is empty or has a step that is not
    ///   allowed, or an end before the start.
    public init(
        id: String, userID: String, history: [SessionState], start: Timestamp, end: Timestamp?, pleasure: PleasureMarks,
        notes: String?, embeddingID: String?, transcriptURL: String?, mediaURLs: [String]
    ) throws(KinError) {
        guard !history.isEmpty else {
            throw KinError(.invalidArgument, "it has no state").within("field", "state_history")
        }
        for (before, after) in zip(history, history.dropFirst()) {
            do throws(KinError) { try before.check(next: after) } catch { throw error.within("field", "state_history") }
        }
        if let end, end < start {
            throw KinError(.invalidArgument, "the end \(end) is before the start \(start)")
                .within("field", "timestamp_end")
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

    /// The state it is in.
    public var state: SessionState { stateHistory[stateHistory.count - 1] }

    /// Goes on to another state. Reflection is reached by ``end(at:)``.
    ///
    /// - Throws: `.invalidArgument`, naming both states, unless the step is allowed; nothing is changed then.
    public mutating func advance(to next: SessionState) throws(KinError) {
        try state.check(next: next)
        guard next != .reflection else {
            throw KinError(
                .invalidArgument, "a session goes from \(state.name) to reflection only by ending; end it at an instant"
            )
        }
        stateHistory.append(next)
    }

    /// Ends the session: it goes to reflection.
    ///
    /// - Throws: `.invalidArgument` when it has ended already, or the instant is before its start; nothing is changed then.
    public mutating func end(at instant: Timestamp) throws(KinError) {
        try state.check(next: .reflection)
        guard instant >= start else {
            throw KinError(.invalidArgument, "the end \(instant) is before the start \(start)")
                .within("field", "timestamp_end")
        }
        stateHistory.append(.reflection)
        end = instant
    }
}
