extension Store {
    /// Inserts or replaces babies by id. If this throws, no baby is stored.
    ///
    /// A record with `BabyRecord.owners` sets the baby's owners, as ``shareBaby(_:of:with:)`` and
    /// ``unshareBaby(_:of:with:)`` do.
    ///
    /// - Throws: `.duplicateID` if a new owner already has a log of a baby with the same id; `.inputOutput`.
    public func put(_ babies: [BabyRecord]) throws(KinError) {
        try putAll(babies, "babies")
    }

    /// Inserts or replaces events of babies' logs by id. If this throws, no event is stored.
    ///
    /// An event whose `updated` is earlier than the stored event's is skipped. In a log with several owners, an event
    /// without an author gets its user as author, unless the user was the first owner.
    ///
    /// - Returns: The number of skipped events.
    /// - Throws: `.inputOutput`.
    /// - Complexity: O(n log size); one synchronization of the disk.
    @discardableResult
    public func put(_ events: [CareEvent]) throws(KinError) -> Int {
        try putAll(events, "events")
    }

    /// Inserts or replaces events of a baby's log, and the baby's record. If this throws, nothing is stored.
    package func put(_ events: [CareEvent], of baby: BabyRecord) throws(KinError) {
        try write("put in \(events.count) events") { transaction in
            _ = try transaction.adopt(baby)
            for event in events { _ = try transaction.adopt(event) }
        }
    }

    /// The babies that a person owns, alone or with others, by ascending id, including those known only by events.
    ///
    /// - Returns: The records with all owners, each under the person's id.
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`.
    /// - Complexity: O(events of the person).
    public nonisolated func babies(of user: String) throws(KinError) -> [BabyRecord] {
        try read("list the babies of \(user)") { database in
            let condition = BabyOwners.isShared(BabyRecord.kind)!
            let shared = try RecordQuery<BabyRecord>("WHERE \(condition)", [.id(user, "user")]).all(in: database)
            let logged = try SQLStatement(
                """
                SELECT DISTINCT baby FROM care_event WHERE person = (SELECT number FROM person WHERE uid = ?1)
                    AND NOT EXISTS (SELECT 1 FROM baby WHERE baby.person = care_event.person AND id = baby)
                """, in: database
            ).all([.id(user, "user")]) { try BabyRecord(userID: user, id: $0.text(0), baby: RhythmLog.Baby()) }
            return try (RecordQuery(of: user).all(in: database) + shared + logged)
                .map { try $0.owned(by: $0.allOwners, keeper: user) }.sorted { $0.id < $1.id }
        }
    }

    /// Makes a person an owner of a baby. All owners have the same log: its events, forecasts and recorded forecasts.
    ///
    /// Nothing changes if the person is an owner already.
    ///
    /// - Parameters:
    ///   - baby: The baby's id.
    ///   - user: An owner of the baby. Kin does not authenticate people: the service must verify this id.
    ///   - other: The new owner, with or without records.
    /// - Returns: The ids of all owners.
    /// - Throws: `.unknownID` if the user owns no such baby; `.duplicateID` if the new owner already has a log of a baby
    ///   with this id; `.inputOutput`.
    @discardableResult
    public func shareBaby(_ baby: String, of user: String, with other: String) throws(KinError) -> [String] {
        try changeOwners(of: baby, user, other, isOwner: true)
    }

    /// Removes an owner of a baby, who may be the user. The log remains with the other owners.
    ///
    /// Nothing changes if the person is not an owner.
    ///
    /// - Parameters:
    ///   - baby: The baby's id.
    ///   - user: An owner of the baby, as for ``shareBaby(_:of:with:)``.
    ///   - other: The owner to remove. Their events stay in the log.
    /// - Returns: The ids of the remaining owners.
    /// - Throws: `.unknownID` if the user owns no such baby; `.invalidArgument` for the only owner; `.inputOutput`.
    /// - Complexity: O(1); O(events) if the log is stored under the removed owner's id.
    @discardableResult
    public func unshareBaby(_ baby: String, of user: String, with other: String) throws(KinError) -> [String] {
        try changeOwners(of: baby, user, other, isOwner: false)
    }

    private func changeOwners(
        of baby: String, _ user: String, _ other: String, isOwner: Bool
    ) throws(KinError) -> [String] {
        try write("change the owners of a baby") { transaction in
            let other = try RecordID.checked(other, field: "other")
            guard try transaction.hasLog(of: baby, user) else { throw KinError.unknownBaby(baby, of: user) }
            let record =
                try transaction.baby(baby, of: user) ?? BabyRecord(userID: user, id: baby, baby: RhythmLog.Baby())
            let owners = isOwner ? record.allOwners + [other] : record.allOwners.filter { $0 != other }
            guard let owner = record.allOwners.first(where: owners.contains) else {
                throw KinError.field(
                    "other", "\"\(other)\" is the only owner of the baby; share it first, or remove its records")
            }
            let changed = try record.owned(by: owners, keeper: owner)
            if changed.owners != record.allOwners { _ = try transaction.adopt(changed) }
            return changed.owners
        }
    }
}

extension KinError {
    /// The error of a baby that a person does not own, whether or not it exists.
    package static func unknownBaby(_ baby: String, of user: String) -> KinError {
        KinError(.unknownID, "the store has no baby \(baby) of \(user); `babies` lists the babies of a person")
    }
}
