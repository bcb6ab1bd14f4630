extension VectorIndex {
    /// Saves the index to a file, all or nothing.
    ///
    /// The file at `path` is unchanged, even while it is open or mapped, until the new file is complete and on the
    /// disk. The new file then replaces it in one step. The same index gives the same bytes. A new file is accessible only
    /// to its owner (mode 0600); one that replaces a file gets the mode of that file.
    ///
    /// - Throws: `.inputOutput` with the path and advice; `.invalidArgument`, outside of `withOverwriting`, for a file
    ///   that is neither empty nor a saved index; `.cancelled` as described in `withProgressHandler`, with bytes as
    ///   units. The old file is unchanged then.
    /// - Complexity: O(n · dimension), plus O(n log n) for ids that are not simply 0, 1, 2 ….
    public func save(to path: String) throws(KinError) {
        try save(to: path, files: SystemFiles())
    }

    package func save(to path: String, files: some FileOperations) throws(KinError) {
        let (kind, older, newer) =
            layout.isFlat
            ? (
                FlatFile.kind, hasAttributes ? FlatFile.version : FlatFile.versionWithoutAttributes,
                FlatFile.versionWithNamesOrTags
            )
            : (IVFFile.kind, IVFFile.version, IVFFile.versionWithNamesOrTags)
        let hasTags = attributes.schema.attributes.contains { $0.kind == .tags }
        let version = hasNames || hasTags ? newer : older
        try SectionFileWriter.write(to: path, kind: kind, kindVersion: version, files: files) {
            (writer) throws(KinError) in
            try write(to: &writer)
        }
    }

    /// Writes the sections of the index. The file may have further sections: readers of an index ignore them.
    package func write(to writer: inout SectionFileWriter) throws(KinError) {
        try requireIntact()
        try attributes.write(to: &writer)
        try nameTable.write(where: contains, to: &writer)
        switch rows.kind {
        case .flat: try rows.flat!.write(nextID: nextID, to: &writer)
        case .lists: try rows.lists!.write(nextID: nextID, to: &writer)
        }
    }
}
