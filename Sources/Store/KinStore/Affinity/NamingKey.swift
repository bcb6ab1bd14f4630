import Crypto
import GRDB
import KinAffinity
import KinCore

/// The store's secret, from which names and ids are derived that cannot be turned back: HMAC-SHA256 (RFC 2104).
///
/// It is made by chance when it is first needed and never exported. Whoever has the database has everybody's ids anyway; whoever has only what
/// an app shows cannot find out, by trying ids, whom a name belongs to.
struct NamingKey {
    private let key: SymmetricKey

    private static let name = "naming"

    /// The key of a database, or nil when none has been needed.
    init?(in database: Database) throws {
        let bytes = try SQLStatement("SELECT value FROM secret WHERE name = ?", in: database)
            .first([.text(Self.name)]) { $0.bytes(0) }
        guard let bytes else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// The key of a database, made where there is none.
    init(makingIn database: Database) throws {
        if let key = try NamingKey(in: database) {
            self = key
            return
        }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try SQLStatement("INSERT INTO secret VALUES (?, ?)", in: database).run([.text(Self.name), .bytes(bytes)])
        key = SymmetricKey(data: bytes)
    }

    /// A digest of texts, for one purpose.
    private func digest(_ purpose: String, _ texts: String...) -> [UInt8] {
        // Lengths keep apart what runs together otherwise.
        var message = Array(purpose.utf8)
        for text in texts {
            message += Array("\0\(text.utf8.count)\0".utf8)
            message += text.utf8
        }
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// What others may call a person.
    func name(of user: String) -> AnonymousName { AnonymousName(digest: digest("name", user)) }

    /// The id of a contribution: the same one for the same thing, made by the same person at the same instant.
    func contributionID(author: String, made: Timestamp, json: String) -> String {
        // Midnight is its date alone, as version 0.1.0 wrote it: an id outlives versions.
        var text = made.description
        if text.hasSuffix("T00:00:00Z") { text.removeLast("T00:00:00Z".count) }
        return Self.hexadecimal(digest("contribution", author, text, json).prefix(16))
    }

    /// The id of an item in an inbox.
    func itemID(contribution: String, recipient: String) -> String {
        Self.hexadecimal(digest("item", contribution, recipient).prefix(8))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += String($1 >> 4, radix: 16) + String($1 & 15, radix: 16) }
    }
}
