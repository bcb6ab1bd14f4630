/// What a store holds, and what is wrong with it.
public struct StoreReport: Sendable, Hashable {
    /// The database's path.
    public let path: String
    /// The state of the database.
    public let stamp: StoreStamp
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

    /// Whether every record is as it was written, and searches agree with the records.
    public var isIntact: Bool { problems.isEmpty }
}
