import Kin

/// One thing a store of people can be asked.
enum PeopleQuestion: Equatable {
    /// Sessions like something.
    case near(Target, k: Int, metric: Metric, where: FilterExpression?)
    /// A person's sessions, newest first.
    case sessions(of: String, count: Int, after: String?)
    /// A person's taste at a time, the present when it is nil.
    case profile(String, at: Timestamp?)
    case insight(session: String, k: Int)
    case inventory(InventoryQuery, wish: Wish?, k: Int)
    case missions(MissionWish, k: Int)
    case map(String, plot: String?)
    /// Who is most like a person.
    case kindred(String, k: Int)
    /// What the affinity of two people is made of.
    case why(String, String)
    case inbox(String, InboxState?)
    /// What arrived since a time.
    case away(String, since: Timestamp)
    case users
    case info
    case turn(Command.Switch, isOn: Bool)
    case help(topic: String?)
    case quit

    /// What sessions are compared with.
    enum Target: Equatable {
        case session(String)
        case person(String, at: Timestamp?)
        case point(Pleasure)
    }

    /// What items are ranked for.
    enum Wish: Equatable {
        case person(String)
        case point(Pleasure)
    }

    /// What a mission is wanted for.
    struct MissionWish: Equatable {
        var person: String
        var place: Coordinates
        var minutes: Double
        var slot: TimeSlot
        var radiusKilometers = 3.0
        var state: SessionState?
        var weather: Weather?
        var season: Season?
    }
}
