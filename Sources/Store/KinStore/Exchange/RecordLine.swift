import KinAffinity
import KinChallenges
import KinCore
import KinJSON
import KinPleasure
import KinRealms
import KinRhythms

/// One record on a line of JSON.
///
/// The store writes it with its kind: `{"session":{…}}`, `{"profile":{…},"since":"2026-11-20T06:30:00Z"}`,
/// `{"inventory_item":{…}}`, and `soul`, `contribution`, `inbox`, `block`, `image`, `baby`, `care_event` and the kinds of challenges likewise. It reads these and, as the records of
/// one kind usually come, records alone, which their fields tell
/// apart.
enum RecordLine: Sendable {
    case profile(Profile, since: Timestamp?)
    case session(Session)
    case item(InventoryItem)
    case soul(Soul)
    case contribution(OwnContribution)
    case inbox(InboxRecord)
    case block(BlockRecord)
    case image(ImageAnalysis)
    case baby(BabyRecord)
    case careEvent(CareEvent)
    /// One of challenges and daily content.
    case challenges(any StoredRecord)
}

/// Reads lines, each first as the one before it was.
struct RecordLineReader {
    /// What a line looks like.
    private enum Shape { case labelled, profile, session, item, soul, image, challenge, contentDay }

    private var last = Shape.labelled
    private static let keys = JSONKeys(
        [
            "session", "profile", "since", "inventory_item", "soul", "contribution", "inbox", "block", "image", "baby",
            "care_event",
        ] + RecordKind.challenges.map(\.name),
        required: [])

    mutating func read(_ reader: inout JSONReader) throws(KinError) -> RecordLine {
        let start = reader
        do throws(KinError) {
            return try Self.read(last, &reader)
        } catch {
            var again = start
            let shape = Self.shape(names: try again.memberNames())
            guard let shape else {
                throw start.error(
                    """
                    this is no record: a session has a pleasure_vector, a profile a pleasure_profile, an item an access_mode, \
                    a soul goals, realms, objects, patterns or valence, an image detected_objects, a challenge a time_investment, a day of content a quote, and a line of an export the \
                    name of what it has
                    """)
            }
            guard shape != last else { throw error }
            last = shape
            reader = start
            return try Self.read(shape, &reader)
        }
    }

    private static func shape(names: [String]) -> Shape? {
        if names.contains("pleasure_vector") { return .session }
        if names.contains("pleasure_profile") { return .profile }
        if names.contains("access_mode") { return .item }
        if names.contains("uid"), names.contains(where: SoulBlock.names.contains) { return .soul }
        if names.contains("detected_objects") { return .image }
        if names.contains("time_investment") || names.contains("timeInvestment") { return .challenge }
        if names.contains("quote") { return .contentDay }
        return names.contains { keys.names.contains($0) } ? .labelled : nil
    }

    private static func read(_ shape: Shape, _ reader: inout JSONReader) throws(KinError) -> RecordLine {
        switch shape {
        case .profile: .profile(try Profile(from: &reader), since: nil)
        case .session: .session(try Session(from: &reader))
        case .item: .item(try InventoryItem(from: &reader))
        case .soul: .soul(try Soul(from: &reader))
        case .image: .image(try ImageAnalysis(from: &reader))
        case .challenge: .challenges(try Challenge(from: &reader))
        case .contentDay: .challenges(try ContentItem(from: &reader))
        case .labelled: try labelled(&reader)
        }
    }

    private static func labelled(_ reader: inout JSONReader) throws(KinError) -> RecordLine {
        let start = reader
        var records: [RecordLine] = []
        var since: Timestamp?
        try reader.members(of: keys) { reader, key throws(KinError) in
            switch key {
            case 0: records.append(.session(try Session(from: &reader)))
            case 1: records.append(.profile(try Profile(from: &reader), since: nil))
            case 2: since = try Timestamp(parsing: reader.string())
            case 3: records.append(.item(try InventoryItem(from: &reader)))
            case 4: records.append(.soul(try Soul(from: &reader)))
            case 5: records.append(.contribution(try OwnContribution(from: &reader)))
            case 6: records.append(.inbox(try InboxRecord(from: &reader)))
            case 7: records.append(.block(try BlockRecord(from: &reader)))
            case 8: records.append(.image(try ImageAnalysis(from: &reader)))
            case 9: records.append(.baby(try BabyRecord(from: &reader)))
            case 10: records.append(.careEvent(try CareEvent(from: &reader)))
            default: records.append(.challenges(try Self.challenges(RecordKind.challenges[key - 11], &reader)))
            }
        }
        guard records.count == 1 else {
            throw start.error("a line has one record, this one has \(records.count)")
        }
        switch (records[0], since) {
        case (.profile(let profile, _), let since): return .profile(profile, since: since)
        case (let record, nil): return record
        default: throw start.error("\"since\" stands beside a profile only")
        }
    }
}

extension RecordLineReader {
    /// Reads a record of one of the kinds of challenges and daily content.
    private static func challenges(
        _ kind: RecordKind, _ reader: inout JSONReader
    ) throws(KinError) -> any StoredRecord {
        switch kind {
        case .challenge: try Challenge(from: &reader)
        case .contentDay: try ContentItem(from: &reader)
        case .challengePreferences: try ChallengePreferences(from: &reader)
        case .challengeState: try ChallengeState(from: &reader)
        case .userChallenge: try UserChallenge(from: &reader)
        case .challengeDecision: try ChallengeDecision(from: &reader)
        case .notification: try NotificationRecord(from: &reader)
        case .rotation: try Rotation(from: &reader)
        default: try Reflection(from: &reader)
        }
    }
}

extension StoredRow {
    /// Appends the record as a line of JSON.
    func appendLine(to bytes: inout [UInt8]) {
        bytes += "{\"\(kind.name)\":".utf8
        bytes += body
        // The one thing that is not in the body: from when on a version of it holds.
        if kind.columns.contains("since") {
            bytes += ",\"since\":\"\(Timestamp(unchecked: integer("since")))\"".utf8
        }
        bytes += "}\n".utf8
    }
}
