extension Store {
    /// Inserts or replaces souls by person. If this throws, no soul is stored.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ souls: [Soul]) throws(KinError) {
        try putAll(souls, "souls")
    }

    /// Learns souls from events, in the order of their instants. If this throws, no soul is changed.
    ///
    /// - Parameters:
    ///   - events: The events of any number of people; a person without a soul receives a new soul.
    ///   - zone: The time zone of all people. Default: the zone in each person's preferences, or UTC.
    /// - Returns: The souls that changed, by ascending id of the person.
    /// - Throws: As `Soul.learn(_:in:)`; `.unknownID` for an unknown zone; `.corruptFile` for a damaged soul; `.inputOutput`.
    /// - Complexity: O(traits) for each person and event; other commands wait only during the writing.
    @discardableResult
    public nonisolated func learnSouls(from events: [SoulEvent], zone: LocalZone? = nil) async throws(KinError)
        -> [Soul]
    {
        let people = Dictionary(grouping: events, by: \.userID).mapValues { $0.sorted { $0.at < $1.at } }
            .sorted { $0.key < $1.key }
        let sources = [Soul.kind, ChallengePreferences.kind]
        return try await write("learn from \(events.count) events", after: sources, of: people.map(\.key)) {
            () throws(KinError) in
            try read("read souls") { database in
                try people.map { user, events in
                    var soul = try RecordQuery<Soul>(of: user).first(in: database) ?? Soul(userID: user)
                    let zone = try zone ?? CachedChallenges.zone(of: RecordQuery(of: user).first(in: database))
                    for event in events { try soul.learn(event, in: zone) }
                    return soul
                }
            }
        } _: { souls, transaction in
            for soul in souls { try transaction.put(soul) }
            return souls
        }
    }

    /// A person's soul; nil if the person has no soul.
    ///
    /// - Throws: `.corruptFile` if it is damaged; `.inputOutput`.
    public nonisolated func soul(of user: String) throws(KinError) -> Soul? {
        try read("read the soul of \(user)") { try RecordQuery(of: user).first(in: $0) }
    }

    /// All souls in the store.
    ///
    /// - Throws: As ``soul(of:)``.
    public nonisolated func souls() throws(KinError) -> [Soul] {
        try read("read the souls") { try RecordQuery<Soul>("ORDER BY number").all(in: $0) }
    }

    /// The anonymous name of a person; nil before the store has a naming key.
    ///
    /// - Throws: `.inputOutput`.
    public nonisolated func anonymousName(of user: String) throws(KinError) -> AnonymousName? {
        try read("name a person") { database in
            let id = try RecordID.checked(user, field: "user")
            return try NameRecord.name(of: id, in: database) ?? naming.key(in: database)?.name(of: id)
        }
    }
}
