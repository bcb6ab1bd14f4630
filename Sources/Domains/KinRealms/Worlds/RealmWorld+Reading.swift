public import KinCore
import KinJSON

extension RealmWorld {
    private static let keys = JSONKeys(
        [
            "format", "version", "name", "theme", "creator", "goals", "minutes", "collaborative", "seed", "counts",
            "realms", "paths", "theme_is_known", "contributed_zones", "contributed_stories",
        ],
        required: [
            "format", "version", "name", "theme", "creator", "goals", "minutes", "collaborative", "seed", "counts",
            "realms", "paths",
        ])
    private static let pathKeys = JSONKeys(["from", "to", "portal"])

    /// Reads a world that was written by ``json``.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for
    ///   another format or version.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Self(from: &reader) }
    }

    private init(from reader: inout JSONReader) throws(KinError) {
        var request = WorldRequest(name: "")
        var (realms, paths): ([Realm], [Path]) = ([], [])
        var isThemeKnown = true
        var contributed: (zones: [ContributedZone], stories: [ContributedStory]) = ([], [])
        let start = reader
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: try reader.format(Self.format)
            case 1: try reader.version()
            case 2: request.name = try reader.string()
            case 3: request.theme = try reader.string()
            case 4: request.creator = try reader.string()
            case 5:
                request.goals = try reader.strings().map { word throws(KinError) in try TherapeuticGoal(named: word) }
            case 6: request.minutes = try reader.count()
            case 7: request.isCollaborative = try reader.boolean()
            case 8: request.seed = try reader.seed()
            case 9: try reader.skip()  // They follow from the rest.
            case 10: realms = try reader.list { reader throws(KinError) in try Realm(from: &reader) }
            case 12: isThemeKnown = try reader.boolean()
            case 13:
                contributed.zones = try reader.list { reader throws(KinError) in try ContributedZone(from: &reader) }
            case 14:
                contributed.stories = try reader.list { reader throws(KinError) in try ContributedStory(from: &reader) }
            default:
                paths = try reader.list { reader throws(KinError) in
                    var (from, to, isPortal) = ("", "", false)
                    try reader.members(of: Self.pathKeys) { reader, key throws(KinError) in
                        switch key {
                        case 0: from = try reader.string()
                        case 1: to = try reader.string()
                        default: isPortal = try reader.boolean()
                        }
                    }
                    return Path(from: from, to: to, isPortal: isPortal)
                }
            }
        }
        request.realms = realms.count
        self.init(request: request, realms: realms, paths: paths, isThemeKnown: isThemeKnown)
        (contributedZones, contributedStories) = (contributed.zones, contributed.stories)
        let ids = Set(zones.map(\.id) + contributedZones.map(\.id))
        guard !realms.isEmpty, ids.count == zones.count + contributedZones.count,
            paths.allSatisfy({ ids.contains($0.from) && ids.contains($0.to) }),
            contributedStories.allSatisfy({ $0.zone.map(ids.contains) ?? true })
        else { throw start.error("a world has realms of zones, each with an id of its own, and paths between them") }
    }
}

extension RealmWorld.Realm {
    private static let keys = JSONKeys(["id", "type", "match", "goal_value", "zones"])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (id, type, match, value) = ("", "", 0.0, 0.0)
        var zones: [RealmWorld.Zone] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.string()
            case 1: type = try reader.string()
            case 2: match = try reader.share()
            case 3: value = try reader.share()
            default: zones = try reader.list { reader throws(KinError) in try RealmWorld.Zone(from: &reader) }
            }
        }
        guard !zones.isEmpty else { throw reader.error("a realm has zones").inField("zones") }
        self.init(id: id, type: type, match: match, goalValue: value, zones: zones)
    }
}

extension RealmWorld.Zone {
    private static let keys = JSONKeys(["id", "name", "position", "cluster", "gathering_place", "scenes"])
    private static let directions = JSONKeys(RealmWorld.Direction.allCases.map(\.rawValue))

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (id, name, cluster, isGatheringPlace) = ("", "", 0, false)
        var direction = RealmWorld.Direction.centre
        var scenes: [RealmWorld.Scene] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.string()
            case 1: name = try reader.string()
            case 2: direction = RealmWorld.Direction.allCases[try reader.choice(of: Self.directions, "position")]
            case 3: cluster = try reader.count()
            case 4: isGatheringPlace = try reader.boolean()
            default: scenes = try reader.list { reader throws(KinError) in try RealmWorld.Scene(from: &reader) }
            }
        }
        self.init(
            id: id, name: name, direction: direction, cluster: cluster, isGatheringPlace: isGatheringPlace,
            scenes: scenes)
    }
}

extension RealmWorld.Scene {
    private static let keys = JSONKeys(["id", "image", "mood", "minutes", "overlays", "therapeutic_value", "objects"])
    private static let overlayKeys = JSONKeys(["name", "intensity"])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (id, image, minutes) = ("", "", 0.0)
        var mood: String?
        var overlays: [ImageMood.Overlay] = []
        var values = GoalValues()
        var objects: [RealmWorld.Object] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.string()
            case 1: image = try reader.string()
            case 2: mood = try reader.optionalString()
            case 3: minutes = try reader.number()
            case 4:
                overlays = try reader.list { reader throws(KinError) in
                    var (name, intensity) = ("", 0.0)
                    try reader.members(of: Self.overlayKeys) { reader, key throws(KinError) in
                        if key == 0 { name = try reader.string() } else { intensity = try reader.share() }
                    }
                    return ImageMood.Overlay(name: name, intensity: intensity)
                }
            case 5: values = try GoalValues(from: &reader)
            default:
                objects = try reader.list { reader throws(KinError) in try RealmWorld.Object(from: &reader) }
            }
        }
        self.init(
            id: id, image: image, mood: mood, minutes: minutes, overlays: overlays, values: values, objects: objects)
    }
}

extension RealmWorld.Object {
    private static let keys = JSONKeys(
        ["id", "name", "category", "number"] + ObjectDetail.names, required: ["id", "name", "category", "number"])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (id, name, category, number) = ("", "", "", 0)
        var detail = ObjectDetail.Reading()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.string()
            case 1: name = try reader.string()
            case 2: category = try reader.string()
            case 3: number = try reader.count()
            default: try detail.read(key - 4, from: &reader)
            }
        }
        self.init(id: id, name: name, category: category, number: number, detail: try detail.detail(reader))
    }
}
