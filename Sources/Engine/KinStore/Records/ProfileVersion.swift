import GRDB

extension ProfileVersion: StoredRecord {
    static let table = RecordTable<ProfileVersion>(
        "profile", owner: \.profile.userID, [.instant("since", \.since)], key: ["person", "since"], order: ["since"],
        body: { $0.profile.write(to: &$1) })
    static var idPaths: [[String]] { PleasureProfile.form.idPaths }
    static func isRecognized(by members: [String]) -> Bool { members.contains("pleasure_profile") }

    init(row: StoredRow, body: [UInt8]) throws(KinError) {
        self.init(
            since: try Timestamp(microseconds: row.integer("since")), profile: try PleasureProfile(storedJSON: body))
    }

    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> ProfileVersion {
        ProfileVersion(since: now, profile: try PleasureProfile(from: &reader))
    }

    func taking(_ companions: LineCompanions) throws(KinError) -> ProfileVersion {
        var others = companions
        others.since = nil
        try others.requireNone()
        return companions.since.map { ProfileVersion(since: $0, profile: profile) } ?? self
    }

    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)? {
        ("since", "\"\(Timestamp(unchecked: row.integer("since")))\"")
    }
}
