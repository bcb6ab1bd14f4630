import Foundation

/// Affinities, inboxes and coverage as readable text.
extension Console {
    /// Similar people as a table, the most similar first.
    ///
    /// - Parameter users: For each soul, the person it is similar to; empty if this is the same person for all.
    func print(_ souls: [ScoredSoul], to users: [String] = []) {
        guard !souls.isEmpty else { return print("  nobody") }
        // Either all souls have this share, or none has.
        let hasShares = souls.contains { $0.nearerThan != nil }
        print(
            (users.isEmpty ? [">rank", "user"] : ["user", "other"]) + [">affinity", "connection", ">coverage"]
                + (hasShares ? [">nearer than"] : []), of: souls.enumerated()
        ) { rank, found in
            [
                users.isEmpty ? NumberText.count(rank + 1) : users[rank], found.userID,
                AffinityText.score(found.affinity),
                AffinityText.words(found.connection), NumberText.percent(found.coverage),
            ] + (found.nearerThan.map { [AffinityText.tenths($0) + " of pairs"] } ?? [])
        }
    }

    /// Prints an affinity and its parts.
    func print(_ affinity: Affinity) {
        print(
            "  affinity \(AffinityText.score(affinity.score)), \(affinity.connection.phrase); "
                + "\(NumberText.percent(affinity.coverage)) of the weight compared" + AffinityText.shortage(affinity)
                + AffinityText.place(affinity))
        guard !affinity.blocks.isEmpty else { return }
        print(["block", ">similarity", ">weight", ">adds", "shared most"], of: affinity.blocks) { block in
            [
                block.block.name, AffinityText.score(block.similarity), NumberText.thousandths(block.weight),
                NumberText.thousandths(block.contribution),
                block.shared.map { "\($0.name) \(NumberText.thousandths($0.contribution))" }.joined(separator: ", "),
            ]
        }
    }

    /// Prints the items of an inbox as a table.
    func print(_ items: [InboxItem]) {
        guard !items.isEmpty else { return print("  nothing") }
        print(["arrived", "state", "what", "", "item"], of: items) {
            [$0.arrived.description, $0.state.name, $0.contribution.title, $0.attribution, $0.id]
        }
    }
}

enum AffinityText {
    /// A score with three decimals, truncated, so that no score seems to reach the next connection.
    static func score(_ value: Double) -> String { NumberText.thousandths((value * 1000).rounded(.down) / 1000) }

    /// The share of pairs that an affinity exceeds, if known; truncated.
    static func place(_ affinity: Affinity) -> String {
        guard let share = affinity.nearerThan else { return "" }
        return "; nearer than \(tenths(share)) of pairs"
    }

    /// A share of pairs in percent with one decimal, truncated; below 100 %, because no pair is nearer than itself.
    static func tenths(_ share: Double) -> String {
        String(format: "%.1f %%", min(999, (share * 1000).rounded(.down)) / 10)
    }

    /// A note that coverage is too low for a closer connection; empty if it is not.
    static func shortage(_ affinity: Affinity) -> String {
        let possible = SoulConnection(affinity: affinity.score, coverage: 1)
        guard possible > affinity.connection, affinity.coverage < possible.minimumCoverage else { return "" }
        return ", too little for \(possible.phrase), which takes \(NumberText.percent(possible.minimumCoverage))"
    }

    static func words(_ connection: SoulConnection) -> String { connection.name.replacing("_", with: " ") }
}
