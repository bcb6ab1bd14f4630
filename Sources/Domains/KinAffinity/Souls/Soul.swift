public import KinCore

/// A person as far as affinity is concerned: what they seek, where and with what they dwell, how they practise and how they feel.
///
/// What is not known is left out: an empty block is never compared.
public struct Soul: Sendable, Hashable {
    /// Whose it is.
    public let userID: String
    /// Therapeutic goals, and how often each was sought.
    public var goals: SoulTraits
    /// Kinds of realms, and how often each was visited.
    public var realms: SoulTraits
    /// Categories of objects, and how often each was met.
    public var objects: SoulTraits
    /// How the person practises.
    public var pattern: SessionPattern?
    /// How the person feels, −1…1.
    public let valence: Double?
    /// What an app notes about the person. It is kept and never compared, shown or passed on.
    public var note: String?

    /// A soul.
    ///
    /// - Throws: `.invalidArgument` for a user id that is none (`RecordID`) or a valence outside −1…1, `.notFinite` for one that is no number; naming the
    ///   field.
    public init(
        userID: String, goals: SoulTraits = SoulTraits(), realms: SoulTraits = SoulTraits(),
        objects: SoulTraits = SoulTraits(),
        pattern: SessionPattern? = nil, valence: Double? = nil, note: String? = nil
    ) throws(KinError) {
        if let valence {
            guard valence.isFinite else { throw KinError(.notFinite, "it is \(valence)").within("field", "valence") }
            guard valence >= -1, valence <= 1 else {
                throw KinError(.invalidArgument, "it is \(valence), and must be from -1 to 1").within(
                    "field", "valence")
            }
        }
        self.userID = try RecordID.checked(userID, field: "uid")
        self.goals = goals
        self.realms = realms
        self.objects = objects
        self.pattern = pattern
        self.valence = valence
        self.note = note
    }

    /// The traits of a block that holds traits.
    package func traits(_ block: SoulBlock) -> SoulTraits {
        switch block {
        case .goals: goals
        case .realms: realms
        case .objects: objects
        case .patterns, .valence: SoulTraits()
        }
    }
}
