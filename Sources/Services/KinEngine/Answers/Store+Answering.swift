package import KinCore
import KinIndex
import KinLinearAlgebra
import KinPleasure
package import KinStore

extension Store {
    /// Answers a question from the records in the store.
    ///
    /// - Parameter now: Returns the present, for questions without an instant.
    /// - Throws: `.unknownID` for an unknown session or person; the errors of the parts.
    package nonisolated func answer(
        _ question: PeopleQuestion, now: () throws(KinError) -> Timestamp
    ) throws(KinError) -> PeopleAnswer {
        switch question {
        case .near(let target, let k, let metric, let filter):
            .matches(try near(target, k: k, metric: metric, where: filter, now: now))
        case .sessions(let user, let count, let after):
            .sessions(try sessions(of: user, limit: count, after: after.map(known)))
        case .profile(let user, let instant?): .profile(try profileAnswer(of: user, at: instant))
        case .profile(let user, nil): .profile(try profileAnswer(of: user, at: now()))
        case .insight(let id, let k): .insight(try insight(known(id), k: k))
        case .inventory(let query, let wish, let k):
            .items(
                try InventoryIndex(inventory()).search(query, for: point(wish, in: query.slot, now: now), k: k),
                isRanked: wish != nil)
        case .missions(let wish, let k): .missions(try missions(wish, k: k, now: now))
        case .map(let user): .map(try map(of: user))
        case .users: .users(try users())
        case .info:
            .info(people: try users().count, sessions: try sessionIndex().count, items: try inventory().count)
        }
    }

    /// The session with an id, which has to exist.
    private nonisolated func known(_ id: String) throws(KinError) -> PleasureSession {
        guard let session = try session(id) else {
            throw KinError(.unknownID, "there is no session \(id); `sessions` lists a person's")
        }
        return session
    }

    /// All sessions of a person by ascending start; at least one has to exist.
    private nonisolated func allSessions(of user: String) throws(KinError) -> [PleasureSession] {
        let sessions = try sessions(of: user, limit: .max)
        guard !sessions.isEmpty else {
            throw KinError(.unknownID, "\(user) has no sessions; `users` lists everybody")
        }
        return sessions.reversed()
    }

    /// The profiles of a person at an instant, of whom a record has to exist.
    private nonisolated func tasteProfiles(of user: String, at instant: Timestamp) throws(KinError) -> TasteProfiles {
        guard let taste = try TasteProfiles(of: user, at: instant, in: self) else {
            throw KinError(.unknownID, "nothing is known of \(user) at \(instant); `users` lists everybody")
        }
        return taste
    }

    private nonisolated func near(
        _ target: PeopleQuestion.Target, k: Int, metric: Metric, where filter: FilterExpression?,
        now: () throws(KinError) -> Timestamp
    ) throws(KinError) -> [SessionMatch] {
        let point: Pleasure
        var itself: String?
        switch target {
        case .session(let id):
            point = try known(id).embedding
            itself = id
        case .person(let user, let instant):
            let instant = if let instant { instant } else { try now() }
            point = try tasteProfiles(of: user, at: instant).target(at: TimeOfDay(of: instant))
        case .point(let given): point = given
        }
        // One more, for the session itself.
        let width = itself == nil ? k : min(k, .max - 1) + 1
        var found =
            if let filter {
                try nearestSessions(to: point, k: width, metric: metric, where: filter)
            } else {
                try nearestSessions(to: point, k: width, metric: metric)
            }
        found.removeAll { $0.session.id == itself }
        return Array(found.prefix(k))
    }

    private nonisolated func profileAnswer(of user: String, at instant: Timestamp) throws(KinError) -> ProfileAnswer {
        let taste = try tasteProfiles(of: user, at: instant)
        let time = try TimeOfDay(of: instant)
        return ProfileAnswer(
            user: user, instant: instant, slot: DayPart(at: time), taste: taste, target: taste.target(at: time))
    }

    private nonisolated func insight(_ session: PleasureSession, k: Int) throws(KinError) -> SessionInsight {
        try SessionInsight(of: session, among: allSessions(of: session.userID), k: k)
    }

    private nonisolated func point(
        _ wish: PeopleQuestion.Wish?, in slot: DayPart?, now: () throws(KinError) -> Timestamp
    ) throws(KinError) -> Pleasure? {
        switch wish {
        case nil: nil
        case .point(let point): point
        case .person(let user): try self.target(of: user, in: slot, now: now)
        }
    }

    /// A person's target profile in the middle of a time slot, or now.
    private nonisolated func target(
        of user: String, in slot: DayPart?, now: () throws(KinError) -> Timestamp
    ) throws(KinError) -> Pleasure {
        let instant = try now()
        let time = if let slot { TimeOfDay(middleOf: slot) } else { try TimeOfDay(of: instant) }
        return try tasteProfiles(of: user, at: instant).target(at: time)
    }

    private nonisolated func missions(
        _ wish: PeopleQuestion.MissionWish, k: Int, now: () throws(KinError) -> Timestamp
    ) throws(KinError) -> [Mission] {
        var state = wish.state
        if state == nil { state = try profile(of: wish.person)?.sessionState }
        let request = MissionRequest(
            target: try self.target(of: wish.person, in: wish.slot, now: now), state: state ?? .idle,
            weather: wish.weather,
            slot: wish.slot, season: wish.season, minutes: wish.minutes, location: wish.place,
            radiusKilometers: wish.radiusKilometers)
        return try InventoryIndex(inventory()).missions(for: request, k: k)
    }

    private nonisolated func map(of user: String) throws(KinError) -> MapAnswer {
        let sessions = try allSessions(of: user)
        return MapAnswer(
            user: user, map: try PleasureMap(of: sessions), types: try SessionTypes(of: sessions), sessions: sessions)
    }
}
