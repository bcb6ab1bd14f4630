import GRDB
public import KinCore
import KinJSON
public import KinPleasure

/// A profile that holds from an instant until the next version.
public struct ProfileVersion: Sendable, Hashable {
    /// The first instant of the version.
    public let since: Timestamp
    /// The profile that holds from then on.
    public let profile: PleasureProfile

    /// Creates a version of a profile.
    public init(since: Timestamp, profile: PleasureProfile) {
        self.since = since
        self.profile = profile
    }
}

extension [ProfileVersion] {
    /// The version that holds at an instant, dated back to when its pleasures were first declared without a change
    /// since. The versions are in ascending order.
    ///
    /// A version that changes other fields only is no new declaration, so sessions since the earlier one still count.
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
