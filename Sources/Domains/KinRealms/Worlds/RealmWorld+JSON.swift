import KinJSON

extension RealmWorld {
    static let format = "kin world"

    /// The world as a JSON object, on one line, in the format of `FORMAT.md`.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format") { $0.string(Self.format) }
            writer.member("version") { $0.integer(1) }
            writer.member("name") { $0.string(request.name) }
            writer.member("theme") { $0.string(request.theme) }
            if !isThemeKnown { writer.member("theme_is_known") { $0.boolean(false) } }
            writer.member("creator") { $0.string(request.creator) }
            writer.member("goals") { $0.array(request.goals.map(\.name)) }
            writer.member("minutes") { $0.integer(request.minutes) }
            writer.member("collaborative") { $0.boolean(request.isCollaborative) }
            writer.member("seed") { $0.integer(request.seed) }
            writer.member("counts") { writeCounts(to: &$0) }
            writer.member("realms") { $0.array(realms) { $0.write(to: &$1) } }
            writer.member("paths") { writer in
                writer.array(paths) { path, writer in
                    writer.object { writer in
                        writer.member("from") { $0.string(path.from) }
                        writer.member("to") { $0.string(path.to) }
                        writer.member("portal") { $0.boolean(path.isPortal) }
                    }
                }
            }
            if !contributedZones.isEmpty {
                writer.member("contributed_zones") { $0.array(contributedZones) { $0.write(to: &$1) } }
            }
            if !contributedStories.isEmpty {
                writer.member("contributed_stories") { $0.array(contributedStories) { $0.write(to: &$1) } }
            }
        }
        return writer.text
    }

    private func writeCounts(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("realms") { $0.integer(realms.count) }
            writer.member("zones") { $0.integer(zones.count) }
            writer.member("scenes") { $0.integer(scenes.count) }
            writer.member("objects") { $0.integer(objectCount) }
        }
    }
}

extension RealmWorld.Realm {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("type") { $0.string(type) }
            writer.member("match") { $0.number(match) }
            writer.member("goal_value") { $0.number(goalValue) }
            writer.member("zones") { $0.array(zones) { $0.write(to: &$1) } }
        }
    }
}

extension RealmWorld.Zone {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("name") { $0.string(name) }
            writer.member("position") { $0.string(direction.rawValue) }
            writer.member("cluster") { $0.integer(cluster) }
            writer.member("gathering_place") { $0.boolean(isGatheringPlace) }
            writer.member("scenes") { $0.array(scenes) { $0.write(to: &$1) } }
        }
    }
}

extension RealmWorld.Scene {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("image") { $0.string(image) }
            writer.member("mood") { $0.string(mood) }
            writer.member("minutes") { $0.number(minutes) }
            writer.member("overlays") { writer in
                writer.array(overlays) { overlay, writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(overlay.name) }
                        writer.member("intensity") { $0.number(overlay.intensity) }
                    }
                }
            }
            writer.member("therapeutic_value") { values.write(to: &$0) }
            writer.member("objects") { $0.array(objects) { $0.write(to: &$1) } }
        }
    }
}

extension RealmWorld.Object {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("name") { $0.string(name) }
            writer.member("category") { $0.string(category) }
            writer.member("number") { $0.integer(number) }
            detail?.writeMembers(to: &writer)
        }
    }
}
