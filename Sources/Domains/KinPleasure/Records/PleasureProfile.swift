public import KinCore
package import KinJSON

/// A person's taste: a point in the pleasure space, and which dimensions matter more at which time of day.
public struct PleasureProfile: Sendable, Hashable {
    /// Whose it is.
    public let userID: String
    /// What the person enjoys, all in all.
    public var pleasure: Pleasure
    /// Which dimensions matter more at which time of day.
    public var circadian: CircadianProfile
    /// How the person is, in words of their own or of an app.
    public var currentState: String?
    /// Where the person's session stands.
    public var sessionState: SessionState
    /// What else an app knows of the situation; kept as it is.
    public var context: PleasureProfile.Context?

    /// A profile.
    ///
    /// - Throws: `.invalidArgument` for a user id that is none (`RecordID`).
    public init(
        userID: String, pleasure: Pleasure, circadian: CircadianProfile = CircadianProfile(),
        currentState: String? = nil,
        sessionState: SessionState = .idle, context: PleasureProfile.Context? = nil
    ) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "uid")
        self.pleasure = pleasure
        self.circadian = circadian
        self.currentState = currentState
        self.sessionState = sessionState
        self.context = context
    }
}

/// The dimensions that matter more at each time of day.
public struct CircadianProfile: Sendable, Hashable {
    private var slots: [[Pleasure.Dimension]]

    /// No time is special.
    public init() { slots = TimeSlot.allCases.map { _ in [] } }

    /// The dimensions of each slot; none for those left out. A dimension that is listed twice counts once.
    public init(_ slots: [TimeSlot: [Pleasure.Dimension]]) {
        self.init()
        for (slot, dimensions) in slots { self[slot] = dimensions }
    }

    /// The dimensions that matter more in a slot, each once, in the order given.
    public subscript(slot: TimeSlot) -> [Pleasure.Dimension] {
        get { slots[slot.rawValue] }
        set {
            var seen: Set<Pleasure.Dimension> = []
            slots[slot.rawValue] = newValue.filter { seen.insert($0).inserted }
        }
    }
}

extension PleasureProfile {
    /// A JSON value of any kind, kept as it was written but for line breaks, which become blanks.
    public struct Context: Sendable, Hashable {
        /// The value as JSON.
        public let text: String

        /// A value from its text.
        ///
        /// - Throws: `.malformedInput`, naming line and column, when it is not one JSON value.
        public init(_ text: String) throws(KinError) {
            self.text = try JSONReader.read(text) { reader throws(KinError) in try reader.verbatim() }
        }

        package init(from reader: inout JSONReader) throws(KinError) { text = try reader.verbatim() }
    }
}
