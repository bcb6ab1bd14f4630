import KinCore
package import KinJSON

extension RealmWorld.ContributedZone: JSONObject {
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

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("name", name)
        writer.member("realm", realm)
        writer.member("attribution", attribution)
        writer.member("discovered", isDiscovered)
        writer.member("therapeutic_value", values)
        writer.member("scenes", scenes)
        writer.member("scene_count", sceneCount)
        writer.member("overlays", overlays)
    }
}

extension RealmWorld.ContributedStory: JSONObject {
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

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("title", title)
        writer.member("content", text)
        writer.member("narrative_type", narrativeType)
        writer.member("trigger", trigger)
        writer.member("attribution", attribution)
        writer.member("discovered", isDiscovered)
        writer.member("zone", zone)
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
