public import KinCore
public import KinJSON

extension PleasureProfile: JSONRecord {
    package static let recordName = "profile"

    private static let keys = JSONKeys(
        ["uid", "pleasure_profile", "circadian_profile", "current_state", "session_state", "context"],
        required: ["uid", "pleasure_profile"])

    /// Reads a profile from its JSON object.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the profile and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The profile as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) {
        var userID: String?
        var pleasure = Pleasure()
        var circadian = CircadianProfile()
        var currentState: String?
        var sessionState = SessionState.idle
        var context: PleasureProfile.Context?
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: userID = try reader.string()
                case 1: pleasure = try Pleasure(from: &reader)
                case 2: circadian = try CircadianProfile(from: &reader)
                case 3: currentState = try reader.optionalString()
                case 4: sessionState = try reader.takesNull() ? .idle : SessionState(from: &reader)
                default: context = try reader.takesNull() ? nil : PleasureProfile.Context(from: &reader)
                }
            }
            try self.init(
                userID: userID ?? "", pleasure: pleasure, circadian: circadian, currentState: currentState,
                sessionState: sessionState, context: context)
        } catch {
            throw error.inRecord(Self.recordName, userID)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(userID) }
            writer.member("pleasure_profile") { pleasure.write(to: &$0) }
            writer.member("circadian_profile") { circadian.write(to: &$0) }
            writer.member("current_state") { $0.string(currentState) }
            writer.member("session_state") { $0.string(sessionState.name) }
            writer.member("context") { $0.raw(context?.text ?? "null") }
        }
    }
}

extension CircadianProfile {
    private static let keys = JSONKeys(DayPart.names, required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        self.init()
        if try reader.takesNull() { return }
        var slots: [DayPart: [Pleasure.Dimension]] = [:]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            slots[DayPart.allCases[key]] = try reader.dimensions()
        }
        self.init(slots)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for slot in DayPart.allCases { writer.member(slot.name) { $0.array(self[slot].map(\.name)) } }
        }
    }
}
