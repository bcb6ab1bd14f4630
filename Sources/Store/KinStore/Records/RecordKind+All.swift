extension RecordKind {
    /// Every kind, in the order in which they are exported.
    static let all: [RecordKind] = [.profile, .session, .inventoryItem, .image]
}
