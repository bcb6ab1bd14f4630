import Kin

/// Affinities, inboxes and coverage as text for people.
extension Console {
    /// Similar people as a table, the most similar first.
    func print(_ souls: [ScoredSoul]) {
        guard !souls.isEmpty else { return print("  nobody") }
        var table = TextTable([
            ("rank", .right), ("user", .left), ("affinity", .right), ("connection", .left), ("coverage", .right),
        ])
        for (rank, found) in souls.enumerated() {
            table.append([
                NumberText.count(rank + 1), found.userID, AffinityText.score(found.affinity),
                AffinityText.words(found.connection), NumberText.percent(found.coverage),
            ])
        }
        print(table)
    }

    /// An affinity and what it is made of.
    func print(_ affinity: Affinity) {
        print(
            "  affinity \(AffinityText.score(affinity.score)), \(affinity.connection.phrase); "
                + "\(NumberText.percent(affinity.coverage)) of the weight compared" + AffinityText.shortage(affinity))
        guard !affinity.blocks.isEmpty else { return }
        var table = TextTable([
            ("block", .left), ("similarity", .right), ("weight", .right), ("adds", .right), ("shared most", .left),
        ])
        for block in affinity.blocks {
            table.append([
                block.block.name, AffinityText.score(block.similarity), AffinityText.score(block.weight),
                AffinityText.score(block.contribution),
                block.shared.map { "\($0.name) \(AffinityText.score($0.contribution))" }.joined(separator: ", "),
            ])
        }
        print(table)
    }

    /// The items of an inbox as a table.
    func print(_ items: [InboxItem]) {
        guard !items.isEmpty else { return print("  nothing") }
        var table = TextTable([("arrived", .left), ("state", .left), ("what", .left), ("", .left), ("item", .left)])
        for item in items {
            table.append([
                item.arrived.description, item.state.name, item.contribution.title, item.attribution, item.id,
            ])
        }
        print(table)
    }
}

enum AffinityText {
    /// Three decimals, cut and not rounded, so that no score looks as if it had reached the next connection.
    static func score(_ value: Double) -> String {
        let thousandths = Int((value * 1000).rounded(.down))
        let digits = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// The reason that keeps a score from making a connection, or nothing.
    static func shortage(_ affinity: Affinity) -> String {
        let possible = SoulConnection(affinity: affinity.score, coverage: 1)
        guard possible > affinity.connection else { return "" }
        return ", too little for \(possible.phrase), which takes \(NumberText.percent(possible.minimumCoverage))"
    }

    static func words(_ connection: SoulConnection) -> String { connection.name.replacing("_", with: " ") }
}
