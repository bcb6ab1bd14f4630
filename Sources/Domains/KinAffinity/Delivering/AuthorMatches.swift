package import KinCore

/// The people whom the contributions of authors may reach, by a matcher.
package struct AuthorMatches: Sendable {
    package let matcher: SoulMatcher
    private var found: [String: [ScoredSoul]] = [:]

    package init(_ matcher: SoulMatcher) { self.matcher = matcher }

    /// The people whom a contribution of an author may reach, the most similar first.
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
