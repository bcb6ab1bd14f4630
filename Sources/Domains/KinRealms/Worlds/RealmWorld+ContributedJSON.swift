import KinCore
import KinJSON

extension RealmWorld.ContributedZone {
    private static let keys = JSONKeys([
        "id", "name", "realm", "attribution", "discovered", "therapeutic_value", "scenes", "scene_count", "overlays",
    ])

    init(from reader: inout JSONReader) throws(KinError) {
        var (id, name, realm, attribution) = ("", "", "", "")
        var (isDiscovered, sceneCount) = (false, 0)
        var values = GoalValues()
        var (scenes, overlays): ([String], [String]) = ([], [])
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.contributedID()
            case 1: name = try reader.string()
            case 2: realm = try reader.string()
            case 3: attribution = try reader.string()
            case 4: isDiscovered = try reader.boolean()
            case 5: values = try GoalValues(from: &reader)
            case 6: scenes = try reader.strings()
            case 7: sceneCount = try reader.count()
            default: overlays = try reader.strings()
            }
        }
        self.init(
            id: id, name: name, realm: realm, attribution: attribution, isDiscovered: isDiscovered, values: values,
            scenes: scenes, sceneCount: sceneCount, overlays: overlays)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("name") { $0.string(name) }
            writer.member("realm") { $0.string(realm) }
            writer.member("attribution") { $0.string(attribution) }
            writer.member("discovered") { $0.boolean(isDiscovered) }
            writer.member("therapeutic_value") { values.write(to: &$0) }
            writer.member("scenes") { $0.array(scenes) }
            writer.member("scene_count") { $0.integer(sceneCount) }
            writer.member("overlays") { $0.array(overlays) }
        }
    }
}

extension RealmWorld.ContributedStory {
    private static let keys = JSONKeys([
        "id", "title", "content", "narrative_type", "trigger", "attribution", "discovered", "zone",
    ])

    init(from reader: inout JSONReader) throws(KinError) {
        var (id, title, text, type, trigger, attribution) = ("", "", "", "", "", "")
        var isDiscovered = false
        var zone: String?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.contributedID()
            case 1: title = try reader.string()
            case 2: text = try reader.string()
            case 3: type = try reader.string()
            case 4: trigger = try reader.string()
            case 5: attribution = try reader.string()
            case 6: isDiscovered = try reader.boolean()
            default: zone = try reader.optionalString()
            }
        }
        self.init(
            id: id, title: title, text: text, narrativeType: type, trigger: trigger, attribution: attribution,
            isDiscovered: isDiscovered)
        self.zone = zone
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("title") { $0.string(title) }
            writer.member("content") { $0.string(text) }
            writer.member("narrative_type") { $0.string(narrativeType) }
            writer.member("trigger") { $0.string(trigger) }
            writer.member("attribution") { $0.string(attribution) }
            writer.member("discovered") { $0.boolean(isDiscovered) }
            writer.member("zone") { writer in
                if let zone { writer.string(zone) } else { writer.null() }
            }
        }
    }
}

extension JSONReader {
    /// Reads the id of a contribution in a world, without its beginning.
    fileprivate mutating func contributedID() throws(KinError) -> String {
        let id = try string()
        guard id.hasPrefix("c.") else { throw error("the id of a contribution in a world begins with \"c.\"") }
        return String(id.dropFirst(2))
    }
}
