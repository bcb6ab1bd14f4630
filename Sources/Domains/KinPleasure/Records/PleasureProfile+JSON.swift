extension PleasureProfile: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<PleasureProfile>(
        "profile", id: "uid", extra: .stored,
        .required("uid", \.userID, .id),
        .required("pleasure_profile", \.pleasure, .pleasure),
        .standard("circadian_profile", \.circadian, .object, default: CircadianProfile()),
        .optional("current_state", \.currentState, .text, writesNull: true),
        .standard("session_state", \.sessionState, .state, default: .idle),
        .optional("context", \.context, context, writesNull: true),
        make: PleasureProfile.init(userID:pleasure:circadian:currentState:sessionState:context:))

    private static let context = JSONForm<PleasureProfile.Context>(
        "JSON", read: { reader throws(KinError) in try Context(from: &reader) }, write: { $1.raw($0.text) })

    /// Reads a profile from its JSON object.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the profile and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The profile as a JSON object, on one line.
    public var json: String { jsonText }
}

extension CircadianProfile: JSONRecord, JSONObject {
    package static let recordName = "circadian_profile"

    private static let keys = JSONKeys(DayPart.names, required: [])

    package init(from reader: inout JSONReader) throws(KinError) {
        var slots: [DayPart: [Pleasure.Dimension]] = [:]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            slots[DayPart.allCases[key]] = try JSONForm<[Pleasure.Dimension]>.dimensions.read(&reader)
        }
        self.init(slots)
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for slot in DayPart.allCases { writer.member(slot.name, self[slot].map(\.name)) }
    }
}
