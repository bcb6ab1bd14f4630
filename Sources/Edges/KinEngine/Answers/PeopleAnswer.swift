package import KinCore
package import KinPleasure
package import KinStore

/// What a store of people answers.
package enum PeopleAnswer: Sendable {
    case matches([SessionMatch])
    case sessions([PleasureSession])
    case profile(ProfileAnswer)
    case insight(SessionInsight)
    /// Items, and whether they are ranked by how well they match a wish.
    case items([InventoryMatch], isRanked: Bool)
    case missions([Mission])
    case map(MapAnswer)
    case users([String])
    case info(people: Int, sessions: Int, items: Int)
}

/// A person's taste at an instant.
package struct ProfileAnswer: Sendable {
    package let user: String
    package let instant: Timestamp
    /// The time of day then.
    package let slot: TimeSlot
    package let taste: TasteProfiles
    /// The target profile at that time of day.
    package let target: Pleasure
}

/// A person's sessions in the plane.
package struct MapAnswer: Sendable {
    package let user: String
    package let map: PleasureMap
    package let types: SessionTypes
    package let sessions: [PleasureSession]
}
