package import KinCore
package import KinIndex
package import KinLinearAlgebra
package import KinPleasure

/// One thing a store of people can be asked.
package enum PeopleQuestion: Equatable, Sendable {
    /// Sessions like something.
    case near(Target, k: Int, metric: Metric, where: FilterExpression?)
    /// A person's sessions, newest first.
    case sessions(of: String, count: Int, after: String?)
    /// A person's taste at a time, the present when it is nil.
    case profile(String, at: Timestamp?)
    case insight(session: String, k: Int)
    case inventory(InventoryQuery, wish: Wish?, k: Int)
    case missions(MissionWish, k: Int)
    case map(String)
    case users
    case info

    /// What sessions are compared with.
    package enum Target: Equatable, Sendable {
        case session(String)
        case person(String, at: Timestamp?)
        case point(Pleasure)
    }

    /// What items are ranked for.
    package enum Wish: Equatable, Sendable {
        case person(String)
        case point(Pleasure)
    }

    /// What a mission is for.
    package struct MissionWish: Equatable, Sendable {
        package var person: String
        package var place: GeographicCoordinates
        package var minutes: Double
        package var slot: TimeSlot
        package var radiusKilometers = 3.0
        package var state: SessionState?
        package var weather: MissionRequest.Weather?
        package var season: TemporalTags.Season?

        package init(person: String, place: GeographicCoordinates, minutes: Double, slot: TimeSlot) {
            self.person = person
            self.place = place
            self.minutes = minutes
            self.slot = slot
        }
    }
}
