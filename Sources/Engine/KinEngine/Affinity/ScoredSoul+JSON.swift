import KinJSON

extension ScoredSoul {
    /// The match of a person as a JSON object on one line, with the parts of the affinity if it is given.
    package func json(of user: String, _ affinity: Affinity?) -> String {
        guard let affinity else { return SoulMatch(user: user, soul: self).jsonText }
        return JSONWriter.object { writer in
            writer.member("user", user)
            writer.member("other", userID)
            affinity.writeMembers(to: &writer)
        }
    }
}
