public import KinCore
public import KinJSON

extension InventoryItem: JSONRecord {
    package static let recordName = "item"

    private static let keys = JSONKeys(
        ["id", "name", "type", "access_mode", "location_coords", "status", "affordances", "temporal_tags"],
        required: ["id", "name", "type", "access_mode", "status"])
    private static let kinds = JSONKeys(Kind.names)
    private static let accesses = JSONKeys(Access.names)
    private static let statuses = JSONKeys(Status.names)

    /// Reads an item from its JSON object.
    ///
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the item and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The item as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) {
        var (id, name): (String?, String) = (nil, "")
        var (kind, access, status): (Kind, Access, Status) = (.tool, .owned, .available)
        var location: GeographicCoordinates?
        var affordances: [Affordance] = []
        var times = TemporalTags()
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: id = try reader.string()
                case 1: name = try reader.string()
                case 2: kind = Kind.allCases[try reader.choice(of: Self.kinds, "type of item")]
                case 3: access = Access.allCases[try reader.choice(of: Self.accesses, "access mode")]
                case 4: location = try reader.takesNull() ? nil : GeographicCoordinates(from: &reader)
                case 5: status = Status.allCases[try reader.choice(of: Self.statuses, "status")]
                case 6:
                    affordances = try reader.list { reader throws(KinError) in try Affordance(from: &reader) }
                default: times = try reader.takesNull() ? TemporalTags() : TemporalTags(from: &reader)
                }
            }
            try self.init(
                id: id ?? "", name: name, kind: kind, access: access, location: location, status: status,
                affordances: affordances, times: times)
        } catch {
            throw error.inRecord(Self.recordName, id)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("name") { $0.string(name) }
            writer.member("type") { $0.string(kind.name) }
            writer.member("access_mode") { $0.string(access.name) }
            writer.member("location_coords") { writer in
                if let location { location.write(to: &writer) } else { writer.null() }
            }
            writer.member("status") { $0.string(status.name) }
            writer.member("affordances") { $0.array(affordances) { $0.write(to: &$1) } }
            writer.member("temporal_tags") { times.write(to: &$0) }
        }
    }
}

extension GeographicCoordinates {
    private static let keys = JSONKeys(["lat", "lng"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var degrees = (0.0, 0.0)
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if key == 0 { degrees.0 = try reader.number() } else { degrees.1 = try reader.number() }
        }
        try self.init(latitude: degrees.0, longitude: degrees.1)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("lat") { $0.number(latitude) }
            writer.member("lng") { $0.number(longitude) }
        }
    }
}

extension Affordance {
    private static let keys = JSONKeys(["sense", "intensity", "context", "pleasure_dims"], required: [])
    private static let intensities = JSONKeys(Intensity.names)

    init(from reader: inout JSONReader) throws(KinError) {
        var (sense, context): (String?, String?) = (nil, nil)
        var intensity: Intensity?
        var dimensions: [Pleasure.Dimension]?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: sense = try reader.string()
            case 1: intensity = Intensity.allCases[try reader.choice(of: Self.intensities, "intensity")]
            case 2: context = try reader.optionalString()
            default: dimensions = try reader.dimensions()
            }
        }
        switch (sense, intensity, dimensions) {
        case (let sense?, let intensity?, nil): self = .sense(sense, intensity: intensity, context: context)
        case (nil, nil, let dimensions?) where context == nil: self = .pleasures(dimensions)
        default:
            throw reader.error("an affordance has sense, intensity and context, or pleasure_dims alone")
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .sense(let sense, let intensity, let context):
                writer.member("sense") { $0.string(sense) }
                writer.member("intensity") { $0.string(intensity.name) }
                writer.member("context") { $0.string(context) }
            case .pleasures(let dimensions):
                writer.member("pleasure_dims") { $0.array(dimensions.map(\.name)) }
            }
        }
    }
}
