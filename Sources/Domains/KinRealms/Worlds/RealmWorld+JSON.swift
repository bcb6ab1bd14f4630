extension RealmWorld: DeclaredRecord {
    private static let format = "kin world"

    package static let form: RecordSchema<RealmWorld> = RecordSchema(
        "world",
        .constant("format", format, .format(format)),
        .constant("version", 1, .version()),
        .required("name", \.request.name, .text),
        .required("theme", \.request.theme, .text),
        .standard("theme_is_known", \.isThemeKnown, .boolean, default: true, writesDefault: false),
        .required("creator", \.request.creator, .text),
        .required("goals", \.request.goals, .goals),
        .required("minutes", \.request.minutes, .count),
        .required("collaborative", \.request.isCollaborative, .boolean),
        .required("seed", \.request.seed, .seed),
        .required("counts", \.counts, counts),
        .required("realms", \.realms, .list(of: .object)),
        .required("paths", \.paths, .list(of: JSONForm(path))),
        .standard("contributed_zones", \.contributedZones, .list(of: .object), default: [], writesDefault: false),
        .standard("contributed_stories", \.contributedStories, .list(of: .object), default: [], writesDefault: false)
    ) {
        (
            _: String, _: Int, name: String, theme: String, isThemeKnown: Bool, creator: String,
            goals: [TherapeuticGoal], minutes: Int, isCollaborative: Bool, seed: UInt64, _: [Int], realms: [Realm],
            paths: [Path], zones: [ContributedZone], stories: [ContributedStory]
        ) throws(KinError) -> RealmWorld in
        let request = WorldRequest(
            name: name, theme: theme, creator: creator, goals: goals, minutes: minutes,
            isCollaborative: isCollaborative, realms: realms.count, seed: seed)
        var world = RealmWorld(request: request, realms: realms, paths: paths, isThemeKnown: isThemeKnown)
        (world.contributedZones, world.contributedStories) = (zones, stories)
        let all = world.zones.map(\.id) + zones.map(\.id)
        let ids = Set(all)
        guard !realms.isEmpty, ids.count == all.count,
            paths.allSatisfy({ ids.contains($0.from) && ids.contains($0.to) }),
            stories.allSatisfy({ $0.zone.map(ids.contains) ?? true })
        else {
            throw KinError(
                .malformedInput, "a world has realms of zones, each with an id of its own, and paths between them")
        }
        return world
    }

    /// The numbers of realms, zones, scenes and objects.
    private var counts: [Int] { [realms.count, zones.count, scenes.count, objectCount] }

    /// The numbers of parts, which are skipped because they follow from the rest.
    private static let counts = JSONForm<[Int]>(
        "numbers of parts",
        read: { reader throws(KinError) in
            try reader.skip()
            return []
        },
        write: { counts, writer in
            writer.object { writer in
                for (name, count) in zip(["realms", "zones", "scenes", "objects"], counts) {
                    writer.member(name, count)
                }
            }
        })

    private static let path = RecordSchema<Path>(
        "path",
        .required("from", \.from, .text),
        .required("to", \.to, .text),
        .required("portal", \.isPortal, .boolean),
        make: Path.init(from:to:isPortal:))

    /// Reads a world that was written by ``json``.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for a
    ///   different format or version.
    public init(json: String) throws(KinError) { self = try Self.form.read(text: json) }

    /// The world as a JSON object, on one line, in the format of `FORMAT.md`.
    public var json: String { jsonText }
}

extension RealmWorld.Realm: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.Realm>(
        "realm",
        .required("id", \.id, .text),
        .required("type", \.type, .text),
        .required("match", \.match, .share),
        .required("goal_value", \.goalValue, .share),
        .required("zones", \.zones, .list(of: .object))
    ) { (id: String, type: String, match: Double, goalValue: Double, zones: [RealmWorld.Zone]) throws(KinError) in
        guard !zones.isEmpty else {
            throw .field("zones", "a realm has zones", .malformedInput)
        }
        return RealmWorld.Realm(id: id, type: type, match: match, goalValue: goalValue, zones: zones)
    }
}

