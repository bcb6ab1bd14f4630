import GRDB

/// The identity of a store's history: 16 random bytes in the database, the backups and the writer's note.
///
/// Change numbers order the states of one history. Restoring a backup begins a new history, so that the old history's
/// note, which may name a later change, does not bind the restored database.
struct Lineage: Sendable, Hashable {
    private let bytes: [UInt8]

    private static let secret = "lineage"

    /// Draws a new lineage.
    init() {
        bytes = Secrets.random(16)
    }

    /// Reads the 32 hexadecimal digits of a writer's note; nil if they are malformed.
    init?(_ digits: Substring) {
        let digits = digits.compactMap(\.hexDigitValue)
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Reads the lineage of a database; nil if the database has none, as in release 0.2.0.
    init?(of database: Database) throws {
        guard let found = try Secrets.value(Self.secret, in: database), found.count == 16 else { return nil }
        bytes = found
    }

    /// Makes this the lineage of a database.
    func store(in database: Database) throws {
        try Secrets.store(bytes, as: Self.secret, in: database)
    }

    /// Returns the lineage of a database that is open for writing; a database without a lineage gets a new one.
    static func settled(in pool: any DatabaseWriter) throws -> Lineage {
        if let known = try pool.read({ try Lineage(of: $0) }) { return known }
        let new = Lineage()
        try pool.write { try new.store(in: $0) }
        return new
    }

    /// The lineage as 32 hexadecimal digits.
    var description: String { Secrets.hexadecimal(bytes) }
}
