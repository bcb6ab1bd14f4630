extension RealmIndex: DeclaredRecord {
    private static let format = "kin realm index"

    package static let form: RecordSchema<RealmIndex> = RecordSchema(
        "realm index",
        .constant("format", format, .format(format)),
        .required("version", \.version, .version(upTo: newestVersion)),
        .required("temperature", \.temperature, .positive),
        .required("realms", \.namedEntries, .byType(.list(of: JSONForm(entry)))),
        .required("centres", \.centres, .byType(JSONForm(centre))),
        .required("images", \.images, .list(of: .object))
    ) {
        (
            _: String, version: Int, temperature: Double, lists: [(type: String, value: [RankedImage])],
            centres: [(type: String, value: Centre)], images: [Image]
        ) throws(KinError) -> RealmIndex in
        let hasDetails = images.allSatisfy { $0.objects.allSatisfy { ($0.detail != nil) == (version > 1) } }
        let numbers = try rows(of: images)
        guard hasDetails else {
            throw .field(
                "images", "every object has a bounding box from version 2 on, and none in version 1", .malformedInput)
        }
        let found = Dictionary(uniqueKeysWithValues: centres.map { ($0.type, $0.value) })
        let realms = try lists.map { type, entries throws(KinError) in
            guard let centre = found[type] else {
                throw .field("centres.\(type)", "the realm has no centre", .malformedInput)
            }
            let numbered = try entries.map { entry throws(KinError) in
                guard let row = numbers[entry.id] else {
                    throw KinError(.unknownID, "there is no such image in \"images\"").within("image", entry.id)
                        .within("field", "realms.\(type)")
                }
                return Entry(image: row, score: entry.score)
            }
            guard Set(numbered.map(\.image)).count == numbered.count else {
                throw .field("realms.\(type)", "an image appears twice", .duplicateID)
            }
            return Realm(type: type, entries: numbered, centre: centre.vector, weight: centre.weight)
        }
        return RealmIndex(realms: realms, images: images, temperature: temperature, version: version)
    }

    /// The images of the realms with their scores.
    private var namedEntries: [(type: String, value: [RankedImage])] {
        realms.map { realm in
            (realm.type, realm.entries.map { RankedImage(id: images[$0.image].id, score: $0.score) })
        }
    }

    private static let entry = RecordSchema<RankedImage>(
        "entry", .required("image", \.id, .text), .required("score", \.score, .share),
        make: RankedImage.init(id:score:))

    /// The centre of a realm and the sum of the weights in it.
    private struct Centre {
        let weight: Double
        let vector: [Float]
    }

    private var centres: [(type: String, value: Centre)] {
        realms.map { ($0.type, Centre(weight: $0.weight, vector: $0.centre)) }
    }

    private static let centre = RecordSchema<Centre>(
        "centre", .required("weight", \.weight, .positive), .required("centre", \.vector, .vector),
        make: Centre.init(weight:vector:))

    /// The numbers of images by id.
    private static func rows(of images: [Image]) throws(KinError) -> [String: Int] {
        var rows: [String: Int] = [:]
        for (row, image) in images.enumerated() {
            guard rows.updateValue(row, forKey: image.id) == nil else {
                throw KinError(.duplicateID, "the image appears twice").within("image", image.id).within(
                    "field", "images")
            }
        }
        return rows
    }

    /// The contents of `realm_index.json`, on one line, in the format of `FORMAT.md`.
    public var json: String { jsonText }

    /// Reads the contents of `realm_index.json`.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for a
    ///   different format or version; `.unknownID` for an image of a realm that is not among the images.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }
}

extension RealmIndex.Image: DeclaredRecord {
    package static let form = RecordSchema<RealmIndex.Image>(
        "image",
        .required("image", \.id, .text),
        .required("cluster", \.cluster, .count),
        .required("mood", \.mood, .nullable(.text)),
        .required("therapeutic_value", \.values, .object),
        .required("objects", \.objects, .list(of: .object)),
        make: RealmIndex.Image.init(id:cluster:mood:values:objects:))
}

extension RealmIndex.Object: DeclaredRecord {
    package static let form = RecordSchema<RealmIndex.Object>(
        "object",
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
            name: String, category: String, number: Int, box: DetectedObject.BoundingBox?, confidence: Float?,
            associations: [TherapeuticGoal], valence: Float?, calming: Float?
        ) throws(KinError) in
        let detail = try ObjectDetail(
            box: box, confidence: confidence, associations: associations, valence: valence, calming: calming)
        return RealmIndex.Object(name: name, category: category, number: number, detail: detail)
    }
}

extension JSONForm<Double> {
    /// A number above 0.
    fileprivate static let positive = JSONForm(
        "number above 0",
        read: { reader throws(KinError) in
            let number = try reader.number()
            guard number > 0 else { throw reader.error("must be above 0", code: .invalidArgument) }
            return number
        }, write: { $1.number($0) })
}

extension JSONForm {
    /// The form of an object with a value for each realm type, in their order.
    fileprivate static func byType<Element>(
        _ form: JSONForm<Element>
    ) -> JSONForm where Value == [(type: String, value: Element)] {
        JSONForm(
            "\(form.description) by realm type",
            read: { reader throws(KinError) in
                var values: Value = []
                try reader.members { reader, type throws(KinError) in values.append((type, try form.read(&reader))) }
                return values
            },
            write: { values, writer in
                writer.object { writer in
                    for (type, value) in values { writer.member(type) { form.write(value, &$0) } }
                }
            })
    }
}
