import Kin
import KinEngine
import KinStore

/// Questions to a store about affinity and contributions.
enum AffinityQuestion: Equatable {
    /// The people most similar to a person.
    case mostSimilar(String, k: Int)
    /// The affinity of two people by its blocks.
    case why(String, String)
    case inbox(String, InboxState?)
    /// The inbox items that arrived since a time.
    case digest(String, since: Timestamp)
}

extension PeopleSession {
    func answer(_ question: AffinityQuestion) throws {
        switch question {
        case .mostSimilar(let user, let k): try mostSimilar(to: user, k: k)
        case .why(let user, let other): try why(user, other)
        case .inbox(let user, let state): try inbox(of: user, state)
        case .digest(let user, let instant): try digest(user, since: instant)
        }
    }

    private func mostSimilar(to user: String, k: Int) throws {
        let souls = try matcher().mostSimilar(to: user, k: k)
        if isJSON {
            for found in souls { console.print(found.json(of: user, nil)) }
        } else {
            console.print(souls)
        }
    }

    private func why(_ user: String, _ other: String) throws {
        let affinity = try matcher().affinity(between: user, and: other)
        if isJSON {
            console.print(ScoredSoul(userID: other, affinity).json(of: user, affinity))
        } else {
            console.print(affinity)
        }
    }

    private func inbox(of user: String, _ state: InboxState?) throws {
        let items = try state.map { try store.inbox(of: user, $0) } ?? store.inbox(of: user)
        if isJSON {
            for item in items { console.print(item.json) }
        } else {
            console.print(items)
        }
    }

    private func digest(_ user: String, since instant: Timestamp) throws {
        let report = try store.digest(of: user, since: instant)
        if isJSON { return console.print(report.json) }
        guard !report.items.isEmpty else { return console.print("  nothing new since then") }
        let counts = InboxState.allCases.compactMap { state in
            report.counts[state].map { "\(NumberText.count($0)) \(state.name)" }
        }
        console.print(
            "  since then: \(counts.joined(separator: ", ")), from \(NumberText.count(report.authorCount, "kindred soul"))"
        )
        console.print(report.items)
    }

    /// A matcher of the souls as they are in the store now.
    private func matcher() throws -> SoulMatcher {
        let version = try store.version()
        if let known = matching, known.version == version { return known.matcher }
        let matcher = try store.matcher()
        matching = (version, matcher)
        return matcher
    }
}
