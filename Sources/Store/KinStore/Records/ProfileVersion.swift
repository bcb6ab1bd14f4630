public import KinCore
import KinJSON
public import KinPleasure

/// A profile as it was from an instant on, until the next version.
public struct ProfileVersion: Sendable, Hashable {
    /// The instant from which it holds.
    public let since: Timestamp
    /// The profile.
    public let profile: Profile

    /// A version.
    public init(since: Timestamp, profile: Profile) {
        self.since = since
        self.profile = profile
    }
}

extension RecordKind {
    static let profile = RecordKind(
        "profile", columns: ["person", "since", "body"], key: ["person", "since"],
        order: ["since"])
}

extension ProfileVersion: StoredRecord {
    static var kind: RecordKind { .profile }
    static let idPaths = [["uid"]]
    static func isTold(by members: [String]) -> Bool { members.contains("pleasure_profile") }

    var owner: String? { profile.userID }

    var values: [SQLValue] { [.integer(since.microseconds), .utf8(profile.jsonBytes)] }

    init(row: StoredRow, body: [UInt8]) throws(KinError) {
        self.init(
            since: try Timestamp(microseconds: row.integer("since")), profile: try Profile(storedJSON: body))
    }

    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> ProfileVersion {
        ProfileVersion(since: now, profile: try Profile(from: &reader))
    }

    func taking(_ companions: LineCompanions) throws(KinError) -> ProfileVersion {
        companions.since.map { ProfileVersion(since: $0, profile: profile) } ?? self
    }
}
