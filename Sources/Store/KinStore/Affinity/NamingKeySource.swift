import GRDB
import KinCore

/// Where a store has its naming key from: the database, where it is made when it is first needed, or the caller, of whose key the database
/// has a fingerprint alone.
struct NamingKeySource: Sendable {
    /// The caller's key.
    private let given: [UInt8]?

    private static let secret = "naming"
    private static let fingerprint = "naming fingerprint"
    private static let smallest = 16

    /// - Parameter given: The caller's key; nil for the database's own.
    /// - Throws: `.invalidArgument` for a key of less than 16 bytes.
    init(given: [UInt8]?) throws(KinError) {
        if let given, given.count < Self.smallest {
            throw KinError(
                .invalidArgument, "it has \(given.count) bytes; give \(Self.smallest) or more, drawn by chance"
            ).within("parameter", "namingKey")
        }
        self.given = given
    }

    private static func value(_ name: String, in database: Database) throws -> [UInt8]? {
        try SQLStatement("SELECT value FROM secret WHERE name = ?", in: database).first([.text(name)]) { $0.bytes(0) }
    }

    private static func keep(_ value: [UInt8], as name: String, in database: Database) throws {
        try SQLStatement("INSERT INTO secret VALUES (?, ?)", in: database).run([.text(name), .bytes(value)])
    }

    /// The database's own key, or nil when it has none.
    static func own(in database: Database) throws -> [UInt8]? { try value(secret, in: database) }

    /// Where the key is.
    static func location(in database: Database) throws -> StoreReport.NamingKeyLocation {
        if try own(in: database) != nil { return .database }
        return try value(fingerprint, in: database) == nil ? .nowhere : .caller
    }

    /// Refuses a key with which names would become others than those that were given.
    ///
    /// - Throws: `.invalidArgument`.
    func require(in database: Database) throws {
        guard let given else { return }
        let own = try Self.own(in: database)
        let known = try own.map { NamingKey($0).fingerprint } ?? Self.value(Self.fingerprint, in: database)
        guard let known, known != NamingKey(given).fingerprint else { return }
        throw KinError(
            .invalidArgument,
            own == nil
                ? "names were given by another key; open the store with that one"
                : "the store has a naming key of its own, by which names were given; take it over: storedNamingKey() returns it"
        ).within("parameter", "namingKey")
    }

    /// Makes a caller's key the store's: notes its fingerprint, and takes the same key out of the database if it is there.
    ///
    /// - Returns: Whether a key was taken out, whose bytes are to be erased.
    func settle(in database: Database) throws -> Bool {
        try require(in: database)
        guard let given else { return false }
        let isTakenOut = try Self.own(in: database) != nil
        if isTakenOut {
            try SQLStatement("DELETE FROM secret WHERE name = ?", in: database).run([.text(Self.secret)])
            try Erasure.begin(in: database)
        }
        if try Self.value(Self.fingerprint, in: database) == nil {
            try Self.keep(NamingKey(given).fingerprint, as: Self.fingerprint, in: database)
        }
        return isTakenOut
    }

    /// The key, or nil when none has been needed.
    ///
    /// - Throws: `.invalidArgument` when the caller of another time has it.
    func key(in database: Database) throws -> NamingKey? {
        if let given { return NamingKey(given) }
        if let own = try Self.own(in: database) { return NamingKey(own) }
        guard try Self.value(Self.fingerprint, in: database) == nil else {
            throw KinError(
                .invalidArgument, "the store's naming key is kept outside of it; open the store with it"
            ).within("parameter", "namingKey")
        }
        return nil
    }

    /// The key, made where there is none.
    ///
    /// - Throws: As ``key(in:)``.
    func key(makingIn database: Database) throws -> NamingKey {
        if let key = try key(in: database) { return key }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try Self.keep(bytes, as: Self.secret, in: database)
        return NamingKey(bytes)
    }
}
