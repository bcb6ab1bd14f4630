/// A person's taste: a point in the pleasure space, and the dimensions emphasised at each time of day.
public struct PleasureProfile: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The declared taste, over all times of day.
    public var pleasure: Pleasure
    /// The dimensions emphasised at each time of day.
    public var circadian: CircadianProfile
    /// The state of the person, as free text of the app.
    public var currentState: String?
    /// The state of the person's session.
    public var sessionState: SessionState
    /// Further data of the app, as JSON that is stored verbatim.
    public var context: PleasureProfile.Context?

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a profile from its parts.
    ///
    /// - Throws: `.invalidArgument` for an invalid user id (`RecordID`).
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

/// The dimensions emphasised in each time slot.
public struct CircadianProfile: Sendable, Hashable {
    private var slots: [[Pleasure.Dimension]]

    /// Creates a profile without emphasis.
    public init() { slots = DayPart.allCases.map { _ in [] } }

    /// Creates a profile with the dimensions of each slot, duplicates removed; missing slots are empty.
    public init(_ slots: [DayPart: [Pleasure.Dimension]]) {
        self.init()
        for (slot, dimensions) in slots { self[slot] = dimensions }
    }

    /// The dimensions emphasised in a slot, without duplicates, in the order given.
    public subscript(slot: DayPart) -> [Pleasure.Dimension] {
        get { slots[slot.rawValue] }
        set {
            var seen: Set<Pleasure.Dimension> = []
            slots[slot.rawValue] = newValue.filter { seen.insert($0).inserted }
        }
    }
}

extension PleasureProfile {
    /// A JSON value of any kind, stored verbatim except that line breaks become blanks.
    public struct Context: Sendable, Hashable {
        /// The value as JSON text.
        public let text: String

        /// Creates a value from its text.
        ///
        /// - Throws: `.malformedInput`, naming line and column, unless the text is one JSON value.
        public init(_ text: String) throws(KinError) {
            self.text = try JSONReader.read(text) { reader throws(KinError) in try reader.verbatim() }
        }

        package init(from reader: inout JSONReader) throws(KinError) { text = try reader.verbatim() }
    }
}
