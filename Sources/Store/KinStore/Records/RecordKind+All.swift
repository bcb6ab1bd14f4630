extension RecordKind {
    /// Every kind, in the order in which they are exported.
    static let all: [RecordKind] =
        [
            .profile, .session, .soul, .contribution, .inbox, .block, .baby, .careEvent, .inventoryItem, .image,
        ] + challenges
}
