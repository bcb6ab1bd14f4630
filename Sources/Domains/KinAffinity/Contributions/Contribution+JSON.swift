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

extension ZoneContribution: JSONObject {
    private static let aliases: [(alias: String, name: String)] = [
        ("suggested_realm", "suggestedRealm"), ("therapeutic_value", "therapeuticValue"),
        ("overlay_effects", "overlayEffects"),
    ]
    private static let keys = JSONKeys(
        ["name", "suggestedRealm", "therapeuticValue", "scenes", "overlayEffects", "type"],
        required: ["name", "suggestedRealm"], aliases: aliases)
    /// The names of members that only zones have.
    fileprivate static let fields = Set(keys.names.dropLast() + aliases.map(\.alias))
    private static let kinds = JSONKeys(["zone"])

    init(from reader: inout JSONReader) throws(KinError) {
        var (name, realm) = ("", "")
        var value = SoulTraits()
        var lists: [[String]] = [[], []]
        var sceneCount: Int?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if key > 1, try reader.takesNull() { return }
            switch key {
            case 0: name = try reader.string()
            case 1: realm = try reader.string()
            case 2: value = try SoulTraits(from: &reader)
            case 3 where !reader.isAtArray(): sceneCount = Int(clamping: try reader.integer())
            case 5: _ = try reader.choice(of: Self.kinds, "type of this contribution")
            default: lists[key - 3] = try reader.list { reader throws(KinError) in try reader.nameOrNamed() }
            }
        }
        try self.init(
            name: name, suggestedRealm: realm, therapeuticValue: value, scenes: lists[0], sceneCount: sceneCount,
            overlayEffects: lists[1])
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("suggestedRealm", suggestedRealm)
        writer.member("therapeuticValue", therapeuticValue)
        writer.member("scenes") { writer in
            if scenes.count == sceneCount { writer.array(scenes) } else { writer.integer(sceneCount) }
        }
        writer.member("overlayEffects", overlayEffects)
    }
}

extension StoryContribution: JSONObject {
    private static let aliases: [(alias: String, name: String)] = [
        ("trigger_zone", "triggerZone"), ("narrative_type", "narrativeType"),
    ]
    private static let keys = JSONKeys(
        ["title", "content", "triggerZone", "narrativeType", "type"], required: ["title", "content"], aliases: aliases)
    /// The names of members that only stories have.
    fileprivate static let fields = Set(keys.names.dropLast() + aliases.map(\.alias))
    private static let kinds = JSONKeys(["story"])

    init(from reader: inout JSONReader) throws(KinError) {
        var texts = ["", "", "", ""]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if key > 1, try reader.takesNull() { return }
            if key == 4 {
                _ = try reader.choice(of: Self.kinds, "type of this contribution")
            } else {
                texts[key] = try reader.string()
            }
        }
        try self.init(title: texts[0], content: texts[1], triggerZone: texts[2], narrativeType: texts[3])
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for (name, text) in zip(Self.keys.names, [title, content, triggerZone, narrativeType]) {
            writer.member(name, text)
        }
    }
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
