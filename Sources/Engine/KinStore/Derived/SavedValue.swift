import GRDB

/// A derived value that is saved in the index folder, because reading it is much faster than deriving it.
///
/// Its file is a Kin file with the version of the store that the value reflects. The file is replaced as a whole or not
/// at all. It is read only if every byte matches its checksum, and ignored if it is damaged, of a different kind or of
/// an older format. Erasing a person removes all files (``Erasure``).
protocol SavedValue: DerivedValue {
    /// The keys whose values are saved.
    static var savedKeys: [Key] { get }
    /// The name of a value's file in the folder, without its extension.
    static func fileName(for key: Key) -> String
    /// The kind of the file.
    static var fileKind: FourCharacterCode { get }
    /// The version of the file's sections; a file of a different major version is ignored.
    static var fileVersion: FormatVersion { get }

    /// Reads the value from a file whose checksums match.
    ///
    /// - Throws: `.corruptFile` or `.invalidArgument` if the file is inconsistent or belongs to a different key.
    init(for key: Key, file: SectionFile) throws(KinError)

    /// Writes the sections of the value's file, except the note.
    func write(to writer: inout SectionFileWriter) throws(KinError)

    /// Whether the value reflects the same records as a newly derived value, and finds the same records; O(records).
    func agrees(with anew: Self) throws(KinError) -> Bool
}

/// The kinds of values that are saved.
enum SavedKinds {
    static let all: [any SavedValue.Type] = [
        SessionIndex.self, CachedMatcher.self, CachedInventory.self, CachedLibrary.self, CachedEmbeddings.self,
    ]

    /// The names of the files of all values. A name that an earlier release used stays in the list.
    static let fileNames = Set(all.flatMap { names(of: $0) })

    private static func names<Value: SavedValue>(of _: Value.Type) -> [String] {
        Value.savedKeys.map { "\(Value.fileName(for: $0)).kin" }
    }
}

extension Store {
    /// Derives every value that is saved, so that the first queries find it cached.
    ///
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`.
    /// - Complexity: O(records of the values that are neither in memory nor in a file).
    package nonisolated func deriveSavedValues() throws(KinError) {
        func derive<Value: SavedValue>(_ type: Value.Type) throws(KinError) {
            for key in Value.savedKeys { _ = try derived(type, for: key) }
        }
        for type in SavedKinds.all { try derive(type) }
    }

    /// The cached or saved values that differ from newly derived values, one sentence each.
    nonisolated func disagreements(in database: Database) throws -> [String] {
        func disagreements<Value: SavedValue>(_ type: Value.Type) throws -> [String] {
            try Value.savedKeys.compactMap { key in
                guard try cache.isAtHand(type, for: key) else { return nil }
                let value = try cache.upToDate(type, for: key, in: database)
                let agrees = try value.agrees(with: Value(for: key, in: database))
                return agrees ? nil : "the data derived for \"\(Value.fileName(for: key))\" differ from the rows"
            }
        }
        return try SavedKinds.all.flatMap { try disagreements($0) }
    }
}

extension SavedValue {
    /// The section with the version of the store.
    private static var note: FourCharacterCode { "NOTE" }

    static func saved(for key: Key, in folder: IndexFolder) -> (value: Self, version: StoreVersion)? {
        guard savedKeys.contains(key) else { return nil }
        do throws(KinError) {
            let file = try SectionFile(verifying: folder.file(fileName(for: key)), files: folder.files)
            try file.require(fileKind, version: fileVersion, name: "derived data")
            guard let version = StoreVersion(bytes: try file.array(note, of: UInt8.self)) else { return nil }
            return (try Self(for: key, file: file), version)
        } catch {
            return nil
        }
    }

    /// Saves the value with its version, for the next opening of the store.
    ///
    /// - Throws: `.inputOutput`; an earlier file is then unchanged.
    func save(for key: Key, version: StoreVersion, in folder: IndexFolder) throws(KinError) {
        try folder.make()
        // Saving is a side effect of the command, which must not fail if the saving is cancelled.
        try ProgressScope.shielded { () throws(KinError) in
            try SectionFileWriter.write(
                to: folder.file(Self.fileName(for: key)), kind: Self.fileKind, kindVersion: Self.fileVersion,
                files: folder.files
            ) { writer throws(KinError) in
                try write(to: &writer)
                let bytes = version.bytes
                try writer.write(bytes.span, to: Self.note)
            }
        }
    }
}
