extension Challenge: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<Challenge>(
        "challenge", id: "id", aliases: [("min_app_version", "minimum_app_version")], extra: .stored,
        .required("id", \.id, .id),
        .required("title", \.title, .text),
        .standard("description", \.text, .text, default: "", writesDefault: false),
        .required("category", \.category, .text),
        .required("time_investment", \.time, .object),
        .standard("social_requirement", \.social, .word("social requirement"), default: .solo),
        .standard("cost_level", \.cost, .word("cost level"), default: .free),
        .standard("difficulty_level", \.difficulty, .word("difficulty"), default: .beginner),
        .standard("tags", \.tags, .texts, default: []),
        .standard("is_active", \.isActive, .boolean, default: true),
        .optional("created_at", \.created, .instant),
        .optional("updated_at", \.updated, .instant),
        .optional("content_hash", { @Sendable in $0.contentHash }, .text),
        .optional("minimum_app_version", \.minimumAppVersion, .appVersion)
    ) {
        id, title, text, category, time, social, cost, difficulty, tags, isActive, created, updated, hash, version
            throws(KinError) in
        let challenge = try Challenge(
            id: id, title: title, text: text, category: category, time: time, social: social, cost: cost,
            difficulty: difficulty, tags: tags, isActive: isActive, created: created, updated: updated,
            minimumAppVersion: version)
        if let hash, hash != challenge.contentHash {
            throw .field(
                "content_hash",
                "must be \(challenge.contentHash), the hash of the content, not \(hash.prefix(40)); without it, the hash is computed"
            )
        }
        return challenge
    }

    /// Reads a challenge from its JSON object.
    ///
    /// - Parameter json: One object; `id`, `title`, `category` and `time_investment` are required.
    /// - Throws: `.malformedInput`, or as the initializer, naming the challenge and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The challenge as a JSON object, on one line.
    public var json: String { jsonText }
}

extension TimeInvestment: JSONRecord {
    package static let recordName = "length: minutes, or quick, short, medium, long, extended"

    package init(from reader: inout JSONReader) throws(KinError) {
        var words = reader
        if reader.isAtString(), let first = try words.string().first, first.isNumber {
            self = .minutes(try reader.minutes())
        } else {
            self = reader.isAtString() ? .rough(try reader.word("length")) : .minutes(try reader.number())
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .minutes(let minutes): writer.number(minutes)
        case .rough(let length): writer.string(length.rawValue)
        }
    }
}
