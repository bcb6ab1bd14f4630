public import KinCore
public import KinJSON

/// Something in a person's inbox, as they see it: of its author there is a name that says nothing, the connection, and how alike the two
/// are in each block.
public struct InboxItem: Sendable, Hashable, JSONWritable {
    /// Its name among the items of this recipient; it says nothing about anybody.
    public let id: String
    /// What arrived.
    public let contribution: Contribution
    /// What the author is called.
    public let author: AnonymousName
    /// What the author is to the recipient.
    public let connection: SoulConnection
    /// How alike the two were in the blocks that both have, when it arrived.
    public let similarities: [SoulBlock: Double]
    /// Where it stands.
    public let state: InboxState
    /// When it arrived.
    public let arrived: Timestamp

    package init(
        id: String, contribution: Contribution, author: AnonymousName, connection: SoulConnection,
        similarities: [SoulBlock: Double], state: InboxState, arrived: Timestamp
    ) {
        self.id = id
        self.contribution = contribution
        self.author = author
        self.connection = connection
        self.similarities = similarities
        self.state = state
        self.arrived = arrived
    }

    /// Where it comes from, naming nobody: "from Peaceful Wanderer #4721, a kindred spirit".
    public var attribution: String { "from \(author), \(connection.phrase)" }

    /// The item as a JSON object, on one line.
    public var json: String { jsonText }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id") { $0.string(id) }
            writer.member("state") { $0.string(state.name) }
            writer.member("arrived") { $0.string(arrived.description) }
            writer.member("author") { $0.string(author.description) }
            writer.member("connection") { $0.string(connection.name) }
            writer.member("similarities") { similarities.write(to: &$0) }
            writer.member("contribution") { contribution.write(to: &$0) }
        }
    }
}

extension [SoulBlock: Double] {
    /// Writes an object of blocks and their similarities.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for block in SoulBlock.allCases {
                if let value = self[block] { writer.member(block.name) { $0.number(value) } }
            }
        }
    }
}

/// What arrived while somebody was away.
public struct InboxDigest: Sendable, Hashable {
    /// Since when.
    public let since: Timestamp
    /// What arrived from then on and was not declined, the oldest first; of one instant, by ascending id.
    public let items: [InboxItem]

    package init(since: Timestamp, items: [InboxItem]) {
        self.since = since
        self.items = items.filter { $0.state != .declined }.sorted { ($0.arrived, $0.id) < ($1.arrived, $1.id) }
    }

    /// How many items there are in each state.
    public var counts: [InboxState: Int] { items.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }

    /// How many authors they come from, as far as their names tell.
    public var authorCount: Int { Set(items.map(\.author)).count }

    /// The report as a JSON object, on one line.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("since") { $0.string(since.description) }
            writer.member("authors") { $0.integer(authorCount) }
            writer.member("counts") { writer in
                writer.object { writer in
                    for state in InboxState.allCases {
                        if let count = counts[state] { writer.member(state.name) { $0.integer(count) } }
                    }
                }
            }
            writer.member("items") { $0.array(items) { $0.write(to: &$1) } }
        }
        return writer.text
    }
}
