public import KinAffinity
public import KinCore

extension Store {
    /// Inserts or replaces souls by person: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ souls: [Soul]) throws(KinError) {
        try putAll(souls, "souls")
    }

    /// Learns souls from events, in the order of their instants: all of them or, when this throws, none.
    ///
    /// - Parameters:
    ///   - events: The events of any number of people; whoever has no soul gets one.
    ///   - zones: The time zone of each person.
    /// - Returns: The souls that changed, by ascending id of the person.
    /// - Throws: As `Soul.learn(_:in:)`; `.corruptFile` when a soul is not as it was written; `.inputOutput`.
    /// - Complexity: O(traits) for each person and event.
    @discardableResult
    public func learnSouls(from events: [SoulEvent], zones: [String: LocalZone]) throws(KinError) -> [Soul] {
        try write("learn from \(events.count) events") { transaction in
            let grouped = Dictionary(grouping: events, by: \.userID).sorted { $0.key < $1.key }
            return try grouped.map { user, events in
                guard let zone = zones[user] else {
                    throw KinError(.invalidArgument, "there is no time zone for the person").within("user", user)
                }
                var soul = try RecordQuery<Soul>(of: user).first(in: transaction.database) ?? Soul(userID: user)
                for event in events.sorted(by: { $0.at < $1.at }) { try soul.learn(event, in: zone) }
                try transaction.put(soul)
                return soul
            }
        }
    }

    /// The soul of a person; nil when there is none.
    ///
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
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
