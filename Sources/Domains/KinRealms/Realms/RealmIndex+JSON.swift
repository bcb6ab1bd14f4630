public import KinCore
package import KinJSON

extension RealmIndex {
    private static let format = "kin realm index"
    private static let keys = JSONKeys(["format", "version", "temperature", "realms", "centres", "images"])
    private static let centreKeys = JSONKeys(["weight", "centre"])
    private static let entryKeys = JSONKeys(["image", "score"])

    /// The contents of `realm_index.json`, on one line, in the format of `FORMAT.md`.
    public var json: String {
        JSONWriter.object { writer in
            writer.member("format", Self.format)
            writer.member("version", version)
            writer.member("temperature", temperature)
            writer.object("realms") { writer in
                for realm in realms {
                    writer.objects(realm.type, realm.entries) { entry, writer in
                        writer.member("image", images[entry.image].id)
                        writer.member("score", entry.score)
                    }
                }
            }
            writer.object("centres") { writer in
                for realm in realms {
                    writer.object(realm.type) { writer in
                        writer.member("weight", realm.weight)
                        writer.member("centre") { $0.vector(realm.centre) }
                    }
                }
            }
            writer.member("images", images)
        }
    }

    /// Reads the contents of `realm_index.json`.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for a
    ///   different format or version; `.unknownID` for an image of a realm that is not among the images.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Self(from: &reader) }
    }

    private init(from reader: inout JSONReader) throws(KinError) {
        var (temperature, version) = (0.0, 1)
        var lists: [(type: String, entries: [(id: String, score: Double)])] = []
        var centres: [String: (weight: Double, centre: [Float])] = [:]
        var images: [Image] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: try reader.format(Self.format)
            case 1: version = try reader.version(upTo: Self.newestVersion)
            case 2:
                temperature = try reader.number()
                guard temperature > 0 else { throw reader.error("must be above 0", code: .invalidArgument) }
            case 3:
                try reader.members { reader, type throws(KinError) in
                    lists.append((type, try Self.entries(&reader)))
                }
            case 4:
                try reader.members { reader, type throws(KinError) in centres[type] = try Self.centre(&reader) }
            default: images = try reader.list { reader throws(KinError) in try Image(from: &reader) }
            }
        }
        var rows: [String: Int] = [:]
        for (row, image) in images.enumerated() {
            guard rows.updateValue(row, forKey: image.id) == nil else {
                throw KinError(.duplicateID, "the image appears twice").within("image", image.id).within(
                    "field", "images")
            }
        }
        let hasDetails = images.allSatisfy { $0.objects.allSatisfy { ($0.detail != nil) == (version > 1) } }
        guard hasDetails else {
            throw .field(
                "images", "every object has a bounding box from version 2 on, and none in version 1", .malformedInput)
        }
        self.temperature = temperature
        self.version = version
        self.images = images
        realms = try lists.map { type, entries throws(KinError) in
            guard let found = centres[type] else {
                throw .field("centres.\(type)", "the realm has no centre", .malformedInput)
            }
            let numbered = try entries.map { id, score throws(KinError) in
                guard let row = rows[id] else {
                    throw KinError(.unknownID, "there is no such image in \"images\"").within("image", id)
                        .within("field", "realms.\(type)")
                }
                return Entry(image: row, score: score)
            }
            guard Set(numbered.map(\.image)).count == numbered.count else {
                throw .field("realms.\(type)", "an image appears twice", .duplicateID)
            }
            return Realm(type: type, entries: numbered, centre: found.centre, weight: found.weight)
        }
    }

    private static func entries(_ reader: inout JSONReader) throws(KinError) -> [(id: String, score: Double)] {
        try reader.list { reader throws(KinError) in
            var (id, score) = ("", 0.0)
            try reader.members(of: Self.entryKeys) { reader, key throws(KinError) in
                if key == 0 { id = try reader.string() } else { score = try reader.share() }
            }
            return (id, score)
        }
    }

    private static func centre(_ reader: inout JSONReader) throws(KinError) -> (weight: Double, centre: [Float]) {
        var (weight, centre): (Double, [Float]) = (0, [])
        try reader.members(of: Self.centreKeys) { reader, key throws(KinError) in
            if key == 0 { weight = try reader.number() } else { centre = try reader.vector() }
        }
        guard weight > 0 else { throw reader.error("the weight must be above 0", code: .invalidArgument) }
        return (weight, centre)
    }
}

extension RealmIndex.Image: JSONObject {
    private static let keys = JSONKeys(["image", "cluster", "mood", "therapeutic_value", "objects"])
    private static let objectKeys = JSONKeys(
        ["name", "category", "number"] + ObjectDetail.names, required: ["name", "category", "number"])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (id, cluster, mood): (String, Int, String?) = ("", 0, nil)
        var values = GoalValues()
        var objects: [RealmIndex.Object] = []
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: id = try reader.string()
            case 1: cluster = try reader.count()
            case 2: mood = try reader.optionalString()
            case 3: values = try GoalValues(from: &reader)
            default:
                objects = try reader.list { reader throws(KinError) in
                    var (name, category, number) = ("", "", 0)
                    var detail = ObjectDetail.Reading()
                    try reader.members(of: Self.objectKeys) { reader, key throws(KinError) in
                        switch key {
                        case 0: name = try reader.string()
                        case 1: category = try reader.string()
                        case 2: number = try reader.count()
                        default: try detail.read(key - 3, from: &reader)
                        }
                    }
                    return RealmIndex.Object(
                        name: name, category: category, number: number, detail: try detail.detail())
                }
            }
        }
        self.init(id: id, cluster: cluster, mood: mood, values: values, objects: objects)
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("image", id)
        writer.member("cluster", cluster)
        writer.member("mood", mood)
        writer.member("therapeutic_value", values)
        writer.objects("objects", objects) { object, writer in
            writer.member("name", object.name)
            writer.member("category", object.category)
            writer.member("number", object.number)
            object.detail?.writeMembers(to: &writer)
        }
    }
}
