package import KinCore
package import KinPleasure
package import KinStore

/// An answer to a ``PeopleQuestion``.
package enum PeopleAnswer: Sendable {
    case matches([SessionMatch])
    case sessions([PleasureSession])
    case profile(ProfileAnswer)
    case insight(SessionInsight)
    /// Items, and whether they are ranked by their match with a target.
    case items([InventoryMatch], isRanked: Bool)
    case missions([Mission])
    case map(MapAnswer)
    case users([String])
    case info(people: Int, sessions: Int, items: Int)
}

/// The profiles of a person at an instant.
package struct ProfileAnswer: Sendable {
    package let user: String
    package let instant: Timestamp
    /// The part of the day at the instant.
    package let slot: DayPart
    package let taste: TasteProfiles
    /// The target profile at that time of day.
    package let target: Pleasure
}

/// A map of a person's sessions in two dimensions.
package struct MapAnswer: Sendable {
    package let user: String
    package let map: PleasureMap
    package let types: SessionTypes
    package let sessions: [PleasureSession]
}
