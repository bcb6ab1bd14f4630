package import KinCore
package import KinIndex
package import KinLinearAlgebra
package import KinPleasure

/// A query to a store of people.
package enum PeopleQuestion: Equatable, Sendable {
    /// The sessions nearest to a reference.
    case near(Target, k: Int, metric: Metric, where: FilterExpression?)
    /// The sessions of a person, newest first.
    case sessions(of: String, count: Int, after: String?)
    /// The profiles of a person at an instant, nil for the present.
    case profile(String, at: Timestamp?)
    case insight(session: String, k: Int)
    case inventory(InventoryQuery, wish: Wish?, k: Int)
    case missions(MissionWish, k: Int)
    case map(String)
    case users
    case info

    /// The reference of a search for sessions.
    package enum Target: Equatable, Sendable {
        case session(String)
        case person(String, at: Timestamp?)
        case point(Pleasure)
    }

    /// The target by which items are ranked.
    package enum Wish: Equatable, Sendable {
        case person(String)
        case point(Pleasure)
    }

    /// The conditions of a search for missions.
    package struct MissionWish: Equatable, Sendable {
        package var person: String
        package var place: GeographicCoordinates
        package var minutes: Double
        package var slot: DayPart
        package var radiusKilometers = 3.0
        package var state: SessionState?
        package var weather: MissionRequest.Weather?
        package var season: TemporalTags.Season?

        package init(person: String, place: GeographicCoordinates, minutes: Double, slot: DayPart) {
            self.person = person
            self.place = place
            self.minutes = minutes
            self.slot = slot
        }
    }
}
