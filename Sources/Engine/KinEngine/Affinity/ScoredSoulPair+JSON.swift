extension ScoredSoulPair: DeclaredObject {
    package static let schema = ObjectSchema<ScoredSoulPair>(
        .field("user", \.first),
        .field("other", \.second),
        .field("score", \.affinity, "0 to 1"),
        .field("connection", { $0.connection.name }),
        .field("coverage", \.coverage, "the share of all weight that could be compared"),
        .optional("nearer_than", \.nearerThan, "by `quantile`: about the share of pairs with a lower score"),
        .field("compared", { $0.compared.map(\.name) }, "the blocks that both have and whose weight is above 0"))

    /// The match as a JSON object on one line, with the parts of the affinity if it is given.
    package func json(with affinity: Affinity?) -> String {
        guard let affinity else { return jsonText }
        return JSONWriter.object { writer in
            writer.member("user", first)
            writer.member("other", second)
            affinity.writeMembers(to: &writer)
        }
    }
}
