package import KinStore

/// The expected records of a store, in plain collections.
package struct Model: Sendable, Equatable {
    package var sessions: [String: PleasureSession] = [:]
    package var profiles: [String: [Timestamp: PleasureProfile]] = [:]
    package var items: [String: InventoryItem] = [:]
    package var souls: [String: Soul] = [:]

    package init() {}

    /// Reads all records of a store.
    package init(reading store: Store) throws(KinError) {
        for user in try store.users() {
            for version in try store.profileHistory(of: user) {
                profiles[version.profile.userID, default: [:]][version.since] = version.profile
            }
            for session in try store.sessions(of: user, limit: .max) { sessions[session.id] = session }
        }
        for item in try store.inventory() { items[item.id] = item }
        for soul in try store.souls() { souls[soul.userID] = soul }
    }

    /// Whether a second model has every record of this one.
    package func isPart(of other: Model) -> Bool {
        sessions.allSatisfy { other.sessions[$0] == $1 } && items.allSatisfy { other.items[$0] == $1 }
            && souls.allSatisfy { other.souls[$0] == $1 }
            && profiles.allSatisfy { user, versions in versions.allSatisfy { other.profiles[user]?[$0] == $1 } }
    }

    /// All people with a record, in order.
    package var users: [String] { Set(sessions.values.map(\.userID)).union(profiles.keys).union(souls.keys).sorted() }

    /// Applies an operation to the model.
    package mutating func apply(_ operation: Operation) {
        switch operation {
        case .putSessions(let new): for session in new { sessions[session.id] = session }
        case .putProfile(let version): profiles[version.profile.userID, default: [:]][version.since] = version.profile
        case .putItems(let new): for item in new { items[item.id] = item }
        case .putSouls(let new): for soul in new { souls[soul.userID] = soul }
        case .removeSession(let id): sessions[id] = nil
        case .removeItem(let id): items[id] = nil
        case .forget(let user):
            sessions = sessions.filter { $0.value.userID != user }
            profiles[user] = nil
            souls[user] = nil
        case .search, .saveIndexes, .reopen, .foreignRead: break
        }
    }

    /// The model after an operation.
    package func applying(_ operation: Operation) -> Model {
        var model = self
        model.apply(operation)
        return model
    }
}
