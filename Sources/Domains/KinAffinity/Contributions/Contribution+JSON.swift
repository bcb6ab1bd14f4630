public import KinCore
public import KinJSON

extension Contribution: JSONRecord {
    package static let recordName = "zone or story"

    private static let keys = JSONKeys(["zone", "story"], required: [])

    /// Reads a contribution from its JSON object.
    ///
    /// It is `{"zone":{"name":…,"suggestedRealm":…,"therapeuticValue":{…},"scenes":[…],"overlayEffects":[…]}}` or
    /// `{"story":{"title":…,"content":…,"triggerZone":…,"narrativeType":…}}`, or the inner object of either. `scenes` are names, or their number.
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

    /// The kind of a contribution whose fields are those of the object itself; nil for an object that wraps it.
    private static func kind(ofFields names: [String]) -> Kind? {
        guard !names.contains(where: keys.names.contains) else { return nil }
        if names.contains(where: ZoneContribution.keys.names.contains) { return .zone }
        return names.contains(where: StoryContribution.keys.names.contains) ? .story : nil
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .zone(let zone): writer.member("zone") { zone.write(to: &$0) }
            case .story(let story): writer.member("story") { story.write(to: &$0) }
            }
        }
    }
}

extension ZoneContribution {
    fileprivate static let keys = JSONKeys(
        ["name", "suggestedRealm", "therapeuticValue", "scenes", "overlayEffects"],
        required: ["name", "suggestedRealm"])

    init(from reader: inout JSONReader) throws(KinError) {
        var (name, realm) = ("", "")
        var value = SoulTraits()
        var lists: [[String]] = [[], []]
        var sceneCount: Int?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: name = try reader.string()
            case 1: realm = try reader.string()
            case 2: value = try SoulTraits(from: &reader)
            case 3 where !reader.isAtArray(): sceneCount = Int(clamping: try reader.integer())
            default: lists[key - 3] = try reader.strings()
            }
        }
        try self.init(
            name: name, suggestedRealm: realm, therapeuticValue: value, scenes: lists[0], sceneCount: sceneCount,
            overlayEffects: lists[1])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name") { $0.string(name) }
            writer.member("suggestedRealm") { $0.string(suggestedRealm) }
            writer.member("therapeuticValue") { therapeuticValue.write(to: &$0) }
            writer.member("scenes") { writer in
                if scenes.count == sceneCount { writer.array(scenes) } else { writer.integer(sceneCount) }
            }
            writer.member("overlayEffects") { $0.array(overlayEffects) }
        }
    }
}

extension StoryContribution {
    fileprivate static let keys = JSONKeys(
        ["title", "content", "triggerZone", "narrativeType"], required: ["title", "content"])

    init(from reader: inout JSONReader) throws(KinError) {
        var texts = ["", "", "", ""]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in texts[key] = try reader.string() }
        try self.init(title: texts[0], content: texts[1], triggerZone: texts[2], narrativeType: texts[3])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, text) in zip(Self.keys.names, [title, content, triggerZone, narrativeType]) {
                writer.member(name) { $0.string(text) }
            }
        }
    }
}
