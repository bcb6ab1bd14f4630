/// The replaced names of release 0.1.0, which answer like their replacements until release 0.3.0.
///
/// Answers have members under both names (`JSONWriter.member(_:formerly:_:)`); ``answerMembers`` lists them for the
/// tests and METHODS.md.
package enum DeprecatedNames {
    /// Deprecated methods with their replacements.
    package static let methods = ["absorb": "insert_image", "away": "digest", "kindred": "similar_souls"]

    /// Deprecated parameters by method, with their replacements.
    package static let parameters = [
        "match": ["evidence": "coverage"],
        "similar_souls": ["evidence": "coverage"],
    ]

    /// Deprecated members of answers by method, with their replacements.
    package static let answerMembers = [
        "affinity": ["evidence": "coverage"],
        "match": ["evidence": "coverage", "kindred": "other"],
        "profile": ["lived": "learned", "told": "declared", "wanted": "target"],
        "similar_souls": ["evidence": "coverage", "kindred": "other"],
        "why": ["evidence": "coverage"],
    ]
}
