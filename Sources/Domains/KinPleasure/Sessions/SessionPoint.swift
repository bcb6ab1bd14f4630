public import KinCore

/// What a ``SessionIndex`` keeps of a session.
public struct SessionPoint: Sendable, Hashable {
    /// Whose session it is.
    public let userID: String
    /// The state that it is in, or ended in.
    public let state: SessionState
    /// When it began.
    public let start: Timestamp
    /// Its place in the pleasure space.
    public let point: Pleasure

    public init(userID: String, state: SessionState, start: Timestamp, point: Pleasure) {
        self.userID = userID
        self.state = state
        self.start = start
        self.point = point
    }

    /// That of a session.
    public init(_ session: PleasureSession) {
        self.init(userID: session.userID, state: session.state, start: session.start, point: session.embedding)
    }
}