extension RealmWorld.Zone: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.Zone>(
        "zone",
        .required("id", \.id, .text),
        .required("name", \.name, .text),
        .required("position", \.direction, .word("position")),
        .required("cluster", \.cluster, .count),
        .required("gathering_place", \.isGatheringPlace, .boolean),
        .required("scenes", \.scenes, .list(of: .object)),
        make: RealmWorld.Zone.init(id:name:direction:cluster:isGatheringPlace:scenes:))
}

extension RealmWorld.Scene: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.Scene>(
        "scene",
        .required("id", \.id, .text),
        .required("image", \.image, .text),
        .required("mood", \.mood, .nullable(.text)),
        .required("minutes", \.minutes, .number()),
        .required("overlays", \.overlays, .list(of: JSONForm(overlay))),
        .required("therapeutic_value", \.values, .object),
        .required("objects", \.objects, .list(of: .object)),
        make: RealmWorld.Scene.init(id:image:mood:minutes:overlays:values:objects:))

    private static let overlay = RecordSchema<ImageMood.Overlay>(
        "overlay", .required("name", \.name, .text), .required("intensity", \.intensity, .share),
        make: ImageMood.Overlay.init(name:intensity:))
}

extension RealmWorld.Object: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.Object>(
        "object",
        .required("id", \.id, .text),
        .required("name", \.name, .text),
        .required("category", \.category, .text),
        .required("number", \.number, .count),
        .optional("bounding_box", \.detail.box, .object),
        .optional("confidence", \.detail.confidence, .number(in: 0...1)),
        .standard("therapeutic_associations", \.detail.associations, .goals, default: [], writesDefault: false),
        .optional("emotional_valence", \.detail.valence, .number(in: -1...1)),
        .optional("calming_score", \.detail.calming, .number(in: 0...1))
    ) {
        (
            id: String, name: String, category: String, number: Int, box: DetectedObject.BoundingBox?,
            confidence: Float?, associations: [TherapeuticGoal], valence: Float?, calming: Float?
        ) throws(KinError) in
        let detail = try ObjectDetail(
            box: box, confidence: confidence, associations: associations, valence: valence, calming: calming)
        return RealmWorld.Object(id: id, name: name, category: category, number: number, detail: detail)
    }
}

extension RealmWorld.ContributedZone: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.ContributedZone>(
        "contributed zone",
        .required("id", \.id, .contributed),
        .required("name", \.name, .text),
        .required("realm", \.realm, .text),
        .required("attribution", \.attribution, .text),
        .required("discovered", \.isDiscovered, .boolean),
        .required("therapeutic_value", \.values, .object),
        .required("scenes", \.scenes, .texts),
        .required("scene_count", \.sceneCount, .count),
        .required("overlays", \.overlays, .texts),
        make: RealmWorld.ContributedZone.init(
            id:name:realm:attribution:isDiscovered:values:scenes:sceneCount:overlays:))
}

extension RealmWorld.ContributedStory: DeclaredRecord {
    package static let form = RecordSchema<RealmWorld.ContributedStory>(
        "contributed story",
        .required("id", \.id, .contributed),
        .required("title", \.title, .text),
        .required("content", \.text, .text),
        .required("narrative_type", \.narrativeType, .text),
        .required("trigger", \.trigger, .text),
        .required("attribution", \.attribution, .text),
        .required("discovered", \.isDiscovered, .boolean),
        .required("zone", \.zone, .nullable(.text))
    ) {
        (
            id: String, title: String, text: String, type: String, trigger: String, attribution: String,
            isDiscovered: Bool, zone: String?
        ) in
        var story = RealmWorld.ContributedStory(
            id: id, title: title, text: text, narrativeType: type, trigger: trigger, attribution: attribution,
            isDiscovered: isDiscovered)
        story.zone = zone
        return story
    }
}

extension JSONForm<String> {
    /// The id of a contribution in a world, read without its prefix.
    fileprivate static let contributed = JSONForm(
        "id",
        read: { reader throws(KinError) in
            let id = try reader.string()
            guard id.hasPrefix("c.") else {
                throw reader.error("the id of a contribution in a world begins with \"c.\"")
            }
            return String(id.dropFirst(2))
        }, write: text.write)
}
