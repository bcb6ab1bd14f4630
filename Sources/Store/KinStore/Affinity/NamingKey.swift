import Crypto
import GRDB
import KinAffinity
import KinCore

/// The secret from which names and ids are derived that cannot be turned back: HMAC-SHA256 (RFC 2104).
///
/// It is made by chance and kept in the database when it is first needed, or given by the caller, who keeps it elsewhere (``NamingKeySource``);
/// it is never exported. Whoever has the database has everybody's ids anyway; whoever has only what an app shows, and not the key, cannot find
/// out, by trying ids, whom a name belongs to.
struct NamingKey {
    private let key: SymmetricKey

    init(_ bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

    /// What tells the key from others and says nothing of it.
    var fingerprint: [UInt8] { Array(digest("fingerprint").prefix(16)) }

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
