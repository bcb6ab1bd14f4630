/// The people whom each author's contributions may reach, found by a matcher once per author.
package struct AuthorMatches: Sendable {
    package let matcher: SoulMatcher
    private var found: [String: [ScoredSoul]] = [:]

    package init(_ matcher: SoulMatcher) { self.matcher = matcher }

    /// The people whom an author's contributions may reach, most similar first.
    package mutating func of(_ author: String) throws(KinError) -> [ScoredSoul] {
        if let known = found[author] { return known }
        let bounds = matcher.model.bounds
        let matches = try matcher.matches(
            of: author, above: min(1, bounds.score(of: .parallelPath)),
            minimumCoverage: bounds.coverage(of: .parallelPath))
        found[author] = matches
        return matches
    }
}
