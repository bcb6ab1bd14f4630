import GRDB
import KinCore
import KinJSON
import KinPleasure

extension RecordKind {
    static let profile = RecordKind(
        "profile", columns: ["person", "since", "body"], key: ["person", "since"],
        order: ["since"])
}

extension ProfileVersion: StoredRecord {
    static var kind: RecordKind { .profile }
    static let idPaths = [["uid"]]
    static func isRecognized(by members: [String]) -> Bool { members.contains("pleasure_profile") }

    var owner: String? { profile.userID }

    var values: [SQLValue] { [.integer(since.microseconds), .utf8(profile.jsonBytes)] }

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
