import GRDB
public import KinCore
import KinJSON
public import KinPleasure

/// A profile as it was from an instant on, until the next version.
public struct ProfileVersion: Sendable, Hashable {
    /// The instant from which it holds.
    public let since: Timestamp
    /// The profile.
    public let profile: PleasureProfile

    /// A version.
    public init(since: Timestamp, profile: PleasureProfile) {
        self.since = since
        self.profile = profile
    }
}

extension [ProfileVersion] {
    /// What is declared at an instant, by versions that begin in ascending order: the latest version until then, as of when its taste was
    /// first declared without a change since.
    ///
    /// A later version that changes anything but the taste (how the person is, what matters when) is no new declaration, so what has been
    /// learned since counts on.
    ///
    /// - Returns: nil before the first version.
    public func declaration(at instant: Timestamp) -> ProfileVersion? {
        guard let last = lastIndex(where: { $0.since <= instant }) else { return nil }
        let before = self[..<last].lastIndex { $0.profile.pleasure != self[last].profile.pleasure }
        return ProfileVersion(
            since: self[before.map { $0 + 1 } ?? startIndex].since, profile: self[last].profile)
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
