package import Kin
import NIOCore

/// The rules for callers: the names of the service in their requests, the origins of web pages, and a token.
package struct ServiceAccess: Sendable {
    /// The names of this machine that are always valid: a caller that uses one is on this machine.
    package static let loopbackNames: Set<String> = ["localhost", "127.0.0.1", "::1"]

    /// The names, without ports, that the `Host` of a request may have. A different name means that a foreign page made
    /// its own name resolve to this machine (DNS rebinding).
    package var hosts: Set<String>
    /// The origins of web pages whose requests are answered, such as `https://app.example.com`.
    package var origins: Set<String>
    /// The token that every request needs except `GET /health`; nil for none.
    package var token: AccessToken?

    /// Creates the access rules of a service.
    ///
    /// - Parameters:
    ///   - hosts: Names of the service in addition to ``loopbackNames``.
    ///   - origins: The allowed origins of web pages.
    ///   - token: The token; nil for none.
    package init(hosts: [String] = [], origins: [String] = [], token: AccessToken? = nil) {
        self.hosts = Self.loopbackNames.union(hosts.map { $0.lowercased() })
        self.origins = Set(origins)
        self.token = token
    }

    /// Requires a token unless only this machine can reach an address.
    ///
    /// - Parameter address: The address to listen on.
    /// - Throws: `.invalidArgument` for an address that other machines reach, without a token.
    package func requireToken(toListenOn address: String) throws(KinError) {
        guard token == nil, !Self.isLoopback(address) else { return }
        throw KinError(
            .invalidArgument,
            "the service needs a token to listen on \(address), which other machines can reach; write one of at least "
                + "\(AccessToken.fewestCharacters) characters into KIN_SERVICE_TOKEN or a file for --token-file")
    }

    /// Whether only this machine reaches an address.
    private static func isLoopback(_ address: String) -> Bool {
        loopbackNames.contains(address)
            || (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress?.hasPrefix("127.") == true
    }

    /// Whether the service has a name; a port after the name is ignored.
    func isName(_ authority: String) -> Bool {
        let name: Substring
        if authority.hasPrefix("[") {
            name = authority.dropFirst().prefix { $0 != "]" }
        } else {
            name = authority.prefix { $0 != ":" }
        }
        return hosts.contains(name.lowercased())
    }
}

/// A secret that callers send as `Authorization: Bearer TOKEN`.
package struct AccessToken: Sendable {
    /// The least number of characters.
    package static let fewestCharacters = 16
    private let bytes: [UInt8]

    /// Creates a token; white space around it, such as the line end of a file, is ignored.
    ///
    /// - Throws: `.invalidArgument` for fewer than 16 characters, and for characters that a header cannot contain.
    package init(_ text: String) throws(KinError) {
        bytes = Array(text.utf8.drop { $0 <= 32 }.reversed().drop { $0 <= 32 }.reversed())
        guard bytes.count >= Self.fewestCharacters, bytes.allSatisfy({ (33...126).contains($0) }) else {
            throw KinError(
                .invalidArgument,
                "the token must have at least \(Self.fewestCharacters) ASCII letters, digits and punctuation marks, without spaces; "
                    + "`openssl rand -hex 32` makes one")
        }
    }

    /// Whether the value of an `Authorization` header has the token. The time of the comparison depends on the length
    /// of the token only.
    func isIn(_ authorization: String?) -> Bool {
        let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].utf8)
        var difference = given.count ^ bytes.count
        for place in bytes.indices {
            difference |= Int(bytes[place] ^ (place < given.count ? given[place] : 0))
        }
        return difference == 0
    }
}
