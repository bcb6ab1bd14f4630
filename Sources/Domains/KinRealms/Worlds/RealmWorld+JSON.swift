package import KinJSON

extension RealmWorld {
    static let format = "kin world"

    /// The world as a JSON object, on one line, in the format of `FORMAT.md`.
    public var json: String {
        JSONWriter.object { writer in
            writer.member("format", Self.format)
            writer.member("version", 1)
            writer.member("name", request.name)
            writer.member("theme", request.theme)
            if !isThemeKnown { writer.member("theme_is_known", false) }
            writer.member("creator", request.creator)
            writer.member("goals", request.goals.map(\.name))
            writer.member("minutes", request.minutes)
            writer.member("collaborative", request.isCollaborative)
            writer.member("seed", request.seed)
            writer.member("counts") { writeCounts(to: &$0) }
            writer.member("realms", realms)
            writer.objects("paths", paths) { path, writer in
                writer.member("from", path.from)
                writer.member("to", path.to)
                writer.member("portal", path.isPortal)
            }
            if !contributedZones.isEmpty {
                writer.member("contributed_zones", contributedZones)
            }
            if !contributedStories.isEmpty {
                writer.member("contributed_stories", contributedStories)
            }
        }
    }

    private func writeCounts(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("realms", realms.count)
            writer.member("zones", zones.count)
            writer.member("scenes", scenes.count)
            writer.member("objects", objectCount)
        }
    }
}

extension RealmWorld.Realm: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("type", type)
        writer.member("match", match)
        writer.member("goal_value", goalValue)
        writer.member("zones", zones)
    }
}

extension RealmWorld.Zone: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("name", name)
        writer.member("position", direction.rawValue)
        writer.member("cluster", cluster)
        writer.member("gathering_place", isGatheringPlace)
        writer.member("scenes", scenes)
    }
}

extension RealmWorld.Scene: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("image", image)
        writer.member("mood", mood)
        writer.member("minutes", minutes)
        writer.objects("overlays", overlays) { overlay, writer in
            writer.member("name", overlay.name)
            writer.member("intensity", overlay.intensity)
        }
        writer.member("therapeutic_value", values)
        writer.member("objects", objects)
    }
}

extension RealmWorld.Object: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("name", name)
        writer.member("category", category)
        writer.member("number", number)
        detail?.writeMembers(to: &writer)
    }
}
