public import KinCore
package import KinJSON

extension Challenge {
    /// Reads a challenge from its JSON object.
    ///
    /// - Parameter json: One object; `id`, `title`, `category` and `time_investment` are required.
    /// - Throws: `.malformedInput`, or as the initializer, naming the challenge and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The challenge as a JSON object, on one line.
    public var json: String { jsonText }
}

extension Challenge: JSONRecord {
    package static let recordName = "challenge"

    private static let fields = RecordFields(
        [
            "id", "title", "description", "category", "time_investment", "social_requirement", "cost_level",
            "difficulty_level", "tags", "is_active", "created_at", "updated_at", "content_hash",
        ], required: ["id", "title", "category", "time_investment"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (id, title, text, category) = ("", "", "", "")
        var time = TimeInvestment.rough(.short)
        var (social, cost, difficulty) = (SocialRequirement.solo, CostLevel.free, DifficultyLevel.beginner)
        var tags: [String] = []
        var isActive = true
        var instants: [Timestamp?] = [nil, nil]
        var hash: String?
        do throws(KinError) {
            try Self.fields.read(&reader) { reader, field throws(KinError) in
                switch field {
                case 0: id = try reader.string()
                case 1: title = try reader.string()
                case 2: text = try reader.string()
                case 3: category = try reader.string()
                case 4: time = try TimeInvestment(from: &reader)
                case 5: social = try reader.word("social requirement")
                case 6: cost = try reader.word("cost level")
                case 7: difficulty = try reader.word("difficulty")
                case 8: tags = try reader.strings()
                case 9: isActive = try reader.boolean()
                case 10, 11: instants[field - 10] = try reader.instant()
                default: hash = try reader.string()
                }
            }
            try self.init(
                id: id, title: title, text: text, category: category, time: time, social: social, cost: cost,
                difficulty: difficulty, tags: tags, isActive: isActive, created: instants[0], updated: instants[1])
            if let hash, hash != contentHash {
                throw .field(
                    "content_hash",
                    "it is \(hash.prefix(40)), but the content's is \(contentHash); leave it out to have it computed")
            }
        } catch {
            throw id.isEmpty ? error : error.inRecord(Self.recordName, id)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("title") { $0.string(title) }
            if !text.isEmpty { writer.member("description") { $0.string(text) } }
            writer.member("category") { $0.string(category) }
            writer.member("time_investment") { time.write(to: &$0) }
            writer.member("social_requirement") { $0.string(social.rawValue) }
            writer.member("cost_level") { $0.string(cost.rawValue) }
            writer.member("difficulty_level") { $0.string(difficulty.rawValue) }
            writer.member("tags") { $0.array(tags) }
            writer.member("is_active") { $0.boolean(isActive) }
            if let created { writer.member("created_at") { $0.string(created.description) } }
            if let updated { writer.member("updated_at") { $0.string(updated.description) } }
            writer.member("content_hash") { $0.string(contentHash) }
        }
    }
}

extension TimeInvestment {
    init(from reader: inout JSONReader) throws(KinError) {
        var words = reader
        if reader.isAtString(), let first = try words.string().first, first.isNumber {
            self = .minutes(try reader.minutes())
        } else {
            self = reader.isAtString() ? .rough(try reader.word("length")) : .minutes(try reader.number())
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .minutes(let minutes): writer.number(minutes)
        case .rough(let length): writer.string(length.rawValue)
        }
    }
}
