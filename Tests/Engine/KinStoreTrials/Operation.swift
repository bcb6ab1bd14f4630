package import KinAffinity
package import KinPleasure

/// An operation on a store.
package enum Operation: Sendable, Equatable {
    case putSessions([PleasureSession])
    case putProfile(ProfileVersion)
    case putItems([InventoryItem])
    case putSouls([Soul])
    case removeSession(String)
    case removeItem(String)
    case forget(String)
    case search(Pleasure)
    case saveIndexes
    /// Closes the store and opens it again.
    case reopen
    /// A different program reads the database.
    case foreignRead(ForeignReader)
}

/// A sequence of operations drawn from a seed. Each depends on the seed, its number and the existing records.
package struct Workload: Sendable {
    /// The kinds of operations in the sequence.
    package enum Kind: String, Sendable {
        /// All kinds except reads by other programs.
        case mixed
        /// A record, a read by a different program, a record, and so on.
        case foreign
    }

    private let seed: UInt64
    private let kind: Kind

    package init(seed: UInt64, kind: Kind = .mixed) {
        self.seed = seed
        self.kind = kind
    }

    /// The operation with this number, on the records of a model.
    package func operation(_ number: Int, on model: Model) -> Operation {
        var generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
        do throws(KinError) {
            return try draw(number, on: model, &generator)
        } catch {
            preconditionFailure("the workload makes valid records: \(error)")
        }
    }

    /// Covers every kind in the first twenty-two operations; random after that.
    private func draw(
        _ number: Int, on model: Model, _ generator: inout SeededGenerator
    ) throws(KinError) -> Operation {
        let fixed = [0, 1, 2, 3, 12, 7, 8, 3, 0, 9, 12, 7, 6, 1, 8, 5, 7, 0, 12, 9, 2, 4]
        let users = model.users
        let sessions = model.sessions.keys.sorted()
        let items = model.items.keys.sorted()
        let user =
            users.isEmpty || Int.random(in: 0..<4, using: &generator) == 0
            ? name("person", number) : users.randomElement(using: &generator)!
        if kind == .foreign {
            guard number % 3 == 1 else {
                return .putSessions([try session(name("session", number), of: user, &generator)])
            }
            let readers = ForeignReader.allCases
            return .foreignRead(readers[number / 3 % readers.count])
        }
        switch number < fixed.count ? fixed[number] : Int.random(in: 0..<13, using: &generator) {
        case 0:
            return .putSessions([try session(name("session", number), of: user, &generator)])
        case 1, 10, 11:
            let count = Int.random(in: 2...40, using: &generator)
            return .putSessions(
                try (0..<count).map { i throws(KinError) in
                    try session("\(name("session", number))-\(i)", of: user, &generator)
                })
        case 2:
            let profile = try PleasureProfile(userID: user, pleasure: Self.point(&generator))
            return .putProfile(
                ProfileVersion(since: try Timestamp(seconds: Double(number) * 3600), profile: profile))
        case 3:
            let count = Int.random(in: 1...5, using: &generator)
            return .putItems(
                try (0..<count).map { i throws(KinError) in
                    try InventoryItem(
                        id: "\(name("item", number))-\(i)", name: text(&generator), kind: .space, access: .peer,
                        location: Bool.random(using: &generator)
                            ? GeographicCoordinates(
                                latitude: Double.random(in: 40...41, using: &generator), longitude: 2) : nil)
                })
        case 12:
            let others = users.shuffled(using: &generator).prefix(3)
            return .putSouls(
                try Set(others + [user]).sorted().map { user throws(KinError) in try soul(of: user, &generator) })
        case 4 where !sessions.isEmpty:
            return .removeSession(sessions.randomElement(using: &generator)!)
        case 5 where !items.isEmpty:
            return .removeItem(items.randomElement(using: &generator)!)
        case 6 where !sessions.isEmpty:
            // The same session with new content.
            let old = model.sessions[sessions.randomElement(using: &generator)!]!
            return .putSessions([try session(old.id, of: old.userID, &generator)])
        case 7: return .search(Self.point(&generator))
        case 8: return .saveIndexes
        case 9 where users.count > 1: return .forget(users.randomElement(using: &generator)!)
        default: return .reopen
        }
    }

    private func name(_ kind: String, _ number: Int) -> String {
        let digits = String(number)
        return "\(kind)-\(String(seed, radix: 36))-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private func session(
        _ id: String, of user: String, _ generator: inout SeededGenerator
    ) throws(KinError) -> PleasureSession {
        let dimensions = Pleasure.Dimension.allCases.shuffled(using: &generator)
        var intensities: [Pleasure.Dimension: Float] = [:]
        for dimension in dimensions.prefix(Int.random(in: 1...4, using: &generator)) {
            intensities[dimension] = Float.random(in: 0...1, using: &generator)
        }
        var session = try PleasureSession(
            id: id, userID: user, start: Timestamp(seconds: Double.random(in: 0...2e9, using: &generator)),
            state: SessionState.allCases.randomElement(using: &generator)!,
            pleasure: PleasureMarks(primary: Array(dimensions[4..<6]), intensities: intensities))
        session.notes = "\(user) wrote: \(text(&generator))"
        return session
    }

    private func soul(of user: String, _ generator: inout SeededGenerator) throws(KinError) -> Soul {
        let goals = ["sleep", "calm", "friends", "work-\(Int.random(in: 0..<9, using: &generator))"].prefix(
            Int.random(in: 0...4, using: &generator))
        return try Soul(
            userID: user,
            goals: SoulTraits(
                Dictionary(uniqueKeysWithValues: goals.map { ($0, Double.random(in: 1...9, using: &generator)) })),
            realms: SoulTraits(["forest": 2, "\(user) house": 1]),
            valence: Double.random(in: -1...1, using: &generator), note: "\(user) said: \(text(&generator))")
    }

    static func point(_ generator: inout SeededGenerator) -> Pleasure {
        var point = Pleasure()
        for dimension in Pleasure.Dimension.allCases {
            do throws(KinError) {
                try point.set(dimension, to: Float.random(in: 0...1, using: &generator))
            } catch {
                preconditionFailure("it is from 0 to 1: \(error)")
            }
        }
        return point
    }

    /// Text of any length, sometimes of several pages of the database.
    private func text(_ generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 0..<8, using: &generator) == 0 ? 20_000 : 200
        let words = ["sea", "wood", "bread", "rain", "room", "road", "light", "fern"]
        var text = ""
        for _ in 0..<Int.random(in: 0..<length / 5, using: &generator) {
            text += words.randomElement(using: &generator)! + " "
        }
        return text
    }
}
