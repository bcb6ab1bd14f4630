public import KinCore
public import KinJSON

/// An item in a person's inbox: a contribution with its author's pseudonym, their connection and their similarity in each block.
public struct InboxItem: Sendable, Hashable, JSONObject {
    /// The id of the item among those of its recipient; nothing about the author can be derived from it.
    public let id: String
    /// The contribution that arrived.
    public let contribution: Contribution
    /// The pseudonym of the author.
    public let author: AnonymousName
    /// The connection of the author and the recipient.
    public let connection: SoulConnection
    /// The similarities of the two in the blocks that both have, 0…1, as of the arrival.
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

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("state", state.name)
        writer.member("arrived", arrived.description)
        writer.member("author", author.description)
        writer.member("connection", connection.name)
        writer.member("attribution", attribution)
        writer.member("similarities") { similarities.write(to: &$0) }
        writer.member("contribution", contribution)
    }
}

extension [SoulBlock: Double] {
    /// Writes an object of blocks with their similarities.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for block in SoulBlock.allCases {
                if let value = self[block] { writer.member(block.name, value) }
            }
        }
    }
}

/// A digest of an inbox: the items since an instant.
public struct InboxDigest: Sendable, Hashable {
    /// The instant from which on items are included.
    public let since: Timestamp
    /// The items from then on that were not declined, the oldest first; of one instant, by ascending id.
    public let items: [InboxItem]

    package init(since: Timestamp, items: [InboxItem]) {
        self.since = since
        self.items = items.filter { $0.state != .declined }.sorted { ($0.arrived, $0.id) < ($1.arrived, $1.id) }
    }

    /// The number of items in each state.
    public var counts: [InboxState: Int] { items.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }

    /// The number of different authors' pseudonyms.
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

    /// The digest as a JSON object, on one line.
    public var json: String {
        JSONWriter.object { writer in
            writer.member("since", since.description)
            writer.member("authors", authorCount)
            writer.member("zones", zoneCount)
            writer.member("stories", storyCount)
            writer.member("summary", summary)
            writer.object("counts") { writer in
                for state in InboxState.allCases {
                    if let count = counts[state] { writer.member(state.name, count) }
                }
            }
            writer.member("items", items)
        }
    }
}
