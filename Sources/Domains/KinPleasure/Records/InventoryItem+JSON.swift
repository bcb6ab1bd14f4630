extension InventoryItem: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<InventoryItem>(
        "item", id: "id", extra: .stored,
        .required("id", \.id, .id),
        .required("name", \.name, .text),
        .required("type", \.kind, .word("type of item")),
        .required("access_mode", \.access, .word("access mode")),
        .optional("location_coords", \.location, .object, writesNull: true),
        .required("status", \.status, .word("status")),
        .standard("affordances", \.affordances, .list(of: .object), default: []),
        .standard("temporal_tags", \.times, .object, default: TemporalTags()),
        make: InventoryItem.init(id:name:kind:access:location:status:affordances:times:))

    /// Reads an item from its JSON object.
    ///
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the item and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The item as a JSON object, on one line.
    public var json: String { jsonText }
}

extension GeographicCoordinates: DeclaredRecord {
    package static let form = RecordSchema<GeographicCoordinates>(
        "coordinates",
        .required("lat", \.latitude, .number("-90 to 90", unit: "degrees")),
        .required("lng", \.longitude, .number("-180 to 180", unit: "degrees")),
        make: GeographicCoordinates.init(latitude:longitude:))
}

extension Affordance: JSONRecord, JSONObject {
    package static let recordName = "affordance"

    private static let keys = JSONKeys(["sense", "intensity", "context", "pleasure_dims"], required: [])
    private static let intensities = JSONKeys(Intensity.names)

    package init(from reader: inout JSONReader) throws(KinError) {
        var (sense, context): (String?, String?) = (nil, nil)
        var intensity: Intensity?
        var dimensions: [Pleasure.Dimension]?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: sense = try reader.string()
            case 1: intensity = Intensity.allCases[try reader.choice(of: Self.intensities, "intensity")]
            case 2: context = try reader.optionalString()
            default: dimensions = try JSONForm<[Pleasure.Dimension]>.dimensions.read(&reader)
            }
        }
        switch (sense, intensity, dimensions) {
        case (let sense?, let intensity?, nil): self = .sense(sense, intensity: intensity, context: context)
        case (nil, nil, let dimensions?) where context == nil: self = .pleasures(dimensions)
        default:
            throw reader.error("an affordance has sense, intensity and context, or pleasure_dims alone")
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .sense(let sense, let intensity, let context):
            writer.member("sense", sense)
            writer.member("intensity", intensity.name)
            writer.member("context", context)
        case .pleasures(let dimensions):
            writer.member("pleasure_dims", dimensions.map { $0.name })
        }
    }
}
