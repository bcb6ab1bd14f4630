/// The names of release 0.1.0 that were replaced; they answer like those that replace them until release 0.3.0.
///
/// Answers have the deprecated names of their members beside the present ones (`JSONWriter.member(_:formerly:_:)`); ``answerMembers`` lists
/// them for the test and for METHODS.md.
package enum DeprecatedNames {
    /// Methods, each with the name that replaces it.
    package static let methods = ["away": "digest", "kindred": "similar_souls"]

    /// Parameters by method, each with the name that replaces it.
    package static let parameters = [
        "match": ["evidence": "coverage"],
        "similar_souls": ["evidence": "coverage"],
    ]

    /// Members of answers by method, each with the name that replaces it.
    package static let answerMembers = [
        "affinity": ["evidence": "coverage"],
        "match": ["evidence": "coverage", "kindred": "other"],
        "profile": ["lived": "learned", "told": "declared", "wanted": "target"],
        "similar_souls": ["evidence": "coverage", "kindred": "other"],
        "why": ["evidence": "coverage"],
    ]
}
