extension Contribution: JSONRecord, JSONObject {
    package static let recordName = "zone or story"

    private static let keys = JSONKeys(["zone", "story"], required: [])

    /// Reads a contribution from its JSON object.
    ///
    /// It is `{"zone":{"name":…,"suggestedRealm":…,"therapeuticValue":{…},"scenes":[…],"overlayEffects":[…]}}` or
    /// `{"story":{"title":…,"content":…,"triggerZone":…,"narrativeType":…}}`. The inner object of either is accepted
    /// too, with an optional `"type":"zone"` or `"type":"story"`. `scenes` are names, or their number; scenes and
    /// effects may be objects with a `name` (or `title`, or `id`). Member names may be in snake case, and optional
    /// members may be null.
    ///
    /// - Parameter json: One object; `name` and `suggestedRealm`, or `title` and `content`, are required.
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Contribution(from: &reader) }
    }

    /// The contribution as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) {
        let start = reader
        var names = reader
        if let kind = Self.kind(ofFields: try names.rawMembers().map(\.name)) {
            self =
                switch kind {
                case .zone: .zone(try ZoneContribution(from: &reader))
                case .story: .story(try StoryContribution(from: &reader))
                }
            return
        }
        var found: [Contribution] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            found.append(
                key == 0 ? .zone(try ZoneContribution(from: &reader)) : .story(try StoryContribution(from: &reader)))
        }
        guard found.count == 1, let only = found.first else {
            throw start.error("a contribution is one zone or one story")
        }
        self = only
    }

    private enum Kind { case zone, story }

    /// The kind of an unwrapped contribution, by its member names; nil for an object that wraps one.
    private static func kind(ofFields names: [String]) -> Kind? {
        guard !names.contains(where: keys.names.contains) else { return nil }
        // Both kinds have "type".
        if names.contains(where: ZoneContribution.fields.contains) { return .zone }
        return names.contains(where: StoryContribution.fields.contains) ? .story : nil
    }

    package func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .zone(let zone): writer.member("zone", zone)
        case .story(let story): writer.member("story", story)
        }
    }
}

extension ZoneContribution: DeclaredRecord {
    private static let aliases: [(alias: String, name: String)] = [
        ("suggested_realm", "suggestedRealm"), ("therapeutic_value", "therapeuticValue"),
        ("overlay_effects", "overlayEffects"),
    ]
    package static let form = RecordSchema<ZoneContribution>(
        "zone", aliases: aliases,
        .required("name", \.name, .text),
        .required("suggestedRealm", \.suggestedRealm, .text),
        .standard("therapeuticValue", \.therapeuticValue, .object, default: SoulTraits()),
        .optional("scenes", { @Sendable in ($0.scenes, $0.sceneCount) }, scenes),
        .standard("overlayEffects", \.overlayEffects, names, default: []),
        .optional("type", { @Sendable _ in nil }, .word("type of this contribution", of: ["zone"]) { @Sendable in $0 })
    ) { name, realm, value, scenes, effects, _ throws(KinError) in
        try ZoneContribution(
            name: name, suggestedRealm: realm, therapeuticValue: value, scenes: scenes?.names ?? [],
            sceneCount: scenes?.count, overlayEffects: effects)
    }

    /// The names of members that only zones have.
    fileprivate static let fields = Set(form.fields.map(\.name).dropLast() + aliases.map(\.alias))

    private static let names = JSONForm<[String]>.list(
        of: JSONForm("text", read: { reader throws(KinError) in try reader.nameOrNamed() }, write: { $1.string($0) }))
    /// The names of scenes, or their number alone.
    private static let scenes = JSONForm<(names: [String], count: Int?)>(
        "list of text or integer",
        read: { reader throws(KinError) in
            if reader.isAtArray() { return (try names.read(&reader), nil) }
            return ([], Int(clamping: try reader.integer()))
        },
        write: { scenes, writer in
            if let count = scenes.count, count != scenes.names.count {
                writer.integer(count)
            } else {
                writer.array(scenes.names)
            }
        })
}

extension StoryContribution: DeclaredRecord {
    private static let aliases: [(alias: String, name: String)] = [
        ("trigger_zone", "triggerZone"), ("narrative_type", "narrativeType"),
    ]
    package static let form = RecordSchema<StoryContribution>(
        "story", aliases: aliases,
        .required("title", \.title, .text),
        .required("content", \.content, .text),
        .standard("triggerZone", \.triggerZone, .text, default: ""),
        .standard("narrativeType", \.narrativeType, .text, default: ""),
        .optional("type", { @Sendable _ in nil }, .word("type of this contribution", of: ["story"]) { @Sendable in $0 })
    ) { title, content, zone, type, _ throws(KinError) in
        try StoryContribution(title: title, content: content, triggerZone: zone, narrativeType: type)
    }

    /// The names of members that only stories have.
    fileprivate static let fields = Set(form.fields.map(\.name).dropLast() + aliases.map(\.alias))
}

extension JSONReader {
    /// Reads a name: a text, or the first of `name`, `title` and `id` in an object, whose other members are skipped.
    fileprivate mutating func nameOrNamed() throws(KinError) -> String {
        guard isAtObject() else { return try string() }
        let start = self
        var found: [String: String] = [:]
        try members { reader, key throws(KinError) in
            if ["name", "title", "id"].contains(key) { found[key] = try reader.string() } else { try reader.skip() }
        }
        guard let name = found["name"] ?? found["title"] ?? found["id"] else { throw start.error("it has no name") }
        return name
    }
}
