import GRDB

/// The secret key of anonymous names and ids, which cannot be inverted: HMAC-SHA256 (RFC 2104).
///
/// The key is random. The database creates and stores it on first use, or the caller stores it (``NamingKeySource``).
/// It is never exported. Without the key, trying ids does not reveal the person behind a name.
struct NamingKey {
    private let key: HMACSHA256

    init(_ bytes: [UInt8]) { key = HMACSHA256(key: bytes) }

    /// A fingerprint of 16 bytes that identifies the key without revealing it.
    var fingerprint: [UInt8] { Array(digest("fingerprint").prefix(16)) }

    /// The HMAC of texts for a purpose, 32 bytes.
    private func digest(_ purpose: String, _ texts: String...) -> [UInt8] {
        // Lengths separate texts that would be ambiguous when joined.
        var message = Array(purpose.utf8)
        for text in texts {
            message += Array("\0\(text.utf8.count)\0".utf8)
            message += text.utf8
        }
        return key.code(of: message)
    }

    /// The anonymous name of a person.
    func name(of user: String) -> AnonymousName { AnonymousName(digest: digest("name", user)) }

    /// The id of a contribution, 32 hexadecimal digits; equal for equal content by the same author at the same instant.
    func contributionID(author: String, made: Timestamp, json: String) -> String {
        // Midnight is written as a date alone, as in release 0.1.0: ids must not change between releases.
        var text = made.description
        if text.hasSuffix("T00:00:00Z") { text.removeLast("T00:00:00Z".count) }
        return Secrets.hexadecimal(digest("contribution", author, text, json).prefix(16))
    }

    /// The id of an inbox item, 16 hexadecimal digits.
    func itemID(contribution: String, recipient: String) -> String {
        Secrets.hexadecimal(digest("item", contribution, recipient).prefix(8))
    }

    /// The id of a person's block of an author who has no contribution in the store, 32 hexadecimal digits.
    func blockID(author: String, recipient: String) -> String {
        Secrets.hexadecimal(digest("block", author, recipient).prefix(16))
    }
}

/// The source of a store's naming key: the database, which creates the key on first use, or the caller. For a caller's
/// key the database has a fingerprint.
struct NamingKeySource: Sendable {
    /// The caller's key; nil if the database has the key.
    private let given: [UInt8]?

    private static let secret = "naming"
    private static let fingerprint = "naming fingerprint"
    private static let smallest = 16

    /// Creates the source of a key, either the caller's or the database's own.
    ///
    /// - Parameter given: The caller's key; nil for the database's own.
    /// - Throws: `.invalidArgument` for a key of less than 16 bytes.
    init(given: [UInt8]?) throws(KinError) {
        if let given, given.count < Self.smallest {
            throw KinError(
                .invalidArgument, "must have \(Self.smallest) or more random bytes, not \(given.count)"
            ).within("parameter", "namingKey")
        }
        self.given = given
    }

    /// The key in the database; nil if it has none.
    static func own(in database: Database) throws -> [UInt8]? { try Secrets.value(secret, in: database) }

    /// Whether the key is in the database, with the caller (the database then has its fingerprint), or does not exist
    /// yet.
    static func location(in database: Database) throws -> StoreReport.NamingKeyLocation {
        if try own(in: database) != nil { return .database }
        return try Secrets.value(fingerprint, in: database) == nil ? .nowhere : .caller
    }

    /// Requires that a given key is the key that the names were made with.
    ///
    /// - Throws: `.invalidArgument`.
    func require(in database: Database) throws {
        guard let given else { return }
        let own = try Self.own(in: database)
        let known = try own.map { NamingKey($0).fingerprint } ?? Secrets.value(Self.fingerprint, in: database)
        guard let known, known != NamingKey(given).fingerprint else { return }
        throw KinError(
            .invalidArgument,
            own == nil
                ? "the names were made with a different key; open the store with that key"
                : "the store has its own naming key, which its names were made with; open the store with that key"
        ).within("parameter", "namingKey")
    }

    /// Makes a given key the store's key: stores its fingerprint, and deletes the same key from the database.
    ///
    /// - Returns: Whether a key was deleted, so that its bytes must be erased.
    func settle(in database: Database) throws -> Bool {
        try require(in: database)
        guard let given else { return false }
        let isTakenOut = try Self.own(in: database) != nil
        if isTakenOut {
            try SQLStatement("DELETE FROM secret WHERE name = ?", in: database).run([.text(Self.secret)])
            try Erasure.begin(in: database)
        }
        if try Secrets.value(Self.fingerprint, in: database) == nil {
            try Secrets.store(NamingKey(given).fingerprint, as: Self.fingerprint, in: database)
        }
        return isTakenOut
    }

    /// The naming key; nil if no key has been needed yet.
    ///
    /// - Throws: `.invalidArgument` if the caller stores the key and the store was opened without it.
    func key(in database: Database) throws -> NamingKey? {
        if let given { return NamingKey(given) }
        if let own = try Self.own(in: database) { return NamingKey(own) }
        guard try Secrets.value(Self.fingerprint, in: database) == nil else {
            throw KinError(
                .invalidArgument, "the store's naming key is not in the database; open the store with the key"
            ).within("parameter", "namingKey")
        }
        return nil
    }

    /// The naming key; it is created on first use.
    ///
    /// - Throws: As ``key(in:)``.
    func key(makingIn database: Database) throws -> NamingKey {
        if let key = try key(in: database) { return key }
        let bytes = Secrets.random(32)
        try Secrets.store(bytes, as: Self.secret, in: database)
        return NamingKey(bytes)
    }
}

/// The table of the store's secrets: random bytes by name.
enum Secrets {
    /// The bytes with a name; nil if there are none.
    static func value(_ name: String, in database: Database) throws -> [UInt8]? {
        try SQLStatement("SELECT value FROM secret WHERE name = ?", in: database).first([.text(name)]) { $0.bytes(0) }
    }

    /// Stores bytes under a name, in place of earlier ones.
    static func store(_ value: [UInt8], as name: String, in database: Database) throws {
        try SQLStatement(
            "INSERT INTO secret VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", in: database
        ).run([.text(name), .bytes(value)])
    }

    /// Draws the bytes of a new secret from the generator of the system.
    static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }

    /// Bytes as hexadecimal digits, two for each.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += String($1 >> 4, radix: 16) + String($1 & 15, radix: 16) }
    }
}
