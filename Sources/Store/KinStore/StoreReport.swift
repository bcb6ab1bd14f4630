/// What a store holds, and what is wrong with it.
public struct StoreReport: Sendable, Hashable {
    /// The database's path.
    public let path: String
    /// The state of the database.
    public let version: StoreVersion
    /// How many people there are.
    public let people: Int
    /// How many records of each kind there are, by the kind's name.
    public let counts: [String: Int]
    /// Bytes of the database, its log and the index files.
    public let totalBytes: Int
    /// What is wrong, one sentence each; none when the store is whole.
    public let problems: [String]
    /// What should be looked at although every record is whole, one sentence each: bytes of the forgotten that could not be removed yet, files
    /// that other accounts of the machine may use.
    public let warnings: [String]

    /// Where the key is from which anonymous names are made.
    public let namingKey: NamingKeyLocation

    /// Where a naming key is.
    public enum NamingKeyLocation: String, Sendable, Hashable, CaseIterable {
        /// None has been needed.
        case nowhere = "none"
        /// In the database.
        case database
        /// Outside of the store; the database has a fingerprint of it.
        case caller
    }

    /// Whether every record is as it was written, and searches agree with the records.
    public var isIntact: Bool { problems.isEmpty }
}
