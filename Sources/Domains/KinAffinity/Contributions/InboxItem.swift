/// An item in a person's inbox: a contribution with its author's pseudonym, their connection and their similarity in
/// each block.
public struct InboxItem: Sendable, Hashable, DeclaredObject {
    /// The id of the item, unique in its recipient's inbox; it reveals nothing about the author.
    public let id: String
    /// The contribution that arrived.
    public let contribution: Contribution
    /// The pseudonym of the author.
    public let author: AnonymousName
    /// The connection of the author and the recipient.
    public let connection: SoulConnection
    /// The similarities of the two people in the blocks that both have, 0…1, at the arrival.
    public let similarities: [SoulBlock: Double]
    /// The state of the item in the inbox.
    public let state: InboxState
    /// The instant of its arrival.
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

    /// The origin in words: "from", the author's pseudonym, and the phrase of the connection.
    public var attribution: String { "from \(author), \(connection.phrase)" }

    /// The item as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<InboxItem>(
        .field("id", \.id),
        .field("state", { $0.state.name }),
        .field("arrived", \.arrived),
        .field("author", \.author.description, "an anonymous name"),
        .field("connection", { $0.connection.name }),
        .field("attribution", \.attribution),
        .field("similarities", \.similarities.named, "by block, 0 to 1"),
        .field("contribution", \.contribution))
}

extension [SoulBlock: Double] {
    /// The similarities as an object of blocks.
    package var named: NamedValues<Double> {
        NamedValues(SoulBlock.allCases.compactMap { block in self[block].map { (block.name, $0) } })
    }
}

/// A digest of an inbox: the items since an instant.
public struct InboxDigest: Sendable, Hashable {
    /// The earliest arrival that is included.
    public let since: Timestamp
    /// The items that arrived at ``since`` or later and were not declined, oldest first, ties by ascending id.
    public let items: [InboxItem]

    package init(since: Timestamp, items: [InboxItem]) {
        self.since = since
        self.items = items.filter { $0.state != .declined }.sorted { ($0.arrived, $0.id) < ($1.arrived, $1.id) }
    }

    /// The number of items in each state.
    public var counts: [InboxState: Int] { items.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }

    /// The number of distinct author pseudonyms.
    public var authorCount: Int { Set(items.map(\.author)).count }

    /// The number of zones among the items.
    public var zoneCount: Int { items.count { if case .zone = $0.contribution { true } else { false } } }

    /// The number of stories among the items.
    public var storyCount: Int { items.count - zoneCount }

    /// The items in words, "3 zones, 2 stories"; "nothing new" without any.
    public var summary: String {
        let parts = [(zoneCount, "zone", "zones"), (storyCount, "story", "stories")].filter { $0.0 > 0 }
        return parts.isEmpty
            ? "nothing new" : parts.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ")
    }

}

extension InboxDigest: DeclaredObject {
    /// The digest as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<InboxDigest>(
        .field("since", \.since),
        .field("authors", \.authorCount, "the number of authors"),
        .field("zones", \.zoneCount, "the number of zones"),
        .field("stories", \.storyCount, "the number of stories"),
        .field("summary", \.summary, "such as \"3 zones, 2 stories\""),
        .members("counts", \.stateCounts, by: "state"),
        .field("items", \.items))

    private var stateCounts: [(name: String, value: Int)] {
        let counts = counts
        return InboxState.allCases.compactMap { state in counts[state].map { (state.name, $0) } }
    }
}
