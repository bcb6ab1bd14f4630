import GRDB
import KinAffinity
package import KinCore
import KinIndex
import KinPleasure

/// A derived value that is saved beside the database, since reading it is much faster than deriving it anew.
///
/// Its file is a Kin file with the version of the store that the value shows. It appears whole or not at all, is read only if every byte
/// has the checksum that was written with it, and is passed over when it is damaged, of another kind or of an older format. Forgetting
/// anybody removes all files (``Erasure``).
protocol SavedValue: DerivedValue {
    /// The keys whose values are saved.
    static var savedKeys: [Key] { get }
    /// The name of a value's file in the folder, without its extension.
    static func fileName(for key: Key) -> String
    /// The kind of the file.
    static var fileKind: FourCharacterCode { get }
    /// The version of the file's sections; a file of another major version is passed over.
    static var fileVersion: FormatVersion { get }

    /// Reads the value of a file whose checksums hold.
    ///
    /// - Throws: `.corruptFile` or `.invalidArgument` when the file contradicts itself or belongs to another key.
    init(for key: Key, file: SectionFile) throws(KinError)

    /// Writes the sections of the value's file, all but the note.
    func write(to writer: inout SectionFileWriter) throws(KinError)

    /// Whether the value shows the same records as one that was derived anew, and finds the same among them; O(records).
    func agrees(with anew: Self) throws(KinError) -> Bool
}

/// The kinds of values that are saved; those that are not in the list are not.
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
    /// Derives every value that is saved, so that the first questions find it ready.
    ///
    /// - Throws: `.corruptFile` when a record is not as it was written; `.inputOutput`.
    /// - Complexity: O(records of the values that are neither in memory nor in a file).
    package nonisolated func deriveSavedValues() throws(KinError) {
        func derive<Value: SavedValue>(_ type: Value.Type) throws(KinError) {
            for key in Value.savedKeys { _ = try derived(type, for: key) }
        }
        for type in SavedKinds.all { try derive(type) }
    }

    /// The values, kept or saved, that differ from those derived anew, one sentence each.
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
    /// - Throws: `.inputOutput`; a file of before is untouched then.
    func save(for key: Key, version: StoreVersion, in folder: IndexFolder) throws(KinError) {
        try folder.make()
        // It is done beside what was asked for, which a cancelled save must not fail.
        try ProgressScope.shielded { () throws(KinError) in
            try SectionFileWriter.write(
                to: folder.file(Self.fileName(for: key)), kind: Self.fileKind, kindVersion: Self.fileVersion,
                files: folder.files, isPrivate: true
            ) { writer throws(KinError) in
                try write(to: &writer)
                let bytes = version.bytes
                try writer.write(bytes.span, to: Self.note)
            }
        }
    }
}
